package drive

import (
	"os"
	"time"

	"assay/bench"
)

// alive kills the process when it gives no sign of life for too long, until the
// function that it returns is called.
func (p *Process) alive(cmd bench.Command) (stop func()) {
	if p.limits.Hang <= 0 || cmd.Load != nil {
		return func() {}
	}
	done := make(chan struct{})
	go p.listen(p.hang(cmd), done)
	return func() { close(done) }
}

// listen looks at the mark file, whose time a runner at work renews every second, and kills
// one that is silent for as long as hang.
//
// One that is silent because it does not get a processor is not killed: a program
// that hangs either computes or sleeps, so one that had some CPU time in its silence,
// and not much, waits for more.
func (p *Process) listen(hang time.Duration, done chan struct{}) {
	step := min(max(hang/20, time.Millisecond), time.Second)
	tick := time.NewTicker(step)
	defer tick.Stop()
	sign, used := p.sign(), p.cpuTime()
	var silent time.Duration
	for last := time.Now(); ; {
		select {
		case <-done:
			return
		case <-tick.C:
		}
		now := time.Now()
		silent += min(now.Sub(last), max(2*step, stopped)) // not what came while we were stopped
		last = now
		if s := p.sign(); s != sign {
			sign, silent, used = s, 0, p.cpuTime()
		}
		if silent < hang {
			continue
		}
		had := p.cpuTime() - used
		if used < 0 || had < hang/50 || had > hang/3 {
			p.kill(tooLate, "no answer in "+hang.String())
			return
		}
	}
}

// sign is the time of the mark file.
func (p *Process) sign() time.Time {
	info, err := os.Stat(p.mark)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

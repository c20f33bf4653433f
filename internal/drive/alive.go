package drive

import (
	"os"
	"time"

	"assay/bench"
	"assay/result"
)

// alive kills the process if it gives no sign of life for too long, until the caller calls stop.
func (p *Process) alive(cmd bench.Command) (stop func()) {
	if p.limits.Hang <= 0 || cmd.Load != nil {
		return func() {}
	}
	done := make(chan struct{})
	go p.listen(p.hang(cmd), done)
	return func() { close(done) }
}

// listen checks the modification time of the mark file, which a working runner renews every
// second. It kills a process that has been silent for as long as hang.
//
// listen does not kill a process that is silent because it gets no processor. A hanging program
// either computes or sleeps. A process that used some CPU time while it was silent, but not much,
// is waiting for more.
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
		silent += min(now.Sub(last), max(2*step, stopped)) // time while we were stopped is left out
		last = now
		if s := p.sign(); s != sign {
			sign, silent, used = s, 0, p.cpuTime()
		}
		if silent < hang {
			continue
		}
		had := p.cpuTime() - used
		if used < 0 || had < hang/50 || had > hang/3 {
			p.kill(tooLate, result.NoAnswer+hang.String())
			return
		}
	}
}

// sign returns the modification time of the mark file.
func (p *Process) sign() time.Time {
	info, err := os.Stat(p.mark)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

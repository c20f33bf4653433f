package main

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"time"
)

// hogArgument is the command line argument that makes this program a hog.
const hogArgument = "hog"

// hogPeriod is the mean duration of the on and the off periods of a hog's thread.
const hogPeriod = 1500 * time.Millisecond

// hogMain runs one spinning thread for each CPU until standard input ends. Each thread alternates
// between spinning and sleeping, for random durations.
func hogMain() {
	for i := range runtime.NumCPU() {
		go func() {
			runtime.LockOSThread()
			random := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), uint64(i)))
			for {
				for end := time.Now().Add(period(random)); time.Now().Before(end); {
				}
				time.Sleep(period(random))
			}
		}()
	}
	os.Stdin.Read(make([]byte, 1))
}

func period(random *rand.Rand) time.Duration {
	return time.Duration(random.ExpFloat64() * float64(hogPeriod))
}

// underHog runs f while a hog runs in another process.
func underHog(f func() error) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(self, hogArgument)
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	defer cmd.Wait()
	defer in.Close()
	return f()
}

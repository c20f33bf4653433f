//go:build !linux

package drive

import "time"

// residentSet is not to be had without a library for each system.
func residentSet(int) (int64, bool) { return 0, false }

func ownMemory(int) int64 { return 0 }

// livePeak is left to endPeak.
func livePeak(int) int64 { return 0 }

// cpuTime is not to be had without a library for each system.
func cpuTime(int) time.Duration { return -1 }

func raiseOOMScore(int) {}

func oomKills() int64 { return -1 }

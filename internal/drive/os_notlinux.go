//go:build !linux

package drive

import "time"

// residentSet returns false, because other systems need a library each to read it.
func residentSet(int) (int64, bool) { return 0, false }

func ownMemory(int) int64 { return 0 }

// livePeak returns 0, so that endPeak is used.
func livePeak(int) int64 { return 0 }

// cpuTime returns -1, because other systems need a library each to read it.
func cpuTime(int) time.Duration { return -1 }

func raiseOOMScore(int) {}

func oomKills() int64 { return -1 }

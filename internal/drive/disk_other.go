//go:build !linux

package drive

import "os"

// DiskFree returns 0, because the free bytes are unknown here.
func DiskFree(string) int64 { return 0 }

// forget returns false, because it is not implemented on this system.
func forget(*os.File) bool { return false }

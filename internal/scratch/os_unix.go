//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package scratch

import (
	"os"
	"syscall"
)

// locks says that a locked file can be renamed, and that the system releases the lock when
// the process ends for any reason.
const locks = true

// own reports whether a file belongs to this user.
func own(path string) bool {
	info, err := os.Lstat(path)
	if err != nil {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Getuid()
}

//go:build unix

package cachedir

import (
	"io/fs"
	"os"
	"syscall"
)

// owner returns the user ID of a file's owner and that of this process.
func owner(info fs.FileInfo) (uid, me int, ok bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0, false
	}
	return int(stat.Uid), os.Geteuid(), true
}

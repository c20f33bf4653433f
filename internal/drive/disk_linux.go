package drive

import (
	"cmp"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// DiskFree returns the number of bytes that this user can still write below a directory, or 0 if
// that is unknown.
func DiskFree(dir string) int64 {
	var s syscall.Statfs_t
	if syscall.Statfs(dir, &s) != nil {
		return 0
	}
	return freeBytes(&s)
}

// freeBytes returns the number of bytes that a user can still write to a file system. Statfs
// counts blocks of Frsize bytes. Bsize may be the best size for reads instead, such as 1 MiB on
// NFS.
func freeBytes(s *syscall.Statfs_t) int64 {
	return int64(s.Bavail) * int64(cmp.Or(s.Frsize, s.Bsize))
}

// forget asks the system to drop a file from memory that is stored on the disk. It reports
// whether the system accepted that.
func forget(f *os.File) bool {
	return unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED) == nil
}

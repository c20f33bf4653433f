package drive

import (
	"cmp"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// DiskFree returns the bytes that this user can still write below a directory; 0 where
// that cannot be told.
func DiskFree(dir string) int64 {
	var s syscall.Statfs_t
	if syscall.Statfs(dir, &s) != nil {
		return 0
	}
	return freeBytes(&s)
}

// freeBytes is what a user can still write to a file system. Its blocks are of Frsize; Bsize
// may be what is best read at once, such as 1 MiB of NFS.
func freeBytes(s *syscall.Statfs_t) int64 {
	return int64(s.Bavail) * int64(cmp.Or(s.Frsize, s.Bsize))
}

// forget has the system drop a file from memory, which the disk has. It reports whether
// it was told so.
func forget(f *os.File) bool {
	return unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED) == nil
}

package drive

import "syscall"

// DiskFree returns the bytes that this user can still write below a directory; 0 where
// that cannot be told.
func DiskFree(dir string) int64 {
	var s syscall.Statfs_t
	if syscall.Statfs(dir, &s) != nil {
		return 0
	}
	return int64(s.Bavail) * s.Bsize
}

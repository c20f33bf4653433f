package drive

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"time"

	"assay/result"
)

const (
	// A measurement of the disk writes diskBytes bytes in parts of diskPart bytes, diskLooks
	// times. A disk with a cache of its own may be faster for so few bytes than for more.
	diskBytes = 64 << 20
	diskPart  = 1 << 20
	diskLooks = 3
)

// Disk measures the speed of a directory's disk. Three times, it writes a file until the disk has
// stored it and, where the system can drop the file from memory, reads it back. The bytes are
// random, so that the disk can neither compress them nor store equal parts once. Disk removes the
// file.
func Disk(ctx context.Context, dir string) (_ *result.Disk, err error) {
	f, err := os.CreateTemp(dir, "assay-disk-")
	if err != nil {
		return nil, fmt.Errorf("the speed of the disk below %s cannot be measured: %w", dir, err)
	}
	defer func() { err = errors.Join(err, f.Close(), os.Remove(f.Name())) }()
	data := make([]byte, diskBytes)
	random := rand.NewChaCha8([32]byte{1})
	var wrote, read []int64
	for range diskLooks {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		_, _ = random.Read(data)
		took, err := diskWrite(f, data)
		if err != nil {
			return nil, fmt.Errorf("the speed of the disk below %s cannot be measured: %w", dir, err)
		}
		wrote = append(wrote, took)
		if !forget(f) {
			continue
		}
		if took, err = diskRead(f, data[:diskPart]); err != nil {
			return nil, fmt.Errorf("the speed of the disk below %s cannot be measured: %w", dir, err)
		}
		read = append(read, took)
	}
	return &result.Disk{Bytes: diskBytes, Write: median(wrote), Read: median(read)}, nil
}

// diskWrite rewrites the file with data and returns the time until the disk has stored it, in ns.
func diskWrite(f *os.File, data []byte) (int64, error) {
	if err := f.Truncate(0); err != nil {
		return 0, err
	}
	start := time.Now()
	for at := int64(0); at < diskBytes; at += diskPart {
		if _, err := f.WriteAt(data[at:at+diskPart], at); err != nil {
			return 0, err
		}
	}
	err := f.Sync()
	return int64(time.Since(start)), err
}

// diskRead reads the file and returns the time in ns.
func diskRead(f *os.File, part []byte) (int64, error) {
	start := time.Now()
	for at := int64(0); at < diskBytes; at += diskPart {
		if _, err := f.ReadAt(part, at); err != nil {
			return 0, err
		}
	}
	return int64(time.Since(start)), nil
}

// median returns the median of some times, or 0 if there are none.
func median(all []int64) int64 {
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[len(all)/2]
}

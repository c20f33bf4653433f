package workload

import (
	"math"
	"time"
)

// The functions below fold one leaf into a sum. They define what op scan must read of each
// kind of value: generated code calls these functions, or does the same, for every leaf, and
// adds the results. Addition makes the sum independent of the order of map entries. An absent
// optional value adds nothing.

// LeafBool returns 1 for true and 0 for false.
func LeafBool(v bool) uint64 {
	if v {
		return 1
	}
	return 0
}

// LeafInt returns the value of any integer or enum, sign-extended.
func LeafInt[T ~int32 | ~int64 | ~uint32 | ~uint64](v T) uint64 { return uint64(v) }

// LeafFloat32 returns the bits of v.
func LeafFloat32(v float32) uint64 { return uint64(math.Float32bits(v)) }

// LeafFloat64 returns the bits of v.
func LeafFloat64(v float64) uint64 { return math.Float64bits(v) }

// LeafText returns the length plus the first and last byte, shifted apart. To compute it, a
// library must read the header and both ends of the content, wherever they are.
func LeafText[T ~string | ~[]byte](v T) uint64 {
	if len(v) == 0 {
		return 0
	}
	return uint64(len(v)) + uint64(v[0])<<32 + uint64(v[len(v)-1])<<40
}

// LeafTime returns the nanoseconds since 1970, UTC, modulo 2^64.
func LeafTime(v time.Time) uint64 { return LeafTimeParts(v.Unix(), int64(v.Nanosecond())) }

// LeafTimeParts is LeafTime for formats that store seconds and nanoseconds.
func LeafTimeParts(sec, nsec int64) uint64 { return uint64(sec)*1_000_000_000 + uint64(nsec) }

// LeafDuration returns the nanoseconds of v.
func LeafDuration(v time.Duration) uint64 { return uint64(v) }

//go:build !race

package drive_test

// raced says whether the race detector is on.
const raced = false

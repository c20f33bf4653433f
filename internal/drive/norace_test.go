//go:build !race

package drive_test

// raced says that the race detector is on.
const raced = false

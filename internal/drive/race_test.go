//go:build race

package drive_test

// raced says whether the race detector is on. A program under the race detector takes several
// times the memory and the time, and cannot ask for absurd amounts of memory.
const raced = true

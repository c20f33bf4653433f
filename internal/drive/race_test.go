//go:build race

package drive_test

// raced says that the race detector is on. A program under it takes several times
// the memory and the time, and cannot ask for absurd amounts of memory.
const raced = true

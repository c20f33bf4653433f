// Package hostile tests the program when it is stopped by signals, starved of memory
// and disk, and fed without end. It has no other code: the tests start the command
// line as a process, and are apart from those of cmd/assay because they wait a lot.
package hostile

// Package hostile tests the program under signals, with little memory and disk space, and with
// endless input. It has only tests. They run the command line as a separate process. They are
// apart from the tests of cmd/assay because they spend much time waiting.
package hostile

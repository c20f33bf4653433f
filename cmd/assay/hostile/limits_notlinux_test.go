//go:build !linux

package hostile

// limited is for tests on Linux only.
func limited() { panic("no limits here") }

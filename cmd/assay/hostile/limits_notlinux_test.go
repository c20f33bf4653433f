//go:build !linux

package hostile

// limited is only for Linux.
func limited() { panic("no limits here") }

//go:build !linux

package main

// limited is for tests on Linux only.
func limited() { panic("no limits here") }

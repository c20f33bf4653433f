//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package scratch

// locks says that there are no locks here that end with their process.
const locks = false

func own(string) bool { return false }

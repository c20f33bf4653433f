//go:build !linux

package chaos

import (
	"context"
	"errors"
)

// Run needs Linux: it finds processes in /proc and limits them by prlimit.
func Run(context.Context, Options) (*Report, error) {
	return nil, errors.New("disturbing commands needs Linux: their processes are found in /proc and limited by prlimit")
}

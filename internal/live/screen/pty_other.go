//go:build !linux

package screen

import (
	"context"
	"errors"
	"os/exec"
)

// Record works only on Linux.
func Record(context.Context, *exec.Cmd, int, int, func(*Screen)) (*Recording, error) {
	return nil, errors.New("programs are recorded on Linux only")
}

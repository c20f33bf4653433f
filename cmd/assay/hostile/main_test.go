package hostile

import (
	"errors"
	"os/exec"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"assay/internal/cli"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"assay": cli.Program, "limited": limited})
}

// code returns the exit code for an error of running a command; -1 if it has none.
func code(err error) int {
	if err == nil {
		return 0
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	return -1
}

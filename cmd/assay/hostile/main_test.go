package hostile

import (
	"errors"
	"os"
	"os/exec"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"assay/internal/cli"
	"assay/internal/process"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"assay": program, "limited": limited})
}

// program is the command line, as cmd/assay has it.
func program() {
	if code, asked := process.Guard(os.Args); asked {
		os.Exit(code)
	}
	os.Exit(cli.Main(os.Args[1:], os.Stdout, os.Stderr))
}

// code returns the exit code that an error of a command says; -1: it has none.
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

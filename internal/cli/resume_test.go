package cli

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// withResume lists the flags that a command accepts together with --resume: how the run is
// printed, and questions about it. All other flags belong to the plan, which is fixed.
var withResume = []string{
	"resume", "format", "tables", "report", "out", "force", "module", "with-records",
	"have", "must", "rate", "retention", "price-core", "price-gb-network", "price-gb-month", "codec", "batch", // questions
	"details", "source", "whole", "reproduced", "runner",
}

// assay reproduce also accepts --with, because it builds the runners as when the run began.

// A flag that has no effect on a resumed run is refused, so that the user does not expect an
// effect.
func TestResumeRefusesFlags(t *testing.T) {
	values := map[string]string{"bool": "true", "int": "3", "int64": "3", "uint64": "3", "float64": "3", "duration": "5s", "intSlice": "1", "stringSlice": "cpu", "stringArray": "x"}
	special := map[string]string{
		"precision": "5%", "footprint": "8MiB", "memory": "1GiB", "max-bytes": "1MB", "max-record": "1MB",
		"type": "a=uuid", "only": "a=1", "with": "example.com/m@v1.0.0", "env": "GOAMD64=v3",
	}
	heeded := map[string]bool{} // flags of withResume that some command has
	commands(func(cmd *cobra.Command) {
		if cmd.LocalNonPersistentFlags().Lookup("resume") == nil {
			return
		}
		cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
			if slices.Contains(withResume, f.Name) || f.Name == "with" && cmd.Name() == "reproduce" {
				heeded[f.Name] = true
				return
			}
			value := cmp.Or(special[f.Name], values[f.Value.Type()], "x")
			path := strings.Fields(cmd.CommandPath())[1:]
			_, stderr, code := assayed(t, append(path, "--results", t.TempDir(), "--resume", "nope", "--"+f.Name+"="+value)...)
			if code != ExitUsage || !strings.Contains(stderr, "--"+f.Name) || strings.Contains(stderr, `no run "nope"`) {
				t.Errorf("assay %s --resume nope --%s=%s exits with %d: %s", strings.Join(path, " "), f.Name, value, code, stderr)
			}
		})
	})
	for _, name := range withResume {
		if !heeded[name] {
			t.Errorf("no command that resumes has a flag --%s", name)
		}
	}
}

// The line that resumes a run says which Go, which versions and which cache it needs, each as one
// word of a shell.
func TestBuiltBy(t *testing.T) {
	a := &app{goCommand: "/opt/go@1.25/bin/go", cache: "my cache"}
	if got, want := a.builtBy([]string{"a.b/c@v1"}), " --go /opt/go@1.25/bin/go --with a.b/c@v1 --cache 'my cache'"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

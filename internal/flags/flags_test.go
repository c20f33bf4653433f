package flags

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"assay/internal/measure"
)

func TestPercent(t *testing.T) {
	for text, want := range map[string]float64{"5%": 0.05, "0%": 0, "0.5%": 0.005, "1000%": 10} {
		if got, err := Percent("--x", text); got != want || err != nil {
			t.Errorf("%q: %v, %v; want %v", text, got, err, want)
		}
	}
	for text, want := range map[string]string{"5": "write 5%", "": "must be a percentage", "-1%": "must be", "NaN%": "must be", "1001%": "must be", "x%": "must be"} {
		if _, err := Percent("--x", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want an error with %q", text, err, want)
		}
	}
}

// A flag that is given without a value is refused, whatever its type. What was not given is not.
func TestNotEmpty(t *testing.T) {
	for _, test := range []struct {
		args []string
		want string
	}{
		{nil, ""},
		{[]string{"--workload", "movie", "--max-bytes", "1MB", "--map", "a"}, ""},
		{[]string{"--workload", ""}, "--workload is empty"},
		{[]string{"--only", ""}, "--only is empty"},
		{[]string{"--only", "a", "--only", ""}, "--only is empty"},
		{[]string{"--name="}, "--name is empty"},
	} {
		var s Selection
		var in Input
		cmd := &cobra.Command{Use: "x"}
		s.Add(cmd)
		in.Add(cmd)
		if err := cmd.ParseFlags(test.args); err != nil {
			t.Fatal(err)
		}
		err := NotEmpty(cmd)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%q: %v, want %q", test.args, err, test.want)
		}
	}
}

// A footprint is refused if it is out of the limits or given twice, and parts are added up.
func TestFootprints(t *testing.T) {
	var f Footprints
	for _, text := range []string{"3MiB", "8MiB,32MiB"} {
		if err := f.Set(text); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := f.String(), "3.0 MiB,8.0 MiB,32.0 MiB"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for _, text := range []string{"", "x", "1", "3MiB", "1TiB", "4MiB,4MiB"} {
		if err := f.Set(text); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}

// A flag of a command is refused beside another one unless it is allowed. Flags of every command are.
func TestOnlyWith(t *testing.T) {
	for line, want := range map[string]string{
		"--seed 3 --budget 5s":                    "",
		"--resume x --format json --quiet":        "",
		"--resume x --format json --seed 3":       "--resume goes on with what was planned; it cannot be combined with --seed",
		"--seed=1 --resume x":                     "--resume goes on with what was planned; it cannot be combined with --seed",
		"--budget 5s --seed 3 --resume x --quiet": "--resume goes on with what was planned; it cannot be combined with --budget",
	} {
		root, cmd := &cobra.Command{Use: "assay"}, &cobra.Command{Use: "x", RunE: func(cmd *cobra.Command, _ []string) error {
			return OnlyWithResume(cmd, "format")
		}}
		root.SilenceErrors, root.SilenceUsage = true, true
		root.PersistentFlags().Bool("quiet", false, "")
		cmd.Flags().String("resume", "", "")
		cmd.Flags().String("format", "", "")
		cmd.Flags().Int("seed", 1, "")
		cmd.Flags().Duration("budget", 0, "")
		root.AddCommand(cmd)
		root.SetArgs(append([]string{"x"}, strings.Fields(line)...))
		got := ""
		if err := root.Execute(); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

// The words all and none stand for passes, and an unknown one is refused.
func TestPasses(t *testing.T) {
	for also, want := range map[string]string{
		"cpu":      "cpu",
		"none":     "",
		"cpu,heap": "cpu heap",
		"all":      strings.Join(measure.PassNames(), " "),
		"hep":      `--also: there is no pass "hep" (did you mean "heap"?)`,
	} {
		p := Passes{Also: strings.Split(also, ",")}
		got := ""
		if err := p.Check(); err != nil {
			got = err.Error()
		} else {
			got = strings.Join(p.Also, " ")
		}
		if got != want {
			t.Errorf("--also %s: %q, want %q", also, got, want)
		}
	}
	if err := (&Passes{CPUs: []int{1, 0}}).Check(); err == nil {
		t.Error("--cpus 0 is taken")
	}
}

package cli

import (
	"testing"

	"assay/internal/flags"
)

// A directory that a shell would split is quoted once.
func TestWholeFlags(t *testing.T) {
	for _, test := range []struct {
		runs []string
		want string
	}{
		{nil, ""},
		{[]string{".assay/runs/20261129-1", "latest"}, " --whole 20261129-1 --whole latest"},
		{[]string{"my runs/20261129-1"}, " --whole 'my runs/20261129-1'"},
	} {
		if got := wholeFlags(flags.Wholes{Runs: test.runs}); got != test.want {
			t.Errorf("%q: %s, want %s", test.runs, got, test.want)
		}
	}
}

package cli

import (
	"testing"

	"assay/internal/flags"
)

// Between whole values that were measured now and the run after them, an interruption says that the
// whole values are kept.
func TestAfterWholes(t *testing.T) {
	const resumed = "; the run is as it was: go on with assay claims --resume r"
	for _, test := range []struct {
		name   string
		wholes flags.Wholes
		kept   string
		want   string
	}{
		{"no whole values", flags.Wholes{}, unmeasured, unmeasured},
		{"stored ones", flags.Wholes{Runs: []string{"r/w"}}, unmeasured, unmeasured},
		{"none were needed", flags.Wholes{Streams: flags.Streams{Giants: true}}, unmeasured, unmeasured},
		{"measured now", flags.Wholes{Streams: flags.Streams{Giants: true}, Runs: []string{"r/w"}}, unmeasured,
			"; the whole values that were measured are kept: to go on, give --whole r/w in place of --giants and its flags"},
		{"before a run that goes on", flags.Wholes{Streams: flags.Streams{Giants: true}, Runs: []string{"r/w"}}, resumed, resumed},
	} {
		if got := afterWholes(&test.wholes, test.kept); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

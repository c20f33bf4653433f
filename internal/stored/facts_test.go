package stored

import (
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/contender"
	"assay/internal/console"
	"assay/internal/refusal"
	"assay/result"
)

// Runs of whole values are read in their order, each once, and none that has no whole values.
func TestWholes(t *testing.T) {
	results := t.TempDir()
	day := time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC)
	of := func(mode string) result.Plan {
		return result.Plan{Cases: []result.Case{{Workload: "movie", Size: "record=one", Contender: "gob", Mode: mode, Op: result.Encode}}, Stream: &result.StreamPlan{}}
	}
	one, two := made(t, results, day, of(contender.WholeMode)), made(t, results, day.Add(time.Hour), of(contender.WholeMode))
	stream := made(t, results, day.Add(2*time.Hour), of(contender.StreamMode))
	runs := Runs{Dir: results, Console: &console.Console{Err: io.Discard}}
	first, dirs, err := runs.Wholes([]string{filepath.Base(one), "latest"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{one, two}, dirs); diff != "" {
		t.Errorf("directories (-want +got):\n%s", diff)
	}
	if first.Run.ID != filepath.Base(one) || first.Besides.Run.ID != filepath.Base(two) || first.Besides.Besides != nil {
		t.Errorf("%s and %+v", first.Run.ID, first.Besides)
	}
	for want, names := range map[string][]string{
		"is given twice":      {one, one},
		"has no whole values": {one, stream},
		`there is no run "x"`: {"x"},
	} {
		if _, _, err := runs.Wholes(names); !errors.As(err, new(*refusal.Error)) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", names, err, want)
		}
	}
}

// A directory that a shell would split is quoted once.
func TestWholeFlags(t *testing.T) {
	for _, test := range []struct {
		dirs []string
		want string
	}{
		{nil, ""},
		{[]string{".assay/runs/20261129-1", "r/20261129-2"}, " --whole 20261129-1 --whole r/20261129-2"},
		{[]string{"my runs/20261129-1"}, " --whole 'my runs/20261129-1'"},
	} {
		if got := WholeFlags(test.dirs); got != test.want {
			t.Errorf("%q: %s, want %s", test.dirs, got, test.want)
		}
	}
}

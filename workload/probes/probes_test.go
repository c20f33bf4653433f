package probes

import (
	"slices"
	"strings"
	"testing"

	"assay/contender"
	"assay/workload"
)

func TestProbes(t *testing.T) {
	seen := map[string]bool{}
	shown := map[contender.Loss]bool{}
	for _, p := range All {
		if seen[p.Name] {
			t.Errorf("two probes are called %s", p.Name)
		}
		seen[p.Name] = true
		if p.Text == "" {
			t.Errorf("probe %s has no text", p.Name)
		}
		if len(p.Losses) > 0 {
			shown[p.Losses[0]] = true
		}
		for _, l := range p.Losses {
			if l.In().Text == "" {
				t.Errorf("probe %s is explained by %q, which is no loss", p.Name, l)
			}
		}
		size, err := Workload.Size(p.Size())
		if err != nil {
			t.Error(err)
			continue
		}
		if size.Quick || size.Default {
			t.Errorf("size %s is measured without being asked for", size.Key)
		}
		values, err := Workload.Generate(size, 1, p.Inputs())
		if err != nil {
			t.Errorf("probe %s: %v", p.Name, err)
			continue
		}
		checkVariants(t, p, values.([]Event))
	}
	for _, w := range contender.Losses {
		if !shown[w.Loss] {
			t.Errorf("no probe shows the loss %s, so that nobody can be tested for it", w.Loss)
		}
	}
}

// checkVariants checks that every variant of a probe differs from the ordinary event.
func checkVariants(t *testing.T, p Probe, events []Event) {
	t.Helper()
	plain := base()
	for i := range p.variants {
		// The first variant of leftovers is the ordinary event on purpose.
		if diff, _ := workload.Diff(&plain, &events[i], nil); diff == "" && !(p.Name == "leftovers" && i == 0) {
			t.Errorf("probe %s: variant %d is the ordinary event", p.Name, i)
		}
	}
	if diff, _ := workload.Diff(&events[0], &events[len(events)-1], nil); diff != "" {
		t.Errorf("probe %s: its values do not begin again: %s", p.Name, diff)
	}
}

func TestUnknownSize(t *testing.T) {
	if _, err := generate(workload.Size{Key: "probe=none"}, 1, 1); err == nil || !strings.Contains(err.Error(), `"probe=none"`) {
		t.Errorf("a size that is no probe: %v", err)
	}
}

// showing returns the probes whose first loss is the given one, in the order of All.
func TestShowing(t *testing.T) {
	if got := showing(contender.NaNInf); !slices.Equal(got, []string{"nan", "inf"}) {
		t.Errorf("%s is shown by %v", contender.NaNInf, got)
	}
}

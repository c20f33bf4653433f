package page

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"assay"
	"assay/contenders"
	"assay/internal/analysis"
	"assay/result"
)

// defaultRun is a stored "assay run" without flags, with 240 cases. The machine was busy, so each
// cell has only 4 or 5 launches.
const defaultRun = "testdata/default-run"

// defaultLayouts is how many launches each cell has on a quiet machine.
const defaultLayouts = 17

// fullCopies copies of the default run have about as many cases as "assay run --full", which has
// 1,881.
const fullCopies = 8

// A page is small enough for a mail, both for a default run and for a full run. The first source
// is a stored run. The others are made from it: with more launches, whose times differ from a
// stored launch by up to 2%, and with copies of its workloads.
func TestSize(t *testing.T) {
	run, records, _, err := result.Read(defaultRun)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(run.Plan.Cases); n != 240 {
		t.Fatalf("the default run has %d cases", n)
	}
	quiet := grown(records, defaultLayouts)
	fullRun, fullRecords := copies(t, run, records, fullCopies)
	if n := len(fullRun.Plan.Cases); n < 1881 {
		t.Fatalf("the full run has %d cases", n)
	}
	for _, test := range []struct {
		name    string
		run     *result.Run
		records []result.Record
		most    int
	}{
		{"default", run, records, 1e6}, {"default, every layout", run, quiet, 1e6}, {"full", fullRun, fullRecords, 3e6},
	} {
		t.Run(test.name, func(t *testing.T) {
			if testing.Short() && len(test.run.Plan.Cases) > 240 {
				t.Skip("it takes seconds")
			}
			s := &Source{
				Results: analysis.Of(test.run, test.records, analysis.View{}), Records: test.records, Contenders: contenders.All(), Code: assay.Source,
				Command: "assay run", Again: "assay show " + test.run.ID,
			}
			n := len(write(t, s))
			t.Logf("%d cases: %d bytes", len(test.run.Plan.Cases), n)
			if n >= test.most {
				t.Errorf("the page has %d bytes; it is to have less than %d", n, test.most)
			}
		})
	}
}

// grown returns the records, with launches added until each cell has n.
func grown(records []result.Record, n int) []result.Record {
	of := map[result.Cell][]*result.Launch{}
	var cells []result.Cell
	for _, r := range records {
		if r.Launch == nil {
			continue
		}
		if of[r.Launch.Cell] == nil {
			cells = append(cells, r.Launch.Cell)
		}
		of[r.Launch.Cell] = append(of[r.Launch.Cell], r.Launch)
	}
	random := rand.New(rand.NewPCG(1, 2))
	out := slices.Clone(records)
	for _, c := range cells {
		for i := len(of[c]); i < n; i++ {
			l := *of[c][i%len(of[c])]
			l.Index, l.Layout = i, uint64(i)
			l.Series = slices.Clone(l.Series)
			for k := range l.Series {
				l.Series[k].Wall = slices.Clone(l.Series[k].Wall)
				for j := range l.Series[k].Wall {
					l.Series[k].Wall[j] = int64(float64(l.Series[k].Wall[j]) * (0.98 + 0.04*random.Float64()))
				}
			}
			out = append(out, result.Record{Launch: &l})
		}
	}
	return out
}

// copies returns a run with n copies of each workload.
func copies(t *testing.T, run *result.Run, records []result.Record, n int) (*result.Run, []result.Record) {
	t.Helper()
	var workloads []string
	for _, c := range run.Plan.Cases {
		if !slices.Contains(workloads, c.Workload) {
			workloads = append(workloads, c.Workload)
		}
	}
	whole := *run
	var out []result.Record
	data, err := json.Marshal(records)
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		text := string(data)
		for _, w := range workloads {
			text = strings.ReplaceAll(text, fmt.Sprintf(`"workload":%q`, w), fmt.Sprintf(`"workload":"%s-%d"`, w, i))
		}
		var more []result.Record
		if err := json.Unmarshal([]byte(text), &more); err != nil {
			t.Fatal(err)
		}
		out = append(out, more...)
		if i == 0 {
			whole.Plan.Cases = nil
		}
		for _, c := range run.Plan.Cases {
			c.Workload = fmt.Sprintf("%s-%d", c.Workload, i)
			whole.Plan.Cases = append(whole.Plan.Cases, c)
		}
	}
	return &whole, out
}

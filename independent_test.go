package assay_test

import (
	"bufio"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/contender"
	"assay/contenders"
)

// The tests of this file read stored samples themselves, and compare the numbers in documents
// with plain medians of the samples. They use none of the tool's estimates.

// lines decodes every line of a compressed file of samples.
func lines[T any](t *testing.T, name string) []T {
	t.Helper()
	f, err := os.Open(filepath.FromSlash(name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var all []T
	s := bufio.NewScanner(z)
	s.Buffer(nil, 64<<20)
	for s.Scan() {
		var one T
		if err := json.Unmarshal(s.Bytes(), &one); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all = append(all, one)
	}
	if err := s.Err(); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return all
}

func median(values []float64) float64 {
	s := slices.Sorted(slices.Values(values))
	n := len(s)
	return (s[(n-1)/2] + s[n/2]) / 2
}

// shownRow matches a row of README's result: a contender, how many times as fast as the reference
// its round trip is in each workload, and overall.
var shownRow = regexp.MustCompile(`(?m)^[ \d]{2}[ =] (\S+) +([\d.]+) +([\d.]+) +([\d.]+) +([\d.]+) +([\d.]+) +([\d.]+) `)

// TestReadmeResultBySamples checks that every ratio of README's result is close to the ratio of
// the median samples of the stored run, and that every contender of the run has a row.
func TestReadmeResultBySamples(t *testing.T) {
	type series struct {
		Contender, Mode, Role string
		N                     float64
		Wall                  []float64
	}
	type line struct {
		Launch *struct {
			Cell      struct{ Workload, Size, Op string }
			Layout    uint64
			Disturbed string
			Series    []series
		}
	}
	samples := map[string]map[string][]float64{} // by contender, and by workload and op
	for _, l := range lines[line](t, "docs/evidence/default-run/samples.jsonl.gz") {
		if l.Launch == nil || l.Launch.Disturbed != "" || l.Launch.Layout == 0 {
			continue
		}
		of := l.Launch.Cell.Workload + " " + l.Launch.Cell.Op
		for _, s := range l.Launch.Series {
			if s.Mode != "" || s.Role != "" || s.Contender == "floor" {
				continue
			}
			if samples[s.Contender] == nil {
				samples[s.Contender] = map[string][]float64{}
			}
			for _, w := range s.Wall {
				samples[s.Contender][of] = append(samples[s.Contender][of], w/s.N)
			}
		}
	}
	times := map[string][]float64{} // of a round trip of each workload, by contender
	for contender, ops := range samples {
		for _, workload := range []string{"chain", "customer", "movie", "sizes", "tick"} {
			encode, decode := ops[workload+" encode"], ops[workload+" decode"]
			if len(encode) == 0 || len(decode) == 0 {
				t.Errorf("%s has no samples of both ops of %s", contender, workload)
				return
			}
			times[contender] = append(times[contender], median(encode)+median(decode))
		}
	}
	block := resultBlock.FindStringSubmatch(read(t, "README.md"))
	if block == nil {
		t.Fatal("README.md has no result")
	}
	for _, wrong := range unlikeSamples(block[3], times) {
		t.Error(wrong)
	}
	// Check that unlikeSamples finds a wrong figure and a missing row.
	rows := shownRow.FindAllStringSubmatch(block[3], -1)
	if len(rows) < 2 {
		t.Fatal("the result has no rows")
	}
	first := rows[0]
	other := strings.Replace(first[0], first[3], strings.Replace(first[3], ".", "", 1), 1)
	if len(unlikeSamples(strings.Replace(block[3], first[0], other, 1), times)) == 0 {
		t.Errorf("%q in the place of %q is not found", other, first[0])
	}
	if len(unlikeSamples(strings.Replace(block[3], first[0], "", 1), times)) == 0 {
		t.Errorf("nobody misses the row of %s", first[1])
	}
}

// shortAnswer matches README's sentence about the fastest contenders of its result.
var shortAnswer = regexp.MustCompile(`In the stored run below, (.+) and (\S+) make a round trip (\S+) to (\S+) times as fast as encoding/json, in (\d+) to (\d+)% of its bytes\.`)

// TestReadmeAnswer checks that README's sentence about the fastest contenders says what the first
// rows of its table say.
func TestReadmeAnswer(t *testing.T) {
	text := strings.Join(strings.Fields(read(t, "README.md")), " ")
	said := shortAnswer.FindStringSubmatch(text)
	block := resultBlock.FindStringSubmatch(read(t, "README.md"))
	if said == nil || block == nil {
		t.Fatal("README.md has no short answer, or no result")
	}
	names := append(strings.Split(said[1], ", "), said[2])
	var overall, size []float64
	for i, row := range regexp.MustCompile(`(?m)^ *\d+=? +(\S+) .*? (\S+) ±\S+ +\S+ +\S+ +\S+ +(\S+) +\S+$`).FindAllStringSubmatch(block[3], len(names)) {
		if row[1] != names[i] {
			t.Errorf("row %d of the table is %s, and README's answer says %s", i+1, row[1], names[i])
		}
		for k, to := range []*[]float64{&overall, &size} {
			x, err := strconv.ParseFloat(row[2+k], 64)
			if err != nil {
				t.Fatal(err)
			}
			*to = append(*to, x)
		}
	}
	if len(overall) != len(names) {
		t.Fatalf("%d rows of the table, want %d", len(overall), len(names))
	}
	want := []string{fmt.Sprintf("%.1f", slices.Min(overall)), fmt.Sprintf("%.1f", slices.Max(overall)), fmt.Sprintf("%.0f", 100*slices.Min(size)), fmt.Sprintf("%.0f", 100*slices.Max(size))}
	if diff := cmp.Diff(want, said[3:7]); diff != "" {
		t.Errorf("README's answer (-table +said):\n%s", diff)
	}
	for _, name := range names {
		i := slices.IndexFunc(contenders.All(), func(c *contender.Contender) bool { return c.Name == name })
		if c := contenders.All()[i]; !c.Is(contender.Codegen) || c.Is(contender.Unmaintained) != strings.Contains(text, name+" is no longer maintained") {
			t.Errorf("README's answer says of %s what its traits do not: %v", name, c.Traits)
		}
	}
}

// unlikeSamples returns the rows of a table whose ratios differ from those of the given times of
// round trips. Some difference is expected on a busy machine, because the tool pairs samples
// round by round and drops disturbed ones.
func unlikeSamples(table string, times map[string][]float64) (wrong []string) {
	const within, digit = 0.15, 0.006 // relative tolerance of a ratio, and rounding error of a small one
	seen := map[string]bool{}
	for _, row := range shownRow.FindAllStringSubmatch(table, -1) {
		who, overall := row[1], 1.0
		seen[who] = true
		if len(times[who]) == 0 {
			wrong = append(wrong, who+" has no samples")
			continue
		}
		compare := func(shown string, want float64) {
			if got, err := strconv.ParseFloat(shown, 64); err != nil || math.Abs(got/want-1) > within && math.Abs(got-want) > digit {
				wrong = append(wrong, who+": "+shown+" is shown, and by the samples it is "+strconv.FormatFloat(want, 'g', 3, 64))
			}
		}
		for i, reference := range times["encoding/json"] {
			want := reference / times[who][i]
			overall *= want
			compare(row[2+i], want)
		}
		compare(row[7], math.Pow(overall, 1/float64(len(times["encoding/json"]))))
	}
	for who := range times {
		if !seen[who] {
			wrong = append(wrong, who+" has no row")
		}
	}
	return wrong
}

// TestReproductionBySamples checks that every number of a source's own method in
// docs/reproduction is the median of the stored rounds, and that every published number is in the
// figures that were copied from the documents.
func TestReproductionBySamples(t *testing.T) {
	type line struct {
		Bench *struct {
			Set, Name, Benchtime, Status string
			NS                           float64
			Bytes, Allocs                float64
			Extra                        map[string]float64
		}
	}
	type round struct {
		benchtime string
		values    map[string]float64
	}
	rounds := map[string][]round{}
	files, err := filepath.Glob("docs/reproduction/*.csv")
	if err != nil || len(files) != 5 {
		t.Fatalf("%d files of rows (%v), want 5", len(files), err)
	}
	for _, name := range files {
		own := strings.TrimSuffix(filepath.Base(name), ".csv")
		for _, l := range lines[line](t, reproductionRun(own)+"/samples.jsonl.gz") {
			b := l.Bench
			if b == nil || b.Status != "" {
				continue
			}
			_, id, _ := strings.Cut(b.Set, "/")
			if id != own { // a run may contain other sources too
				continue
			}
			key := id + " " + b.Name
			if have := rounds[key]; len(have) > 0 && have[0].benchtime != b.Benchtime {
				// The first round only measured the cost of one operation. It counts only if go test
				// would have stopped after that operation.
				asked, err := time.ParseDuration(b.Benchtime)
				if err != nil || have[0].values["time"] < float64(asked) {
					rounds[key] = nil
				}
			}
			values := map[string]float64{"time": b.NS, "alloc-bytes": b.Bytes, "allocs": b.Allocs}
			if v, ok := b.Extra["encoded-bytes"]; ok {
				values["encoded-size"] = v
			}
			rounds[key] = append(rounds[key], round{b.Benchtime, values})
		}
	}
	typed := map[string]bool{} // figures copied from the documents, by source
	id := ""
	for line := range strings.Lines(read(t, "published/sources/testdata/figures.txt")) {
		switch f := strings.Fields(line); {
		case len(f) == 2:
			id, _, _ = strings.Cut(f[0], "/")
		case len(f) > 2 && f[0] != "#":
			for _, v := range f {
				if n, err := strconv.ParseFloat(v, 64); err == nil {
					typed[id+" "+strconv.FormatFloat(n, 'g', -1, 64)] = true
				}
			}
		}
	}
	here, published := 0, 0
	for _, name := range files {
		rows, err := csv.NewReader(strings.NewReader(read(t, name))).ReadAll()
		if err != nil {
			t.Fatal(name, err)
		}
		column := func(row []string, name string) string { return row[slices.Index(rows[0], name)] }
		for _, row := range rows[1:] {
			source, metric := column(row, "source"), column(row, "metric")
			if p := column(row, "published"); p != "" {
				n, err := strconv.ParseFloat(p, 64)
				if published++; err != nil || !typed[source+" "+strconv.FormatFloat(n, 'g', -1, 64)] {
					t.Errorf("%s: %q: %s is published as %s, which the documents do not have", name, column(row, "row"), metric, p)
				}
			}
			shown := column(row, "value")
			if column(row, "method") != "here" || shown == "" {
				continue
			}
			var values []float64
			for _, r := range rounds[source+" "+column(row, "benchmark")] {
				if v, ok := r.values[metric]; ok {
					values = append(values, v)
				}
			}
			got, err := strconv.ParseFloat(shown, 64)
			if here++; err != nil || len(values) == 0 || math.Abs(got-median(values)) > 1e-6*got {
				t.Errorf("%s: %s of %s is %s; the rounds have %v", name, metric, column(row, "benchmark"), shown, values)
			}
		}
	}
	if here < 300 || published < 300 {
		t.Errorf("found only %d numbers of here and %d published ones", here, published)
	}
}

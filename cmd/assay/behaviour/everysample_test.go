package behaviour

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/internal/cachedir"
	"assay/internal/intake"
	"assay/internal/report"
	"assay/internal/samples"
	"assay/internal/texttab"
	"assay/internal/tried"
	"assay/internal/userdata"
	"assay/result"
)

// A specimen is a file of records as a user could have it.
type specimen struct {
	name, records string
	data          []byte
}

// everySample returns the generated samples and excerpts of public files.
func everySample(t *testing.T) (all []specimen) {
	t.Helper()
	for _, s := range samples.All() {
		all = append(all, specimen{s.File(), s.Records, s.JSON(0)})
	}
	files, err := filepath.Glob(filepath.Join("..", "..", "..", "internal", "userdata", "testdata", "public", "*json*"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, specimen{filepath.Base(f), "", data})
	}
	return all
}

// spelling lists the causes that change the bytes of JSON but not its values.
var spelling = []string{"numbers", "times", "escapes", "html"}

// For every sample, the knowledge that assay try has of its records is stored, shown again at
// several widths and in every format, compared, and exported. Only the times are made up.
func TestEverySample(t *testing.T) {
	if testing.Short() {
		t.Skip("it reads every sample")
	}
	cache := cachedir.In(t.TempDir())
	for _, s := range everySample(t) {
		t.Run(s.name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, s.name)
			if err := os.WriteFile(file, s.data, 0o600); err != nil {
				t.Fatal(err)
			}
			in := intake.Options{Records: s.records, MaxRecords: 1_000_000}
			source, _, done, err := in.Read(t.Context(), nil, []string{file})
			if err != nil {
				t.Fatal(err)
			}
			defer done()
			d, err := userdata.New(cache, source)
			if err != nil {
				t.Fatal(err)
			}
			measuredAsIs(t, d.JSON)
			results := filepath.Join(dir, "runs")
			ns := map[string]float64{"encoding/json": 2000, "sonic": 1000, "vtprotobuf": 200}
			size := map[string]int64{"encoding/json": d.JSON.Written, "sonic": d.JSON.Written, "vtprotobuf": d.JSON.Written / 2}
			var runs []string
			for i := range 2 {
				runs = append(runs, filepath.Base(storeTryOf(t, results, 12+i, tried.Describe(d), asksSonic, ns, size)))
			}
			showsAgain(t, results, runs[0], d)
			contains(t, printed(t, "compare", runs[0], runs[1], "--results", results), "the same records, the same schema, the same contender in use, the same rate and prices", "smallest")
			printed(t, "report", runs[0], runs[1], "--results", results, "--out", filepath.Join(dir, "page.html"))
			taken := filepath.Join(dir, "wire")
			export := []string{"data", "export", file, "--out", taken, "--with-records"}
			if s.records != "" {
				export = append(export, "--records", s.records)
			}
			printed(t, export...)
			takenAway(t, taken, d)
		})
	}
}

// measuredAsIs checks that the measured JSON is within 1% of the sample's size, apart from
// spelling, and that every difference has a cause.
func measuredAsIs(t *testing.T, size *result.JSONSize) {
	t.Helper()
	if size == nil || size.Compared != size.Compact {
		t.Fatalf("not all of the JSON is compared: %+v", size)
	}
	sum, respelled := int64(0), int64(0)
	for _, c := range size.Changes {
		sum += c.Bytes
		if slices.Contains(spelling, c.Cause) {
			respelled += c.Bytes
		}
	}
	if sum != size.Written-size.Compact {
		t.Errorf("the causes are %d bytes of a difference of %d: %+v", sum, size.Written-size.Compact, size.Changes)
	}
	same := size.Compact + respelled
	if off := math.Abs(float64(size.Written-same)) / float64(same); off > 0.01 {
		t.Errorf("%d bytes, spelled as Go writes them, are measured as %d: %+v", same, size.Written, size.Changes)
	}
}

// showsAgain checks what assay show prints of a stored run.
func showsAgain(t *testing.T, results, run string, d *userdata.Data) {
	t.Helper()
	contains(t, printed(t, "show", run, "--results", results), "your JSON, compact: ", "encoding/json here", "fastest that is safe with damaged input: vtprotobuf", "Pareto front of time and size: ")
	contains(t, printed(t, "show", run, "--results", results, "--format", "md"), "- **smallest:** vtprotobuf", "your JSON, compact: ")
	var out struct {
		Answer report.JSONAnswer
		Data   report.JSONData
	}
	if err := json.Unmarshal([]byte(printed(t, "show", run, "--results", results, "--format", "json")), &out); err != nil {
		t.Fatal(err)
	}
	if out.Data.Sizes == nil || out.Data.Sizes.Compact != d.JSON.Compact || out.Data.Sizes.Measured != d.JSON.Written || len(out.Data.Guesses) != len(d.Guesses) {
		t.Errorf("the data are %+v", out.Data.Sizes)
	}
	stored, records, _, err := result.Read(filepath.Join(results, run))
	if err != nil {
		t.Fatal(err)
	}
	again, err := tried.Again(filepath.Join(results, run), stored, records, &tried.Asking{})
	if err != nil {
		t.Fatal(err)
	}
	for _, again.Tables = range []bool{false, true} {
		for _, width := range []int{80, 120} {
			var b strings.Builder
			if err := report.TryText(&b, again, report.Options{Width: width}); err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(b.String()) {
				if n := texttab.Width(strings.TrimSuffix(line, "\n")); n > width {
					t.Errorf("a line of %d columns where there are %d: %s", n, width, line)
				}
			}
			if n := strings.Count(b.String(), "\n"); !again.Tables && n > 40 && width >= 100 {
				t.Errorf("the answer takes %d lines:\n%s", n, &b)
			}
		}
	}
}

// takenAway checks that a directory has the exported schemas and records.
func takenAway(t *testing.T, dir string, d *userdata.Data) {
	t.Helper()
	for _, pattern := range []string{"README.md", "schema/*.toml", "schema/*.proto", "model/model.go", "model/model_test.go", "testdata/sample.ndjson"} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil || len(found) != 1 {
			t.Errorf("%s: %q, %v", pattern, found, err)
		}
	}
	data, err := os.ReadFile(filepath.Join(dir, "testdata", "sample.ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(data), "\n"); n != int(min(d.Records, userdata.Shown)) {
		t.Errorf("%d records are taken along, of %d", n, d.Records)
	}
}

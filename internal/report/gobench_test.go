package report

import (
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchproc"

	"assay/internal/analysis"
	"assay/result"
)

// benchRows reads the Go benchmark format. It returns the median of each unit, by the case that
// the parts of the name say.
func benchRows(t *testing.T, text string) map[result.Case]map[string]float64 {
	t.Helper()
	var parser benchproc.ProjectionParser
	projection, err := parser.Parse(".name,/workload,/size,/contender,/mode,/gomaxprocs", nil)
	if err != nil {
		t.Fatal(err)
	}
	values := make(map[result.Case]map[string][]float64)
	reader := benchfmt.NewReader(strings.NewReader(text), "run")
	for reader.Scan() {
		switch record := reader.Result().(type) {
		case *benchfmt.SyntaxError:
			t.Fatal(record)
		case *benchfmt.Result:
			key := projection.Project(record)
			field := func(i int) string { return key.Get(projection.Fields()[i]) }
			c := result.Case{Op: result.Op(strings.ToLower(field(0))), Workload: field(1), Size: field(2), Contender: field(3), Mode: field(4)}
			if procs := field(5); procs != "4" {
				t.Errorf("%s: GOMAXPROCS %s, want 4", record.Name, procs)
			}
			if values[c] == nil {
				values[c] = make(map[string][]float64)
			}
			for _, v := range record.Values {
				values[c][v.Unit] = append(values[c][v.Unit], v.Value)
			}
		}
	}
	if err := reader.Err(); err != nil {
		t.Fatal(err)
	}
	rows := make(map[result.Case]map[string]float64)
	for c, units := range values {
		rows[c] = make(map[string]float64)
		for unit, all := range units {
			slices.Sort(all)
			rows[c][unit] = (all[(len(all)-1)/2] + all[len(all)/2]) / 2
		}
	}
	return rows
}

func TestGoBenchValues(t *testing.T) {
	format, _ := Named(Formats, "gobench")
	rows := benchRows(t, write(t, format, rich(), Options{}))
	units := map[string]struct {
		unit  string
		scale float64
	}{
		analysis.Time:        {"sec/op", 1e-9}, // the reader turns ns into seconds
		analysis.AllocBytes:  {"B/op", 1},
		analysis.Allocs:      {"allocs/op", 1},
		analysis.EncodedSize: {"encoded-B/op", 1},
	}
	cases := make(map[result.Case]bool)
	for _, row := range JSONRows(rich()) {
		u, ok := units[row.Metric]
		if !ok || math.IsNaN(float64(row.Value)) || row.JSONScaling != nil || row.JSONFootprint != nil {
			continue
		}
		c := result.Case{Workload: row.Workload, Size: row.Size, Op: row.Op,
			Contender: strings.ReplaceAll(row.Contender, "/", "."), Mode: analysis.ModeName(row.Mode)}
		cases[c] = true
		// The value in JSON is the geometric mean of the two middle medians. It differs from
		// their arithmetic mean by less than a rounding error.
		if got, want := rows[c][u.unit], float64(row.Value)*u.scale; math.Abs(got-want) > 1e-4*want {
			t.Errorf("%v: %v %s, want %v", c, got, u.unit, want)
		}
	}
	if len(cases) != len(rows) {
		t.Errorf("%d cases are written, %d have numbers", len(rows), len(cases))
	}
}

func TestBenchName(t *testing.T) {
	tests := []struct {
		name string
		c    result.Case
		want string
	}{
		{"plain", result.Case{Workload: "tick", Size: "realistic", Contender: "msgp", Op: result.Decode},
			"BenchmarkDecode/workload=tick/size=realistic/contender=msgp/mode=default-2"},
		{"keys in values", result.Case{Workload: "chain", Size: "txs=30000,x=1", Contender: "msgp", Mode: "output=reuse,strings=copy", Op: result.Encode},
			"BenchmarkEncode/workload=chain/size=txs=30000,x=1/contender=msgp/mode=output=reuse,strings=copy-2"},
		{"slash, space and no size", result.Case{Workload: "my data", Contender: "encoding/json", Op: result.Scan},
			"BenchmarkScan/workload=my_data/contender=encoding.json/mode=default-2"},
		{"nothing", result.Case{}, "Benchmark/mode=default-2"},
	}
	for _, test := range tests {
		if got := benchName(test.c, false, 2); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
	if got := benchName(result.Case{}, false, 0); !strings.HasSuffix(got, "-1") {
		t.Errorf("unknown number of CPUs: %s", got)
	}
	if got, want := benchName(result.Case{Contender: "x"}, true, 2), "Benchmark/contender=x/mode=default/across=true-2"; got != want {
		t.Errorf("a contender of another runner: %s, want %s", got, want)
	}
}

// Benchstat itself reads the output without complaint and shows contenders as columns.
func TestBenchstat(t *testing.T) {
	if testing.Short() {
		t.Skip("builds benchstat")
	}
	format, _ := Named(Formats, "gobench")
	file := filepath.Join(t.TempDir(), "run.txt")
	if err := os.WriteFile(file, []byte(write(t, format, rich(), Options{})), 0o644); err != nil {
		t.Fatal(err)
	}
	benchstat := func(args ...string) string {
		var out, complaints strings.Builder
		cmd := exec.Command("go", append([]string{"run", "golang.org/x/perf/cmd/benchstat"}, args...)...)
		cmd.Stdout, cmd.Stderr = &out, &complaints
		if err := cmd.Run(); err != nil {
			t.Fatalf("benchstat: %v\n%s", err, complaints.String())
		}
		if complaints.Len() > 0 {
			t.Errorf("benchstat %q complains:\n%s", args, complaints.String())
		}
		return out.String()
	}
	out := benchstat("-filter", "/workload:chain", "-col", "/contender", file)
	for _, want := range []string{"encoding.json", "protobuf", "encoded-B/op", "allocs/op", "Encode/workload=chain/size=txs=30000,shape=ptr-slice/mode=default-4", "48."} {
		if !strings.Contains(out, want) {
			t.Errorf("benchstat does not show %q:\n%s", want, out)
		}
	}
	out = benchstat("-filter", `.name:Encode /mode:"output=reuse"`, "-row", "/size", "-col", "/contender", file)
	seen := make(map[string]bool)
	for _, name := range []string{"msgp", "mus", "vtprotobuf", "encoding.json"} {
		seen[name] = strings.Contains(out, name)
	}
	if want := map[string]bool{"msgp": true, "mus": true, "vtprotobuf": true, "encoding.json": false}; !maps.Equal(seen, want) {
		t.Errorf("benchstat selects %v, want %v:\n%s", seen, want, out)
	}
}

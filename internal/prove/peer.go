package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchmath"

	"assay/contender"
)

// A peerRun is one go test -bench run.
type peerRun struct {
	// times are the samples of each row in ns/op, by the name of the benchmark without its prefix.
	times map[string][]float64
	took  time.Duration
}

// goTest runs the subjects' encode loops as ordinary Go benchmarks. The loops are the contenders'
// own, so that only the method of measurement differs.
func (l *lab) goTest(benchtime string, count int) (*peerRun, error) {
	if err := l.writePeer(); err != nil {
		return nil, err
	}
	test := filepath.Join(l.peerDir(), "peer.test")
	if !l.peerBuilt { // what an earlier prove left may be of other subjects
		build := exec.CommandContext(l.ctx, "go", "test", "-c", "-o", test, "./runner/peer")
		build.Dir, build.Env = l.runner.Source, append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-mod=readonly")
		if out, err := build.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("building the benchmarks: %w\n%s", err, out)
		}
		l.peerBuilt = true
	}
	start := time.Now()
	cmd := exec.CommandContext(l.ctx, test, "-test.run=^$", "-test.bench=.", "-test.benchtime="+benchtime, fmt.Sprintf("-test.count=%d", count))
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("running the benchmarks: %w\n%s", err, out)
	}
	run := &peerRun{times: map[string][]float64{}, took: time.Since(start)}
	reader := benchfmt.NewReader(bytes.NewReader(out), "peer")
	for reader.Scan() {
		r, ok := reader.Result().(*benchfmt.Result)
		if !ok {
			continue
		}
		if sec, ok := r.Value("sec/op"); ok {
			name := string(r.Name.Full())
			run.times[name] = append(run.times[name], sec*1e9)
		}
	}
	return run, reader.Err()
}

func (l *lab) peerDir() string { return filepath.Join(l.runner.Source, "runner", "peer") }

// writePeer writes the source of the benchmarks beside the source of the runner.
func (l *lab) writePeer() error {
	var b strings.Builder
	b.WriteString("package peer\n\nimport (\n\t\"testing\"\n\n\t\"assay/bench\"\n\t\"assay/result\"\n\t\"assay/workload/" + l.place.Workload + "\"\n")
	seen := map[string]bool{}
	for _, s := range l.subjects {
		if dir := contender.Dir(s.Contender); !seen[dir] {
			seen[dir] = true
			fmt.Fprintf(&b, "\t%s \"assay/contenders/%s/gen/%s\"\n", dir, dir, l.place.Workload)
		}
	}
	b.WriteString(")\n\nvar _ = result.Encode\n")
	b.WriteString(`
func run(b *testing.B, bindings []bench.Binding, contender, mode string) {
	w := ` + l.place.Workload + `.Workload
	size, err := w.Size("` + l.place.Size + `")
	if err != nil {
		b.Fatal(err)
	}
	values, err := w.Generate(size, 1, size.Inputs())
	if err != nil {
		b.Fatal(err)
	}
	for _, one := range bindings {
		if one.Contender == contender && one.Mode == mode && one.Root == size.Root {
			c, err := one.New(values)
			if err != nil {
				b.Fatal(err)
			}
			b.ResetTimer()
			if _, err := c.Encode(b.N); err != nil {
				b.Fatal(err)
			}
		}
	}
}
`)
	for i, s := range l.subjects {
		fmt.Fprintf(&b, "\nfunc Benchmark%d(b *testing.B) { run(b, %s.Bindings, %q, %q) }\n", i, contender.Dir(s.Contender), s.Contender, s.Mode)
	}
	return l.runner.AddSource("runner/peer/peer_test.go", []byte(b.String()))
}

// benchstat compares two sets of samples with the library of the command benchstat: the
// Mann-Whitney U test at 5%. change is the relative change of the medians.
func benchstat(before, after []float64) (differ bool, change float64) {
	thresholds := benchmath.DefaultThresholds
	a := benchmath.NewSample(before, &thresholds)
	b := benchmath.NewSample(after, &thresholds)
	c := benchmath.AssumeNothing.Compare(a, b)
	return c.P < c.Alpha, quantile(after, 0.5)/quantile(before, 0.5) - 1
}

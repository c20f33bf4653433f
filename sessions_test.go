package assay_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"assay/internal/cli"
	"assay/result"
)

// wholeRuns are the stored runs of whole values, each of another session.
var wholeRuns = []string{wholeRun, "docs/evidence/whole-28-run", "docs/evidence/whole-25-run", "docs/evidence/whole-23-run"}

// TestSessionsCount checks that a copy of a run is no other session.
func TestSessionsCount(t *testing.T) {
	copied := filepath.Join(t.TempDir(), "another-run")
	if err := os.CopyFS(copied, os.DirFS(wholeRuns[2])); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	code := cli.Main([]string{"claims", "--run", claimsRun, "--whole", wholeRuns[2], "--whole", copied}, &stdout, &stderr)
	if want := "--whole: run another-run is given twice; a session counts once"; code != 2 || !strings.Contains(stderr.String(), want) {
		t.Errorf("exit code %d, %q, want %q", code, &stderr, want)
	}
}

// TestSessionsDiffer checks by how much METHODOLOGY says that sessions differ: by the standard
// deviation of the logarithms of eight ratios, within their sessions, from the mean of the sessions
// that measured the ratio. A factor of 2 contains 95% of a t-distribution with as many degrees of
// freedom, within a tenth.
func TestSessionsDiffer(t *testing.T) {
	type of struct {
		size, contender string
		op              result.Op
	}
	means := make([]map[of]float64, len(wholeRuns))
	for i, dir := range wholeRuns {
		_, records, _, err := result.Read(dir)
		if err != nil {
			t.Fatal(err)
		}
		sums, counts := map[of]float64{}, map[of]float64{}
		for _, r := range records {
			if s := r.Stream; s != nil {
				k := of{s.Case.Size, s.Case.Contender, s.Case.Op}
				sums[k] += math.Log(float64(s.CPU))
				counts[k]++
			}
		}
		means[i] = map[of]float64{}
		for k, n := range counts {
			means[i][k] = sums[k] / n
		}
	}
	squares, free := 0.0, 0
	for size, other := range map[string]string{
		"txs=1000000": "protobuf", "blocks=100,txs=30000": "protobuf", "shape=slice,struct=map": "encoding/json", "shape=ptr-slice,struct=map": "encoding/json",
	} {
		for _, op := range []result.Op{result.Encode, result.Decode} {
			var ratios []float64
			mean := 0.0
			for _, m := range means {
				a, ok := m[of{size, "encoding/gob", op}]
				b, also := m[of{size, other, op}]
				if ok && also {
					ratios = append(ratios, a-b)
					mean += a - b
				}
			}
			mean /= float64(len(ratios))
			for _, r := range ratios {
				squares += (r - mean) * (r - mean)
			}
			free += len(ratios) - 1
		}
	}
	deviation := math.Sqrt(squares / float64(free))
	said := regexp.MustCompile(`standard deviation of (0\.\d\d) in logarithms, with (\d+) degrees of freedom`).FindStringSubmatch(read(t, "METHODOLOGY.md"))
	if said == nil {
		t.Fatal("METHODOLOGY does not say by how much sessions differ")
	}
	if n, _ := strconv.Atoi(said[2]); n != free || said[1] != strconv.FormatFloat(deviation, 'f', 2, 64) {
		t.Errorf("METHODOLOGY says %s with %s degrees of freedom, the stored runs %.2f with %d", said[1], said[2], deviation, free)
	}
	const t20 = 2.086 // the 97.5% quantile of Student's t with 20 degrees of freedom
	if factor := math.Exp(t20 * deviation); free != 20 || factor < 1.8 || factor > 2.2 {
		t.Errorf("95%% of the sessions are within a factor of %.2f with %d degrees of freedom, want 2 with 20", factor, free)
	}
}

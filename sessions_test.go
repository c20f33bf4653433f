package assay_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"assay/internal/cli"
	"assay/result"
)

// wholeRuns are the stored runs of whole values, each of another session.
var wholeRuns = []string{wholeRun, "docs/evidence/whole-29-run", "docs/evidence/whole-28-run", "docs/evidence/whole-25-run", "docs/evidence/whole-23-run"}

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
// deviation of the logarithms of eight ratios of CPU times, and of three pauses, within their
// sessions, from the mean of the sessions that measured them. The factors are 95% of a
// t-distribution with a degree of freedom less than there are sessions, within a tenth.
func TestSessionsDiffer(t *testing.T) {
	cpu := sessionMeans(t, func(s *result.Stream) int64 { return s.CPU })
	var ratios, pauses [][]float64
	for size, other := range map[string]string{
		"txs=1000000": "protobuf", "blocks=100,txs=30000": "protobuf", "shape=slice,struct=map": "encoding/json", "shape=ptr-slice,struct=map": "encoding/json",
	} {
		for _, op := range []result.Op{result.Encode, result.Decode} {
			var logs []float64
			for _, m := range cpu {
				a, ok := m[sessionCase{size, "encoding/gob", op}]
				b, also := m[sessionCase{size, other, op}]
				if ok && also {
					logs = append(logs, a-b)
				}
			}
			ratios = append(ratios, logs)
		}
	}
	// In one session all four ratios to protobuf are the lowest.
	lowest := map[int]int{}
	for _, logs := range ratios {
		if len(logs) == len(wholeRuns) {
			lowest[slices.Index(logs, slices.Min(logs))]++
		}
	}
	if len(lowest) != 1 {
		t.Errorf("the four ratios to protobuf are the lowest in %d sessions", len(lowest))
	}
	pause := sessionMeans(t, func(s *result.Stream) int64 { return s.PauseMax })
	for _, size := range []string{"txs=200000", "txs=1000000", "blocks=100,txs=30000"} {
		var logs []float64
		for _, m := range pause {
			logs = append(logs, m[sessionCase{size, "encoding/gob", result.Decode}])
		}
		pauses = append(pauses, logs)
	}
	const t4 = 2.776 // the 97.5% quantile of Student's t with 4 degrees of freedom
	text := strings.Join(strings.Fields(read(t, "METHODOLOGY.md")), " ")
	for _, x := range []struct {
		of   string
		logs [][]float64
	}{
		{`standard deviation of (0\.\d\d) in logarithms from .* times by a factor of (\d+(?:\.\d)?) either way\.`, ratios},
		{`by a standard deviation of (0\.\d\d), so the interval of a pause, or of a ratio of pauses, is widened by a factor of (\d+(?:\.\d)?) instead\.`, pauses},
	} {
		said := regexp.MustCompile(x.of).FindStringSubmatch(text)
		if said == nil {
			t.Errorf("METHODOLOGY does not say %s", x.of)
			continue
		}
		deviation := spread(x.logs)
		if said[1] != strconv.FormatFloat(deviation, 'f', 2, 64) {
			t.Errorf("METHODOLOGY says %s, the stored runs %.2f", said[1], deviation)
		}
		want, err := strconv.ParseFloat(said[2], 64)
		if err != nil {
			t.Fatal(err)
		}
		if factor := math.Exp(t4 * deviation); factor < 0.9*want || factor > 1.1*want || len(wholeRuns) != 5 {
			t.Errorf("95%% of %d sessions are within a factor of %.2f, METHODOLOGY says %v of 5", len(wholeRuns), factor, want)
		}
	}
}

// TestPausesCounted checks how often the stored decodes had a pause of 10 ms or more: the claim about
// pauses and METHODOLOGY say it, because a mean over sessions does not show what can come.
func TestPausesCounted(t *testing.T) {
	const significant = 10_000_000
	decodes, long, longest := map[sessionCase]int{}, map[sessionCase]int{}, map[sessionCase]float64{}
	for _, dir := range wholeRuns {
		_, records, _, err := result.Read(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range records {
			if s := r.Stream; s != nil {
				k := sessionCase{s.Case.Size, s.Case.Contender, s.Case.Op}
				decodes[k]++
				if s.PauseMax >= significant {
					long[k]++
				}
				longest[k] = max(longest[k], float64(s.PauseMax)/1e6)
			}
		}
	}
	of := func(size, contender string) sessionCase { return sessionCase{size, contender, result.Decode} }
	blocks, list := of("blocks=100,txs=30000", "encoding/gob"), of("txs=1000000", "encoding/gob")
	theirs := [2]sessionCase{of("blocks=100,txs=30000", "protobuf"), of("txs=1000000", "protobuf")}
	for text, want := range map[string]string{
		ledger(t).Claim("chain-gc-pauses").Untested: fmt.Sprintf(
			"a pause took 10 ms or more in %d of %d decodes of 100 blocks, up to %.1f ms, and in %d of %d of 1,000,000 transactions, up to %.1f ms. With protobuf one did in %d and in %d of %d",
			long[blocks], decodes[blocks], longest[blocks], long[list], decodes[list], longest[list], long[theirs[0]], long[theirs[1]], decodes[theirs[1]]),
		strings.Join(strings.Fields(read(t, "METHODOLOGY.md")), " "): fmt.Sprintf(
			"%d of %d decodes of 100 blocks had such a pause, and %d of %d of 1,000,000 transactions.", long[blocks], decodes[blocks], long[list], decodes[list]),
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the stored runs say %q, which is not in %.300s…", want, text)
		}
	}
	if n := long[of("txs=200000", "encoding/gob")]; n != 0 || decodes[theirs[0]] != decodes[theirs[1]] {
		t.Errorf("%d long pauses of 200,000 transactions, and protobuf decoded blocks %d times, the list %d times", n, decodes[theirs[0]], decodes[theirs[1]])
	}
}

// A sessionCase is a case of whole values.
type sessionCase struct {
	size, contender string
	op              result.Op
}

// sessionMeans returns for each session the means of the logarithms of a figure of its processes.
func sessionMeans(t *testing.T, of func(*result.Stream) int64) []map[sessionCase]float64 {
	t.Helper()
	means := make([]map[sessionCase]float64, len(wholeRuns))
	for i, dir := range wholeRuns {
		_, records, _, err := result.Read(dir)
		if err != nil {
			t.Fatal(err)
		}
		sums, counts := map[sessionCase]float64{}, map[sessionCase]float64{}
		for _, r := range records {
			if s := r.Stream; s != nil {
				k := sessionCase{s.Case.Size, s.Case.Contender, s.Case.Op}
				sums[k] += math.Log(float64(of(s)))
				counts[k]++
			}
		}
		means[i] = map[sessionCase]float64{}
		for k, n := range counts {
			means[i][k] = sums[k] / n
		}
	}
	return means
}

// spread returns the standard deviation of figures from the mean of their group.
func spread(groups [][]float64) float64 {
	squares, free := 0.0, 0
	for _, logs := range groups {
		mean := 0.0
		for _, l := range logs {
			mean += l / float64(len(logs))
		}
		for _, l := range logs {
			squares += (l - mean) * (l - mean)
		}
		free += len(logs) - 1
	}
	return math.Sqrt(squares / float64(free))
}

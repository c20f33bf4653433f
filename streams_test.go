package assay_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"assay/internal/cli"
)

// What docs/streams.md says of the stored streams of 15 million transactions is so: twelve
// contenders wrote and read them all, in at most 575 MB of memory, and a transaction read by
// protobuf costs within a tenth of what it costs among 30,000.
func TestStreams(t *testing.T) {
	const largest = "blocks=500,txs=30000"
	timed := map[string]bool{}
	for _, r := range streamRows(t, "docs/evidence/stream-run") {
		if r.Size != largest || r.Value == nil || r.Status != "ok" {
			continue
		}
		switch v := *r.Value; {
		case r.Metric == "stream-time":
			timed[r.Contender+" "+r.Op] = true
		case r.Metric == "stream-messages" && v <= 0:
			t.Errorf("%s %s has %v messages a second", r.Contender, r.Op, v)
		case r.Metric == "stream-peak" && v > 575e6:
			t.Errorf("%s %s took %.0f bytes of memory", r.Contender, r.Op, v)
		case r.Metric == "stream-bytes" && (v < 16.8e9 || v > 23.4e9):
			t.Errorf("%s %s wrote %.0f bytes", r.Contender, r.Op, v)
		case r.Metric == "stream-scale" && r.Contender == "protobuf" && r.Op == "decode" && (v < 0.9 || v > 1.1):
			t.Errorf("an element takes protobuf %.2f times as long to read as among 30,000", v)
		}
	}
	if len(timed) != 24 {
		t.Errorf("%d ops have a time, want both of 12 contenders: %v", len(timed), timed)
	}
}

// A streamRow is a row of a run of streams.
type streamRow struct {
	Size, Contender, Op, Metric, Status string
	Value                               *float64
}

// streamRows returns the rows of a stored run.
func streamRows(t *testing.T, dir string) []streamRow {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := cli.Main([]string{"show", dir, "--format", "json"}, &stdout, &stderr); code != 0 {
		t.Fatalf("exit code %d: %s", code, &stderr)
	}
	var got struct{ Rows []streamRow }
	if err := json.Unmarshal(stdout.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	return got.Rows
}

// What docs/streams.md says of 3 GB of records is so: both contenders wrote and read all
// 27 million, in at most 41 MB, and encoding/json wrote the file as it was.
func TestOwnStreams(t *testing.T) {
	timed := map[string]bool{}
	for _, r := range streamRows(t, "docs/evidence/own-stream-run") {
		if r.Value == nil || r.Status != "ok" {
			continue
		}
		switch v := *r.Value; {
		case r.Metric == "stream-time":
			timed[r.Contender+" "+r.Op] = true
		case r.Metric == "stream-peak" && v > 41.1e6:
			t.Errorf("%s %s took %.0f bytes of memory", r.Contender, r.Op, v)
		case r.Metric == "stream-bytes" && r.Contender == "encoding/json" && v != 2_999_999_987:
			t.Errorf("encoding/json wrote %.0f bytes of 2,999,999,987", v)
		}
	}
	if len(timed) != 4 {
		t.Errorf("%d ops have a time, want both of two contenders: %v", len(timed), timed)
	}
}

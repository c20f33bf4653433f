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
	var stdout, stderr bytes.Buffer
	if code := cli.Main([]string{"show", "docs/evidence/stream-run", "--format", "json"}, &stdout, &stderr); code != 0 {
		t.Fatalf("exit code %d: %s", code, &stderr)
	}
	var got struct {
		Rows []struct {
			Size, Contender, Op, Metric, Status string
			Value                               *float64
		}
	}
	if err := json.Unmarshal(stdout.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	const largest = "blocks=500,txs=30000"
	timed := map[string]bool{}
	for _, r := range got.Rows {
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

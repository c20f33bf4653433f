package plan

import (
	"errors"
	"strings"
	"testing"
	"time"

	"assay/contender"
	"assay/result"
	"assay/workload"
)

// streamFixture has a workload with streams and one without.
func streamFixture() Options {
	o := fixture()
	o.Workloads[0].Stream = func(size workload.Size, _ uint64) (*workload.Stream, error) {
		return &workload.Stream{Root: "M", Messages: 1000, Items: 7, Bytes: 50_000}, nil
	}
	o.Contenders[0].Stream = "Lines."
	o.Contenders[0].Traits = []contender.Trait{contender.HumanReadable}
	o.Contenders = append(o.Contenders, &contender.Contender{Name: "refused", Stream: "Frames."}, &contender.Contender{Name: "quick", Stream: "Frames."})
	o.Holds = func(c *contender.Contender, _ *workload.Workload) error {
		if c.Name == "refused" {
			return errors.New("no maps")
		}
		return nil
	}
	return o
}

func TestStreams(t *testing.T) {
	o := streamFixture()
	o.Size = "n=1000000000"                                         // too large for any memory
	o.Workloads[0], o.Workloads[1] = o.Workloads[1], o.Workloads[0] // the one without streams comes first
	sel, err := Streams(o)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range sel.Cases {
		got = append(got, c.String())
	}
	want := "small/n=1000000000/json (stream=file)/encode small/n=1000000000/json (stream=file)/decode " +
		"small/n=1000000000/refused (stream=file)/encode small/n=1000000000/refused (stream=file)/decode " +
		"small/n=1000000000/quick (stream=file)/encode small/n=1000000000/quick (stream=file)/decode"
	if text := strings.Join(got, " "); text != want {
		t.Errorf("cases\n%s, want\n%s", text, want)
	}
	if len(sel.Outcomes) != 2 || sel.Outcomes[0].Reason != "no maps" || len(sel.Contenders) != 2 || len(sel.Workloads) != 1 {
		t.Errorf("outcomes %v, contenders %d, workloads %d", sel.Outcomes, len(sel.Contenders), len(sel.Workloads))
	}
	need, err := NeedOfStreams(sel, 0)
	if err != nil || need.Streams != 2 || need.Values != 50_000_000 || need.Message != 50_000 || need.Time < time.Second || need.Time > time.Minute {
		t.Errorf("%+v, %v", need, err)
	}
	took, err := StreamTime(sel, sel.Cases[0])
	if err != nil || took <= 0 || took > need.Time/2 {
		t.Errorf("one op takes %v of %v, %v", took, need.Time, err)
	}
	make := sel.Workloads[0].Stream
	sel.Workloads[0].Stream = func(size workload.Size, seed uint64) (*workload.Stream, error) {
		s, err := make(size, seed)
		s.Parsed = true
		return s, err
	}
	if parsed, err := StreamTime(sel, sel.Cases[0]); err != nil || parsed <= took {
		t.Errorf("one op takes %v where messages are made, and %v where they are parsed, %v", took, parsed, err)
	}
	if n := StreamMessages(sel.Workloads, sel.Cases[0]); n != 1000 {
		t.Errorf("%d messages", n)
	}
}

func TestStreamsOfNothing(t *testing.T) {
	o := streamFixture()
	o.Workloads = o.Workloads[1:]
	if _, err := Streams(o); err == nil || !strings.Contains(err.Error(), "other has no streams") {
		t.Errorf("a workload without streams: %v", err)
	}
	o = streamFixture()
	o.Keep = func(c result.Case) bool { return c.Contender == "flat" }
	if _, err := Streams(o); err == nil || !strings.Contains(err.Error(), "no contender that matches the filters has streams") {
		t.Errorf("a contender without streams: %v", err)
	}
}

// TestWholes selects whole values, alone and with streams: of every workload that makes its
// values, and of every contender that both encodes and decodes.
func TestWholes(t *testing.T) {
	o := streamFixture()
	for _, w := range o.Workloads {
		w.Generate = func(workload.Size, uint64, int) (any, error) { return nil, errors.New("not here") }
	}
	o.Contenders = []*contender.Contender{
		{Name: "both", Format: "json", Stream: "Lines.", Ops: []result.Op{result.Encode, result.Decode, result.Convert}, Traits: []contender.Trait{contender.HumanReadable}},
		{Name: "reader", Format: "json", Ops: []result.Op{result.Decode}},
		{Name: "floor", Format: "none", Ops: []result.Op{result.Encode, result.Decode}},
	}
	o.Streams = []string{contender.WholeMode}
	o.Size = "n=1000000000" // too large for memory with others
	sel, err := Streams(o)
	if err != nil {
		t.Fatal(err)
	}
	if len(sel.Cases) != 2 || len(sel.Outcomes) > 0 || sel.Cases[0].Contender != "both" || !contender.Whole(sel.Cases[0].Mode) || sel.Cases[0].Op == sel.Cases[1].Op {
		t.Fatalf("cases %v, outcomes %v", sel.Cases, sel.Outcomes)
	}
	size, err := sel.Workloads[0].Size(o.Size)
	if err != nil {
		t.Fatal(err)
	}
	bytes := size.Bytes * int64(size.Inputs())
	need, err := NeedOfStreams(sel, 0)
	if err != nil || need.Wholes != 1 || need.Streams != 0 || need.Whole != bytes || need.Values != 0 || need.Memory() <= bytes || need.Time < time.Second {
		t.Errorf("%+v, %v; the values take %d bytes", need, err, bytes)
	}
	if six, err := NeedOfStreams(sel, 6); err != nil || six.Time != 6*need.Time {
		t.Errorf("six processes take %v, one %v; %v", six.Time, need.Time, err)
	}
	if got := StreamValues(sel.Workloads, sel.Cases[0]); got != bytes {
		t.Errorf("values of %d bytes, want %d", got, bytes)
	}
	asked := o
	asked.Ops = result.Ops
	if sel, err = Streams(asked); err != nil || len(sel.Cases) != 3 || sel.Cases[2].Op != result.Convert {
		t.Errorf("where conversion is asked for: %v, %v", sel.Cases, err)
	}
	o.Streams = append(o.Streams, contender.StreamMode)
	if sel, err = Streams(o); err != nil || len(sel.Cases) != 4 {
		t.Errorf("beside streams: %v, %v", sel.Cases, err)
	}
	if need, err := NeedOfStreams(sel, 0); err != nil || need.Wholes != 1 || need.Streams != 1 || need.Values != 50_000_000 {
		t.Errorf("%+v, %v", need, err)
	}
}

package contenders_test

import (
	"bytes"
	"errors"
	"testing"

	"assay/contender"
	"assay/contenders"
	"assay/workload/chain"
)

// TestStreamsEmitted makes every contender emit streams of messages that are not roots of the
// schema. Exactly the contenders with a Stream must do so.
func TestStreamsEmitted(t *testing.T) {
	has := 0
	for _, c := range contenders.All() {
		for _, root := range []string{"Block", "Transaction"} {
			out, err := c.Emit(contender.Request{
				Schema: chain.Workload.Schema.Over([]string{root}), Package: "assay/contenders/" + c.Dir() + "/gen/chain",
				Model: "assay/workload/chain", Contender: c.Name, Stream: true,
			})
			var no *contender.Unsupported
			if c.Stream == "" {
				if !errors.As(err, &no) {
					t.Errorf("%s says that it has no streams, and emits %d files, %v", c.Name, len(out.Files), err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s: %v", c.Name, err)
				continue
			}
			has++
			var bind []byte
			for _, f := range out.Files {
				if f.Name == "bind.go" {
					bind = f.Data
				}
			}
			for _, want := range []string{"var Streams = []bench.StreamBinding{", "New: newStream" + root} {
				if !bytes.Contains(bind, []byte(want)) {
					t.Errorf("%s: bind.go has no %q", c.Name, want)
				}
			}
			if bytes.Contains(bind, []byte("Bindings")) {
				t.Errorf("%s: a package of streams has bindings", c.Name)
			}
		}
	}
	if has < 2*28 {
		t.Errorf("%d streams of two messages", has)
	}
}

package contenders_test

import (
	"errors"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/contender"
	"assay/contenders"
	"assay/internal/codegen"
	"assay/schema/text"
	"assay/workload/builtin"
)

// The table agrees with the emitters.
func TestHolds(t *testing.T) {
	for _, c := range contenders.All() {
		for _, target := range codegen.Whole(builtin.All()) {
			_, err := c.Emit(target.Request(c))
			no := (*contender.Unsupported)(nil)
			if err != nil && !errors.As(err, &no) {
				t.Errorf("%s: %v", c.Name, err)
			}
			if got := contenders.Holds(c.Name, target.Schema.Name); got != (err == nil) {
				t.Errorf("Holds(%q, %q) = %t, but its emitter says %v; run go generate", c.Name, target.Schema.Name, got, err)
			}
		}
	}
}

// refusing are the contenders whose formats cannot hold the schema of testdata/rich, which has
// every kind in every position. TestRich leaves out exactly these.
var refusing = []string{"parquet"}

// TestRich leaves out exactly the contenders in refusing.
func TestRichHeld(t *testing.T) {
	const file = "testdata/rich/schema.toml"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := text.Parse(file, data)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, c := range contenders.All() {
		_, err := c.Emit(contender.Request{Schema: s, Package: "assay/contenders/" + c.Dir() + "/gen/rich", Model: "assay/workload/rich", Contender: c.Name})
		no := (*contender.Unsupported)(nil)
		switch {
		case errors.As(err, &no):
			found = append(found, c.Name)
		case err != nil:
			t.Errorf("%s: %v", c.Name, err)
		}
	}
	if diff := cmp.Diff(refusing, found); diff != "" {
		t.Errorf("contenders that cannot hold the schema (-want +got):\n%s", diff)
	}
}

package movie

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/workload"
	"assay/workload/workloadtest"
)

func TestWorkload(t *testing.T) { workloadtest.Check(t, Workload) }

func TestPublished(t *testing.T) {
	values := workloadtest.Values(t, Workload, "record=one", 1, 64)
	want := &Metadata{Id: "12345", Title: "The Movie 2", Description: "Sequel of the legendary The Movie", Director: "Foo Bars"}
	if diff := cmp.Diff(workload.Model(want), values[0]); diff != "" {
		t.Error(diff)
	}
	workloadtest.Filled(t, values)
}

func TestSizes(t *testing.T) {
	proto := func(v workload.Model) int { return workloadtest.ProtoSize(Schema, "Metadata", v) }
	v := workloadtest.Values(t, Workload, "record=one", 1, 1)[0]
	if got := proto(v); got != 65 {
		t.Errorf("protobuf takes %d bytes, published are 65", got)
	}
	workloadtest.SameSizes(t, Workload, "record=one", map[string]func(workload.Model) int{
		"protobuf": proto, "json": workloadtest.JSON, "gob": workloadtest.Gob, "yaml": workloadtest.YAML,
	})
}

package sizes

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/workload"
	"assay/workload/workloadtest"
)

func TestWorkload(t *testing.T) { workloadtest.Check(t, Workload) }

func TestPublished(t *testing.T) {
	at := time.Date(2023, 4, 4, 14, 7, 22, 123456789, time.UTC)
	tiny := Tiny{1, "foo bar"}
	medium := Medium{1, "foo", new("bar"), new(10.24), at, tiny}
	big := Big{
		BigId: 1, Age: 26, Country: new("Ukraine"), CountryBytes: []byte("Ukraine"),
		CreatedAt: at.AddDate(0, 0, -2), UpdatedAt: at.AddDate(0, 0, -1), DeletedAt: at,
		TinyField: tiny, MediumField: medium, MediumFieldPtr: &medium,
	}
	same := func(n int) []Big {
		list := make([]Big, n)
		for i := range list {
			list[i] = big
		}
		return list
	}
	pointers := make([]*Big, 50)
	for i := range pointers {
		pointers[i] = &big
	}
	huge := Huge{same(50), pointers, same(256), same(1024)}
	for key, want := range map[string]workload.Model{
		"shape=single,struct=tiny":      &tiny,
		"shape=single,struct=medium":    &medium,
		"shape=single,struct=big":       &big,
		"shape=single,struct=huge":      &huge,
		"shape=slice,struct=tiny":       &TinySlice{tiny, tiny, tiny, tiny, tiny},
		"shape=ptr-slice,struct=tiny":   &TinyPtrSlice{&tiny, &tiny, &tiny, &tiny, &tiny},
		"shape=slice,struct=big":        (*BigSlice)(new(same(50))),
		"shape=ptr-slice,struct=big":    (*BigPtrSlice)(&pointers),
		"shape=ptr-slice,struct=medium": &MediumPtrSlice{&medium, &medium, &medium, &medium, &medium, &medium, &medium, &medium, &medium, &medium},
	} {
		got := workloadtest.Values(t, Workload, key, 1, 1)[0]
		if diff, _ := workload.Diff(want, got, nil); diff != "" {
			t.Errorf("%s: %s", key, diff)
		}
	}
}

func TestComplexMap(t *testing.T) {
	value := workloadtest.Values(t, Workload, "shape=single,struct=map", 1, 1)[0].(*ComplexMap)
	if len(value.Maps) != 10 {
		t.Fatalf("%d maps, want 10", len(value.Maps))
	}
	for i, m := range value.Maps {
		var keys []string
		for _, k := range []string{"1", "2", "3", "4", "5"} {
			if len(m[k].TheBiggestSlice) == 1024 {
				keys = append(keys, k)
			}
		}
		if len(keys) != 5 || len(m) != 5 {
			t.Errorf("map %d has %d entries, complete are %q", i, len(m), keys)
		}
	}
}

// TestCounts checks Size.Items, because slices of ComplexMap are too large to make here.
func TestCounts(t *testing.T) {
	want := map[string]int{
		"TinySlice": 5, "MediumSlice": 10, "BigSlice": 50, "HugeSlice": 50, "ComplexMapSlice": 10,
		"TinyPtrSlice": 5, "MediumPtrSlice": 10, "BigPtrSlice": 50, "HugePtrSlice": 50, "ComplexMapPtrSlice": 10,
	}
	got := map[string]int{}
	for _, s := range Workload.Sizes {
		if s.Items > 1 {
			got[s.Root] = s.Items
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if len(Workload.Sizes) != 15 {
		t.Errorf("%d sizes, want 15", len(Workload.Sizes))
	}
}

func TestSizes(t *testing.T) {
	for _, s := range Workload.Sizes {
		if s.Bytes > 1<<20 {
			continue
		}
		workloadtest.Filled(t, workloadtest.Values(t, Workload, s.Key, 1, 3))
		formats := map[string]func(workload.Model) int{
			"protobuf": func(v workload.Model) int { return workloadtest.ProtoSize(Schema, s.Root, v) },
			"json":     workloadtest.JSON,
			"gob":      workloadtest.Gob,
		}
		if s.Root != "Huge" {
			formats["yaml"] = workloadtest.YAML // slow, and the same leaves
		}
		workloadtest.SameSizes(t, Workload, s.Key, formats)
	}
}

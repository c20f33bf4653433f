package measure

import (
	"fmt"
	"regexp"
	"slices"
	"testing"

	"assay/contenders"
	"assay/internal/analysis"
	"assay/result"
	"assay/workload"
	"assay/workload/builtin"
)

// Without flags, assay run measures one size of each workload, encode and decode, and every
// contender of the default group in its default mode.
func TestTypicalSelection(t *testing.T) {
	choice := choose("", "", "", "")
	choice.Typical, choice.Compared = true, true
	sel, err := choice.Select()
	if err != nil {
		t.Fatal(err)
	}
	cells := map[result.Cell]int{}
	sizes := map[string]string{}
	subjects := map[string]bool{}
	for _, c := range sel.Cases {
		cells[c.Cell()]++
		subjects[c.Contender] = true
		if c.Mode != "" || c.Op != result.Encode && c.Op != result.Decode {
			t.Errorf("%v is selected", c)
		}
		if first := sizes[c.Workload]; first != "" && first != c.Size {
			t.Errorf("%s has the sizes %s and %s", c.Workload, first, c.Size)
		}
		sizes[c.Workload] = c.Size
	}
	measured := 0
	for _, w := range builtin.All() {
		if slices.ContainsFunc(w.Sizes, func(s workload.Size) bool { return s.Typical }) {
			measured++
		}
	}
	if len(sizes) != measured || measured < 5 {
		t.Errorf("%d workloads are selected, of %d that have a typical size", len(sizes), measured)
	}
	for _, c := range contenders.All() {
		// This includes contenders that only encode or only decode.
		if want := c.Group == "" || common(c.Name); subjects[c.Name] != want {
			t.Errorf("%s is selected: %v, want %v", c.Name, subjects[c.Name], want)
		}
	}
	for cell, n := range cells {
		if n < 20 {
			t.Errorf("%v has %d cases", cell, n)
		}
	}
}

// What a flag chooses is measured, together with the reference.
func TestTypicalSelectionWithFlags(t *testing.T) {
	for _, test := range []struct {
		name string
		set  func(*Choice)
		want []string
	}{
		{"another size", func(c *Choice) { c.Size = "level=1" },
			[]string{"level=1 encoding/json default encode", "level=1 protobuf default encode", "level=1 encoding/json default decode", "level=1 protobuf default decode"}},
		{"another op", func(c *Choice) { c.View.Op.Include = regexp.MustCompile("scan") },
			[]string{"level=2 encoding/json default scan", "level=2 protobuf default scan"}},
		{"a mode", func(c *Choice) { c.View.Mode.Include = regexp.MustCompile("^output=reuse$") },
			[]string{"level=2 encoding/json default encode", "level=2 encoding/json output=reuse encode", "level=2 protobuf output=reuse encode"}},
		{"a codec", func(c *Choice) { c.View.Mode.Include = regexp.MustCompile("codec=s2") },
			[]string{"level=2 encoding/json codec=s2 compress", "level=2 protobuf codec=s2 compress", "level=2 encoding/json codec=s2 decompress", "level=2 protobuf codec=s2 decompress"}},
		{"without the reference", func(c *Choice) { c.View.Contender.Exclude = regexp.MustCompile("^encoding/json$") },
			[]string{"level=2 protobuf default encode", "level=2 protobuf default decode"}},
	} {
		choice := choose("customer", "^(protobuf|encoding/json)$", "", "")
		choice.Typical, choice.Compared = true, true
		test.set(&choice)
		sel, err := choice.Select()
		if err != nil {
			t.Fatal(test.name, err)
		}
		var got []string
		for _, c := range sel.Cases {
			got = append(got, fmt.Sprint(c.Size, " ", c.Contender, " ", analysis.ModeName(c.Mode), " ", c.Op))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: selected are %q, want %q", test.name, got, test.want)
		}
	}
}

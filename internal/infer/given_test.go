package infer

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/schema"
	"assay/schema/text"
)

// The schema of a sample, written as TOML and given, reads the sample into the same records, whatever
// its keys are.
func TestGivenKeys(t *testing.T) {
	hostile, err := os.ReadFile("../export/testdata/samples/hostile.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, sample string
		overrules    []Overrule
	}{
		{"text names of others", `{"a\"b":1,"a'b":"x","a_b":true,"a_b_2":[4]}`, nil},
		{"hostile", string(hostile), nil},
		{"two in one record", `{"id":1,"Umsatz (€)":5,"Umsatz (£)":7}`, nil},
		{"two in two records", `{"id":1,"Umsatz (€)":5}{"id":2,"Umsatz (£)":7}`, nil},
		{"a text name in a later record", `{"id":1,"a,b":1}{"id":2,"a_b":true}`, nil},
		{"in lists", `{"in":[{"k":1,"a,b":1},{"k":2,"a\"b":2}]}`, nil},
		{"in objects", `{"k":1,"x,y":{"c,d":1,"c_d":true}}`, nil},
		{"the first left out", `{"id":1,"a,b":1,"a\"b":2}`, []Overrule{{Path: "a,b", Type: "none"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := []Source{Bytes("f", []byte(tt.sample))}
			r, err := JSON(in, Options{Overrules: tt.overrules})
			if err != nil {
				t.Fatal(err)
			}
			again, err := text.Parse("schema.toml", text.Format(r.Schema))
			if err != nil {
				t.Fatal(err)
			}
			given, err := JSON(in, Options{Schema: again})
			if err != nil {
				t.Fatalf("%v\nby %s", err, text.Format(r.Schema))
			}
			if d := cmp.Diff(string(bytes.Join(write(t, r), nil)), string(bytes.Join(write(t, given), nil))); d != "" {
				t.Errorf("records (-inferred +given):\n%s", d)
			}
			if d := cmp.Diff(r.Spelling().Keys, given.Spelling().Keys); d != "" {
				t.Errorf("keys (-inferred +given):\n%s", d)
			}
		})
	}
}

// A note lists the keys that have their fields by their order alone.
func TestGivenKeysNote(t *testing.T) {
	base, err := JSON([]Source{Bytes("f", []byte(`{"id":1,"a,b":1,"a\"b":2}`))}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	less := &schema.Schema{Name: "f", Roots: []string{"F"}, Messages: []*schema.Message{{Name: "F"}}}
	for _, f := range base.Schema.Messages[0].Fields {
		if f.Name != "a_b" {
			less.Messages[0].Fields = append(less.Messages[0].Fields, f)
		}
	}
	tests := []struct {
		name, sample string
		given        *schema.Schema
		want, notes  string
	}{
		{"in order", `{"id":1,"a,b":1,"a\"b":2}`, base.Schema, `{"id":1,"a_b":1,"a_b_2":2}`, byOrder + `"a,b" (it is F.a_b) and "a\"b" (it is F.a_b_2)`},
		{"turned round", `{"id":1,"a\"b":2,"a,b":1}`, base.Schema, `{"id":1,"a_b":2,"a_b_2":1}`, byOrder + `"a\"b" (it is F.a_b) and "a,b" (it is F.a_b_2)`},
		{"the first without a field", `{"id":1,"a,b":1,"a\"b":2}`, less, `{"id":1,"a_b_2":2}`, byOrder + `"a,b" (F has no field for it) and "a\"b" (it is F.a_b_2)` +
			"\n" + leftOutKey + `"a,b", which F has no field for, 1 time`},
		{"as in a tag", `{"id":1,"a_b":1,"a_b_2":2}`, base.Schema, `{"id":1,"a_b":1,"a_b_2":2}`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := JSON([]Source{Bytes("f", []byte(tt.sample))}, Options{Schema: tt.given})
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want+"\n", string(bytes.Join(write(t, r), nil))); d != "" {
				t.Errorf("record (-want +got):\n%s", d)
			}
			if d := cmp.Diff(tt.notes, strings.Join(r.Notes, "\n")); d != "" {
				t.Errorf("notes (-want +got):\n%s", d)
			}
			if shown := WithoutValues(r.Notes); len(shown) > 0 {
				t.Errorf("others see %q", shown)
			}
		})
	}
}

// Notes name the first hundred keys that a given schema has no field for, and count the others.
func TestManyForeignKeys(t *testing.T) {
	base, err := JSON([]Source{Bytes("f", []byte(`{"id":1}`))}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	record := `{"id":1`
	for i := range 150 {
		record += fmt.Sprintf(`,"k%d":0`, i)
	}
	r, err := JSON([]Source{Bytes("f", []byte(record+"}\n"+record+"}"))}, Options{Schema: base.Schema})
	if err != nil {
		t.Fatal(err)
	}
	want := leftOutKey + "of 100 more members, which the schema has no field for either"
	if n := len(r.Notes); n != maxDrops+1 || !slices.Contains(r.Notes, want) {
		t.Errorf("%d notes, the last is %q", n, r.Notes[n-1])
	}
	if shown := WithoutValues(r.Notes); len(shown) > 0 {
		t.Errorf("others see %q", shown)
	}
}

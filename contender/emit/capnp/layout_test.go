package capnp

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/contender"
	"assay/schema"
	"assay/schema/text"
)

// TestNew checks the names and offsets of a schema whose fields leave holes and whose names
// clash. A test of the generator checks that the capnp compiler places fields in the same way.
func TestNew(t *testing.T) {
	const file = "../../../contenders/capnp/generator/testdata/holes.toml"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := text.Parse(file, data)
	if err != nil {
		t.Fatal(err)
	}
	l, err := New(s, "assay/contenders/capnp/gen/holes")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, st := range l.Structs {
		got = append(got, fmt.Sprintf("%s: %d words, %d pointers", st.Name, st.DataWords, st.Pointers))
		for _, f := range st.Fields {
			got = append(got, fmt.Sprintf("  %s %s at %d", f.Name, f.Type, f.Offset))
		}
	}
	want := []string{
		"Holes: 4 words, 3 pointers",
		"  a Bool at 0",
		"  b Int64 at 1",
		"  c UInt32 at 1",
		"  d Bool at 1",
		"  dIsSet Bool at 2",
		"  e Float32 at 4",
		"  f Float64 at 3",
		"  fIsSet Bool at 3",
		"  g Bool at 4",
		"  h UInt32 at 5",
		"  text Text at 0",
		"  textBytesField Data at 1",
		"  hasTextField Bool at 5",
		"  dIsSetField Bool at 6",
		"  x1 Bool at 7",
		"  messageField Text at 2",
		"NewHolesStruct: 0 words, 1 pointers",
		"  toPtrField List(NewHolesToPtrEntry) at 0",
		"NewHolesToPtrEntry: 0 words, 2 pointers",
		"  key Text at 0",
		"  value Holes1 at 1",
		"Holes1: 0 words, 1 pointers",
		"  at TimestampStruct at 0",
		"Timestamp: 0 words, 0 pointers",
		"TimestampStruct: 2 words, 0 pointers",
		"  seconds Int64 at 0",
		"  nanos Int32 at 2",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// TestReserved checks that no struct hides a type of the language, the name of the import or a
// generated variable.
func TestReserved(t *testing.T) {
	s := &schema.Schema{Name: "s"}
	for _, name := range slices.Concat(schema.GeneratedNames(), reserved) {
		s.Messages = append(s.Messages, &schema.Message{Name: name})
	}
	l, err := New(s, "assay/s")
	if err != nil {
		t.Fatal(err)
	}
	for _, st := range l.Structs {
		if want := st.message.Name + "Struct"; st.Name != want {
			t.Errorf("%s is %s, want %s", st.message.Name, st.Name, want)
		}
	}
}

func TestTooManyFields(t *testing.T) {
	m := &schema.Message{Name: "Wide"}
	for i := range maxFields + 1 {
		m.Fields = append(m.Fields, &schema.Field{Name: fmt.Sprintf("f%d", i), Number: i + 1, Type: schema.Type{Kind: schema.Bool}})
	}
	_, err := New(&schema.Schema{Name: "wide", Roots: []string{"Wide"}, Messages: []*schema.Message{m}}, "assay/wide")
	var no *contender.Unsupported
	if !errors.As(err, &no) || no.Field != "Wide.f10000" {
		t.Errorf("error %v, want an Unsupported for Wide.f10000", err)
	}
}

package easyproto_test

import (
	"slices"
	"strings"
	"testing"

	"assay/contender"
	"assay/contenders/easyproto"
	"assay/schema"
)

// The code written for the library must look as in its documentation.
func TestEmit(t *testing.T) {
	out, err := easyproto.Contender.Emit(contender.Request{
		Schema: &schema.Schema{Name: "s", Roots: []string{"Root"}, Messages: []*schema.Message{{
			Name: "Root", Fields: []*schema.Field{
				{Name: "text", Number: 1, Type: schema.Type{Kind: schema.String}},
				{Name: "counts", Number: 2, Type: schema.Type{Kind: schema.List, Elem: &schema.Type{Kind: schema.Int64}}},
				{Name: "share", Number: 3, Type: schema.Type{Kind: schema.Float64}},
				{Name: "least", Number: 4, Type: schema.Type{Kind: schema.Int32, Optional: true}},
				{Name: "next", Number: 5, Type: schema.Type{Kind: schema.MessageKind, Ref: "Root", Optional: true}},
			},
		}}},
		Package: "example.com/s", Model: "example.com/model", Contender: easyproto.Contender.Name,
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Plugins) > 0 {
		t.Errorf("there are %d plugins: the library has no generator", len(out.Plugins))
	}
	var names []string
	for _, test := range []struct {
		file  string
		has   []string
		hasNo []string
	}{
		{file: "bind.go", has: []string{"m := marshalers.Get()", "m.Marshal(nil)", "m.Marshal(out[:0])", "marshalers.Put(m)"}},
		{file: "marshal.go", has: []string{
			`if len(v.Text) > 0 { mm.AppendString(1, v.Text) }`,
			`if len(v.Counts) > 0 { mm.AppendInt64s(2, v.Counts) }`,
			`if math.Float64bits(v.Share) != 0 { mm.AppendDouble(3, v.Share) }`, // negative zero is written
			`if v.Least != nil { mm.AppendInt32(4, *v.Least) }`,
			`if v.Next != nil { marshalRoot(mm.AppendMessage(5), v.Next) }`,
		}},
		{file: "unmarshal.go", has: []string{
			`v.Text = "" v.Counts = v.Counts[:0] v.Share = 0 v.Least = nil v.Next = nil var fc easyproto.FieldContext`,
			`v.Text = strings.Clone(s)`,
			`v.Counts, ok = fc.UnpackInt64s(v.Counts)`,
			`v.Least = new(int32) var n int64 n, ok = fc.Int64() *v.Least = int32(n)`,
			`if !ok { return fmt.Errorf("cannot read field %d of Root", fc.FieldNum) }`,
		}},
		{file: "alias.go", has: []string{`v.Text, ok = fc.String()`}, hasNo: []string{"strings.Clone"}},
	} {
		names = append(names, test.file)
		i := slices.IndexFunc(out.Files, func(f contender.File) bool { return f.Name == test.file })
		if i < 0 {
			t.Errorf("there is no %s", test.file)
			continue
		}
		source := strings.Join(strings.Fields(string(out.Files[i].Data)), " ")
		for _, want := range test.has {
			if !strings.Contains(source, want) {
				t.Errorf("%s has no\n%s\nin\n%s", test.file, want, out.Files[i].Data)
			}
		}
		for _, not := range test.hasNo {
			if strings.Contains(source, not) {
				t.Errorf("%s has %s", test.file, not)
			}
		}
	}
	if len(out.Files) != len(names) {
		t.Errorf("there are %d files, want %v", len(out.Files), names)
	}
}

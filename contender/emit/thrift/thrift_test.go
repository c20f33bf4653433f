package thrift

import (
	"errors"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"assay/contender"
	"assay/schema"
)

// Fields are written in the order of their ids, as the compiler does it.
func TestOrderOfFields(t *testing.T) {
	var fields []*schema.Field
	for _, n := range []int{5, 1, 3} {
		fields = append(fields, &schema.Field{Name: "f" + strconv.Itoa(n), Number: n, Type: schema.Type{Kind: schema.Bool}})
	}
	s := &schema.Schema{Name: "s", Roots: []string{"M"}, Messages: []*schema.Message{{Name: "M", Fields: fields}}}
	out, err := Emit(contender.Request{Schema: s, Package: "assay/gen/s", Model: "assay/workload/s", Contender: "c"}, "NewTCompactProtocolFactoryConf")
	if err != nil {
		t.Fatal(err)
	}
	var calls []string
	for _, f := range out.Files {
		for _, call := range regexp.MustCompile(`p\.(writeField\d)\(ctx, oprot\); err`).FindAllSubmatch(f.Data, -1) {
			calls = append(calls, string(call[1]))
		}
	}
	if want := []string{"writeField1", "writeField3", "writeField5"}; !slices.Equal(calls, want) {
		t.Errorf("%v, want %v", calls, want)
	}
}

func TestUnsupported(t *testing.T) {
	for _, test := range []struct {
		name   string
		number int
		ok     bool
	}{
		{"red", 1, true},
		{"red", 32767, true},
		{"red", 32768, false},
		{"read", 1, false},
		{"write", 1, false},
	} {
		s := &schema.Schema{Name: "s", Roots: []string{"M"}, Messages: []*schema.Message{{Name: "M", Fields: []*schema.Field{
			{Name: test.name, Number: test.number, Type: schema.Type{Kind: schema.Bool}},
		}}}}
		_, err := Emit(contender.Request{Schema: s, Package: "assay/gen/s", Model: "assay/workload/s", Contender: "c"}, "NewTCompactProtocolFactoryConf")
		if no := (*contender.Unsupported)(nil); errors.As(err, &no) == test.ok || test.ok && err != nil {
			t.Errorf("field %s with number %d: %v", test.name, test.number, err)
		}
	}
}

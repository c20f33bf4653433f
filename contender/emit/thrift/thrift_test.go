package thrift

import (
	"errors"
	"testing"

	"assay/contender"
	"assay/schema"
)

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

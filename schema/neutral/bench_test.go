package neutral

import (
	"fmt"
	"reflect"
	"testing"

	"assay/schema"
)

// BenchmarkWide measures the time per field of a message.
func BenchmarkWide(b *testing.B) {
	for _, fields := range []int{100, 1000, 10_000} {
		b.Run(fmt.Sprint(fields), func(b *testing.B) {
			m := &schema.Message{Name: "Wide"}
			var model []reflect.StructField
			for i := range fields {
				f := &schema.Field{Name: fmt.Sprintf("key_%d", i), Number: i + 1, Type: schema.Type{Kind: schema.Int64}}
				m.Fields = append(m.Fields, f)
				model = append(model, reflect.StructField{Name: schema.GoName(f.Name), Type: reflect.TypeFor[int64]()})
			}
			form, err := Of(&schema.Schema{Name: "wide", Messages: []*schema.Message{m}, Roots: []string{"Wide"}}, "Wide")
			if err != nil {
				b.Fatal(err)
			}
			v := reflect.New(reflect.StructOf(model))
			var line []byte
			for b.Loop() {
				if line, err = form.Append(line[:0], v.Interface()); err != nil {
					b.Fatal(err)
				}
				v.Elem().SetZero()
				if err := form.Parse(line, v.Interface()); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*fields), "ns/field")
		})
	}
}

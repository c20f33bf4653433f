package jsonsize

import (
	"fmt"
	"strings"
	"testing"

	"assay/internal/infer"
)

// BenchmarkWide reports the time per field of two records. In one, every field is written
// differently. In the other, every second key, which no struct tag can hold, is left out.
func BenchmarkWide(b *testing.B) {
	for _, fields := range []int{100, 1000, 10_000} {
		for _, odd := range []bool{false, true} {
			b.Run(fmt.Sprintf("%d/odd=%t", fields, odd), func(b *testing.B) {
				var all, kept []string
				for i := range fields {
					if odd && i%2 == 1 {
						all = append(all, fmt.Sprintf(`"key'%d":1`, i))
						continue
					}
					all = append(all, fmt.Sprintf(`"key_%d":1.50`, i))
					kept = append(kept, fmt.Sprintf(`"key_%d":1.5`, i))
				}
				record, written := "{"+strings.Join(all, ",")+"}", "{"+strings.Join(kept, ",")+"}"
				r, err := infer.JSON([]infer.Source{infer.Bytes("f", []byte(record))}, infer.Options{Overrules: []infer.Overrule{{Path: ".", Type: "struct"}}})
				if err != nil {
					b.Fatal(err)
				}
				a := New(r.Schema, r.Root)
				for b.Loop() {
					if err := a.Compare([]byte(record), []byte(written)); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*fields), "ns/field")
			})
		}
	}
}

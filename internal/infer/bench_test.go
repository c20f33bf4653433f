package infer

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// orders returns at least size bytes of NDJSON: orders of a shop.
func orders(size int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, `{"id":%d,"uid":"%016x","created":"2024-%02d-%02dT%02d:%02d:%02d.%03dZ","customer":{"name":"Customer %d","email":"c%d@example.com","vip":%t},"items":[`,
			i, r.Uint64(), 1+r.IntN(12), 1+r.IntN(28), r.IntN(24), r.IntN(60), r.IntN(60), r.IntN(1000), r.IntN(5000), r.IntN(5000), r.IntN(2) == 0)
		for k := range 1 + r.IntN(5) {
			if k > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, `{"sku":"SKU-%05d","qty":%d,"price":%.2f,"tags":["a","b%d"]}`, r.IntN(100000), 1+r.IntN(9), r.Float64()*100, r.IntN(9))
		}
		fmt.Fprintf(&b, `],"status":%q,"total":%.2f,"note":%s,"stock":{"%d":%d,"%d":%d}}`+"\n",
			[]string{"new", "paid", "shipped", "done"}[r.IntN(4)], r.Float64()*1000, []string{"null", `"leave at the \"door\""`}[r.IntN(2)], r.IntN(90), i, 100+r.IntN(90), i)
	}
	return b.Bytes()
}

// BenchmarkJSON measures inference, and as its lower bound reading every token. Each iteration reads
// 8 MiB of NDJSON, so that -benchtime 12x reads 100 MB.
func BenchmarkJSON(b *testing.B) {
	data := orders(8 << 20)
	b.Run("tokens", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		for range b.N {
			d := jsontext.NewDecoder(bytes.NewReader(data))
			for {
				if _, err := d.ReadToken(); err == io.EOF {
					break
				} else if err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	source := []Source{Bytes("orders.ndjson", data)}
	b.Run("infer", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for range b.N {
			if _, err := JSON(source, Options{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("write", func(b *testing.B) {
		r, err := JSON(source, Options{})
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for range b.N {
			if err := r.Write(io.Discard); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkFold infers a schema with many messages that each contain themselves. The time should be
// proportional to their number.
func BenchmarkFold(b *testing.B) {
	for _, n := range []int{200, 800, 3200} {
		data := []byte{'{'}
		for i := range n {
			name := strings.Map(func(r rune) rune { return r - '0' + 'a' }, fmt.Sprintf("%04d", i))
			data = fmt.Appendf(data, `%[1]q:{"u%[1]s":1,"v%[1]s":"x",%[1]q:{"u%[1]s":2,"v%[1]s":"y"}},`, name)
		}
		data = append(data, `"one":1}`...)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for range b.N {
				if _, err := JSON([]Source{Bytes("f", data)}, Options{Overrules: []Overrule{{".", "struct"}}}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

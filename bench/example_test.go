package bench_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"assay/bench"
	"assay/result"
	"assay/schema"
	"assay/workload"
)

// A point is the model of the example's workload.
type point struct{ X, Y int64 }

func (p *point) LeafSum() uint64 { return workload.LeafInt(p.X) + workload.LeafInt(p.Y) }

// points is a workload with one size.
var points = &workload.Workload{
	Name: "points",
	Schema: &schema.Schema{Name: "points", Roots: []string{"Point"}, Messages: []*schema.Message{{
		Name: "Point", Fields: []*schema.Field{
			{Name: "x", Number: 1, Type: schema.Type{Kind: schema.Int64}},
			{Name: "y", Number: 2, Type: schema.Type{Kind: schema.Int64}},
		},
	}}},
	Sizes: []workload.Size{{Key: "n=1", Root: "Point", Bytes: 16}},
	Generate: func(_ workload.Size, seed uint64, n int) (any, error) {
		values := make([]point, n)
		for i := range values {
			r := workload.Rand(seed, i)
			values[i] = point{r.Int64N(100), r.Int64N(100)}
		}
		return values, nil
	},
}

// newCodec binds encoding/json to the values, like the generated code of a contender.
func newCodec(values any) (*bench.Codec, error) {
	in, ok := values.([]point)
	if !ok {
		return nil, fmt.Errorf("values are %T, want []point", values)
	}
	var (
		at       int
		out      []byte
		messages [][]byte
		v        *point
	)
	return &bench.Codec{
		Seek: func(i int) { at = i },
		Encode: func(n int) (sum uint64, err error) {
			for range n {
				if out, err = json.Marshal(&in[at]); err != nil {
					return sum, err
				}
				sum += uint64(len(out))
				at = (at + 1) % len(in)
			}
			return sum, nil
		},
		Encoded: func() []byte { return out },
		Use:     func(m [][]byte) { messages, at = m, 0 },
		Decode: func(n int) (sum uint64, err error) {
			for range n {
				v = new(point)
				if err := json.Unmarshal(messages[at], v); err != nil {
					return sum, err
				}
				sum++
				at = (at + 1) % len(messages)
			}
			return sum, nil
		},
		Decoded: func() any { return v },
		Value:   func() any { return v },
	}, nil
}

// A runner links bindings and serves commands, one a line. The main function of a runner calls
// Main; this example serves commands from a string.
func Example() {
	program := bench.Program{
		Workloads: []*workload.Workload{points},
		Bindings: []bench.Binding{{
			Contender: "encoding/json", Workload: "points", Root: "Point",
			Ops: []result.Op{result.Encode, result.Decode}, New: newCodec,
		}},
	}
	commands := `{"cmd":"load","load":{"workload":"points","size":"n=1","seed":1,"inputs":3}}
{"cmd":"verify","verify":{"contender":"encoding/json","mode":""}}
{"cmd":"exit"}
`
	var answers bytes.Buffer
	if err := bench.Serve(program, strings.NewReader(commands), &answers); err != nil {
		fmt.Println(err)
		return
	}
	d := json.NewDecoder(&answers)
	for d.More() {
		var a bench.Answer
		if err := d.Decode(&a); err != nil {
			fmt.Println(err)
			return
		}
		switch {
		case a.Error != "":
			fmt.Println("error:", a.Error)
		case a.Loaded != nil:
			fmt.Printf("%d values of %s\n", a.Loaded.Inputs, a.Loaded.Root)
		case a.Verified != nil:
			fmt.Println("verified:", a.Verified.OK)
		}
	}
	// Output:
	// 3 values of Point
	// verified: true
}

package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"assay/result"
	"assay/schema"
	"assay/workload"
)

// item is the model of the tests' workload.
type item struct {
	ID   int64
	Name string
	Tags []string
	Rate float64
}

func (v *item) LeafSum() uint64 {
	sum := workload.LeafInt(v.ID) + workload.LeafText(v.Name) + workload.LeafFloat64(v.Rate)
	for _, tag := range v.Tags {
		sum += workload.LeafText(tag)
	}
	return sum
}

var testSchema = &schema.Schema{
	Name: "items", Roots: []string{"Item"},
	Messages: []*schema.Message{{Name: "Item", Fields: []*schema.Field{
		{Name: "ID", Number: 1, Type: schema.Type{Kind: schema.Int64}},
		{Name: "Name", Number: 2, Type: schema.Type{Kind: schema.String}},
		{Name: "Tags", Number: 3, Type: schema.Type{Kind: schema.List, Elem: &schema.Type{Kind: schema.String}}},
		{Name: "Rate", Number: 4, Type: schema.Type{Kind: schema.Float64}},
	}}, {Name: "Elsewhere", Fields: []*schema.Field{ // lengths may vary where there are maps
		{Name: "Map", Number: 1, Type: schema.Type{Kind: schema.Map, Key: schema.String, Elem: &schema.Type{Kind: schema.Bool}}},
	}}},
}

// maxInputs keeps a fuzzed command from asking for all memory.
const maxInputs = 1000

func testWorkload() *workload.Workload {
	return &workload.Workload{
		Name:   "items",
		Schema: testSchema,
		Sizes: []workload.Size{
			{Key: "n=1", Root: "Item", Bytes: 100},
			{Key: "wrong", Root: "Item", Bytes: 100},
			{Key: "other", Root: "Other", Bytes: 100},
		},
		Generate: func(size workload.Size, seed uint64, n int) (any, error) {
			if n > maxInputs {
				return nil, fmt.Errorf("%d are too many", n)
			}
			switch size.Key {
			case "wrong":
				return make([]item, n+1), nil
			case "other":
				return make([]int, n), nil
			}
			out := make([]item, n)
			for i := range out {
				r := workload.Rand(seed, i)
				out[i] = item{
					ID:   r.Int64(),
					Name: strings.Repeat("x", i%7+1),
					Tags: []string{fmt.Sprint(r.IntN(1000))},
					Rate: float64(i % 3),
				}
			}
			return out, nil
		},
	}
}

// fake is a well-behaved codec with parts to replace.
type fake struct {
	model    []item // what convert reads
	values   []item
	messages [][]byte
	next     int // next input or message of every op
	encoded  []byte
	decoded  *item
	// encode and decode do the work of one operation.
	encode func(v *item) ([]byte, error)
	decode func(b []byte) (*item, error)
}

func newFake(values any) *fake {
	return &fake{
		model:  values.([]item),
		values: values.([]item),
		encode: func(v *item) ([]byte, error) { return json.Marshal(v) },
		decode: func(b []byte) (*item, error) {
			v := new(item)
			return v, json.Unmarshal(b, v)
		},
	}
}

// each makes an Op over the inputs that calls one for each operation.
func (f *fake) each(one func(i int) (uint64, error)) Op {
	return f.ring(func() int { return len(f.values) }, one)
}

// reads makes an Op over the messages that calls one for each operation.
func (f *fake) reads(one func(i int) (uint64, error)) Op {
	return f.ring(func() int { return max(len(f.messages), 1) }, one)
}

// ring makes an Op over a ring of size() elements.
func (f *fake) ring(size func() int, one func(i int) (uint64, error)) Op {
	return func(n int) (sum uint64, err error) {
		if n > 1<<20 {
			return 0, fmt.Errorf("%d operations are too many", n)
		}
		for range n {
			i := f.next % size()
			f.next = i + 1
			s, err := one(i)
			if err != nil {
				return 0, err
			}
			sum += s
		}
		return sum, nil
	}
}

func (f *fake) codec() *Codec {
	decode := func(i int) (uint64, error) {
		v, err := f.decode(f.messages[i])
		f.decoded = v
		return 1, err
	}
	return &Codec{
		Encode: f.each(func(i int) (uint64, error) {
			b, err := f.encode(&f.values[i])
			f.encoded = b
			return uint64(len(b)), err
		}),
		Encoded: func() []byte { return f.encoded },
		Use:     func(messages [][]byte) { f.messages, f.next = messages, 0 },
		Decode:  f.reads(decode),
		Decoded: func() any { return f.decoded },
		Value:   func() any { return f.decoded },
		Open:    f.reads(func(i int) (uint64, error) { _ = f.messages[i][0]; return 1, nil }),
		Scan: f.reads(func(i int) (uint64, error) {
			if _, err := decode(i); err != nil {
				return 0, err
			}
			return f.decoded.LeafSum(), nil
		}),
		Convert: f.each(func(i int) (uint64, error) {
			v := f.model[i]
			f.decoded = &v
			return 1, nil
		}),
		Converted: func() any { return f.decoded },
		Seek:      func(i int) { f.next = i },
	}
}

// fakes are the contenders of the tests. Each is a well-behaved codec with a change; most
// changes are faults.
var fakes = []struct {
	name, mode string
	ops        []result.Op
	change     func(f *fake, c *Codec)
}{
	{name: "json", ops: modelOps},
	{name: "json", mode: "output=reuse", ops: []result.Op{result.Encode}, change: func(f *fake, c *Codec) {
		var buf bytes.Buffer
		f.encode = func(v *item) ([]byte, error) {
			buf.Reset()
			err := json.NewEncoder(&buf).Encode(v)
			return buf.Bytes(), err
		}
	}},
	{name: "json", mode: "target=reuse", ops: []result.Op{result.Decode}, change: func(f *fake, c *Codec) {
		var kept item
		f.decode = func(b []byte) (*item, error) {
			kept = item{}
			return &kept, json.Unmarshal(b, &kept)
		}
		c.Encode, c.Encoded = nil, nil
	}},
	{name: "json", mode: "output=broken", ops: []result.Op{result.Encode}, change: func(f *fake, c *Codec) {
		f.encode = func(v *item) ([]byte, error) { return []byte("{}"), nil }
	}},
	{name: "lossy", ops: modelOps, change: func(f *fake, c *Codec) {
		decode := f.decode
		f.decode = func(b []byte) (*item, error) {
			v, err := decode(b)
			if v.Tags = nil; len(v.Name) < 3 {
				v.Tags = []string{"a", "b"}
			}
			return v, err
		}
	}},
	{name: "late", ops: modelOps, change: func(f *fake, c *Codec) {
		decode := f.decode
		f.decode = func(b []byte) (*item, error) {
			v, err := decode(b)
			if v.Name == "xxx" {
				v.Name = "y"
			}
			return v, err
		}
	}},
	{name: "negzero", ops: modelOps, change: func(f *fake, c *Codec) {
		decode := f.decode
		f.decode = func(b []byte) (*item, error) {
			v, err := decode(b)
			if v.Rate == 0 {
				v.Rate = math.Copysign(0, -1)
			}
			return v, err
		}
	}},
	{name: "wrongsum", ops: modelOps, change: func(f *fake, c *Codec) { c.Encode = plusOne(c.Encode) }},
	{name: "wrongcount", ops: []result.Op{result.Encode, result.Decode}, change: func(f *fake, c *Codec) { c.Decode = plusOne(c.Decode) }},
	{name: "wrongscan", ops: []result.Op{result.Encode, result.Decode, result.Scan}, change: func(f *fake, c *Codec) { c.Scan = plusOne(c.Scan) }},
	{name: "wrongconvert", ops: []result.Op{result.Convert}, change: func(f *fake, c *Codec) {
		c.Converted = func() any { return &item{} }
	}},
	{name: "failing", ops: modelOps, change: func(f *fake, c *Codec) {
		f.decode = func([]byte) (*item, error) { return nil, errors.New("cannot read") }
	}},
	{name: "mute", ops: modelOps, change: func(f *fake, c *Codec) {
		f.encode = func(*item) ([]byte, error) { return nil, errors.New("cannot write") }
	}},
	{name: "unopened", ops: []result.Op{result.Encode, result.Open}, change: func(f *fake, c *Codec) {
		c.Open = func(int) (uint64, error) { return 0, errors.New("cannot open") }
	}},
	// lazy encodes one input, however many operations are asked for. stuck decodes the second
	// input of a batch again after the batch, so that its last result is wrong.
	{name: "lazy", ops: []result.Op{result.Encode, result.Decode}, change: func(f *fake, c *Codec) {
		encode := c.Encode
		c.Encode = func(int) (uint64, error) { return encode(1) }
	}},
	{name: "stuck", ops: []result.Op{result.Encode, result.Decode}, change: func(f *fake, c *Codec) {
		decode := c.Decode
		c.Decode = func(n int) (uint64, error) {
			at := f.next
			sum, err := decode(n)
			if n > 1 {
				f.next = at + 1
				_, err = decode(1)
			}
			return sum, err
		}
	}},
	{name: "varying", ops: []result.Op{result.Encode, result.Decode}, change: func(f *fake, c *Codec) {
		encode, calls := f.encode, 0
		f.encode = func(v *item) ([]byte, error) {
			b, err := encode(v)
			calls++
			return append(b, strings.Repeat(" ", calls*calls%101)...), err
		}
	}},
	{name: "mutating", ops: []result.Op{result.Encode}, change: func(f *fake, c *Codec) {
		encode := f.encode
		f.encode = func(v *item) ([]byte, error) {
			b, err := encode(v)
			v.Tags = nil
			return b, err
		}
		f.values = f.values[:1]
	}},
	// If its pool was filled before and is never emptied, pooling allocates exactly 64 KiB an
	// operation, except once: like the runtime, it sometimes allocates more.
	{name: "pooling", ops: []result.Op{result.Encode}, change: func(f *fake, c *Codec) {
		pool := sync.Pool{New: func() any { return new([1 << 10]byte) }}
		calls := 0
		f.encode = func(v *item) ([]byte, error) {
			if calls++; calls == 100 {
				f.messages = append(f.messages, make([]byte, 100))
			}
			pooled := pool.Get()
			defer pool.Put(pooled)
			return make([]byte, 1<<16), nil
		}
	}},
	// With each pass over the inputs, fickle allocates more bytes in fewer allocations.
	{name: "fickle", ops: []result.Op{result.Encode}, change: func(f *fake, c *Codec) {
		calls := 0
		f.encode = func(v *item) ([]byte, error) {
			calls++
			for range max(0, 30-calls/4) {
				f.messages = append(f.messages, make([]byte, 8))
			}
			f.messages = f.messages[:0]
			return make([]byte, (1+calls/4)<<10)[: 1<<10 : 1<<10], nil
		}
	}},
	// arena allocates nothing but a block every 18 messages.
	{name: "arena", ops: []result.Op{result.Encode}, change: func(f *fake, c *Codec) {
		var block []byte
		f.encode = func(v *item) ([]byte, error) {
			if len(block) == 0 {
				block = make([]byte, 18<<10)
			}
			out := block[: 1<<10 : 1<<10]
			block = block[1<<10:]
			return out, nil
		}
	}},
	// The decoded values below have a known size: an item, and a name of 1024 bytes, or a name
	// in the message, or a copy of the message. The message has 512 bytes.
	{name: "block", ops: blockOps, change: func(f *fake, c *Codec) {
		f.decode = func(b []byte) (*item, error) {
			v := new(item)
			v.Name = string(make([]byte, 1024))
			return v, nil
		}
	}},
	{name: "alias", ops: blockOps, change: func(f *fake, c *Codec) {
		f.encode = func(v *item) ([]byte, error) { return make([]byte, 512), nil }
		f.decode = func(b []byte) (*item, error) {
			return &item{Name: unsafe.String(&b[0], len(b))}, nil
		}
	}},
	{name: "copying", ops: blockOps, change: func(f *fake, c *Codec) {
		f.encode = func(v *item) ([]byte, error) { return make([]byte, 512), nil }
		f.decode = func(b []byte) (*item, error) { return &item{Name: string(b)}, nil }
	}},
	{name: "withholding", ops: blockOps, change: func(f *fake, c *Codec) { c.Value = nil }},
	{name: "nothing", ops: blockOps, change: func(f *fake, c *Codec) { c.Value = func() any { return nil } }},
	{name: "half", ops: modelOps, change: func(f *fake, c *Codec) { c.Decoded = nil }},
	{name: "printing", ops: modelOps, change: func(f *fake, c *Codec) {
		encode := f.encode
		f.encode = func(v *item) ([]byte, error) {
			fmt.Fprintln(earlyStdout, "printed early")
			fmt.Println("printed")
			return encode(v)
		}
	}},
	{name: "panicking", ops: modelOps, change: func(f *fake, c *Codec) {
		f.decode = func([]byte) (*item, error) { panic("out of range") }
	}},
	{name: "recursing", ops: modelOps, change: func(f *fake, c *Codec) {
		f.decode = func([]byte) (*item, error) { return nil, fmt.Errorf("%d", recurse(1)) }
	}},
}

// modelOps are the ops that use the model.
var modelOps = []result.Op{result.Encode, result.Decode, result.Open, result.Scan, result.Convert}

var blockOps = []result.Op{result.Encode, result.Decode}

// earlyStdout is standard output as a library holds it that copies os.Stdout while the program
// is initialised.
var earlyStdout = os.Stdout

func recurse(n int) int {
	if n == 0 {
		return 0
	}
	return recurse(n+1) + 1
}

func plusOne(op Op) Op {
	return func(n int) (uint64, error) {
		sum, err := op(n)
		return sum + 1, err
	}
}

// program links all fakes.
func program() Program {
	p := Program{Workloads: []*workload.Workload{testWorkload()}}
	for _, fake := range fakes {
		p.Bindings = append(p.Bindings, Binding{
			Contender: fake.name, Workload: "items", Root: "Item", Mode: fake.mode, Ops: fake.ops,
			New: func(values any) (*Codec, error) {
				f := newFake(values)
				c := f.codec()
				if fake.change != nil {
					fake.change(f, c)
				}
				return c, nil
			},
		})
	}
	p.Bindings = append(p.Bindings, Binding{
		Contender: "unbound", Workload: "items", Root: "Item", Ops: modelOps,
		New: func(any) (*Codec, error) { return nil, errors.New("does not fit") },
	})
	return p
}

// serve sends lines to a runner and returns the answers.
func serve(t *testing.T, p Program, lines ...string) []Answer {
	t.Helper()
	var out bytes.Buffer
	if err := Serve(p, strings.NewReader(strings.Join(lines, "\n")+"\n"), &out); err != nil {
		t.Fatal(err)
	}
	return decodeAnswers(t, out.Bytes())
}

func decodeAnswers(t *testing.T, out []byte) (answers []Answer) {
	t.Helper()
	for line := range bytes.Lines(out) {
		var a Answer
		d := json.NewDecoder(bytes.NewReader(line))
		d.DisallowUnknownFields()
		if err := d.Decode(&a); err != nil {
			t.Fatalf("answer %q: %v", line, err)
		}
		answers = append(answers, a)
	}
	return answers
}

// ask loads n inputs, sends one command and returns its answer.
func ask(t *testing.T, p Program, n int, c Command) Answer {
	t.Helper()
	line, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	load := fmt.Sprintf(`{"cmd":"load","load":{"workload":"items","size":"n=1","seed":1,"inputs":%d}}`, n)
	answers := serve(t, p, load, string(line))
	if len(answers) != 2 || answers[0].Error != "" {
		t.Fatalf("answers: %+v", answers)
	}
	return answers[1]
}

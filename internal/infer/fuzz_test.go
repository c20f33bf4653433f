package infer

import (
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// FuzzJSON checks that inference does not panic, and that the schema holds every record from which it
// was inferred: see accepts.
func FuzzJSON(f *testing.F) {
	files, err := filepath.Glob("testdata/samples/*")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, false, "")
	}
	for _, s := range []string{
		`[{"a":1},{"a":null,"b":[[],[1]]},null]`, `1 2.5 null`, `"x"`, `[[1,"a"],[2,"b"]] [[]]`, `{"a":{"b":{"a":{"b":1}}}}`,
		`{"a":1}{"a":1,"a":2}`, `{"1":{"2":{}},"3":{"4":[{}]}}`, `[{"a":1}] [1]`, `["a","b"] [1,"c"] [2,"d"]`, "{\"\xff\":1}", `[{"a":1},{`,
	} {
		f.Add([]byte(s), true, "")
		f.Add([]byte(s), false, "a")
	}
	f.Fuzz(func(t *testing.T, data []byte, skipBad bool, records string) {
		o := Options{SkipBad: skipBad, Records: records, MaxRecord: 1 << 20}
		r, err := JSON([]Source{Bytes("f.json", data)}, o)
		// The result does not depend on the sizes of reads.
		slowly := Source{"f.json", func() (io.ReadCloser, error) { return io.NopCloser(iotest.OneByteReader(bytes.NewReader(data))), nil }}
		again, slowErr := JSON([]Source{slowly}, o)
		if err != nil {
			if err.Error() == "" {
				t.Error("an error without a text")
			}
			if slowErr == nil || slowErr.Error() != err.Error() && !(notJSON(slowErr) && notJSON(err)) {
				t.Errorf("byte by byte the error is %v, and else %v", slowErr, err)
			}
			return
		}
		if slowErr != nil {
			t.Fatalf("byte by byte there is an error: %v", slowErr)
		}
		if diff := cmp.Diff(bytes.Join(write(t, r), nil), bytes.Join(write(t, again), nil)); diff != "" {
			t.Errorf("byte by byte: -want +got\n%s", diff)
		}
		accepts(t, r, data)
	})
}

// notJSON reports whether an error is from package jsontext. The reason and the position of such an
// error can depend on how much of the text the decoder had at once.
func notJSON(err error) bool { return strings.Contains(err.Error(), "this is not JSON: ") }

// FuzzOverrule checks that with any overrule, records that are accepted can be written.
func FuzzOverrule(f *testing.F) {
	sample := `{"a":{"1":1,"2":2},"b":[1,"x"],"c":"12","d":[{"e":"t"}],"f":null,"g":true}` + "\n" + `{"a":{"3":1},"b":[2,"y"],"c":"-1","d":[],"f":null}`
	for _, kind := range append(types, keyTypes...) {
		f.Add([]byte(sample), "a", kind)
	}
	for _, path := range []string{"b", "c", "d", "d[].e", "f", "g", ".", "*", "a.*", "b.f1"} {
		f.Add([]byte(sample), path, "json")
		f.Add([]byte(sample), path, "list")
	}
	f.Fuzz(func(t *testing.T, data []byte, path, kind string) {
		o, err := ParseOverrule("type", path+"="+kind)
		if err != nil {
			return
		}
		r, err := JSON([]Source{Bytes("f.json", data)}, Options{Overrules: []Overrule{o}})
		if err != nil {
			return
		}
		if lines := write(t, r); int64(len(lines)) != r.Records {
			t.Errorf("%d lines of %d records", len(lines), r.Records)
		}
	})
}

// A composer makes samples from decisions. Each decision is a byte, chosen by a fuzzer or at random.
type composer struct {
	decisions []byte
	out       []byte
}

func (c *composer) pick(n int) int {
	if len(c.decisions) == 0 {
		return 0
	}
	d := int(c.decisions[0])
	c.decisions = c.decisions[1:]
	return d % n
}

func (c *composer) write(s string) { c.out = append(c.out, s...) }

// sample returns some records that partly look alike.
func (c *composer) sample() []byte {
	list := c.pick(4) == 0
	if list {
		c.write("[")
	}
	for i, n := 0, 1+c.pick(6); i < n; i++ {
		if i > 0 && list {
			c.write(",")
		}
		if list || c.pick(8) > 0 {
			c.object(0)
		} else {
			c.value(0)
		}
		c.write("\n")
	}
	if list {
		c.write("]")
	}
	return c.out
}

var (
	composerKeys    = []string{"a", "b", "A", "items", "child", "user_id", "userId", "1", "22", "2024-01-01", "a,b", "", "größe", "type", "size", "k-1", "é", "\\\"", "x.y", "class", "list", "entry"}
	composerScalars = []string{"1", "-1", "0", "-0", "2.5", "1e3", "1e999", "18446744073709551615", "9007199254740993", "99999999999999999999999", "-9223372036854775808", "0e-5", "1e-400",
		`"x"`, `""`, `"12"`, `"2024-01-01T00:00:00Z"`, `"2024-01-01T00:00:00.5+05:30"`, `"0000-02-29T00:00:00Z"`, `"true"`, `"\u0000\ud83d\ude00"`, "true", "false", "null"}
)

func (c *composer) value(depth int) {
	switch k := c.pick(10); {
	case depth > 5 || k < 5:
		c.write(composerScalars[c.pick(len(composerScalars))])
	case k < 8:
		c.object(depth + 1)
	default:
		c.list(depth + 1)
	}
}

func (c *composer) object(depth int) {
	first, n := c.pick(len(composerKeys)), c.pick(6)
	if c.pick(30) == 0 {
		n = len(composerKeys)
	}
	step := []int{1, 1, 5}[c.pick(3)] // coprime to the number of keys, so that all keys differ
	c.write("{")
	for i := range n {
		if i > 0 {
			c.write(",")
		}
		c.write(`"` + composerKeys[(first+i*step)%len(composerKeys)] + `":`)
		c.value(depth)
	}
	c.write("}")
}

func (c *composer) list(depth int) {
	c.write("[")
	for i := range c.pick(5) {
		if i > 0 {
			c.write(", ")
		}
		c.value(depth)
	}
	c.write("]")
}

// drawn returns n random decisions.
func drawn(r *rand.Rand, n int) []byte {
	decisions := make([]byte, n)
	for i := range decisions {
		decisions[i] = byte(r.Uint32())
	}
	return decisions
}

// TestComposed is FuzzComposed with random samples.
func TestComposed(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	n := 600
	if testing.Short() {
		n = 100
	}
	accepted := 0
	for range n {
		if composed(t, drawn(r, r.IntN(600))) {
			accepted++
		}
	}
	if accepted < n/2 {
		t.Errorf("only %d of %d samples have a schema", accepted, n)
	}
}

// FuzzComposed is FuzzJSON with samples that are always valid JSON.
func FuzzComposed(f *testing.F) {
	f.Add([]byte("1\x05\x02aaa2233445566778899"))
	f.Fuzz(func(t *testing.T, decisions []byte) { composed(t, decisions) })
}

func composed(t *testing.T, decisions []byte) bool {
	t.Helper()
	sample := (&composer{decisions: decisions}).sample()
	r, err := JSON([]Source{Bytes("f.json", sample)}, Options{SkipBad: len(decisions)%2 == 0})
	if err != nil {
		return false
	}
	accepts(t, r, sample)
	return true
}

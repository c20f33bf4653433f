package infer

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"assay/schema/text"
)

// kinds writes records with objects of several kinds. The decisions determine their places, and
// whether the kinds can be told apart.
func (c *composer) kinds() []byte {
	keys := []string{"a", "b", "C", "c", "id", "kind", "Kind", "x y", "n", "list", "of", "é", "\\\"", "p", "q", "r", "s", "t", "u", "v", "w"}
	values := []string{`"x"`, "1", "true", "1.5", `[1]`, `{"k":1}`, `{}`, `"2024-01-01T00:00:00Z"`, "null", `{"kind":"x","of":[{}]}`}
	number := 2 + c.pick(4)
	sets := make([][]int, number)
	for k := range sets {
		for range c.pick(7) {
			sets[k] = append(sets[k], c.pick(len(keys)))
		}
	}
	tag, optional, shape := c.pick(3), c.pick(3) == 0, c.pick(4)
	for i := range 8 + c.pick(24) {
		k := i % number
		if c.pick(3) == 0 {
			k = c.pick(number)
		}
		there := map[string]bool{}
		object := "{"
		add := func(key, value string) {
			if there[key] {
				return
			}
			there[key] = true
			if object != "{" {
				object += ","
			}
			object += `"` + key + `":` + value
		}
		if tag == 1 {
			add("kind", fmt.Sprintf(`"%d"`, k))
		}
		for _, at := range sets[k] {
			if !optional || c.pick(4) > 0 {
				add(keys[at], values[(at+k%2)%len(values)])
			}
		}
		object += "}"
		beside := ""
		if tag == 2 {
			beside = fmt.Sprintf(`"kind":"%d",`, k)
		}
		switch shape {
		case 0:
			c.write(object)
		case 1:
			c.write(`{` + beside + `"v":` + object + `}`)
		case 2:
			c.write(`{"l":[` + object + `,` + object + `],` + beside + `"z":1}`)
		default:
			c.write(`{"m":{"in":{` + beside + `"v":` + object + `}}}`)
		}
		c.write("\n")
	}
	return c.out
}

// unioned infers schemas from a sample of kinds, without an answer and with one that asks for a union.
// It returns the number of unions.
func unioned(t *testing.T, decisions []byte) int {
	t.Helper()
	sample := (&composer{decisions: decisions}).kinds()
	n := 0
	for _, path := range []string{"", ".", "v", "l[]", "m.in.v"} {
		o := Options{}
		if path != "" {
			o.Overrules = []Overrule{{path, "union"}}
		}
		r, err := JSON([]Source{Bytes("f.json", sample)}, o)
		if err != nil {
			if path == "" && !strings.Contains(err.Error(), "only nulls and what is empty") {
				t.Fatalf("%v\nof %s", err, sample)
			}
			continue
		}
		accepts(t, r, sample)
		again, err := JSON([]Source{Bytes("f.json", sample)}, o)
		if err != nil || string(text.Format(again.Schema)) != string(text.Format(r.Schema)) {
			t.Fatalf("read twice, the schemas are (%v)\n%s\n%s", err, text.Format(r.Schema), text.Format(again.Schema))
		}
		n += len(unionsOf(r.Schema))
	}
	return n
}

// TestComposedUnions is FuzzUnions with random samples.
func TestComposedUnions(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	n, made := 300, 0
	if testing.Short() {
		n = 60
	}
	for range n {
		made += unioned(t, drawn(r, r.IntN(200)))
	}
	if made < n/2 {
		t.Errorf("only %d unions are made of %d samples", made, n)
	}
}

// FuzzUnions checks that objects of several kinds are read without loss, however similar the kinds are.
func FuzzUnions(f *testing.F) {
	f.Add([]byte("1\x05\x02aaa2233445566778899"))
	f.Fuzz(func(t *testing.T, decisions []byte) { unioned(t, decisions) })
}

// FuzzOnly checks that a parsed condition is written in a form that parses as the same condition.
func FuzzOnly(f *testing.F) {
	for _, s := range []string{"a=b", "a", `"a=b"=c`, "a[].*.b=1", `"a\"=".b==`, "a.=b"} {
		f.Add(s, []byte(`{"a":[{"x":{"b":1}}]}`))
	}
	f.Fuzz(func(t *testing.T, text string, record []byte) {
		o, err := ParseOnly(text)
		if err != nil {
			return
		}
		again, err := ParseOnly(o.text())
		if err != nil || again.text() != o.text() || again.any != o.any || again.value != o.value {
			t.Errorf("%q is read as %+v, and that as %+v: %v", text, o, again, err)
		}
		if len(record) > 0 {
			o.holds(record)
		}
	})
}

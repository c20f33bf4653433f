package jsonsize_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"assay/internal/guess"
	"assay/internal/infer"
	"assay/internal/jsonsize"
)

// spelled lists the causes that change the spelling of a value only.
var spelled = []string{"html", "escapes", "numbers", "times", "keys"}

// guessed maps the other causes to the beginnings of the guesses that declare them.
var guessed = map[string][]string{
	"null-left-out":     {"left out where it is null too"},
	"absent-as-null":    {"null where it is absent too"},
	"rounded":           {"float64"},
	"empty-as-null":     {"a message of", "null where it is an empty "}, // an empty list is not a row
	"empty-list-as-map": {"an empty map where it is an empty list"},
	"empty-left-out":    {"a message of", "left out where it is an empty "},
}

// Random samples are written unchanged, except for spelling and for changes that a guess
// declares.
func TestRandomSamples(t *testing.T) {
	n := 3000
	if testing.Short() {
		n = 300
	}
	read := 0
	for seed := range n {
		var b bytes.Buffer
		g := &generator{rand.New(rand.NewPCG(uint64(seed), 7)), &b}
		for range 1 + g.IntN(6) {
			g.object(0)
			b.WriteByte('\n')
		}
		r, err := infer.JSON([]infer.Source{infer.Bytes("f.ndjson", b.Bytes())}, infer.Options{})
		if err != nil {
			if strings.Contains(err.Error(), "only nulls and what is empty") || strings.Contains(err.Error(), "no record") {
				continue
			}
			t.Fatalf("seed %d: %v\n%s", seed, err, &b)
		}
		read++
		a := jsonsize.New(r.Schema, r.Root)
		if err := r.Lines(a.Add); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, &b)
		}
		size := a.Size()
		if size == nil {
			t.Fatalf("seed %d: no size\n%s", seed, &b)
		}
		sum := int64(0)
		for _, c := range size.Changes {
			sum += c.Bytes
			said := slices.ContainsFunc(r.Guesses, func(g guess.Guess) bool {
				return slices.ContainsFunc(guessed[c.Cause], func(begin string) bool { return strings.HasPrefix(g.Decision, begin) })
			})
			if !said && !slices.Contains(spelled, c.Cause) {
				t.Errorf("seed %d: %s at %v, and no guess says so\n%s", seed, c.Cause, c.Where, &b)
			}
		}
		if sum != size.Written-size.Compact {
			t.Errorf("seed %d: the changes are %d bytes, the difference %d\n%s", seed, sum, size.Written-size.Compact, &b)
		}
	}
	if read < n/2 {
		t.Errorf("only %d of %d samples have a schema", read, n)
	}
}

// A generator writes random JSON.
type generator struct {
	*rand.Rand
	*bytes.Buffer
}

func (g *generator) object(depth int) {
	g.WriteByte('{')
	first := true
	for i, key := range []string{"a", "b", "c", "items", "child", `d,"`, "e<"} {
		if g.IntN(3) == 0 {
			continue
		}
		if !first {
			g.WriteString(", ")
		}
		first = false
		fmt.Fprintf(g, "%q: ", key)
		g.value(i, depth+1)
	}
	g.WriteByte('}')
}

// value writes a value of the i-th field, usually of the kind that the field prefers.
func (g *generator) value(i, depth int) {
	kind := i
	if g.IntN(12) == 0 {
		kind = g.IntN(7)
	}
	if depth > 4 {
		kind = 0
	}
	switch n := g.IntN(8); {
	case n == 0:
		g.WriteString("null")
	case n == 1 && kind == 3:
		g.WriteString("[]")
	case n == 1 && kind == 4:
		g.WriteString("{}")
	case kind == 3:
		g.WriteByte('[')
		for j := range 1 + g.IntN(3) {
			if j > 0 {
				g.WriteString(" ,")
			}
			g.value(g.IntN(8)/2, depth+1)
		}
		g.WriteByte(']')
	case kind == 4:
		g.object(depth)
	default:
		texts := [][]string{
			{"1", "0", "-7", "9007199254740993", "18446744073709551615"}, {"1.50", "2", "1e3", "-0", "0.1"}, {`"a"`, `""`, `"<b>\u00e9"`, `"\/"`}, nil, nil,
			{"true", "false"}, {`"2024-01-01T00:00:00.500Z"`, `"2024-01-01T00:00:00+00:00"`},
		}[kind]
		g.WriteString(texts[g.IntN(len(texts))])
	}
}

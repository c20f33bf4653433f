package exhibits

import (
	"fmt"
	"io/fs"
	"math"

	"assay/internal/tomldoc"
)

// A Description is the content of the exhibit.toml of an exhibit. It describes a pair of
// benchmarks, the method as published and the corrected one, and what they must show:
//
//	name = "lazyopen"
//	title = "one line"
//	source = "customer"
//	claims = ["customer-flatbuffers-unmarshal"]
//	published = "one line: what the published half does"
//	corrected = "one line: what the corrected half does"
//	text = "a paragraph"
//
//	[[expect]]
//	metric = "time"
//	ratio = { at_least = 3 }
//
//	[[expect]]
//	metric = "elements"
//	published = { equals = 1 }
//	corrected = { equals = 10 }
type Description struct {
	// Name is its directory's name.
	Name string
	// Title is one line.
	Title string
	// Source is the id of the source that the exhibit is about.
	Source string
	// Claims are the ids of the claims that the exhibit is about.
	Claims []string
	// Published and Corrected say in one line what each half does.
	Published, Corrected string
	// Text is a paragraph: what went wrong, how to see it, and what to do instead.
	Text string
	// Expect is what every run must show.
	Expect []Expect
}

// An Expect is the expectation for one metric. Any bound may be nil, but not all of them.
type Expect struct {
	// Metric is time, alloc-bytes, allocs, or a name that both benchmarks report.
	Metric string
	// Ratio bounds the corrected half divided by the published one.
	Ratio *Bound
	// Published and Corrected bound the median of one half.
	Published, Corrected *Bound
}

// A Bound is a range of numbers, ends included. A missing end is infinite.
type Bound struct {
	AtLeast, AtMost float64
}

// Allows reports whether a number lies within the bound.
func (b Bound) Allows(v float64) bool { return b.AtLeast <= v && v <= b.AtMost }

// String returns the bound in words, such as "at least 3".
func (b Bound) String() string {
	switch {
	case b.AtLeast == b.AtMost:
		return fmt.Sprint(b.AtLeast)
	case math.IsInf(b.AtMost, 1):
		return fmt.Sprint("at least ", b.AtLeast)
	case math.IsInf(b.AtLeast, -1):
		return fmt.Sprint("at most ", b.AtMost)
	}
	return fmt.Sprintf("from %v to %v", b.AtLeast, b.AtMost)
}

// Load reads the descriptions of all exhibits in fsys, a tree that has the directory published, in
// the order of their directories. The error is an errors.Join of everything that is wrong in any
// file.
func Load(fsys fs.FS) ([]Description, error) {
	return tomldoc.ParseAll(fsys, "published/exhibits/*/exhibit.toml", Parse)
}

// Parse reads an exhibit.toml. name is its path, for errors; the exhibit's name must be the last
// directory of that path. The error is an errors.Join of *tomldoc.Error with everything that is
// wrong.
func Parse(name string, data []byte) (Description, error) {
	t, err := tomldoc.Parse(name, data)
	if err != nil {
		return Description{}, err
	}
	t.Only("name", "title", "source", "claims", "published", "corrected", "text", "expect")
	t.Need("name", "title", "source", "claims", "published", "corrected", "text", "expect")
	d := Description{
		Name: t.Text("name"), Title: t.Text("title"), Source: t.Text("source"), Claims: t.Strings("claims"),
		Published: t.Text("published"), Corrected: t.Text("corrected"), Text: t.Paragraph("text"),
	}
	t.SameAsDir("name")
	expects := t.Tables("expect")
	if t.Has("expect") && len(expects) == 0 {
		t.Wrong("expect", "a list with at least one expectation: an exhibit that expects nothing shows nothing")
	}
	for _, x := range expects {
		d.Expect = append(d.Expect, parseExpect(x))
	}
	if err := t.Err(); err != nil {
		return Description{}, err
	}
	return d, nil
}

func parseExpect(t tomldoc.Table) Expect {
	t.Only("metric", "ratio", "published", "corrected")
	t.Need("metric")
	e := Expect{
		Metric: t.Text("metric"), Ratio: parseBound(t, "ratio"),
		Published: parseBound(t, "published"), Corrected: parseBound(t, "corrected"),
	}
	if e.Ratio == nil && e.Published == nil && e.Corrected == nil && !t.Failed() {
		t.Fail(t.Offset(), "the expectation says nothing: give ratio, published or corrected")
	}
	return e
}

// parseBound returns the bound of a key; nil without the key.
func parseBound(parent tomldoc.Table, key string) *Bound {
	t, ok := parent.Table(key)
	if !ok {
		return nil
	}
	t.Only("equals", "at_least", "at_most")
	b := &Bound{math.Inf(-1), math.Inf(1)}
	number := func(key string) float64 { return t.Number(key, -math.MaxFloat64, math.MaxFloat64) }
	if t.Has("at_least") {
		b.AtLeast = number("at_least")
	}
	if t.Has("at_most") {
		b.AtMost = number("at_most")
	}
	switch ends := t.Has("at_least") || t.Has("at_most"); {
	case t.Has("equals") && ends:
		t.Fail(t.At("equals"), "equals stands alone: remove it, or at_least and at_most")
	case t.Has("equals"):
		b.AtLeast = number("equals")
		b.AtMost = b.AtLeast
	case !ends:
		parent.Fail(parent.At(key), "%s has no bound: give equals, at_least or at_most", key)
	case b.AtLeast > b.AtMost:
		t.Fail(t.At("at_least"), "no number is at least %v and at most %v", b.AtLeast, b.AtMost)
	}
	return b
}

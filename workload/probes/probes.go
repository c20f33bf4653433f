package probes

import (
	"fmt"

	"assay/contender"
	"assay/workload"
)

// Workload has a size for each probe. No size is measured by default: if most libraries
// change a value, it says nothing about their speed.
var Workload = &workload.Workload{
	Name:  "probes",
	Title: "values that libraries are known to change or refuse",
	Text: "An event with a field of each kind, and a size for each thing that may become of it: " +
		"a time's zone, a NaN, a list that is empty and one that is nil, bytes that are not UTF-8. " +
		"The size probe=base is an event that every library gives back as it was; each other size changes in it what it is named after, " +
		"in several places where there are such. " +
		"assay verify --probes asks every contender for all of them with no loss forgiven; nothing is timed unless a size is asked for by its name.",
	Source:   "assay itself; no published benchmark asks",
	Schema:   Schema,
	Sizes:    sizes(),
	Generate: generate,
}

// A Probe is a question to a contender: does this value come back as it was?
type Probe struct {
	// Name is short; the workload's size is probe=Name.
	Name string
	// Text describes the value in a few words.
	Text string
	// Losses are the declared losses that explain a negative answer. The probe shows the
	// first of them; the others may hide it. Every contender must pass a probe without
	// losses.
	Losses []contender.Loss

	variants []func(*Event)
}

// Size returns the key of the workload's size.
func (p Probe) Size() string { return "probe=" + p.Name }

// Inputs returns how many values the probe needs: each of its variants, and the first again.
func (p Probe) Inputs() int { return max(1, len(p.variants)) + 1 }

// Base is the name of the probe that all other probes modify.
const Base = "base"

// approximate is the approximate memory of an event in bytes.
const approximate = 2000

func sizes() []workload.Size {
	var out []workload.Size
	for _, p := range All {
		size := workload.Size{Key: p.Size(), Root: "Event", Text: p.Text, Bytes: approximate, Items: 1}
		switch p.Name {
		case "long-text", "long-bytes":
			size.Bytes += longText
		case "deep":
			size.Bytes += depth * 16
		}
		out = append(out, size)
	}
	return out
}

// generate returns n events that cycle through the variants of a probe. It ignores the seed.
func generate(size workload.Size, _ uint64, n int) (any, error) {
	for _, p := range All {
		if p.Size() != size.Key {
			continue
		}
		out := make([]Event, n)
		for i := range out {
			out[i] = base()
			if len(p.variants) > 0 {
				p.variants[i%len(p.variants)](&out[i])
			}
		}
		return out, nil
	}
	return nil, fmt.Errorf("workload probes has no size %q", size.Key)
}

// ptr returns a pointer to a copy of v. Go 1.26 has new(v) for this, but assay compare --go
// builds runners with older releases too.
func ptr[T any](v T) *T { return &v }

// base returns an event in which no value is zero, nil, empty or unusual. Maps have one
// entry, so that all its encodings are equal.
func base() Event {
	return Event{
		Flag: true, Small: -7, Large: 1234567890123, SmallCount: 8, LargeCount: 9, Single: 1.5, Double: 0.25,
		Text: "a line of text", Data: []byte{1, 2, 0xFE}, Took: 90_000_000_000, Color: Color_COLOR_RED,
		Place:   Place{Name: "summit", Height: 4810},
		OptFlag: ptr(true), OptLarge: ptr(int64(11)), OptDouble: ptr(12.5), OptText: ptr("there"),
		OptPlace: &Place{Name: "pass", Height: 2469},
		Larges:   []int64{1, -2, 3}, Doubles: []float64{0.5, -2}, Texts: []string{"one", "two"},
		Blobs: [][]byte{{1}, {2, 3}}, Colors: []Color{Color_COLOR_RED}, Places: []Place{{Name: "hut", Height: 3000}},
		Labels: map[string]string{"key": "value"}, Rates: map[string]float64{"half": 0.5},
		ByName: map[string]Place{"lake": {Name: "lake", Height: 372}}, ByNumber: map[int64]string{42: "answer"},
	}
}

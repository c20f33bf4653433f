package contendertest

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"strings"
	"testing"
	"time"

	"assay/bench"
	"assay/contender"
	"assay/result"
	"assay/workload"
	"assay/workload/probes"
)

// An echo is a contender whose message is the number of the value, a counter and the value's
// text. It gives back everything, apart from the faults that its fields describe.
type echo struct {
	refuse      func(*probes.Event) bool // which values it refuses to write
	change      func(*probes.Event)      // how it changes decoded values
	merge       bool                     // target=reuse keeps the entries of old maps
	point       string                   // the mode whose text points into the message
	varies      string                   // the mode in which equal values have unequal bytes
	conversions *int                     // if it is not nil: counts the bindings, and the count is in the bytes
}

// codec binds the contender to values.
func (e echo) codec(mode string, values any) (*bench.Codec, error) {
	in := values.([]probes.Event)
	var i, count int
	var out, message []byte
	var messages [][]byte
	old := map[string]string{}
	if e.conversions != nil {
		*e.conversions++
		count = *e.conversions
	}
	v := new(probes.Event)
	return &bench.Codec{
		Placed: true, // a message is at the index of its value
		Seek:   func(at int) { i = at },
		Encode: func(n int) (sum uint64, err error) {
			for range n {
				if e.refuse != nil && e.refuse(&in[i]) {
					return 0, errors.New("will not write it")
				}
				if mode == e.varies {
					count++
				}
				out = fmt.Appendf(nil, "%4d%4d%s", i, count%10, in[i].Text)
				sum += uint64(len(out))
				i = (i + 1) % len(in)
			}
			return sum, nil
		},
		Encoded: func() []byte { return out },
		Use:     func(m [][]byte) { messages = m },
		Decode: func(n int) (uint64, error) {
			for range n {
				message = messages[i]
				i = (i + 1) % len(messages)
				var at int
				if _, err := fmt.Sscan(string(message[:4]), &at); err != nil {
					return 0, err
				}
				v = new(probes.Event)
				*v = in[at]
				if mode == "target=reuse" && e.merge && v.Labels != nil {
					maps.Copy(old, v.Labels)
					v.Labels = maps.Clone(old)
				}
				if e.change != nil {
					e.change(v)
				}
			}
			return uint64(n), nil
		},
		Decoded: func() any {
			if mode == e.point {
				v.Text = string(message[8:])
			}
			return v
		},
	}, nil
}

// bindings returns the contender's bindings in the default mode and in all other modes.
func (e echo) bindings(c *contender.Contender) []bench.Binding {
	modes := []string{""}
	for _, m := range c.Modes {
		modes = append(modes, m.Key)
	}
	var out []bench.Binding
	for _, mode := range modes {
		out = append(out, bench.Binding{
			Contender: c.Name, Workload: "probes", Root: "Event", Mode: mode, Ops: c.Ops,
			New: func(values any) (*bench.Codec, error) { return e.codec(mode, values) },
		})
	}
	return out
}

// Every fault makes the check of probes fail.
func TestProbeFaults(t *testing.T) {
	const none = "no such mode"
	for _, test := range []struct {
		name   string
		echo   echo
		losses []contender.Loss
		want   string // empty: nothing is wrong
	}{
		{name: "none"},
		{name: "loses more", echo: echo{change: func(e *probes.Event) { e.Double += 0 }}, // turns -0 into 0
			want: "probe neg-zero (-0 in fields, lists and maps) changes: Double: -0 became 0: that is the loss neg-zero"},
		{name: "as declared", echo: echo{change: zeroed}, losses: []contender.Loss{contender.NegZero}},
		{name: "loses less", losses: []contender.Loss{contender.NegZero}, want: "the loss neg-zero is declared, and probe neg-zero does not show it"},
		{name: "refuses", echo: echo{refuse: func(e *probes.Event) bool { return e.LargeCount > math.MaxInt64 }},
			want: "probe uint64-max (an integer above the greatest int64) encode-refuses: will not write it: that is the loss uint-range"},
		{name: "another loss than declared", losses: []contender.Loss{contender.TimeZone}, want: "probe zone (a time two hours and a half east of UTC), with the declared losses forgiven",
			echo: echo{change: func(e *probes.Event) {
				if e.Stamp != nil && e.Stamp.At.Location() != time.UTC {
					e.Stamp = &probes.Stamp{Label: e.Stamp.Label, At: e.Stamp.At.UTC().Add(time.Hour)}
				}
			}}},
		{name: "leaks", echo: echo{merge: true}, want: `mode "target=reuse": probe leftovers`},
		{name: "aliases", echo: echo{point: "target=reuse"}, want: `mode "target=reuse": strings of the decoded value change with the message`},
		{name: "copies", echo: echo{point: none}, want: `mode "strings=alias": nothing of the decoded value changes with the message`},
		{name: "varies", echo: echo{varies: ""}, want: "equal values have unequal bytes, which the trait deterministic excludes"},
		{name: "is not sorted", echo: echo{varies: "order=sorted"}, want: "which order=sorted excludes"},
	} {
		t.Run(test.name, func(t *testing.T) {
			ops := []result.Op{result.Encode, result.Decode}
			c := &contender.Contender{Name: "echo", Ops: ops, Losses: test.losses, Traits: []contender.Trait{contender.Deterministic}}
			for _, key := range []string{"target=reuse", "strings=alias", "order=sorted"} {
				c.Modes = append(c.Modes, contender.Mode{Key: key, Ops: ops})
			}
			if test.echo.point == "" {
				test.echo.point = "strings=alias"
			}
			if test.echo.varies == "" && test.name != "varies" {
				test.echo.varies = none
			}
			bindings := test.echo.bindings(c)
			server := Serve(t, bench.Program{Workloads: []*workload.Workload{probes.Workload}, Bindings: bindings})
			rows, wrong := probe(t, c, bindings, server)
			wrong = append(wrong, probes.Misdeclared(c, rows)...)
			if all := strings.Join(wrong, "\n"); test.want == "" && all != "" || !strings.Contains(all, test.want) {
				t.Errorf("found %q, want %q", wrong, test.want)
			}
		})
	}
}

// Habits do not see that a conversion gives another order each time.
func TestConversionsVary(t *testing.T) {
	c := &contender.Contender{Name: "echo", Ops: []result.Op{result.Encode, result.Decode}, Traits: []contender.Trait{contender.Deterministic}}
	size, err := probes.Workload.Size("probe=maps")
	if err != nil {
		t.Fatal(err)
	}
	in := values(t, probes.Workload, size, 2)
	for want, e := range map[string]echo{
		"": {varies: "none"},
		`mode "": values that are converted again have other bytes`: {varies: "none", conversions: new(int)},
	} {
		if wrong, err := unequal(c, e.bindings(c), in); err != nil || strings.Join(wrong, "") != want {
			t.Errorf("found %q, %v, want %q", wrong, err, want)
		}
	}
}

func TestStaleness(t *testing.T) {
	row := func(encoded int, fate probes.Fate) []probes.Row {
		all := map[string]probes.Answer{}
		for _, p := range probes.All {
			all[p.Name] = probes.Answer{Fate: probes.Survives}
		}
		all["nan"] = probes.Answer{Fate: fate, Words: "words"}
		return []probes.Row{{Contender: "echo", Encoded: encoded, Aliases: []string{}, Answers: all}}
	}
	data, err := probes.Format(row(640, probes.Changes))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name  string
		rows  []probes.Row
		stale bool
	}{
		{"the same", row(640, probes.Changes), false},
		{"other spaces", row(605, probes.Changes), false},
		{"another size", row(320, probes.Changes), true},
		{"another answer", row(640, probes.EncodeRefuses), true},
		{"a row more", append(row(640, probes.Changes), row(640, probes.Changes)...), true},
		{"no row", nil, true},
	} {
		if diff, err := staleness(data, test.rows); err != nil || (diff != "") != test.stale {
			t.Errorf("%s: %v, %s", test.name, err, diff)
		}
	}
	if _, err := staleness([]byte("{"), nil); err == nil {
		t.Error("a file that is no JSON is read without an error")
	}
}

// zeroed turns every -0 into 0.
func zeroed(e *probes.Event) {
	e.Single += 0
	e.Double += 0
	if e.OptDouble != nil {
		e.OptDouble = new(*e.OptDouble + 0)
	}
	var doubles []float64
	for _, f := range e.Doubles {
		doubles = append(doubles, f+0)
	}
	if len(doubles) > 0 {
		e.Doubles = doubles
	}
	rates := maps.Clone(e.Rates)
	for k, f := range rates {
		rates[k] = f + 0
	}
	e.Rates = rates
}

package userdata

import (
	"slices"
	"strings"
	"testing"

	"assay/bench"
	"assay/contender"
	"assay/result"
)

// nilElements are samples in which null replaces a list or map that is an element, or must be
// told from an absent one.
var nilElements = map[string]string{
	"lists":  `{"v":[[1],null,[2,3]]}|{"v":[]}|{"v":[null,[]]}`,
	"maps":   `{"v":[{"2024-01-01":1,"2024-01-02":2},null]}|{"v":[{"2024-01-03":1,"2024-01-04":2,"2024-01-05":2,"2024-01-06":2}]}|{"v":[{"2024-01-07":1,"2024-01-08":2}]}`,
	"either": `{"id":1,"v":[1,2]}|{"id":2,"v":null}|{"id":3}|{"id":4,"v":[]}`,
	"a map or neither": `{"id":1,"v":{"2024-01-01":1,"2024-01-02":2,"2024-01-03":1,"2024-01-04":2}}|{"id":2,"v":null}|{"id":3}|{"id":4,"v":{}}|` +
		`{"id":5,"v":{"2024-01-05":1,"2024-01-06":2,"2024-01-07":1,"2024-01-08":2}}`,
	"structs": `{"v":[[{"a":1,"b":"x"}],null]}|{"v":[null,[]]}|{"v":[[{"a":2,"b":"y"},{"a":3,"b":"z"}]]}`,
	// Other types have the names that generated types would get.
	"names": `{"v":[[1],null],"v_items_value":{"a":1},"w":[1],"w_or_null_entry":{"b":1},"w_or_null_entry_value":{"c":1}}|` +
		`{"v":[[2]],"v_items_value":{"a":2},"w":null}|{"v":[],"v_items_value":{"a":3},"w_or_null_entry":{"b":4},"w_or_null_entry_value":{"c":4}}`,
	"both": `{"id":1,"v":[[1],null]}|{"id":2,"v":null}|{"id":3}|{"id":4,"v":[[1,2,3]]}`,
}

// TestNilElements checks that each MessagePack contender, in every mode, reads the nil that
// the other writes for a list or map.
func TestNilElements(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	speaks := func(c *contender.Contender) bool { return c.Name == "msgp" || c.Name == "vmihailenco/msgpack" }
	p := newProgram(t)
	all := map[string]*inspected{}
	for name, lines := range nilElements {
		all[name] = inspect(t, specimen{strings.ReplaceAll(name, " ", "_") + ".ndjson", "", []byte(strings.ReplaceAll(lines, "|", "\n")), nil})
		p.add(t, 0, all[name].data, speaks)
	}
	if !p.build(t) {
		return
	}
	defer p.stop()
	for name, s := range all {
		t.Run(name, func(t *testing.T) { s.crossRead(t, p) })
	}
}

// crossRead checks that every contender of a sample reads, in every mode, what all contenders
// wrote.
func (s *inspected) crossRead(t *testing.T, p *program) {
	s.check(t, p)
	read := 0
	for _, reader := range p.cases {
		for _, writer := range p.cases {
			if reader.data != s.data || writer.data != s.data {
				continue
			}
			for _, mode := range reader.modes() {
				if mode.Key != "" && !slices.Contains(mode.Ops, result.Decode) {
					continue
				}
				array := strings.Contains(mode.Key, "layout=array")
				if array && reader != writer {
					continue
				}
				from := result.Subject{Contender: writer.contender.Name}
				if array {
					from.Mode = mode.Key
				}
				ask := bench.Verify{Subject: result.Subject{Contender: reader.contender.Name, Mode: mode.Key}, From: &from}
				for _, l := range append(reader.contender.LossesIn(mode.Key), writer.contender.LossesIn("")...) {
					ask.Losses = append(ask.Losses, string(l))
				}
				a, err := p.do(bench.Command{Cmd: "verify", Verify: &ask})
				switch {
				case err != nil:
					t.Fatalf("%s reads what %s wrote: %v", ask.Subject, from, err)
				case !a.Verified.OK:
					t.Errorf("%s reads what %s wrote: %s: %s", ask.Subject, from, a.Verified.Op, a.Verified.Reason)
				}
				read++
			}
		}
	}
	if read < 8 {
		t.Errorf("only %d readings", read)
	}
}

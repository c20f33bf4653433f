package text

import (
	"strings"
	"testing"
)

const union = `name = "events"
roots = ["Event"]

[[messages]]
name = "Event"
union = true
tag = "kind"
fields = [
  { number = 1, name = "push", type = "*Push", omitempty = true, when = ["push", "forced \"push\""], doc = "Commits." },
  { number = 2, name = "fork", type = "*Fork", omitempty = true, when = ["fork"] },
]

[[messages]]
name = "Push"
fields = [
  { number = 1, name = "kind", type = "string" },
]

[[messages]]
name = "Fork"
fields = [
  { number = 1, name = "kind", type = "string" },
]
`

func TestUnion(t *testing.T) {
	s, err := Parse("f.toml", []byte(union))
	if err != nil {
		t.Fatal(err)
	}
	if m := s.Messages[0]; !m.Union || m.Tag != "kind" || len(m.Fields[0].When) != 2 || m.Fields[0].When[1] != `forced "push"` {
		t.Errorf("read as %+v, %+v", m, m.Fields[0])
	}
	again, err := Parse("f.toml", Format(s))
	if err != nil {
		t.Fatal(err)
	}
	if string(Format(again)) != string(Format(s)) || !strings.Contains(string(Format(s)), `when = ["push", "forced \"push\""], doc`) {
		t.Errorf("written as\n%s", Format(s))
	}
	_, err = Parse("f.toml", []byte(strings.Replace(union, `when = ["fork"]`, `when = ["push"]`, 1)))
	if want := `f.toml:10:`; err == nil || !strings.HasPrefix(err.Error(), want) || !strings.Contains(err.Error(), `"push" tells variant "push" already`) {
		t.Errorf("%v, want %s", err, want)
	}
	_, err = Parse("f.toml", []byte(strings.Replace(union, `["fork"]`, `"fork"`, 1)))
	if err == nil || !strings.Contains(err.Error(), "f.toml:10:") {
		t.Error(err)
	}
}

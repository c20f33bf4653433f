package easyjson

import (
	"strings"
	"testing"

	"assay/contender"
	"assay/schema"
)

// Reading a row that contains itself ends at the end of the text: after an error the lexer
// finds no null, so the methods must check for the error.
func TestRowsEnd(t *testing.T) {
	s := &schema.Schema{Name: "s", Roots: []string{"Node"}, Messages: []*schema.Message{{Name: "Node", Row: true, Fields: []*schema.Field{
		{Name: "next", Number: 1, Type: schema.Type{Kind: schema.MessageKind, Ref: "Node", Optional: true}},
	}}}}
	out, err := emitPackage(contender.Request{Schema: s, Model: "assay/model", Package: "assay/p"})
	if err != nil {
		t.Fatal(err)
	}
	rows := string(out.Files[len(out.Files)-1].Data)
	for _, method := range []string{"UnmarshalEasyJSON", "UnmarshalAlias"} {
		if want := method + "(l *jlexer.Lexer) {\n\tif !l.Ok() {\n\t\treturn\n\t}\n"; !strings.Contains(rows, want) {
			t.Errorf("there is no %s in\n%s", want, rows)
		}
	}
}

package report

import (
	stdbytes "bytes"
	"encoding/json"
	"io"
	"testing"

	"assay/contender"
	"assay/internal/analysis"
	"assay/internal/answer"
	"assay/result"
)

// tried is the rich run with an answer.
func tried() *Try {
	r := rich()
	cell := result.Cell{Workload: "movie", Size: "values=64"}
	about := func(name, format string, traits ...contender.Trait) *contender.Contender {
		return &contender.Contender{Name: name, Format: format, Traits: traits}
	}
	q := answer.Question{
		Results: r, Cell: cell, Have: "encoding/json", Must: []string{"cross-language"}, Records: 4812, Prices: answer.DefaultPrices,
		Contenders: []*contender.Contender{
			about("encoding/json", "json", contender.SchemaFree, contender.HumanReadable, contender.CrossLanguage, contender.Standard),
			about("msgp", "msgpack", contender.SchemaFree, contender.CrossLanguage, contender.Codegen),
			about("protobuf", "protobuf", contender.CrossLanguage, contender.Codegen),
			about("mus", "mus", contender.Codegen),
		},
		Bytes: map[result.Subject]int64{{Contender: "encoding/json"}: 4812 * 108, {Contender: "msgp"}: 4812 * 66, {Contender: "protobuf"}: 4812 * 65},
	}
	size := &result.JSONSize{Compact: 4812 * 110, Compared: 4812 * 110, Written: 4812 * 108, Changes: []result.JSONChange{
		{Cause: "null-left-out", Bytes: -12_000, Count: 1000, Where: []string{"note", "customer.phone"}, Places: 2},
		{Cause: "html", Bytes: 2376, Count: 470, Where: []string{"title", "text", "note"}, Places: 9},
		{Cause: "left-out", Bytes: -10, Count: 1, Where: []string{"old"}, Places: 1},
		{Cause: "numbers", Bytes: 10, Count: 4, Where: []string{"price"}, Places: 1},
	}}
	r.JSON = &analysis.JSONSize{Records: 4812, Compact: size.Compact, Compared: size.Compact, Written: size.Written, Changes: size.Changes}
	return &Try{Results: r, Answer: answer.Of(q), Data: TryData{
		Data: result.Data{Files: []string{"orders.ndjson"}, Hash: "h", Records: 4812, Bytes: 612_345, Measured: 64, JSON: size},
		Root: "Order", Messages: 2, Fields: 11, Schema: "name = \"orders\"\n",
		Notes: []string{"3 records were left out"},
		Guesses: []TryGuess{
			{"labels", "map[string]string", "its 40 keys look like data", "--struct labels"},
			{"items[].id", "uint64", "18446744073709551615 is too large for int64", "--type 'items[].id=string'"},
		},
	}}
}

func TestTryGolden(t *testing.T) {
	for file, write := range map[string]func(io.Writer) error{
		"try.text": func(w io.Writer) error { return TryText(w, tried(), Options{Width: 100}) },
		"try.md":   func(w io.Writer) error { return TryMarkdown(w, tried()) },
		"try.json": func(w io.Writer) error { return TryJSON(w, tried()) },
	} {
		var b stdbytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		golden(t, file, b.String())
	}
}

// The JSON of a try is that of a run with two members more.
func TestTryJSONIsOneValue(t *testing.T) {
	var b stdbytes.Buffer
	if err := TryJSON(&b, tried()); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Schema int
		Run    RunInfo
		Rows   []json.RawMessage
		Data   TryData
		Answer JSONAnswer
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got.Schema != JSONSchema || len(got.Rows) == 0 || got.Data.Records != 4812 || len(got.Answer.Recommendations) != 5 {
		t.Errorf("schema %d, %d rows, %d records, %d recommendations", got.Schema, len(got.Rows), got.Data.Records, len(got.Answer.Recommendations))
	}
}

package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/contender"
	"assay/internal/analysis"
	"assay/internal/answer"
	"assay/internal/guess"
	"assay/internal/texttab"
	"assay/result"
)

// tried returns the rich run with an answer.
func tried() *Try {
	r := rich()
	cell := result.Cell{Workload: "movie", Size: "values=64"}
	about := func(name, format string, traits ...contender.Trait) *contender.Contender {
		return &contender.Contender{Name: name, Format: format, Traits: traits}
	}
	q := answer.Question{
		Asked:   answer.Asked{Have: "encoding/json", Must: []string{"cross-language"}, Prices: answer.DefaultPrices},
		Results: r, Cell: cell, Records: 4812,
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
	return &Try{Results: r, Answer: answer.Of(q), Again: "assay show 20260901-120000", Data: TryData{
		Data: result.Data{Files: []string{"orders.ndjson"}, Hash: "h", Records: 4812, Bytes: 612_345, Measured: 64, JSON: size},
		Root: "Order", Messages: 2, Fields: 11, Schema: "name = \"orders\"\n",
		Notes: []string{"3 records were left out"},
		Guesses: []guess.Guess{
			{Path: "labels", Decision: "map[string]string", Reason: "its 40 keys look like data", Overrule: "--struct labels", Effect: guess.Structure},
			{Path: "items[].id", Decision: "uint64", Reason: "18446744073709551615 is too large for int64", Overrule: "--type 'items[].id=string'", Effect: guess.Type},
		},
	}}
}

// crowded returns a run of 24 contenders in several modes on records with many guesses. Its
// names, modes, reasons and paths are long.
func crowded(layouts int) *Try {
	f := &fixture{run: &result.Run{
		Schema: result.RunSchema, ID: "20261122-050912-9dca", Tool: "v0.3.0", Args: []string{"try"},
		Started: time.Date(2026, 11, 22, 5, 9, 0, 0, time.UTC), Finished: time.Date(2026, 11, 22, 5, 12, 0, 0, time.UTC),
		Plan: result.Plan{Budget: 20 * time.Second, Reference: "encoding/json", Data: &result.Data{Records: 173}},
		Host: result.Host{OS: "linux", Arch: "amd64", CPUs: 2, SentinelBest: 900_000},
	}}
	for layout := range uint64(layouts + 1) {
		f.run.Plan.Layouts = append(f.run.Plan.Layouts, layout)
	}
	q := answer.Question{
		Asked: answer.Asked{Have: "go-json-experiment", Must: []string{"maintained", "cross-language"}, Prices: answer.DefaultPrices},
		Cell:  result.Cell{Workload: "statuses", Size: "records=173"}, Records: 173, Bytes: map[result.Subject]int64{},
		Aliases: map[result.Subject][]string{{Contender: "vmihailenco/msgpack"}: {"strings", "bytes"}},
	}
	var encode, decode []subject
	at := func(op result.Op) result.Cell { c := q.Cell; c.Op = op; return c }
	for i, name := range []string{
		"encoding/json", "go-json-experiment", "sonic", "goccy/go-json", "segmentio/json", "jsoniter", "easyjson", "protobuf", "vtprotobuf", "gogo/protobuf",
		"hyperpb", "protojson", "msgp", "vmihailenco/msgpack", "fxamacker/cbor", "bson", "flatbuffers", "capnp", "hamba/avro", "twmb/avro",
		"thrift-binary", "thrift-compact", "encoding/gob", "yaml.v3",
	} {
		c := &contender.Contender{Name: name, Format: "format-of-" + name, Traits: []contender.Trait{contender.CrossLanguage}}
		switch {
		case i < 2:
			c.Format, c.Traits = "json", append(c.Traits, contender.SchemaFree, contender.HumanReadable, contender.Evolvable, contender.Streaming, contender.PureGo, contender.Standard, contender.Deterministic)
		case name == "gogo/protobuf":
			c.Traits = append(c.Traits, contender.Unmaintained, contender.Codegen, contender.Unsafe)
		case i%2 == 0:
			c.Traits = append(c.Traits, contender.Codegen)
		}
		if name == "vmihailenco/msgpack" || name == "capnp" {
			c.Traits = append(c.Traits, contender.Panics)
		}
		q.Contenders = append(q.Contenders, c)
		for k, mode := range []string{"", "output=reuse,strings=alias", "output=reuse,target=reuse,pool=on"} {
			if k > 0 && i%3 != 0 {
				continue
			}
			ns := 3000 * (1 + float64(i*i)/20) / float64(1+k)
			encode = append(encode, subject{name, mode, ns, 4})
			decode = append(decode, subject{name, mode, 2 * ns, 4})
			q.Bytes[result.Subject{Contender: name, Mode: mode}] = int64(173 * (5000 - 150*i))
		}
	}
	f.measure(at(result.Encode), 200_000, encode...)
	f.measure(at(result.Decode), 200_000, decode...)
	for _, s := range encode {
		f.count(at(result.Encode), s.contender, s.mode, 4096, 31, 2300)
		if s.mode == "" {
			f.steady(at(result.Encode), s.contender, "", 1.3*s.ns, 0.2, 0)
			f.steady(at(result.Decode), s.contender, "", 2.9*s.ns, 0.3, 0)
		}
		z := &result.Compressed{Case: f.plan(at(result.Encode), s.contender, s.mode), Messages: 173, Encoded: 173 * 2300, Batch: 173 * 2302}
		z.Codecs = []result.CompressedSizes{{Codec: "zstd", Bytes: 173 * 900, Batch: 173 * (400 - int64(s.ns/1000))}}
		f.records = append(f.records, result.Record{Compressed: z})
	}
	slow := "not measured: too slow for this budget beside the others (try --budget 10m, or select less)"
	for _, name := range []string{"yaml/v4", "goccy/go-yaml", "encoding/xml", "go-toml", "parquet", "mus", "protobuf-go-lite", "ugorji/msgpack", "ugorji/cbor", "protobuf-opaque"} {
		f.outcome(at(result.Encode), name, result.Timeout, slow)
	}
	f.outcome(at(result.Encode), "shamaton/msgpack", result.Unsupported, "Status.entities.user_mentions: a field of a message that is recursive through a list of messages cannot be held")
	q.Results = analysis.Of(f.run, f.records, analysis.View{})
	t := &Try{Results: q.Results, Answer: answer.Of(q), Again: "assay show 20261122-050912-9dca", Data: TryData{
		Data: result.Data{Files: []string{"/srv/data/exports/2026/11/statuses-of-the-week.ndjson.zst"}, Records: 173, Bytes: 615_700, Measured: 56},
		Root: "Status", Messages: 13, Fields: 101,
	}}
	for i := range 12 {
		t.Data.Guesses = append(t.Data.Guesses, guess.Guess{
			Path: fmt.Sprintf("entities.media[].sizes.variant%d.source_status_id_str", i), Decision: "string", Reason: `each of the 173 texts is a number in quotes, such as "505874924095815681"`,
			Overrule: fmt.Sprintf("--type 'entities.media[].sizes.variant%d.source_status_id_str=int64'", i), Effect: guess.Type,
		})
	}
	t.Data.Guesses = append(t.Data.Guesses,
		guess.Guess{Path: "labels", Decision: "map[string]string", Reason: "its 40 keys look like data", Overrule: "--struct labels", Effect: guess.Structure},
		guess.Guess{Path: "geo", Decision: "left out", Reason: "there is never a value, only 173 nulls", Overrule: "--type geo=json", Effect: guess.Presence},
		guess.Guess{Path: "payload", Decision: "a string with the value's JSON", Reason: "it has 3 texts and 170 objects", Overrule: "--type payload=none", Effect: guess.Text})
	return t
}

// paired returns two runs on different records. The second one measured too little.
func paired() *TryPair {
	a, b := tried(), crowded(2)
	changes, err := analysis.Compare(&analysis.Side{Label: "A", Run: a.Results.Run}, &analysis.Side{Label: "B", Run: b.Results.Run}, analysis.View{})
	if err != nil {
		panic(err)
	}
	return &TryPair{A: a, B: b, Changes: changes}
}

// A pair of the same run has equal answers.
func TestPairOfTheSame(t *testing.T) {
	p := paired()
	p.B = p.A
	var b bytes.Buffer
	if err := TryPairJSON(&b, p); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Schema  int
		Answers JSONAnswers
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if !got.Answers.SameRecords || !got.Answers.SameSchema || got.Schema != JSONSchema {
		t.Errorf("%+v", got)
	}
	if diff := cmp.Diff(got.Answers.A, got.Answers.B); diff != "" {
		t.Errorf("the answers differ:\n%s", diff)
	}
	for _, x := range p.points() {
		if strings.HasPrefix(x.Title, "Pareto") {
			continue
		}
		if !strings.HasSuffix(x.Text, ", in both") || len(x.Below) > 0 {
			t.Errorf("%s: %q, %q", x.Title, x.Text, x.Below)
		}
	}
}

// If no case was measured in both runs, every format for people says so.
func TestPairOfNothingShared(t *testing.T) {
	p := paired()
	for _, write := range []func(io.Writer) error{
		func(w io.Writer) error { return TryPairText(w, p, Options{}) },
		func(w io.Writer) error { return TryPairMarkdown(w, p) },
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		if want := "\nno case was measured in both runs: the records or the schema differ\n"; !strings.Contains(b.String(), want) {
			t.Errorf("it does not say that there is nothing:\n%s", &b)
		}
	}
}

// A loss names its bytes, but a rounding error is not shown.
func TestLossBytes(t *testing.T) {
	for b, want := range map[float64]string{
		-12.34: "loses null-absent (12.3 B a record less than your JSON)", 3: "loses null-absent (3 B a record more than your JSON)", 0.01: "loses null-absent",
	} {
		p := answer.Price{Losses: []contender.Loss{contender.NullAbsent}, LossBytes: b}
		if got := givesUp(p, tried().Answer); got != want {
			t.Errorf("%v: %q, want %q", b, got, want)
		}
	}
}

// "lossless" says how many records were verified, if not all.
func TestLosslessAsFar(t *testing.T) {
	for _, test := range []struct {
		must   string
		values int64
		want   string
	}{
		{"lossless", 0, "of what is lossless:"},
		{"maintained", 1000, "of what is maintained:"},
		{"lossless", 1000, "of what is lossless (seen on 1000 of 4812 records):"},
	} {
		try := tried()
		try.Answer.Asked.Must = []string{test.must}
		try.Results.Values = test.values
		if points := try.points(full); points[0].Text != test.want {
			t.Errorf("%s of %d: %q", test.must, test.values, points[0].Text)
		}
	}
}

// Left out contenders are counted by name. A mode is counted only if its contender is not left
// out.
func TestLeftOutCounted(t *testing.T) {
	left := func(subjects ...result.Subject) *Try {
		try := tried()
		try.Answer.LeftOut = nil
		for _, s := range subjects {
			try.Answer.LeftOut = append(try.Answer.LeftOut, answer.Left{Subject: s, Status: result.Unsupported})
		}
		return try
	}
	for want, subjects := range map[string][]result.Subject{
		"1 contender that cannot hold":               {{Contender: "a"}, {Contender: "a", Mode: "output=reuse"}},
		"2 contenders and 1 mode that cannot hold":   {{Contender: "a"}, {Contender: "b"}, {Contender: "c", Mode: "output=reuse"}},
		"2 modes that cannot hold these records, or": {{Contender: "c", Mode: "output=reuse"}, {Contender: "c", Mode: "target=reuse"}},
	} {
		points := left(subjects...).brieflyLeftOut(full)
		if len(points) != 1 || !strings.HasPrefix(points[0].Text, want) {
			t.Errorf("%v: %+v, want %q", subjects, points, want)
		}
	}
	if points := left().brieflyLeftOut(full); len(points) > 0 {
		t.Errorf("of none: %+v", points)
	}
}

// A contender that this version does not know is not counted among those that failed, and is not
// said to lack a number if it is the one in use.
func TestUnknownIsSaid(t *testing.T) {
	try := tried()
	gone := result.Subject{Contender: "gone"}
	try.Answer.Have = gone
	try.Answer.LeftOut = []answer.Left{{Subject: gone, Status: result.Unsupported, Reason: answer.Unknown}}
	if got, want := try.without(), "gone is in use, but this version of assay does not know it, so nothing is compared with it."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	points := try.brieflyLeftOut(full)
	if len(points) != 1 || points[0].Title != "left out" || points[0].Text != "gone: this version of assay does not know it" {
		t.Errorf("left out: %+v", points)
	}
}

// No line is wider than the terminal, every name is complete, and the answer fits on a screen.
func TestTryFitsTheTerminal(t *testing.T) {
	for name, try := range map[string]*Try{"rich": tried(), "crowded": crowded(8), "too little": crowded(2)} {
		for _, width := range []int{80, 100, 120, 200} {
			for _, tables := range []bool{false, true} {
				t.Run(fmt.Sprint(name, width, tables), func(t *testing.T) {
					try.Tables = tables
					var b bytes.Buffer
					if err := TryText(&b, try, Options{Width: width}); err != nil {
						t.Fatal(err)
					}
					lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
					for i, line := range lines {
						if n := texttab.Width(line); n > width {
							t.Errorf("line %d has %d cells: %q", i+1, n, line)
						}
					}
					if most := map[int]int{80: 50, 100: 40, 120: 40, 200: 40}[width]; !tables && len(lines) > most {
						t.Errorf("the answer takes %d lines, want at most %d:\n%s", len(lines), most, b.String())
					}
					if !tables {
						return
					}
					for _, c := range try.Answer.Candidates {
						if !strings.Contains(b.String(), " "+c.Contender+" ") {
							t.Errorf("%s is not in the tables", c.Contender)
						}
						if !strings.Contains(b.String(), c.Mode) {
							t.Errorf("the mode %s is not in the tables", c.Mode)
						}
					}
				})
			}
		}
	}
}

// The answer says no line twice, and no line repeats a phrase.
func TestAnswerDoesNotRepeatItself(t *testing.T) {
	for _, try := range []*Try{tried(), crowded(8)} {
		seen := map[string]bool{}
		for _, p := range try.points(full) {
			for _, line := range p.Below {
				if seen[line] {
					t.Errorf("%q is said twice", line)
				}
				seen[line] = true
				parts := strings.FieldsFunc(line, func(r rune) bool { return r == ',' || r == ';' })
				for i := 1; i < len(parts); i++ {
					if strings.TrimSpace(parts[i]) == strings.TrimSpace(parts[i-1]) {
						t.Errorf("%q repeats %q", line, parts[i])
					}
				}
			}
		}
	}
}

func TestTryGolden(t *testing.T) {
	text := func(try *Try, width int, tables bool) func(io.Writer) error {
		try.Tables = tables
		return func(w io.Writer) error { return TryText(w, try, Options{Width: width}) }
	}
	for file, write := range map[string]func(io.Writer) error{
		"try.text":         text(tried(), 100, false),
		"try-tables.text":  text(tried(), 100, true),
		"try-80.text":      text(crowded(8), 80, false),
		"try-120.text":     text(crowded(8), 120, false),
		"try-all-80.text":  text(crowded(8), 80, true),
		"try-all-120.text": text(crowded(8), 120, true),
		"try-little.text":  text(crowded(2), 100, false),
		"try-compare.text": func(w io.Writer) error { return TryPairText(w, paired(), Options{Width: 100}) },
		"try-compare.md":   func(w io.Writer) error { return TryPairMarkdown(w, paired()) },
		"try-compare.json": func(w io.Writer) error { return TryPairJSON(w, paired()) },
		"try.md":           func(w io.Writer) error { return TryMarkdown(w, tried()) },
		"try.json":         func(w io.Writer) error { return TryJSON(w, tried()) },
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		golden(t, file, b.String())
	}
}

// The name of a file that begins a paragraph is that name in Markdown.
func TestTryMarkdownOfOddFile(t *testing.T) {
	try := tried()
	try.Data.Files = []string{"# ~~x~~.ndjson"}
	var b bytes.Buffer
	if err := TryMarkdown(&b, try); err != nil {
		t.Fatal(err)
	}
	if want := `\# \~\~x\~\~.ndjson: 4812 records`; !strings.HasPrefix(b.String(), want) {
		t.Errorf("the Markdown does not begin with %s:\n%.80s", want, &b)
	}
}

// The JSON of a try is the JSON of a run with two further members.
func TestTryJSONIsOneValue(t *testing.T) {
	var b bytes.Buffer
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

// If candidates are ranked by CPU time, every format says so, and the text says why.
func TestTryRankedByCPU(t *testing.T) {
	try := tried()
	fast, busy := try.Answer.Candidates[0], try.Answer.Candidates[1]
	for _, c := range []*answer.Candidate{fast, busy} {
		c.CPU = &analysis.Interval{Value: 9000, Lo: 8900, Hi: 9100}
	}
	fast.CPU.Value = 12_000
	try.Answer.Disagreement = &answer.Disagreement{Code: fast, CPU: busy}
	var text, tables, value bytes.Buffer
	for b, write := range map[*bytes.Buffer]func(io.Writer) error{
		&text:   func(w io.Writer) error { return TryText(w, try, Options{Width: 1000}) },
		&tables: func(w io.Writer) error { try := *try; try.Tables = true; return TryText(w, &try, Options{Width: 1000}) },
		&value:  func(w io.Writer) error { return TryJSON(w, try) },
	} {
		if err := write(b); err != nil {
			t.Fatal(err)
		}
	}
	want := "Ranked by CPU time with the garbage collector on: " + busy.Subject.String() + " takes less of it than " + fast.Subject.String() +
		" (9.00 µs and 12.0 µs a record), which is the fastest with the collector off."
	for what, ok := range map[string]bool{
		"text":   strings.Contains(text.String(), want) && strings.Contains(text.String(), "; times are CPU time with the garbage collector on"),
		"tables": strings.Contains(tables.String(), want) && strings.Contains(tables.String(), "by CPU time with the collector on, as is the order"),
		"JSON":   strings.Contains(value.String(), `"ranked_by": "cpu-time"`) || strings.Contains(value.String(), `"ranked_by":"cpu-time"`),
	} {
		if !ok {
			t.Errorf("%s does not say what it is ranked by, as in %q", what, want)
		}
	}
	if strings.Contains(text.String(), "times are with the garbage collector off") {
		t.Error("the text says that the collector is off")
	}
	// The page of a run of built-in workloads has the points of the answer too.
	if lead, points := try.Recommended(); len(lead) != 1 || !strings.HasPrefix(lead[0], "Ranked by CPU time") || len(points) == 0 {
		t.Errorf("the recommendations begin with %q", lead)
	}
}

// The JSON has the rate from which the choice matters at the earliest, also if it may never matter.
func TestWorthBounds(t *testing.T) {
	w := &answer.Worth{Best: &answer.Candidate{}, At: analysis.Interval{Value: 1000, Lo: 800, Hi: math.Inf(1)}}
	j := jsonWorth(w)
	if j.From != 1000 || j.FromLo != 800 || j.FromHi.String() != "" {
		t.Errorf("it matters from %v, between %v and %v; want 1000, between 800 and null", j.From, j.FromLo, j.FromHi)
	}
}

// TestWorthOfWhatIsInUse checks the answer if the contender in use is the best. If nothing listed
// costs less, the answer says so. If something costs less but cannot be recommended, it says that
// nothing that can be recommended costs less.
func TestWorthOfWhatIsInUse(t *testing.T) {
	have := &answer.Candidate{Trip: analysis.Trip{Subject: result.Subject{Contender: "encoding/json"}}}
	other := answer.Cost{Candidate: &answer.Candidate{Trip: analysis.Trip{Subject: result.Subject{Contender: "msgp"}}}}
	for saved, want := range map[float64]string{
		-0.13: "nothing here costs less than encoding/json.",
		0.13:  "nothing here that can be recommended costs less than encoding/json.",
	} {
		other.Plain.Saves = &answer.Saving{Interval: analysis.Interval{Value: saved}}
		try := &Try{Answer: &answer.Answer{Have: have.Subject, Worth: &answer.Worth{Best: have}, Costs: []answer.Cost{{Candidate: have}, other}}}
		if got := try.worth(); !strings.HasSuffix(got, want) {
			t.Errorf("%v saved: %q, want %q", saved, got, want)
		}
	}
}

// TestWorthUncompressed checks that the answer also gives the worth for uncompressed records,
// which differs from the worth for compressed ones and may be nothing.
func TestWorthUncompressed(t *testing.T) {
	have := &answer.Candidate{Trip: analysis.Trip{Subject: result.Subject{Contender: "encoding/json"}}}
	msgp := &answer.Candidate{Trip: analysis.Trip{Subject: result.Subject{Contender: "msgp"}}}
	for _, test := range []struct {
		best         *answer.Candidate
		saves, plain float64
		want         string
	}{
		{have, 0, 0, "nothing here costs less than encoding/json (in batches of zstd, or uncompressed)."},
		{msgp, 5, 0, "the choice is worth $5.00 a month, with msgp (in batches of zstd; nothing uncompressed): choose by"},
		{msgp, 5, 3, "the choice is worth $5.00 a month, with msgp (in batches of zstd; $3.00 uncompressed): choose by"},
		{msgp, 30, 0, "msgp costs $30.00 a month less than encoding/json (in batches of zstd; nothing uncompressed)."},
	} {
		saves := analysis.Interval{Value: test.saves, Lo: test.saves, Hi: test.saves}
		worth := &answer.Worth{Best: test.best, Saving: answer.Saving{Interval: saves}, Plain: &answer.Saving{Interval: analysis.Interval{Value: test.plain}}, Matters: test.saves >= 20}
		try := &Try{Answer: &answer.Answer{Asked: answer.Asked{Prices: answer.DefaultPrices}, Have: have.Subject, Worth: worth}}
		if got := try.worth(); !strings.Contains(got, test.want) {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

// A pick of a size says how its other candidates compare by size, and only one of times may be a tie.
func TestWhyOfOthers(t *testing.T) {
	for want, p := range map[string]answer.Pick{
		"Best, tied with msgp (output=reuse): ":                {Metric: analysis.Time},
		"Best, not shown to differ from msgp (output=reuse): ": {Metric: analysis.Time, Unresolved: true},
		"Best, within 1% of msgp (output=reuse): ":             {Metric: analysis.EncodedSize},
	} {
		a := tried().Answer
		first, other := a.Candidates[0], a.Candidates[len(a.Candidates)-1]
		p.Title, p.Best = "Best", []*answer.Candidate{first, other}
		a.Picks = []answer.Pick{p}
		if why := Why(a, other.Contender); len(why) != 1 || !strings.HasPrefix(why[0], want) {
			t.Errorf("%q, want %q", why, want)
		}
	}
}

// A run and a try have the same formats, so that assay try checks --format once for both.
func TestTryFormats(t *testing.T) {
	var of, ofTry []string
	for _, f := range Formats {
		of = append(of, f.Name)
	}
	for _, f := range TryFormats {
		ofTry = append(ofTry, f.Name)
	}
	if diff := cmp.Diff(of, ofTry); diff != "" {
		t.Errorf("(-run +try):\n%s", diff)
	}
}

// The facts say which records are timed, and whether these are larger or smaller than all.
func TestTimedRecords(t *testing.T) {
	for mean, want := range map[float64]string{
		0:    "64 records, spread evenly",
		1:    "64 records with sizes like those of all",
		1.04: "64 records with sizes like those of all",
		0.8:  "64 records, on average 20% smaller than all records, so times are too short for your data",
		1.3:  "64 records, on average 30% larger than all records, so times are too long for your data",
	} {
		d := result.Data{Files: []string{"f"}, Records: 1000, Measured: 64, MeasuredMean: mean}
		if got := (&Try{Data: TryData{Data: d}}).Facts()[0]; !strings.HasSuffix(got, "; timed: "+want) {
			t.Errorf("mean %v: %q, want %q", mean, got, want)
		}
	}
}

// Tables of a run say that their sizes are not those of all records, if they are not.
func TestSizesOf(t *testing.T) {
	some := &result.Data{Records: 2000, Measured: 64}
	for name, test := range map[string]struct {
		plan result.Plan
		want string
	}{
		"built-in":  {result.Plan{}, ""},
		"all":       {result.Plan{Data: &result.Data{Records: 64, Measured: 64}}, ""},
		"streams":   {result.Plan{Data: some, Stream: &result.StreamPlan{}}, ""},
		"of a part": {result.Plan{Data: some}, "bytes: of the 64 records that are timed; the answer has the sizes of all 2,000"},
	} {
		if got := SizesOf(&result.Run{Plan: test.plan}); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

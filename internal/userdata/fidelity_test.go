package userdata

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/fxamacker/cbor/v2"
	"github.com/vmihailenco/msgpack/v5"
	"go.mongodb.org/mongo-driver/v2/bson"
	"gopkg.in/yaml.v3"

	"assay/bench"
	"assay/contender"
	"assay/internal/guess"
	"assay/internal/infer"
	"assay/internal/jsonsize"
	"assay/internal/samples"
	"assay/result"
)

var (
	formats = flag.Bool("formats", false, "have TestFidelity try the other formats that write names with all samples, too")
	dataDir = flag.String("data", "", "a directory of further files of JSON that TestFidelity tries")
	names   = flag.String("samples", "", "the samples that TestFidelity tries, with commas; empty: all")
)

// A specimen is a JSON file and the path of its records.
type specimen struct {
	name, path string
	data       []byte
	types      []string // the arguments of --type
}

// specimens returns the generated samples, the excerpts of public files in testdata/public,
// and the files of -data.
func specimens(t *testing.T) (all []specimen) {
	t.Helper()
	add := func(s specimen) {
		if *names == "" || slices.Contains(strings.Split(*names, ","), strings.SplitN(s.name, ".", 2)[0]) {
			all = append(all, s)
		}
	}
	for _, s := range samples.All() {
		// Enough records for every field to be present, absent and null, and few enough for
		// all contenders.
		add(specimen{s.File(), s.Records, s.JSON(0), s.Types})
	}
	dirs := []string{"testdata/public"}
	if *dataDir != "" {
		dirs = append(dirs, *dataDir)
	}
	for _, dir := range dirs {
		files, err := filepath.Glob(filepath.Join(dir, "*json*"))
		if err != nil || len(files) == 0 {
			t.Fatal(dir, files, err)
		}
		for _, f := range files {
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			add(specimen{filepath.Base(f), "", data, nil})
		}
	}
	return all
}

// telling are the specimens that formats other than JSON are tested with.
var telling = []string{"mixed.ndjson", "nulls.ndjson", "columns.ndjson", "optionals.ndjson", "spelled.ndjson", "xml.ndjson", "php.ndjson", "packages.ndjson"}

// named are the formats whose values contain the names of the schema. Each function decodes a
// value to the types that encoding/json would give.
var named = map[string]func(data []byte) (any, error){
	"json": func(data []byte) (any, error) { return exact(data) },
	"msgpack": func(data []byte) (v any, err error) {
		d := msgpack.NewDecoder(bytes.NewReader(data))
		d.SetMapDecoder(func(d *msgpack.Decoder) (any, error) { return d.DecodeUntypedMap() })
		return d.DecodeInterface()
	},
	"cbor": func(data []byte) (v any, err error) { return v, cbor.Unmarshal(data, &v) },
	"bson": func(data []byte) (v any, err error) {
		var d bson.D
		err = bson.Unmarshal(data, &d)
		return d, err
	},
	"yaml": func(data []byte) (v any, err error) { return v, yaml.Unmarshal(data, &v) },
}

// TestFidelity checks the output of every JSON contender for every record of all specimens.
// encoding/json must read the JSON of the sample from it, except for differences that a guess
// declares. Other formats that write names must have the same names, lists and nulls. The
// output of encoding/json must have the size that package jsonsize computes.
func TestFidelity(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	all := specimens(t)
	const together = 32 // specimens in one program, because linking takes as long as testing a specimen
	for first := 0; first < len(all); first += together {
		p := newProgram(t)
		var read []*inspected
		for _, s := range all[first:min(first+together, len(all))] {
			read = append(read, inspect(t, s))
			p.add(t, 0, read[len(read)-1].data, func(c *contender.Contender) bool {
				if *only != "" {
					return slices.Contains(strings.Split(*only, ","), c.Dir())
				}
				return c.Format == "json" || named[c.Format] != nil && (*formats || slices.Contains(telling, s.name))
			})
		}
		if !p.build(t) {
			return
		}
		for _, s := range read {
			t.Run(s.name, func(t *testing.T) { s.check(t, p) })
		}
		p.stop()
	}
}

// An inspected is a specimen with its inferred schema.
type inspected struct {
	specimen
	*infer.Result
	data    *Data
	records []any
	neutral bytes.Buffer
	size    *result.JSONSize
	// patterns holds the compiled patterns of guesses' paths that have stars.
	patterns map[string]*regexp.Regexp
}

func inspect(t *testing.T, s specimen) *inspected {
	t.Helper()
	o := infer.Options{Records: s.path}
	for _, text := range s.types {
		of, err := infer.ParseOverrule("type", text)
		if err != nil {
			t.Fatal(err)
		}
		o.Overrules = append(o.Overrules, of)
	}
	r, err := infer.JSON([]infer.Source{infer.Bytes(s.name, s.data)}, o)
	if err != nil {
		t.Fatal(err)
	}
	out := &inspected{specimen: s, Result: r}
	r.Schema = Named(r.Schema)
	account := jsonsize.New(r.Schema, r.Root)
	err = r.Lines(func(sample, neutral []byte) error {
		v, err := exact(sample)
		if err != nil {
			return err
		}
		out.records = append(out.records, v)
		if err := account.Add(sample, neutral); err != nil {
			return err
		}
		_, err = out.neutral.Write(append(neutral, '\n'))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	out.size, out.data = account.Size(), dataOf(r.Schema, r.Root)
	return out
}

// exact reads JSON and keeps the spelling of numbers.
func exact(data []byte) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("more than one value in %.100s", data)
	}
	return v, nil
}

// check verifies the records with all contenders and compares what they write with the
// sample.
func (s *inspected) check(t *testing.T, p *program) {
	p.loadLines(t, s.data, bytes.NewBuffer(s.neutral.Bytes()))
	for _, c := range p.cases {
		if c.data != s.data {
			continue
		}
		for _, mode := range c.modes() {
			if mode.Key != "" && !slices.Contains(mode.Ops, result.Encode) || strings.Contains(mode.Key, "layout=array") {
				continue
			}
			// TestRandom verifies the other modes too, but only for schemas without unions
			// and rows. The telling specimens have unions and rows.
			if mode.Key == "" || slices.Contains(telling, s.name) {
				if wrong := p.ask(t, s.data, c.contender, mode.Key, nil); wrong != "" {
					t.Errorf("%s %q: %s", c.contender.Name, mode.Key, wrong)
					continue
				}
			}
			who := result.Subject{Contender: c.contender.Name, Mode: mode.Key}
			answer, err := p.do(bench.Command{Cmd: "write", Write: &bench.Write{Subject: who, Bytes: 1 << 28}})
			if err != nil {
				t.Fatalf("%s: %v", who, err)
			}
			s.compare(t, c.contender, mode.Key, answer.Written.Messages)
		}
	}
}

// compare compares what a contender wrote with the sample.
func (s *inspected) compare(t *testing.T, c *contender.Contender, mode string, messages [][]byte) {
	t.Helper()
	bytes := int64(0)
	for i, m := range messages {
		bytes += int64(len(m))
		got, err := named[c.Format](m)
		if err != nil {
			t.Errorf("%s %q: record %d cannot be read: %v", c.Name, mode, i+1, err)
			return
		}
		d := &comparison{inspected: s, json: c.Format == "json", nilEmpty: c.Format != "json" && slices.Contains(c.Losses, contender.NilEmpty)}
		if wrong := d.value("", s.records[i], got); wrong != "" {
			t.Errorf("%s %q: record %d: %s", c.Name, mode, i+1, wrong)
			return
		}
	}
	if c.Name == "encoding/json" && mode == "" && bytes != s.size.Written {
		t.Errorf("%s writes %d bytes, and %d were foretold", c.Name, bytes, s.size.Written)
	}
}

// A comparison compares one record.
type comparison struct {
	*inspected
	json bool
	// nilEmpty says that the contender declares to write null as empty.
	nilEmpty bool
}

// declared reports whether a guess with this decision covers the path.
func (c *comparison) declared(path, decision string) bool {
	return slices.ContainsFunc(c.Guesses, func(g guess.Guess) bool {
		if g.Decision != decision {
			return false
		}
		return g.Path == path || strings.Contains(g.Path, "*") && c.pattern(g.Path).MatchString(path)
	})
}

// pattern returns the pattern for the paths of a guess whose path has stars. It caches
// patterns, because compiling one for each value took most of the time of the test.
func (s *inspected) pattern(path string) *regexp.Regexp {
	if s.patterns[path] == nil {
		if s.patterns == nil {
			s.patterns = map[string]*regexp.Regexp{}
		}
		s.patterns[path] = regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(path), `\*`, `[^\[]+`) + "$")
	}
	return s.patterns[path]
}

// ofKinds reports whether a guess makes the values of the path a union by their kind.
func (c *comparison) ofKinds(path string) bool {
	return slices.ContainsFunc(c.Guesses, func(g guess.Guess) bool {
		return strings.HasPrefix(g.Decision, "a union: ") && c.declared(path, g.Decision)
	})
}

// kindName returns the name of the field that holds v in a union by kind.
func kindName(v any) string {
	switch v.(type) {
	case string:
		return "text"
	case bool:
		return "flag"
	case []any:
		return "items"
	case map[string]any:
		return "object"
	}
	return "number"
}

// blank reports whether a guess with this decision says how empty values are written at paths
// with the same last key. In a tree, the guess names only the first of many paths.
func (c *comparison) blank(path, decision string) bool {
	last := func(p string) string { return p[strings.LastIndexByte(p, '.')+1:] }
	return slices.ContainsFunc(c.Guesses, func(g guess.Guess) bool {
		return g.Decision == decision && last(g.Path) == last(path)
	})
}

// value describes the first difference between a value of the sample and the written value.
func (c *comparison) value(path string, want, got any) string {
	wrong := func() string { return fmt.Sprintf("%s: %v became %v", path, want, got) }
	got = plain(got)
	if one, ok := got.([]any); ok && !c.json && len(one) == 1 && c.declared(path, "a value, null or absent") {
		got = plain(one[0]) // formats other than JSON write a list of the value
	}
	if _, isList := want.([]any); !isList && want != nil && !c.json && c.declared(path, "a list, without brackets in JSON when it has one element") {
		if m, ok := got.(map[string]any); ok && len(m) == 1 && m["items"] != nil {
			got = plain(m["items"]) // BSON writes a list in a map as a document with the list
		}
		one, ok := got.([]any) // formats other than JSON write the list
		if !ok || len(one) != 1 {
			return wrong()
		}
		got = plain(one[0])
	}
	if want != nil && !c.json && c.ofKinds(path) {
		m, ok := got.(map[string]any) // formats other than JSON write a field for each kind
		if v, is := m[kindName(want)]; ok && is && len(m) == 1 {
			got = plain(v)
		} else {
			return wrong()
		}
	}
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			return c.other(wrong, got)
		}
		return c.object(path, w, g)
	case []any:
		g, ok := got.([]any)
		if _, isObject := got.(map[string]any); isObject && !c.json {
			// This is a row, which only JSON writes as a list. Or it is a list in a list,
			// which BSON writes as a document with the list.
			return ""
		}
		if m, isObject := got.(map[string]any); isObject && len(w)+len(m) == 0 && c.blank(path, "an empty map where it is an empty list") {
			return ""
		}
		if !ok || len(w) != len(g) {
			return c.other(wrong, got)
		}
		for i := range w {
			if wrong := c.value(path+"[]", w[i], g[i]); wrong != "" {
				return wrong
			}
		}
		return ""
	case string:
		// An empty text that stands for a missing object.
		if w == "" && c.none(got) && c.blank(path, "null where it is an empty text") {
			return ""
		}
	case nil:
		if m, ok := got.(map[string]any); ok && len(m) == 1 && !c.json {
			got = m["items"] // BSON writes a list in a list as a document with the list
		}
		if c.none(got) {
			return ""
		}
		return c.other(wrong, got)
	}
	if !c.json { // verification compares the leaves
		if got == nil {
			return wrong()
		}
		return ""
	}
	if !c.sameLeaf(path, want, got) {
		return wrong()
	}
	return ""
}

// none reports whether a value is null, or what the contender writes for null.
func (c *comparison) none(v any) bool {
	switch v := plain(v).(type) {
	case nil:
		return true
	case []any:
		return c.nilEmpty && len(v) == 0
	case map[string]any:
		return c.nilEmpty && len(v) == 0
	}
	return false
}

// other returns wrong(), unless the value is a text in a format other than JSON. These
// formats write values of several kinds as the text of their JSON.
func (c *comparison) other(wrong func() string, got any) string {
	if _, ok := got.(string); ok && !c.json {
		return ""
	}
	return wrong()
}

// object compares objects by their keys. A key that no struct tag can hold is written as
// infer.TextName(key).
func (c *comparison) object(path string, want, got map[string]any) string {
	if len(got) == 1 && !c.json { // formats other than JSON write a variant of a union by its name
		for k, v := range got {
			if inner, ok := plain(v).(map[string]any); ok && (len(want) != 1 || want[k] == nil) {
				got = inner
			}
		}
		if m, ok := got["entries"]; ok && len(got) == 1 && want["entries"] == nil {
			if inner, ok := plain(m).(map[string]any); ok {
				got = inner // BSON writes a map as a variant as a document with the map
			}
		}
	}
	rest := map[string]bool{}
	for k := range got {
		rest[k] = true
	}
	for k, w := range want {
		there := strings.TrimPrefix(path+"."+k, ".")
		key := k
		g, ok := got[key]
		if !ok {
			key = infer.TextName(k)
			g, ok = got[key]
		}
		if !ok {
			if (w != nil || !c.declared(there, "left out where it is null too")) && (w != "" || !c.blank(there, "left out")) {
				return fmt.Sprintf("%s: %v is not written", there, w)
			}
			continue
		}
		delete(rest, key)
		if wrong := c.value(there, w, g); wrong != "" {
			return wrong
		}
	}
	for k := range rest {
		there := strings.TrimPrefix(path+"."+k, ".")
		if !c.none(got[k]) || !c.declared(there, "null where it is absent too") {
			return fmt.Sprintf("%s: %v is written and is not in the sample", there, got[k])
		}
	}
	return ""
}

// sameLeaf reports whether a text, a number or a bool is the same. Numbers and times may have
// another spelling.
func (c *comparison) sameLeaf(path string, want, got any) bool {
	switch w := want.(type) {
	case json.Number:
		g, ok := got.(json.Number)
		if !ok {
			return false
		}
		x, ok1 := new(big.Rat).SetString(w.String())
		y, ok2 := new(big.Rat).SetString(g.String())
		if ok1 && ok2 && x.Cmp(y) == 0 {
			return true
		}
		// A number with a fraction may lose digits that a float64 does not hold.
		a, err1 := strconv.ParseFloat(w.String(), 64)
		b, err2 := strconv.ParseFloat(g.String(), 64)
		return strings.ContainsAny(w.String(), ".eE") && err1 == nil && err2 == nil && a == b
	case string:
		g, ok := got.(string)
		if ok && w != g && c.declared(path, "timestamp") {
			x, err1 := time.Parse(time.RFC3339Nano, w)
			y, err2 := time.Parse(time.RFC3339Nano, g)
			return err1 == nil && err2 == nil && x.Equal(y)
		}
		return ok && w == g
	}
	return want == got
}

// plain returns a value of another format with the types of encoding/json.
func plain(v any) any {
	switch v := v.(type) {
	case map[any]any:
		out := map[string]any{}
		for k, x := range v {
			out[fmt.Sprint(k)] = x
		}
		return out
	case bson.D:
		out := map[string]any{}
		for _, e := range v {
			out[e.Key] = e.Value
		}
		return out
	case bson.A:
		return []any(v)
	}
	return v
}

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

// A specimen is a file of JSON and where its records are.
type specimen struct {
	name, path string
	data       []byte
	types      []string // what --type asks for
}

// specimens are the samples that are made, the excerpts of public files in
// testdata/public, and the files of -data.
func specimens(t *testing.T) (all []specimen) {
	t.Helper()
	add := func(s specimen) {
		if *names == "" || slices.Contains(strings.Split(*names, ","), strings.SplitN(s.name, ".", 2)[0]) {
			all = append(all, s)
		}
	}
	for _, s := range samples.All() {
		// Enough for every field to be there, not there and null, and few enough for
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

// telling are the specimens that the formats other than JSON are tried on.
var telling = []string{"mixed.ndjson", "nulls.ndjson", "columns.ndjson", "optionals.ndjson", "spelled.ndjson", "xml.ndjson", "php.ndjson", "packages.ndjson"}

// named are the formats whose values have the names of the schema, beside JSON,
// and how a library reads them into what encoding/json would give.
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

// TestFidelity has every contender of JSON write every record of all specimens,
// and reads what it wrote with encoding/json: it must be the JSON of the sample,
// but for what declared lists. The other formats that write names must have the
// same names, lists and nulls. What encoding/json writes must take as many bytes
// as package jsonsize says.
func TestFidelity(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	all := specimens(t)
	const together = 32 // in one program: linking one takes as long as a specimen
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

// An inspected specimen is one whose schema is inferred.
type inspected struct {
	specimen
	*infer.Result
	data    *Data
	records []any
	neutral bytes.Buffer
	size    *result.JSONSize
	// patterns are those of guesses' paths with stars.
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

// exact reads JSON with its numbers as they are written.
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

// check has all contenders write the records.
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
			// TestRandom verifies the other modes too, of schemas without unions and rows:
			// those are among the telling specimens.
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

// A comparison is of one record.
type comparison struct {
	*inspected
	json bool
	// nilEmpty says that the contender writes null as empty, which it declares.
	nilEmpty bool
}

// declared reports whether a guess says of the path that its values are written
// otherwise than in the sample, in those words.
func (c *comparison) declared(path, decision string) bool {
	return slices.ContainsFunc(c.Guesses, func(g guess.Guess) bool {
		if g.Decision != decision {
			return false
		}
		return g.Path == path || strings.Contains(g.Path, "*") && c.pattern(g.Path).MatchString(path)
	})
}

// pattern returns what matches the paths of a guess whose path has stars. Compiling it for
// each value took most of the time of the test.
func (s *inspected) pattern(path string) *regexp.Regexp {
	if s.patterns[path] == nil {
		if s.patterns == nil {
			s.patterns = map[string]*regexp.Regexp{}
		}
		s.patterns[path] = regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(path), `\*`, `[^\[]+`) + "$")
	}
	return s.patterns[path]
}

// ofKinds reports whether values of the path are a union by their kind.
func (c *comparison) ofKinds(path string) bool {
	return slices.ContainsFunc(c.Guesses, func(g guess.Guess) bool {
		return strings.HasPrefix(g.Decision, "a union: ") && c.declared(path, g.Decision)
	})
}

// kindName is what the field of a union by kind is called that holds a value.
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

// blank reports whether a guess says in those words of values with the path's last key
// how they are written where they are empty. In a tree the guess is of the first of many
// paths.
func (c *comparison) blank(path, decision string) bool {
	last := func(p string) string { return p[strings.LastIndexByte(p, '.')+1:] }
	return slices.ContainsFunc(c.Guesses, func(g guess.Guess) bool {
		return g.Decision == decision && last(g.Path) == last(path)
	})
}

// value says what is wrong with a value that was written.
func (c *comparison) value(path string, want, got any) string {
	wrong := func() string { return fmt.Sprintf("%s: %v became %v", path, want, got) }
	got = plain(got)
	if one, ok := got.([]any); ok && !c.json && len(one) == 1 && c.declared(path, "a value, null or absent") {
		got = plain(one[0]) // formats other than JSON write a list of the value
	}
	if _, isList := want.([]any); !isList && want != nil && !c.json && c.declared(path, "a list, without brackets in JSON when it has one element") {
		if m, ok := got.(map[string]any); ok && len(m) == 1 && m["items"] != nil {
			got = plain(m["items"]) // in BSON a list in a map is a document with a list
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
			// A row, which only JSON writes as a list, or in BSON a list in a list,
			// which is a document with a list.
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
		// An empty text that stands for no object.
		if w == "" && c.none(got) && c.blank(path, "null where it is an empty text") {
			return ""
		}
	case nil:
		if m, ok := got.(map[string]any); ok && len(m) == 1 && !c.json {
			got = m["items"] // in BSON a list in a list is a document with a list
		}
		if c.none(got) {
			return ""
		}
		return c.other(wrong, got)
	}
	if !c.json { // leaves are the business of verification
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

// none reports whether a value is null, or what the contender writes for it.
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

// other is wrong, unless the value is the text of its JSON, which formats other
// than JSON write for values of several kinds.
func (c *comparison) other(wrong func() string, got any) string {
	if _, ok := got.(string); ok && !c.json {
		return ""
	}
	return wrong()
}

// object compares objects by their keys. A key that no struct tag can hold is
// written otherwise.
func (c *comparison) object(path string, want, got map[string]any) string {
	if len(got) == 1 && !c.json { // formats other than JSON write a variant of a union by its name
		for k, v := range got {
			if inner, ok := plain(v).(map[string]any); ok && (len(want) != 1 || want[k] == nil) {
				got = inner
			}
		}
		if m, ok := got["entries"]; ok && len(got) == 1 && want["entries"] == nil {
			if inner, ok := plain(m).(map[string]any); ok {
				got = inner // in BSON a map as a variant is a document with a map
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

// sameLeaf reports whether a text, a number or a truth value is the same. Numbers
// may be spelled otherwise, and so may times.
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
		// Digits beyond those of a float64, of a number with a fraction.
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

// plain returns a value of another format with the types of encoding/json's.
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

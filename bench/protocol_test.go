package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// TestProtocolExamples: every example in PROTOCOL.md decodes strictly and encodes back to the
// same line. There is an example for each command and each answer.
func TestProtocolExamples(t *testing.T) {
	text, err := os.ReadFile("../PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("# The runner protocol, version %d\n", Protocol); !bytes.HasPrefix(text, []byte(want)) {
		t.Errorf("PROTOCOL.md does not begin with %q", want)
	}
	commands, answers := map[string]bool{}, map[string]bool{}
	for _, match := range regexp.MustCompile("(?s)```json\n(.*?)```").FindAllSubmatch(text, -1) {
		for line := range bytes.Lines(match[1]) {
			line = bytes.TrimSuffix(line, []byte("\n"))
			if bytes.Contains(line, []byte(`"cmd"`)) {
				c, err := parse(line)
				if err != nil {
					t.Errorf("%s\n%v", line, err)
					continue
				}
				same(t, line, c)
				commands[c.Cmd] = true
				continue
			}
			var a Answer
			d := json.NewDecoder(bytes.NewReader(line))
			d.DisallowUnknownFields()
			if err := d.Decode(&a); err != nil {
				t.Errorf("%s\n%v", line, err)
				continue
			}
			same(t, line, a)
			for i, v := 0, reflect.ValueOf(a); i < v.NumField(); i++ {
				if !v.Field(i).IsZero() {
					answers[v.Type().Field(i).Name] = true
				}
			}
		}
	}
	for _, cmd := range []string{"describe", "load", "verify", "calibrate", "rounds", "memory", "steady", "cold", "retain", "parallel", "write", "export", "compare", "stream", "exit"} {
		if !commands[cmd] {
			t.Errorf("no example of the command %s", cmd)
		}
	}
	for i, typ := 0, reflect.TypeFor[Answer](); i < typ.NumField(); i++ {
		if name := typ.Field(i).Name; !answers[name] {
			t.Errorf("no example of the answer %s", name)
		}
	}
}

// same checks that v encodes to the line from which it was decoded: otherwise a missing field
// could not be told from a zero one.
func same(t *testing.T, line []byte, v any) {
	t.Helper()
	got, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, line) {
		t.Errorf("the example\n%s\nencodes to\n%s", line, got)
	}
}

// PROTOCOL.md describes every field of commands and answers. A runner that is written from the
// document alone would otherwise refuse an unknown field.
func TestProtocolFields(t *testing.T) {
	text, err := os.ReadFile("../PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[reflect.Type]bool{}
	fields := 0
	var visit func(reflect.Type)
	visit = func(typ reflect.Type) {
		switch typ.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Map:
			visit(typ.Elem())
			return
		case reflect.Struct:
		default:
			return
		}
		if seen[typ] {
			return
		}
		seen[typ] = true
		for i := range typ.NumField() {
			f := typ.Field(i)
			visit(f.Type)
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if f.Anonymous || name == "-" {
				continue
			}
			if fields++; !regexp.MustCompile("[`\"]" + regexp.QuoteMeta(name) + "[`\"]").Match(text) {
				t.Errorf("PROTOCOL.md says nothing of %q, the field %s of %s", name, f.Name, typ)
			}
		}
	}
	visit(reflect.TypeFor[Command]())
	visit(reflect.TypeFor[Answer]())
	if fields < 80 {
		t.Errorf("found only %d fields", fields)
	}
}

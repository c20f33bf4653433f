package infer

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"assay/internal/phrase"
)

// An Only is a condition on records: some value at a path is equal to a given value or, if any is
// set, is not null.
type Only struct {
	path  path
	value string
	any   bool // any value that is not null will do
}

// ParseOnly parses the value of a flag: PATH=VALUE, or PATH for any value that is not null. VALUE
// is the text of a string, or a number or truth value as the sample writes it in JSON. In the path,
// [] stands for any element and * for any key.
func ParseOnly(text string) (Only, error) {
	name, value, isValue := cutPath(text)
	p, err := parsePath(name)
	switch {
	case err != nil:
		return Only{}, err
	case len(p) == 0:
		return Only{}, fmt.Errorf("%q is about the whole record; name a value in it, as in type=order", text)
	}
	return Only{p, value, !isValue}, nil
}

// cutPath splits a text at the first = that is not within a key in quotes.
func cutPath(text string) (name, value string, ok bool) {
	quoted := false
	for i := 0; i < len(text); i++ {
		switch {
		case quoted && text[i] == '\\':
			i++
		case text[i] == '"' && (quoted || i == 0 || text[i-1] == '.'):
			quoted = !quoted
		case text[i] == '=' && !quoted:
			return text[:i], text[i+1:], true
		}
	}
	return text, "", false
}

// String returns the flag that gives the condition.
func (o Only) String() string { return "--only " + phrase.ShellLine(o.text()) }

func (o Only) text() string {
	if o.any {
		return o.path.String()
	}
	return o.path.String() + "=" + o.value
}

// short returns the value, or the path if any value will do.
func (o Only) short() string {
	if o.any {
		return o.path.String()
	}
	if o.value == "" {
		return `""`
	}
	return shorten(o.value)
}

// holds reports whether the condition is true of a record, given as JSON.
func (o Only) holds(raw []byte) bool { return o.within(raw, o.path) }

func (o Only) within(raw []byte, p path) bool {
	if len(p) == 0 {
		switch {
		case o.any:
			return string(raw) != "null"
		case raw[0] == '"':
			return unquote(raw) == o.value
		case raw[0] == '{' || raw[0] == '[':
			return false
		}
		return string(raw) == o.value
	}
	list := p[0].kind == inList
	found := false
	err := inside(raw, func(key string, value []byte) bool {
		if list || p[0].kind == inValue || p[0].key == key {
			found = o.within(value, p[1:])
		}
		return !found
	}, list)
	return found && err == nil
}

// inside visits the members of an object, or the elements of a list if list is true, until visit
// returns false. It visits nothing if the value is of another kind. Members and elements are parts of
// raw.
func inside(raw []byte, visit func(key string, value []byte) bool, list bool) error {
	open := jsontext.Kind('{')
	if list {
		open = '['
	}
	d := jsontext.NewDecoder(bytes.NewBuffer(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if d.PeekKind() != open {
		return nil
	}
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for {
		switch d.PeekKind() {
		case '}', ']', 0:
			return nil
		}
		key := ""
		if !list {
			k, err := d.ReadValue()
			if err != nil {
				return err
			}
			key = unquote(k)
		}
		value, err := d.ReadValue()
		if err != nil {
			return err
		}
		end := int(d.InputOffset())
		if !visit(key, raw[end-len(value):end:end]) {
			return nil
		}
	}
}

// wanted reports whether all conditions in Only are true of a record.
func (o *Options) wanted(raw []byte) bool {
	for _, only := range o.Only {
		if !only.holds(raw) {
			return false
		}
	}
	return true
}

// onlyText returns the flags that give the conditions in Only.
func (o *Options) onlyText() string {
	var all []string
	for _, only := range o.Only {
		all = append(all, only.String())
	}
	return strings.Join(all, " ")
}

package infer

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"assay/internal/phrase"
	"assay/schema"
)

// errUntold says that the sample must be read for the keys that are the text names of their fields,
// because it also has a key that no struct tag can hold.
var errUntold = errors.New("a key that no struct tag can hold")

// secondOf matches what namer adds to a text name that is taken.
var secondOf = regexp.MustCompile(`^_[0-9]+$`)

// numbered has the text names of the keys of one message that no struct tag can hold. As in an inferred
// schema, several keys with one TextName are numbered in the order in which the sample has them.
type numbered struct {
	*namer
	texts map[string]string // by key
	keys  []string          // in their order
}

// fit converts all records to the schema that the user gave.
func (r *Result) fit() (*converter, error) {
	c, err := r.convert(discard)
	if errors.Is(err, errUntold) {
		r.plain = r.plainKeys()
		c, err = r.convert(discard)
	}
	return c, err
}

// named returns the index of the field for a key that is not in the index of a shape, or -1. The error
// is errUntold if the sample must be read for plain keys first.
func (c *converter) named(s *shape, key string) (int, error) {
	r := c.result
	if r.keys != nil || r.fitted {
		return -1, nil
	}
	text := TextName(key)
	if text == key || !s.begins(text) {
		return -1, nil
	}
	if r.plain == nil {
		return -1, errUntold
	}
	if s.numbered == nil {
		s.numbered = &numbered{namer: newNamer(), texts: map[string]string{}}
		s.numbered.keep(r.plain[s.name])
	}
	text, met := s.numbered.texts[key]
	if !met {
		text = s.numbered.text(key)
		s.numbered.texts[key] = text
		s.numbered.keys = append(s.numbered.keys, key)
	}
	i, ok := s.index[text]
	if !ok {
		return -1, nil
	}
	delete(s.index, text)
	s.index[key] = i
	s.fields[i].key, _ = jsontext.AppendQuote(nil, key)
	r.rename(s.fields[i].name, key)
	return i, nil
}

// begins reports whether the text name of a field begins with a text.
func (s *shape) begins(text string) bool {
	for name := range s.index {
		if strings.HasPrefix(name, text) {
			return true
		}
	}
	return false
}

// plainKeys returns the keys of the sample that are the text names of their fields, by message. It takes
// them from bad records too, and leaves errors to the conversion.
func (r *Result) plainKeys() map[string][]string {
	c, found := r.newConverter(), map[drop]bool{}
	_, _ = r.each(func(rec Record) error {
		c.record, c.buffer = rec, *bytes.NewBuffer(rec.Raw)
		c.decoder.Reset(&c.buffer)
		_ = c.plainKeys(Place{c.root, true}, found)
		return nil
	})
	plain := map[string][]string{}
	for k := range found {
		plain[k.message] = append(plain[k.message], k.key)
	}
	return plain
}

// plainKeys adds the plain keys of the next value to found.
func (c *converter) plainKeys(at Place, found map[drop]bool) error {
	kind := c.decoder.PeekKind()
	if kind != '{' && kind != '[' {
		return c.decoder.SkipValue()
	}
	if at = at.OfKind(kind); kind == '{' {
		at = at.Alone().Of(c.record.After(c.decoder.InputOffset()))
	}
	if _, err := c.decoder.ReadToken(); err != nil {
		return err
	}
	for i := 0; c.decoder.PeekKind() != kind+2; i++ { // the bracket that closes
		var inner Place
		if kind == '[' {
			inner = at.Elem(i)
		} else {
			raw, err := c.decoder.ReadValue()
			if err != nil {
				return err
			}
			key := unquote(raw)
			switch {
			case at.Foreign(key):
				key = TextName(key) // most likely, for the keys within
			case at.Kind() == schema.MessageKind:
				found[drop{at.value().target.message.name, key}] = true
			}
			inner = at.Member(key)
		}
		if err := c.plainKeys(inner, found); err != nil {
			return err
		}
	}
	_, err := c.decoder.ReadToken()
	return err
}

// numbered returns notes on keys that have their fields by their order in the sample alone, because the
// schema has several such fields or the sample several such keys.
func (c *converter) numbered() (notes []string) {
	for _, m := range c.result.Schema.Messages {
		s := c.messages[m.Name]
		if s == nil || s.numbered == nil {
			continue
		}
		alike := map[string][]string{}
		for _, key := range s.numbered.keys {
			of := m.Name + " has no field for it"
			if i, ok := s.index[key]; ok {
				of = "it is " + s.fields[i].name
			}
			text := TextName(key)
			alike[text] = append(alike[text], fmt.Sprintf("%q (%s)", shorten(key), of))
		}
		for _, text := range slices.Sorted(maps.Keys(alike)) {
			keys, fields := alike[text], 0
			for _, f := range m.Fields {
				if number, ok := strings.CutPrefix(f.TextName(), text); ok && (number == "" || secondOf.MatchString(number)) {
					fields++
				}
			}
			if len(keys) > 1 || fields > 1 {
				notes = append(notes, byOrder+phrase.Some(keys, 8))
			}
		}
	}
	return notes
}

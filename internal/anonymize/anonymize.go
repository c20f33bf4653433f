// Package anonymize turns a sample that cannot be shared into one that can. It replaces each value by
// another one that looks alike, so that every format takes about as many bytes and as much time for
// it. Kept says what stays the same.
package anonymize

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"

	"assay/internal/infer"
	"assay/schema"
	"assay/schema/text"
)

// Kept says what an anonymized sample has in common with the original, in one or two sentences for
// each aspect.
var Kept = []string{
	"Kept: the structure; the names of keys that are fields, and of columns; the order of records, members and elements; null, true, false, 0, \"\" and what is empty.",
	"Kept of a text: its length, its signs and spaces, and for each letter or digit that it is one, its case and its script. Keys of maps are texts. Ids, URLs and base64 so keep their form.",
	"Kept of a number: its sign, how many digits it has and where the point and the exponent are. Kept of a time: its zone and its precision. Both stay between the smallest and the largest of their field; where that leaves one choice only, a number takes as many bytes, and a time is of the same year. Numbers that neither 64 bits nor float64 hold keep to no range.",
	"Kept of each field: how many different values it has and how often each is there. Equal texts stay equal everywhere, equal numbers and times within their field.",
	"Kept as they are, since the schema has them: the values of enums that were asked for, and texts that tell the kinds of a union apart, if their key ends in type or kind or you give the schema. Under any other key such a text is replaced, and a type that is called after it has another name.",
	"Not kept: any other letter, digit, number or time; how values relate, as the sum of two fields does; and how well texts compress, which gets worse.",
	"Names of keys, lengths, signs, ranges and how often a value is there can tell something by themselves. Look at the sample before you share it.",
}

// A Sample has records that replace others.
type Sample struct {
	// Of describes the original records.
	Of *infer.Result
	// Same says that inference makes the same schema for the sample as for the original records,
	// apart from texts of unions that are replaced, and types that are named after them.
	Same bool

	key    [32]byte
	ranges map[infer.Place]*ranges
	root   infer.Place
}

// attempts is how many keys are tried to get a sample with the same schema. A key fails only by rare
// chance, for example if two keys of a map become the names of fields elsewhere.
const attempts = 3

// Make reads records and prepares a sample that replaces them. With the same seed, the same records
// give the same sample, and anybody who knows the seed can recover the texts. If the seed is empty,
// the key is random and is not stored. The errors are those of infer.JSON.
func Make(sources []infer.Source, o infer.Options, seed string) (*Sample, error) {
	r, err := infer.JSON(sources, o)
	if err != nil {
		return nil, err
	}
	s := &Sample{Of: r, ranges: map[infer.Place]*ranges{}, root: r.Place()}
	m := &measurer{s}
	err = r.Visit(func(rec infer.Record, header bool) error {
		if header {
			return nil
		}
		return (&walker{replacer: m}).record(s.root, rec.Raw)
	})
	if err != nil {
		return nil, err
	}
	if _, err := rand.Read(s.key[:]); err != nil {
		return nil, err
	}
	if seed != "" {
		s.key = sha256.Sum256([]byte("assay data anonymize\x00" + seed))
	}
	for i := range attempts {
		if s.Same = s.same(o); s.Same {
			break
		}
		if i+1 < attempts {
			s.key = sha256.Sum256(s.key[:])
		}
	}
	return s, nil
}

// at returns the ranges of a place.
func (s *Sample) at(p infer.Place) *ranges {
	r := s.ranges[p]
	if r == nil {
		r = &ranges{}
		binary.BigEndian.PutUint32(r.id[:], uint32(len(s.ranges)))
		s.ranges[p] = r
	}
	return r
}

// errRead ends the writing to a pipe whose reader was closed.
var errRead = errors.New("read")

// same reports whether inference makes the same schema for the sample: see Sample.Same.
func (s *Sample) same(o infer.Options) bool {
	source := infer.Source{Name: "sample", Open: func() (io.ReadCloser, error) {
		r, w := io.Pipe()
		go func() { w.CloseWithError(s.Write(w)) }()
		return &pipe{r}, nil
	}}
	want := s.Of.Schema
	o.Name = s.Of.Name           // not the schema's name, which could give the root another name
	o.Records, o.Only = ".", nil // take all records of the sample: the conditions are about other texts
	r, err := infer.JSON([]infer.Source{source}, o)
	if err != nil || r.Records != s.Of.Records {
		return false
	}
	got := *r.Schema
	got.Doc, got.Name = want.Doc, want.Name
	if !s.Of.NamesData() {
		return bytes.Equal(text.Format(&got), text.Format(want))
	}
	t := newTexts(newPermuter(s.key))
	return bytes.Equal(text.Format(nameless(&got, nil)), text.Format(nameless(want, func(tag, text string) string {
		if s.Of.KeepsTags(tag) {
			return text
		}
		return t.plain(text)
	})))
}

// nameless returns a schema with numbers instead of the names of messages and of the variants of
// unions. If replace is not nil, it replaces the texts of tags.
func nameless(s *schema.Schema, replace func(tag, text string) string) *schema.Schema {
	out := *s
	names := map[string]string{}
	for i, m := range s.Messages {
		names[m.Name] = fmt.Sprintf("M%d", i)
	}
	var named func(t schema.Type) schema.Type
	named = func(t schema.Type) schema.Type {
		if t.Elem != nil {
			elem := named(*t.Elem)
			t.Elem = &elem
		}
		if t.Kind == schema.MessageKind {
			t.Ref = names[t.Ref]
		}
		return t
	}
	out.Roots = nil
	for _, root := range s.Roots {
		out.Roots = append(out.Roots, names[root])
	}
	out.Messages = nil
	for _, m := range s.Messages {
		changed := *m
		changed.Name, changed.Fields = names[m.Name], nil
		for i, f := range m.Fields {
			field := *f
			field.Type = named(f.Type)
			if m.Union {
				field.Name, field.Text = fmt.Sprintf("f%d", i), ""
			}
			if m.Tag != "" && replace != nil {
				field.When = nil
				for _, w := range f.When {
					field.When = append(field.When, replace(m.Tag, w))
				}
			}
			changed.Fields = append(changed.Fields, &field)
		}
		out.Messages = append(out.Messages, &changed)
	}
	return &out
}

// A pipe makes its writer fail when it is closed.
type pipe struct{ *io.PipeReader }

func (p *pipe) Close() error { return p.CloseWithError(errRead) }

// Write writes the sample as NDJSON: one record for each original record, in the same order. The names
// of columns, if there are any, come first.
func (s *Sample) Write(w io.Writer) error {
	b := bufio.NewWriter(w)
	p := newPermuter(s.key)
	a := &anonymizer{sample: s, permuter: p, texts: newTexts(p)}
	walk := &walker{replacer: a}
	records, named := int64(0), false
	err := s.Of.Visit(func(rec infer.Record, header bool) error {
		walk.out = walk.out[:0]
		switch {
		case header && named:
			return nil
		case header:
			named = true
			walk.out = append(walk.out, rec.Raw...)
			if err := compact(&walk.out); err != nil {
				return err
			}
		default:
			if records++; records > s.Of.Records {
				return s.changed(fmt.Sprintf("more than %d", s.Of.Records))
			}
			if err := walk.record(s.root, rec.Raw); err != nil {
				return err
			}
		}
		_, err := b.Write(append(walk.out, '\n'))
		return err
	})
	if err != nil {
		return err
	}
	if records != s.Of.Records {
		return s.changed(strconv.FormatInt(records, 10))
	}
	return b.Flush()
}

func (s *Sample) changed(now string) error {
	return fmt.Errorf("the sample has %s records now and had %d before; it must not change while it is read", now, s.Of.Records)
}

// Package samples makes samples of JSON in the shapes that users have: lists of Kubernetes
// objects, exports of tables, events of several kinds in one stream. Their content is invented,
// and the same in every run. The tests of users' own data use them, and the command in directory
// write writes them to files.
package samples

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
)

// A Sample is the content of one file.
type Sample struct {
	// Name consists of lower-case letters and digits. The file's name begins with it.
	Name string
	// Text says what the sample contains, and what is special about it.
	Text string
	// Records is the path of the records in the file, as --records takes it. Empty: they are
	// found without it.
	Records string
	// Types are values of --type, as PATH=TYPE, for every special spelling in the sample. The
	// sample can also be read without them.
	Types []string
	// lines says that the file has one record on each line.
	lines bool
	// size is the default number of records.
	size int
	// each makes record number i. If records depend on each other, make makes all of them
	// instead.
	each func(m *maker, i int) any
	make func(m *maker, n int) []any
	// whole puts the records into their document; nil: the document is a list of the records, or
	// their lines.
	whole func(m *maker, records []any) any
}

// File returns the name of the sample's file.
func (s *Sample) File() string {
	if s.lines {
		return s.Name + ".ndjson"
	}
	return s.Name + ".json"
}

// JSON returns the content of the file with so many records; 0: the default number. Equal
// arguments give equal bytes.
func (s *Sample) JSON(records int) []byte {
	if records == 0 {
		records = s.size
	}
	m := s.maker()
	var list []any
	if s.each != nil {
		list = m.list(records, func(i int) any { return s.each(m, i) })
	} else {
		list = s.make(m, records)
	}
	var b bytes.Buffer
	switch {
	case s.lines:
		for _, r := range list {
			write(&b, r)
			b.WriteByte('\n')
		}
	case s.whole != nil:
		pretty(&b, s.whole(m, list))
	default:
		pretty(&b, list)
	}
	return b.Bytes()
}

// Lines writes records, one on each line, until the next one would exceed size bytes. It keeps
// only one record in memory. Equal arguments write equal bytes, and a smaller size writes a
// prefix of what a larger one does. It returns an error if the sample is not NDJSON.
func (s *Sample) Lines(w io.Writer, size int64) error {
	if !s.lines || s.each == nil {
		return fmt.Errorf("%s has no records that stand on lines of their own", s.Name)
	}
	m := s.maker()
	var b bytes.Buffer
	for i := 0; ; i++ {
		b.Reset()
		write(&b, s.each(m, i))
		b.WriteByte('\n')
		if size -= int64(b.Len()); size < 0 {
			return nil
		}
		if _, err := w.Write(b.Bytes()); err != nil {
			return err
		}
	}
}

// maker returns the maker of the sample's values.
func (s *Sample) maker() *maker {
	return &maker{Rand: rand.New(rand.NewPCG(uint64(len(s.Name)), hash(s.Name)))}
}

// hash returns the FNV-1a hash of a name.
func hash(name string) uint64 {
	sum := uint64(14695981039346656037) // FNV-1a
	for _, c := range []byte(name) {
		sum = (sum ^ uint64(c)) * 1099511628211
	}
	return sum
}

// All returns all samples.
func All() []Sample {
	var all []Sample
	for _, group := range [][]Sample{clouds, services, unions, tables, texts, spelledTexts, shapes, specs, programs} {
		all = append(all, group...)
	}
	return all
}

// An object is a list of alternating keys and values, in the order in which they are written. A
// key whose value is absent is not written.
type object []any

type nothing struct{}

// absent is the value of a key that is left out.
var absent = nothing{}

// spelled is JSON text that is written as it is, such as a number with trailing zeros.
type spelled string

// write writes a value without spaces. It escapes only what must be escaped.
func write(b *bytes.Buffer, v any) {
	switch v := v.(type) {
	case object:
		b.WriteByte('{')
		first := true
		for i := 0; i < len(v); i += 2 {
			if v[i+1] == any(absent) {
				continue
			}
			if !first {
				b.WriteByte(',')
			}
			first = false
			write(b, v[i])
			b.WriteByte(':')
			write(b, v[i+1])
		}
		b.WriteByte('}')
	case []any:
		b.WriteByte('[')
		for i, x := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			write(b, x)
		}
		b.WriteByte(']')
	case spelled:
		b.WriteString(string(v))
	default:
		e := json.NewEncoder(b)
		e.SetEscapeHTML(false)
		if err := e.Encode(v); err != nil {
			panic(err) // every value in the samples is valid JSON
		}
		b.Truncate(b.Len() - 1) // the newline
	}
}

// pretty writes a value with indentation.
func pretty(b *bytes.Buffer, v any) {
	var compact bytes.Buffer
	write(&compact, v)
	if err := json.Indent(b, compact.Bytes(), "", "  "); err != nil {
		panic(err) // as in write
	}
	b.WriteByte('\n')
}

// A maker makes values.
type maker struct{ *rand.Rand }

// maybe returns v in so many percent of the calls, and otherwise absent.
func (m *maker) maybe(percent int, v any) any { return m.or(percent, v, absent) }

// orNull returns v in so many percent of the calls, and otherwise null.
func (m *maker) orNull(percent int, v any) any { return m.or(percent, v, nil) }

func (m *maker) or(percent int, v, other any) any {
	if m.IntN(100) < percent {
		return v
	}
	return other
}

func (m *maker) pick(texts string) string {
	all := strings.Split(texts, "|")
	return all[m.IntN(len(all))]
}

func (m *maker) hex(n int) string {
	out := make([]byte, n)
	for i := range out {
		out[i] = "0123456789abcdef"[m.IntN(16)]
	}
	return string(out)
}

func (m *maker) uuid() string {
	return fmt.Sprintf("%s-%s-4%s-a%s-%s", m.hex(8), m.hex(4), m.hex(3), m.hex(3), m.hex(12))
}

const words = "amber|birch|cedar|delta|ember|fjord|grove|harbor|island|jasper|kestrel|lagoon|meadow|nimbus|orchid|prairie|quartz|ridge|sierra|tundra|umber|valley|willow|zephyr"

func (m *maker) word() string { return m.pick(words) }

// sentence returns n words as a sentence.
func (m *maker) sentence(n int) string {
	out := make([]string, n)
	for i := range out {
		out[i] = m.word()
	}
	return strings.ToUpper(out[0][:1]) + strings.Join(out, " ")[1:] + "."
}

// time returns a time of 2026 in UTC, in whole seconds.
func (m *maker) time() string {
	return fmt.Sprintf("2026-%02d-%02dT%02d:%02d:%02dZ", 1+m.IntN(12), 1+m.IntN(28), m.IntN(24), m.IntN(60), m.IntN(60))
}

// decimals returns a number below most with at most so many digits after the point.
func (m *maker) decimals(most float64, digits int) float64 {
	scale := 1.0
	for range digits {
		scale *= 10
	}
	return float64(m.IntN(int(most*scale))) / scale
}

// list returns n values.
func (m *maker) list(n int, value func(i int) any) []any {
	out := make([]any, n)
	for i := range out {
		out[i] = value(i)
	}
	return out
}

// within returns a func that puts the records under a key, after other keys.
func within(key string, other ...any) func(*maker, []any) any {
	return func(_ *maker, records []any) any { return append(append(object{}, other...), key, records) }
}

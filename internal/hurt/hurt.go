// Package hurt damages stored runs at random, to test the code that reads them. It cuts, repeats
// and moves lines, and replaces values by hostile ones.
package hurt

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A Run is the text of a run directory.
type Run struct {
	// Lines are run.json and the lines of samples.jsonl.
	Lines [][]byte
	// Data is data.json, in which assay try describes its data; nil for other commands.
	Data []byte
}

// Read reads a run directory.
func Read(t testing.TB, dir string) *Run {
	t.Helper()
	run, err := os.ReadFile(filepath.Join(dir, "run.json"))
	if err != nil {
		t.Fatal(err)
	}
	samples, err := os.ReadFile(filepath.Join(dir, "samples.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	s := &Run{Lines: [][]byte{run}}
	for line := range bytes.Lines(samples) {
		s.Lines = append(s.Lines, line)
	}
	s.Data, err = os.ReadFile(filepath.Join(dir, "data.json"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return s
}

// Write writes the run to the directory name below results.
func (s *Run) Write(t testing.TB, results, name string) {
	t.Helper()
	dir := filepath.Join(results, name)
	err := os.MkdirAll(dir, 0o777)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "run.json"), s.Lines[0], 0o666)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "samples.jsonl"), bytes.Join(s.Lines[1:], nil), 0o666)
	}
	if err == nil && s.Data != nil {
		err = os.WriteFile(filepath.Join(dir, "data.json"), s.Data, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Kinds of edits of a stored run. Each edit takes two numbers, which say where and what.
const (
	CutShort      = iota // the samples end at a byte
	deleteLine           //
	repeatLine           // a line comes again elsewhere
	swapLines            //
	foreignLine          // a line of another run
	SetValue             // a value of a line becomes a hostile one
	setText              // a value of a line becomes the text of the input
	SetAll               // all values of one key become a hostile one
	deleteValue          // an element or a member is removed
	repeatValue          // an element of an array is repeated
	setByte              // one byte becomes another
	appendText           // the text of the input is added as a line
	cutRun               // run.json ends at a byte
	KindsOfEdit          // the number of kinds
	BytesOfAnEdit = 5
)

// hostile are values that assay does not write in most places.
var hostile = []any{
	nil, true, 0, 1, -1, 3, 1e308, -1e308, 1e-320, 0.5, json.Number("1e400"), json.Number("-0"),
	int64(1<<63 - 1), int64(-1 << 63), uint64(1<<64 - 1), int64(1 << 40), int64(1 << 20),
	"", "x", "\x00", "\x1b[31mred\x1b[0m", "cnys\u202efdp", "\u2066\u061c\u200f", "a\nb\r\nc\td", "\ufffd", "NaN", "=1+2", "`|<b>*_", "/", "../../x", "%s%d",
	strings.Repeat("long", 25_000), "日本", "e\u0301",
	[]any{}, map[string]any{}, []any{nil}, []any{1, -1, 1e308}, []any{"", "\x1b"},
	"movie", "floor", "encoding/json", "protobuf", "encode", "decode", "open", "build", "compress", "record=one", "codec=zstd", "output=reuse",
	"ok", "noisy", "panic", "unverified", "control", "zstd", "as it is", "2026-11-22T05:07:16Z", "0001-01-01T00:00:00Z",
	json.Number("99999999999999999999"), []any{0, 0, 0}, []any{0, 1 << 30},
}

// Edit applies the edits that the bytes encode, BytesOfAnEdit for each and at most twelve. text
// is the text that some edits insert, and others are directories of runs from which some edits
// take a line.
func (s *Run) Edit(t testing.TB, edits []byte, text string, others []string) {
	const most = 12
	for n := 0; n < most && len(edits) >= BytesOfAnEdit; n++ {
		where, what := int(edits[1])<<8|int(edits[2]), int(edits[3])<<8|int(edits[4])
		s.one(t, int(edits[0])%KindsOfEdit, where, what, text, others)
		edits = edits[BytesOfAnEdit:]
	}
}

func (s *Run) one(t testing.TB, kind, where, what int, text string, others []string) {
	i := where % len(s.Lines)             // any line, including run.json
	j := 1 + where%max(1, len(s.Lines)-1) // a line of the samples
	if j >= len(s.Lines) && kind != appendText && kind != foreignLine {
		i, j = 0, 0
	}
	switch kind {
	case CutShort:
		s.Lines = s.Lines[:j+1]
		s.Lines[j] = s.Lines[j][:what%(len(s.Lines[j])+1)]
	case cutRun:
		s.Lines[0] = s.Lines[0][:where%(len(s.Lines[0])+1)]
	case deleteLine:
		if j > 0 {
			s.Lines = slices.Delete(s.Lines, j, j+1)
		}
	case repeatLine:
		s.Lines = slices.Insert(s.Lines, 1+what%len(s.Lines), s.Lines[i])
	case swapLines:
		k := 1 + what%max(1, len(s.Lines)-1)
		if k < len(s.Lines) {
			s.Lines[j], s.Lines[k] = s.Lines[k], s.Lines[j]
		}
	case foreignLine:
		other := Read(t, others[where%len(others)])
		s.Lines = append(s.Lines, other.Lines[what%len(other.Lines)])
	case SetValue, setText, SetAll, deleteValue, repeatValue:
		s.Lines[i] = altered(s.Lines[i], kind, what, text)
	case setByte:
		if line := slices.Clone(s.Lines[i]); len(line) > 0 {
			line[what%len(line)] = byte(where >> 8)
			s.Lines[i] = line
		}
	case appendText:
		s.Lines = append(s.Lines, []byte(text+"\n"))
	}
}

// altered returns a line of JSON with one value changed, or the unchanged line if it is not JSON.
func altered(line []byte, kind, what int, text string) []byte {
	var v any
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return line
	}
	value := hostile[what/64%len(hostile)]
	if kind == setText {
		value = text
	}
	w := &walk{kind: kind, value: value}
	w.count(v)
	if w.left == 0 {
		return line
	}
	w.left = what % w.left
	v = w.change(v)
	out, err := json.Marshal(v)
	if err != nil {
		return line
	}
	return append(out, '\n')
}

// A walk changes one value of a tree: the one with index left in depth-first order.
type walk struct {
	kind  int
	left  int
	value any
	key   string // the key whose values change, for SetAll
}

func (w *walk) count(v any) {
	w.left++
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			w.count(e)
		}
	case map[string]any:
		for _, e := range v {
			w.count(e)
		}
	}
}

func (w *walk) change(v any) any {
	w.left--
	if w.left == -1 && w.kind != deleteValue && w.kind != repeatValue && w.kind != SetAll {
		return w.value
	}
	switch v := v.(type) {
	case []any:
		for i := 0; i < len(v); i++ {
			if w.left == 0 && w.kind == deleteValue {
				w.left--
				return slices.Delete(v, i, i+1)
			}
			if w.left == 0 && w.kind == repeatValue {
				w.left--
				return slices.Insert(v, i, v[i])
			}
			v[i] = w.change(v[i])
		}
	case map[string]any:
		keys := slices.Sorted(func(yield func(string) bool) {
			for k := range v {
				if !yield(k) {
					return
				}
			}
		})
		for _, k := range keys {
			if w.left == 0 && w.kind == deleteValue {
				w.left--
				delete(v, k)
				continue
			}
			if w.left == 0 && w.kind == SetAll {
				w.key = k
			}
			if w.kind == SetAll && w.key == k {
				w.left--
				v[k] = w.value
				continue
			}
			v[k] = w.change(v[k])
		}
	}
	return v
}

package fbs

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"assay/contender"
	"assay/internal/oracle"
	"assay/schema"
	"assay/workload/builtin"
)

// message returns a schema with one message that has int32 fields with the given numbers.
func message(numbers ...int) *schema.Schema {
	m := &schema.Message{Name: "M"}
	for _, n := range numbers {
		m.Fields = append(m.Fields, &schema.Field{Name: fmt.Sprintf("f%d", n), Number: n, Type: schema.Type{Kind: schema.Int32}})
	}
	return &schema.Schema{Name: "test", Roots: []string{"M"}, Messages: []*schema.Message{m}}
}

func TestSlots(t *testing.T) {
	many := make([]int, MaxSparse+10)
	for i := range many {
		many[i] = i + 1
	}
	for _, test := range []struct {
		name    string
		numbers []int
		last    int // slot of the last field
		slots   int
		ranked  bool
	}{
		{"none", nil, 0, 0, false},
		{"dense", []int{1, 2, 3}, 2, 3, false},
		{"out of order", []int{2, 3, 1}, 2, 3, false},
		{"a removed field keeps its slot", []int{1, 3}, 2, 3, false},
		{"gaps up to the limit", []int{1, MaxSparse}, MaxSparse - 1, MaxSparse, false},
		{"gaps beyond the limit", []int{1, MaxSparse + 1}, 1, 2, true},
		{"many but dense", many, len(many) - 1, len(many), false},
	} {
		l, err := New(message(test.numbers...))
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		got := l.Tables[0]
		if got.Slots != test.slots || got.Ranked != test.ranked {
			t.Errorf("%s: %d slots, ranked %v; want %d, %v", test.name, got.Slots, got.Ranked, test.slots, test.ranked)
		}
		if n := len(got.Fields); n > 0 && got.Fields[n-1].Slot != test.last {
			t.Errorf("%s: the last field has slot %d, want %d", test.name, got.Fields[n-1].Slot, test.last)
		}
	}
}

func TestTooManyFields(t *testing.T) {
	numbers := make([]int, maxSlots+1)
	for i := range numbers {
		numbers[i] = i + 1
	}
	_, err := New(message(numbers...))
	var no *contender.Unsupported
	if !errors.As(err, &no) || no.Field != fmt.Sprintf("M.f%d", maxSlots+1) {
		t.Errorf("error %v, want the field beyond the limit", err)
	}
	if _, err := New(message(numbers[:maxSlots]...)); err != nil {
		t.Errorf("at the limit: %v", err)
	}
}

// TestGapsInText checks that the text declares a slot for every number, so that
// flatc gives the later fields the slots that the Go code uses.
// A message that has the name of the function that reads a root is refused. Other messages may have
// names that begin so.
func TestRootNames(t *testing.T) {
	for name, want := range map[string]string{"GetRootAsM": "GetRootAsM", "GetRootAsN": ""} {
		s := message(1)
		s.Messages = append(s.Messages, &schema.Message{Name: name})
		_, err := New(s)
		var no *contender.Unsupported
		if refused := errors.As(err, &no); refused != (want != "") || refused && no.Field != want {
			t.Errorf("%s: error %v, want an Unsupported for %q", name, err, want)
		}
	}
}

func TestGapsInText(t *testing.T) {
	l, err := New(message(2, 4))
	if err != nil {
		t.Fatal(err)
	}
	want := "table M {\n  unused_1:bool (deprecated);\n  f2:int;\n  unused_3:bool (deprecated);\n  f4:int;\n}\n"
	if got := string(l.Text()); !strings.Contains(got, want) {
		t.Errorf("got\n%s\nwant in it\n%s", got, want)
	}
}

// TestDoc checks that no doc ends its comment early.
func TestDoc(t *testing.T) {
	s := message(1)
	s.Doc = "one\r\ntwo\x00\n"
	s.Messages[0].Doc = "a\rtable X {}\nb"
	s.Messages[0].Fields[0].Doc = "\n\n"
	l, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(l.Text())) {
		if strings.ContainsAny(line, "\r\x00") || strings.Contains(line, "table X") && !strings.HasPrefix(line, "///") {
			t.Errorf("line %q", line)
		}
	}
	flatc(t, map[string][]byte{"doc": l.Text()})
}

func TestRecursive(t *testing.T) {
	ref := func(name string, number int, to string) *schema.Field {
		return &schema.Field{Name: name, Number: number, Type: schema.Type{Kind: schema.MessageKind, Ref: to, Optional: true}}
	}
	s := &schema.Schema{Name: "test", Roots: []string{"A"}, Messages: []*schema.Message{
		{Name: "A", Fields: []*schema.Field{ref("b", 1, "B"), ref("d", 2, "D")}},
		{Name: "B", Fields: []*schema.Field{ref("c", 1, "C")}},
		{Name: "C", Fields: []*schema.Field{{Name: "bs", Number: 1, Type: schema.Type{Kind: schema.Map, Key: schema.String, Elem: &schema.Type{Kind: schema.MessageKind, Ref: "B"}}}}},
		{Name: "D"},
	}}
	l, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{"B": true, "C": true, "CBsEntry": true}
	for _, table := range l.Tables {
		if table.recursive != want[table.Name] {
			t.Errorf("%s: recursive is %v", table.Name, table.recursive)
		}
	}
}

// TestFilesRepeat checks that Files does not change the layout.
func TestFilesRepeat(t *testing.T) {
	s := message(1)
	s.Enums = []*schema.Enum{{Name: "E", Values: []schema.EnumValue{{Name: "NONE"}}}}
	l, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	first, err := l.Files("assay/gen/test", "assay/model")
	if err != nil {
		t.Fatal(err)
	}
	second, err := l.Files("assay/gen/test", "assay/model")
	if err != nil {
		t.Fatal(err)
	}
	for i := range first {
		if string(first[i].Data) != string(second[i].Data) {
			t.Errorf("%s differs the second time", first[i].Name)
		}
	}
}

// TestUnionFunctions checks that the functions of a union and of the tables have different
// names.
func TestUnionFunctions(t *testing.T) {
	variant := func(name string, number int, of string) *schema.Field {
		return &schema.Field{Name: name, Number: number, When: []string{name}, OmitEmpty: true, Type: schema.Type{Kind: schema.MessageKind, Ref: of, Optional: true}}
	}
	key := func(name string) *schema.Field {
		return &schema.Field{Name: name, Number: 1, Type: schema.Type{Kind: schema.Int32}}
	}
	s := &schema.Schema{Name: "test", Roots: []string{"M"}, Messages: []*schema.Message{
		{Name: "M", Fields: []*schema.Field{{Name: "filter", Number: 1, Type: schema.Type{Kind: schema.MessageKind, Ref: "Filter"}}}},
		{Name: "Filter", Union: true, Fields: []*schema.Field{variant("a", 1, "FilterValue"), variant("b", 2, "FilterValue_")}},
		{Name: "FilterValue", Fields: []*schema.Field{key("a")}},
		{Name: "FilterValue_", Fields: []*schema.Field{key("b")}},
	}}
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	l, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	files, err := l.Files("assay/gen/test", "assay/model")
	if err != nil {
		t.Fatal(err)
	}
	functions := map[string]int{}
	for _, f := range files {
		for _, found := range regexp.MustCompile(`(?m)^func (\w+)`).FindAllSubmatch(f.Data, -1) {
			functions[string(found[1])]++
		}
	}
	for _, do := range []string{"pack", "unpack", "scan"} {
		for _, of := range []string{"FilterValue", "FilterValue_", "FilterValue__"} {
			if n := functions[do+of]; n != 1 {
				t.Errorf("there are %d functions %s%s", n, do, of)
			}
		}
	}
}

// TestFlatc compiles the schema of every workload with flatc.
func TestFlatc(t *testing.T) {
	texts := map[string][]byte{}
	for _, w := range builtin.All() {
		l, err := New(w.Schema)
		if err != nil {
			t.Fatal(err)
		}
		texts[w.Name] = l.Text()
	}
	flatc(t, texts)
}

// flatc compiles named schemas.
func flatc(t *testing.T, texts map[string][]byte) {
	t.Helper()
	path := oracle.Path(t, "flatc")
	dir := t.TempDir()
	for name, text := range texts {
		file := filepath.Join(dir, name+".fbs")
		if err := os.WriteFile(file, text, 0o666); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(path, "--go", "--binary", "--schema", "-o", dir, file).CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s\n%s", name, err, out, text)
		}
	}
}

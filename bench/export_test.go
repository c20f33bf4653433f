package bench

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/result"
	"assay/schema/neutral"
	"assay/workload"
)

const loadThree = `{"cmd":"load","load":{"workload":"items","size":"n=1","seed":1,"inputs":3}}`

// exported makes a runner export to a file and returns the file's lines, or the error of the
// answer.
func exported(t *testing.T, e Export) (lines []string, fault string) {
	t.Helper()
	e.File = filepath.Join(t.TempDir(), "values.jsonl")
	a := ask(t, program(), 3, Command{Cmd: "export", Export: &e})
	if a.Error != "" {
		return nil, a.Error
	}
	if a.Exported == nil || a.Exported.Inputs != 3 {
		t.Errorf("answer %+v", a)
	}
	data, err := os.ReadFile(e.File)
	if err != nil {
		t.Fatal(err)
	}
	return strings.SplitAfter(strings.TrimSuffix(string(data), "\n"), "\n"), ""
}

// The text of the loaded values equals the text of the values that contenders decode from their
// own messages and from given messages. A mode that only encodes exports nothing, and a lossy
// contender exports another text.
func TestExport(t *testing.T) {
	want, fault := exported(t, Export{})
	if fault != "" || len(want) != 4 {
		t.Fatalf("%q, %q", want, fault)
	}
	var h neutral.Header
	if err := json.Unmarshal([]byte(want[0]), &h); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(neutral.Header{
		Workload: "items", Size: "n=1", Seed: 1, Root: "Item", Inputs: 3, Schema: neutral.SchemaOf(testSchema),
	}, h); diff != "" {
		t.Error(diff)
	}
	var messages [][]byte
	for _, line := range want[1:] {
		messages = append(messages, []byte(line)) // the fakes read this JSON too
	}
	for _, e := range []Export{
		{Contender: "json"},
		{Contender: "json", Mode: "target=reuse"},
		{Contender: "json", Mode: "output=reuse"},
		{Contender: "json", Messages: messages},
	} {
		got, fault := exported(t, e)
		if e.Mode == "output=reuse" {
			if !strings.Contains(fault, "offers no") {
				t.Errorf("a mode that only encodes: %q", fault)
			}
			continue
		}
		if diff := cmp.Diff(want, got); diff != "" || fault != "" {
			t.Errorf("%s %q: %s\n%s", e.Contender, e.Mode, fault, diff)
		}
	}
	if got, fault := exported(t, Export{Contender: "lossy"}); fault != "" || cmp.Equal(got, want) {
		t.Errorf("a lossy contender exports %q, %q", got, fault)
	}
}

func TestExportErrors(t *testing.T) {
	for _, test := range []struct {
		export Export
		want   string
	}{
		{Export{Contender: "failing"}, "failing decode: cannot read"},
		{Export{Contender: "nobody"}, `unknown contender "nobody"`},
		{Export{Contender: "json", Messages: [][]byte{{}}}, "there are 1 messages for 3 inputs"},
		{Export{Contender: "json", Messages: [][]byte{[]byte("{}"), []byte("["), []byte("{}")}}, "input 1: json decode: unexpected end of JSON input"},
	} {
		if _, fault := exported(t, test.export); !strings.Contains(fault, test.want) {
			t.Errorf("%+v: %q, want %q", test.export, fault, test.want)
		}
	}
	for _, test := range [][2]string{
		{`{"cmd":"export"}`, `the field "export" with its arguments is missing`},
		{`{"cmd":"export","export":{"file":"x"}}`, "nothing is loaded"},
		{`{"cmd":"compare"}`, `the field "compare" with its arguments is missing`},
		{`{"cmd":"compare","compare":{"file":"x"}}`, "nothing is loaded"},
	} {
		if got := serve(t, program(), test[0])[0].Error; !strings.Contains(got, test[1]) {
			t.Errorf("%s: %q, want %q", test[0], got, test[1])
		}
	}
	for line, want := range map[string]string{
		`{"cmd":"export","export":{"file":""}}`:               "file is empty",
		`{"cmd":"export","export":{"file":"no/such/place"}}`:  "export: open no/such/place",
		`{"cmd":"compare","compare":{"file":"no/such/file"}}`: "compare: open no/such/file",
	} {
		if got := serve(t, program(), loadThree, line)[1].Error; !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

// Compare compares a file value by value. Any fault of the file makes the answer a Verified
// that is not OK.
func TestCompare(t *testing.T) {
	lines, fault := exported(t, Export{})
	if fault != "" {
		t.Fatal(fault)
	}
	join := func(lines ...string) string { return strings.Join(lines, "") }
	whole := join(lines...) + "\n"
	replaced := func(old, with string) string {
		if !strings.Contains(whole, old) {
			t.Fatalf("%q is not in %s", old, whole)
		}
		return strings.Replace(whole, old, with, 1)
	}
	for _, test := range []struct {
		name, text string
		losses     []string
		want       Verified
	}{
		{name: "same", text: whole, want: Verified{OK: true}},
		{name: "another header", text: "{}\n" + join(lines[1:]...) + "\n", want: Verified{OK: true}},
		{name: "changed", text: replaced(`"Name":"xx"`, `"Name":"xy"`), want: Verified{Op: result.Decode, Reason: `input 1: Name: "xx" became "xy"`}},
		{name: "forgiven", text: replaced(`"Rate":0.0`, `"Rate":-0.0`), losses: []string{"neg-zero"}, want: Verified{OK: true, Losses: []string{"neg-zero"}}},
		{name: "not forgiven", text: replaced(`"Rate":0.0`, `"Rate":-0.0`), want: Verified{Op: result.Decode, Reason: "Rate: 0 became -0"}},
		{name: "no header", text: "hello\n", want: Verified{Op: result.Decode, Reason: "the exported values begin with no JSON: their first line is a header"}},
		{name: "empty", text: "", want: Verified{Op: result.Decode, Reason: "3 inputs became 0 values"}},
		{name: "too few", text: join(lines[:3]...), want: Verified{Op: result.Decode, Reason: "3 inputs became 2 values"}},
		{name: "too many", text: whole + lines[1], want: Verified{Op: result.Decode, Reason: "there are more values than the 3 inputs"}},
		{name: "cut short", text: whole[:len(whole)-2], want: Verified{Op: result.Decode, Reason: "the exported values: line 4 is cut short"}},
		{name: "a key is missing", text: replaced(`"Name":"xx",`, ""), want: Verified{Op: result.Decode, Reason: `input 1: the exported value: Item.Name: the key "Name" is missing: an absent value is null`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "values.jsonl")
			if err := os.WriteFile(file, []byte(test.text), 0o666); err != nil {
				t.Fatal(err)
			}
			a := ask(t, program(), 3, Command{Cmd: "compare", Compare: &Compare{File: file, Losses: test.losses}})
			if a.Error != "" || a.Verified == nil {
				t.Fatalf("answer %+v", a)
			}
			if diff := cmp.Diff(test.want, *a.Verified); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// Verify decodes messages from another runner in place of the contender's own messages.
func TestVerifyMessages(t *testing.T) {
	lines, fault := exported(t, Export{})
	if fault != "" {
		t.Fatal(fault)
	}
	own := [][]byte{[]byte(lines[1]), []byte(lines[2]), []byte(lines[3])}
	swapped := [][]byte{own[0], own[2], own[1]}
	for _, test := range []struct {
		verify Verify
		want   Verified
		fault  string
	}{
		{verify: Verify{Messages: own}, want: Verified{OK: true}},
		{verify: Verify{Messages: swapped}, want: Verified{Op: result.Decode, Reason: "input 1: "}},
		{verify: Verify{Messages: [][]byte{own[0], nil, own[2]}}, want: Verified{Op: result.Decode, Reason: "input 1: "}},
		{verify: Verify{Messages: own[:2]}, fault: "there are 2 messages for 3 inputs"},
		{verify: Verify{Messages: own, From: &result.Subject{Contender: "json"}}, fault: "leave one out"},
	} {
		test.verify.Contender = "json"
		a := ask(t, program(), 3, Command{Cmd: "verify", Verify: &test.verify})
		if test.fault != "" {
			if !strings.Contains(a.Error, test.fault) {
				t.Errorf("%q, want %q", a.Error, test.fault)
			}
			continue
		}
		if a.Verified == nil || a.Verified.OK != test.want.OK || a.Verified.Op != test.want.Op || !strings.HasPrefix(a.Verified.Reason, test.want.Reason) {
			t.Errorf("%+v, want %+v", a.Verified, test.want)
		}
	}
}

// Load reads the values from the file if the workload's values are a user's, and refuses a file
// otherwise.
func TestLoadData(t *testing.T) {
	p := program()
	own := *p.Workloads[0]
	own.Generate, own.Read = nil, func(_ workload.Size, file string) (any, error) {
		if file == "none" {
			return []item{}, nil
		}
		return []item{{Name: file}, {}}, nil
	}
	read := p
	read.Workloads = []*workload.Workload{&own}
	for _, test := range []struct {
		p          Program
		data, want string
		inputs     int
	}{
		{p: p, data: "f", want: "this runner makes the values itself: leave data out"},
		{p: read, want: "the values of workload items are not in this runner: name their file in data"},
		{p: read, data: "f"},
		{p: read, data: "f", inputs: 2},
		{p: read, data: "f", inputs: 3, want: "got 2 values, want 3"},
		{p: read, data: "none", want: "got no values"},
	} {
		line, err := json.Marshal(Command{Cmd: "load", Load: &Load{Workload: "items", Size: "n=1", Inputs: test.inputs, Data: test.data}})
		if err != nil {
			t.Fatal(err)
		}
		a := serve(t, test.p, string(line))[0]
		if !strings.Contains(a.Error, test.want) || (a.Error == "") != (test.want == "") || a.Error == "" && a.Loaded.Inputs != 2 {
			t.Errorf("%s: %+v, want %q", line, a, test.want)
		}
	}
}

package gotype

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"assay/bench"
	"assay/contender"
	"assay/contender/emit"
	"assay/contenders/encodingjson"
	"assay/internal/cachedir"
	"assay/internal/external"
	"assay/result"
	"assay/schema/neutral"
)

// externalOf makes the runner of a type and a file of its records.
func externalOf(t *testing.T, r *Result) (g *external.Contender, data string) {
	t.Helper()
	name := r.Schema.Name
	model, err := emit.Model(r.Schema, "assay/workload/"+name+"/model")
	if err != nil {
		t.Fatal(err)
	}
	load := fmt.Sprintf(`package %[1]s

import (
	"assay/workload"
	"assay/workload/%[1]s/model"
)

var Workload = &workload.Workload{
	Name: %[1]q, Schema: model.Schema,
	Custom: func(key string) (workload.Size, error) { return workload.Size{Key: key, Root: %[2]q, Bytes: 1, Items: 1}, nil },
	Read: func(size workload.Size, file string) (any, error) {
		return workload.ReadFile[model.%[2]s](model.Schema, size.Root, file)
	},
}
`, name, r.Root)
	dir := t.TempDir()
	own, err := cachedir.In(dir).Temp(true)
	if err != nil {
		t.Fatal(err)
	}
	err = r.External(t.Context(), own, ExternalOptions{
		Source: os.DirFS("../../.."), Workload: name, Like: encodingjson.Contender,
		Files: []contender.File{
			{Name: "workload/" + name + "/model/model.go", Data: model}, {Name: "workload/" + name + "/workload.go", Data: []byte(load)},
			{Name: "contenders/x/gen/" + name + "/x.go", Data: []byte("no Go")},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if g, err = external.Read(own.Path()); err != nil {
		t.Fatal(err)
	}
	head, err := json.Marshal(neutral.Header{Workload: name, Size: "records=1", Root: r.Root, Inputs: int(r.Records), Schema: neutral.SchemaOf(r.Schema)})
	if err != nil {
		t.Fatal(err)
	}
	data = filepath.Join(dir, "values.jsonl")
	if err := os.WriteFile(data, []byte(string(head)+"\n"+neutralOf(t, r)), 0o666); err != nil {
		t.Fatal(err)
	}
	return g, data
}

// ask starts a runner, gives it commands and returns its answers.
func ask(t *testing.T, g *external.Contender, commands ...bench.Command) []bench.Answer {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), g.Command[0], g.Command[1:]...)
	cmd.Dir = g.Dir
	cmd.Stderr = t.Output()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	var answers []bench.Answer
	for _, c := range commands {
		line, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := in.Write(append(line, '\n')); err != nil {
			t.Fatal(err)
		}
		var a bench.Answer
		for {
			text, err := lines.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(text, "{") {
				t.Errorf("%q is no answer", text)
				continue
			}
			if err := json.Unmarshal([]byte(text), &a); err != nil {
				t.Fatalf("%v: %s", err, text)
			}
			break
		}
		answers = append(answers, a)
	}
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, lines); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	return answers
}

func TestExternal(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds runners")
	}
	before := tree(t)
	orders, err := os.ReadFile("testdata/order.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name    string
		options Options
		want    string // in the reason of verification; empty: it succeeds
	}{
		{"library", Options{Type: "./internal/model.Sound", Samples: sources(string(orders))}, ""},
		{"unexported", Options{Type: "./internal/model.small", Samples: sources(`{"A":1}{"B":2}`)}, ""},
		{"command", Options{Type: "./cmd/tool.config", Samples: sources(`{"name":"a"}`)}, ""},
		{"bytes with methods", Options{Type: "./internal/model.Written", Samples: sources(written)}, ""},
		{"function", Options{Type: "./internal/model.Sounds"}, ""},
		{"alias of a generic type", Options{Type: "./internal/model.SmallPair", Samples: sources(`{"First":{"A":1},"Second":2}{"Second":3}`)}, ""},
		{"alias of a type elsewhere", Options{Type: "./internal/model.Foreign", Samples: sources(`{"n":1,"tags":["a"]}{"n":2}`)}, ""},
		{"function of a generic type", Options{Type: "./internal/model.Pairs"}, ""},
		{"function of a type elsewhere", Options{Type: "./internal/model.Foreigners"}, ""},
		{"function of an unexported type", Options{Type: "./other.Hiddens"}, ""},
		{"not to be written", Options{Type: "./internal/model.Order", Samples: sources(string(orders))}, "unsupported type: chan int"},
		{"not what it was", Options{Type: "./internal/model.Silent", Samples: sources(`{"Loud":"a"}`)}, "became"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := read(t, tt.options)
			if err != nil {
				t.Fatal(err)
			}
			g, data := externalOf(t, r)
			var losses []string
			for _, l := range g.Losses {
				losses = append(losses, string(l))
			}
			own := result.Subject{Contender: ExternalName}
			load := bench.Command{Cmd: "load", Load: &bench.Load{Workload: r.Schema.Name, Size: "records=1", Data: data}}
			answers := ask(t, g,
				bench.Command{Cmd: "describe"},
				load,
				bench.Command{Cmd: "verify", Verify: &bench.Verify{Subject: own, Losses: losses}},
			)
			for _, mode := range []string{"output=reuse", "target=reuse", "output=reuse,session=stream"} {
				kept := result.Subject{Contender: ExternalName, Mode: mode}
				answers = append(answers, ask(t, g, load, bench.Command{Cmd: "verify", Verify: &bench.Verify{Subject: kept, Losses: losses}})[1])
			}
			if tt.want == "" {
				answers = append(answers, ask(t, g, load, bench.Command{Cmd: "calibrate", Calibrate: &bench.Calibrate{
					Cases: []bench.CaseSpec{{Subject: own, Op: result.Encode}, {Subject: own, Op: result.Decode}}, BatchNS: 1000, MinOps: 1,
				}})...)
			}
			for _, a := range answers {
				if a.Error != "" {
					t.Fatal(a.Error)
				}
			}
			if b := answers[0].Described.Bindings; len(b) != 4 || b[0].Root != r.Root || b[0].Mode != "" {
				t.Errorf("bindings are %v", b)
			}
			if answers[1].Loaded.Inputs != int(r.Records) {
				t.Errorf("%d inputs, want %d", answers[1].Loaded.Inputs, r.Records)
			}
			for i, v := range []*bench.Verified{answers[2].Verified, answers[3].Verified, answers[4].Verified, answers[5].Verified} {
				if v.OK != (tt.want == "") || !strings.Contains(v.Reason, tt.want) {
					t.Errorf("verified mode %d: %+v", i, v)
				}
			}
		})
	}
	if after := tree(t); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Error("the user's tree changed")
	}
}

// The user's own type writes the records as they are: the fields of an embedded struct are absent where
// the pointer to it is nil, a pointer to an empty list is not nil, and text that may be any JSON is JSON.
func TestOwnForm(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds runners")
	}
	const extra = `"when":"2020-01-02T03:04:05Z","dim":[1,2]`
	records := []string{
		`{"ref":"x","count":2,"tags":["t"],"share":0.5,"made":1,` + extra + `,"deep":false,"a":1}`, `{"ref":"",` + extra + `,"a":3}`,
		`{"ref":"y",` + extra + `,"deep":true,"a":4}`, `{"a":2}`,
		`{"a":5,"any":"text","raw":"12","words":[],"ratio":1.5}`, `{"a":6,"words":["w"]}`,
	}
	size := 0
	for _, r := range records {
		size += len(r)
	}
	records = append(records, `{"a":7,"ratio":-0.0}`)
	size += len(`{"a":7}`) // encoding/json leaves out -0
	r, err := read(t, Options{Type: "./internal/model.Lifted", Samples: sources(strings.Join(records, "\n"))})
	if err != nil {
		t.Fatal(err)
	}
	g, data := externalOf(t, r)
	answers := ask(t, g,
		bench.Command{Cmd: "load", Load: &bench.Load{Workload: r.Schema.Name, Size: "records=1", Data: data}},
		bench.Command{Cmd: "verify", Verify: &bench.Verify{Subject: result.Subject{Contender: ExternalName}, Sizes: true}},
	)
	if v := answers[1].Verified; v == nil || !v.OK || v.Encoded != int64(size) {
		t.Errorf("verified %+v, want %d bytes", v, size)
	}
}

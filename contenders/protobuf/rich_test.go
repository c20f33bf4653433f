package protobuf_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"assay/bench"
	"assay/contender"
	"assay/contender/emit"
	"assay/contender/protoc"
	"assay/contenders/gogoprotobuf"
	"assay/contenders/protobuf"
	"assay/contenders/protojson"
	"assay/contenders/vtprotobuf"
	"assay/result"
	"assay/schema"
	"assay/schema/text"
)

// family are the contenders that protobuf's generators write the types of.
var family = []*contender.Contender{
	protobuf.Contender, protojson.Contender, vtprotobuf.Contender, gogoprotobuf.Contender,
}

// TestRich generates, builds and runs the whole family for a schema that has
// every kind in every position, with the libraries themselves: each must give
// back what it was given, and read what the others of its format wrote.
func TestRich(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	r := startRich(t)
	for _, c := range family {
		forgive := c.Losses
		r.verify(t, "root=everything", c, nil, forgive, "")
		r.verify(t, "root=items", c, nil, forgive, "")
		r.verify(t, "root=index", c, nil, forgive, "")
		r.verify(t, "hard=not-finite", c, nil, forgive, "")
		fails := result.Op("")
		if c == gogoprotobuf.Contender {
			fails = result.Decode // its explanation mentions it
		}
		r.verify(t, "hard=negative-enums", c, nil, forgive, fails)
		for _, from := range family {
			if from != c && from.Format == c.Format {
				r.verify(t, "root=everything", c, from, forgive, "")
				r.verify(t, "root=index", c, from, forgive, "")
			}
		}
	}
}

// TestRichLosses holds the declared losses against what the libraries do: each
// value is lost exactly when the contender says so.
func TestRichLosses(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	r := startRich(t)
	for _, c := range family {
		zone := slices.DeleteFunc(slices.Clone(c.Losses), func(l contender.Loss) bool { return l == contender.TimeZone })
		empty := slices.DeleteFunc(slices.Clone(c.Losses), func(l contender.Loss) bool { return l == contender.NilEmpty })
		r.verify(t, "root=everything", c, nil, zone, result.Decode)
		r.verify(t, "root=everything", c, nil, empty, result.Decode)

		var fails result.Op
		if slices.Contains(c.Losses, contender.NegZero) {
			fails = result.Decode
		}
		r.verify(t, "hard=negative-zero", c, nil, []contender.Loss{contender.NilEmpty, contender.TimeZone}, fails)
		fails = ""
		if slices.Contains(c.Losses, contender.BadUTF8) {
			fails = result.Encode
		}
		r.verify(t, "hard=bad-utf8", c, nil, []contender.Loss{contender.NilEmpty, contender.TimeZone}, fails)
	}
}

// A runner is the program in testdata/rich, waiting for commands.
type runner struct {
	in  *json.Encoder
	out *bufio.Reader
}

func (r *runner) do(t *testing.T, c bench.Command) bench.Answer {
	t.Helper()
	if err := r.in.Encode(c); err != nil {
		t.Fatal(err)
	}
	line, err := r.out.ReadBytes('\n')
	if err != nil {
		t.Fatalf("the runner ended: %v", err)
	}
	var a bench.Answer
	if err := json.Unmarshal(line, &a); err != nil {
		t.Fatal(err)
	}
	if a.Error != "" {
		t.Fatalf("%s: %s", c.Cmd, a.Error)
	}
	return a
}

// verify loads the values of testdata/rich at one size and checks them.
func (r *runner) verify(t *testing.T, size string, c, from *contender.Contender, forgive []contender.Loss, fails result.Op) {
	t.Helper()
	inputs := map[string]int{"hard=bad-utf8": 1, "hard=negative-enums": 1, "hard=not-finite": 2}[size]
	if inputs == 0 {
		inputs = 3
	}
	r.do(t, bench.Command{Cmd: "load", Load: &bench.Load{Workload: "rich", Size: size, Inputs: inputs}})
	r.check(t, size, c, from, forgive, fails)
}

// check checks every mode of a contender with the loaded values: all goes well
// when fails is empty, and otherwise that op is the first that does not. With
// from, it only decodes the bytes of that other contender.
func (r *runner) check(t *testing.T, what string, c, from *contender.Contender, forgive []contender.Loss, fails result.Op) {
	t.Helper()
	modes := []string{""}
	if from == nil && fails != result.Decode {
		modes = append(modes, "output=reuse")
	}
	for _, mode := range modes {
		ask := bench.Verify{Subject: result.Subject{Contender: c.Name, Mode: mode}}
		who := c.Name
		if from != nil {
			ask.From = &result.Subject{Contender: from.Name}
			who += " reading " + from.Name
		}
		for _, l := range forgive {
			ask.Losses = append(ask.Losses, string(l))
		}
		v := r.do(t, bench.Command{Cmd: "verify", Verify: &ask}).Verified
		if v.OK != (fails == "") || v.Op != fails {
			t.Errorf("%s, %s %s: op %q failed (%s), want %q to fail", what, who, mode, v.Op, v.Reason, fails)
		}
	}
}

// startRich generates the packages of the family for testdata/rich/schema.toml,
// lays them over the module without writing into it, and starts the program in
// testdata/rich that links them.
func startRich(t *testing.T) *runner {
	t.Helper()
	const file = "testdata/rich/schema.toml"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := text.Parse(file, data)
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	tmp := t.TempDir()
	overlay := map[string]string{}
	add := func(pkg string, f contender.File) {
		copied := filepath.Join(tmp, filepath.Base(filepath.Dir(filepath.Dir(pkg)))+"-"+f.Name)
		if err := os.WriteFile(copied, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
		overlay[filepath.Join(root, pkg, f.Name)] = copied
	}
	model, err := emit.Model(s, "assay/workload/rich")
	if err != nil {
		t.Fatal(err)
	}
	add("workload/rich", contender.File{Name: "model.go", Data: model})
	for _, c := range family {
		pkg := "contenders/" + c.Dir() + "/gen/rich"
		for _, f := range generate(t, c, s, "assay/"+pkg) {
			add(pkg, f)
		}
	}
	list, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		t.Fatal(err)
	}
	listed := filepath.Join(tmp, "overlay.json")
	if err := os.WriteFile(listed, list, 0o666); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(tmp, "rich.exe")
	goCommand(t, nil, "build", "-overlay", listed, "-o", program, "./testdata/rich")

	cmd := exec.Command(program)
	cmd.Stderr = os.Stderr
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
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("the runner: %v", err)
		}
	})
	return &runner{json.NewEncoder(in), bufio.NewReader(out)}
}

// generate returns the package of a contender, the plugins' files included.
func generate(t *testing.T, c *contender.Contender, s *schema.Schema, pkg string) []contender.File {
	t.Helper()
	out, err := c.Emit(contender.Request{Schema: s, Package: pkg, Model: "assay/workload/" + s.Name, Contender: c.Name})
	if err != nil {
		t.Fatal(err)
	}
	files := out.Files
	for _, p := range out.Plugins {
		added, err := protoc.Files(goCommand(t, p.Request, "run", p.Tool))
		if err != nil {
			t.Fatalf("%s: %v", p.Tool, err)
		}
		files = append(files, added...)
	}
	return files
}

func goCommand(t *testing.T, stdin []byte, args ...string) []byte {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Env = append(cmd.Environ(), "CGO_ENABLED=0")
	cmd.Stdin = bytes.NewReader(stdin)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", args[0], err, stderr.Bytes())
	}
	return out
}

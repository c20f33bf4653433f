//go:build generated

package contenders_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/bench"
	"assay/contender"
	"assay/contender/contendertest"
	idl "assay/contender/emit/capnp"
	"assay/contender/protoc"
	programs "assay/internal/oracle"
	"assay/result"
	"assay/schema"
	"assay/workload"
	"assay/workload/builtin"
	"assay/workload/probes"
)

// An oracle is the exact number of bytes that a value takes. It was measured with the published
// program or computed from the published values, never with the code under test.
type oracle struct {
	size       string
	contenders string // separated by spaces
	// bytes is the number of bytes of every input in every mode except the streams.
	bytes int
	// published is the number of the published data if it differs. Why accounts for every byte
	// of the difference.
	published int
	why       string
	// or is a second correct number.
	or int
	// first says that the number applies only to the first input.
	first bool
	// -short leaves out long rows.
	long bool
}

// family are the contenders that write identical protobuf bytes.
const family = "protobuf protobuf-opaque protobuf-go-lite vtprotobuf gogo/protobuf easyproto"

// stdJSON are the contenders that write as many bytes of JSON as encoding/json in every mode.
const stdJSON = "encoding/json goccy/go-json sonic"

// Reasons for differences from the published numbers.
const (
	base64Text = "bytes are base64 in XML, 12 characters for the 7 that encoding/xml alone writes as text: 5 more for each Big"
	listRoot   = "published with the root element list, here it has the message's name"
	// Checked by writing the language at the place of the published program, which gives both
	// published numbers. The inputs after the first sort their keys in another order, which
	// moves the padding too.
	languageLast = "the published program writes the string of the language with the names, before the lists; here it is written with the table that it belongs to, after them. All of the difference is padding before float64s, which comes and goes by 8 bytes"
	gobChain     = "the 29 bytes are in the names of types and fields, which gob sends once: they are as many with 5,000 transactions as with 30,000, so every transaction takes the same. The names of the struct that was measured are not recorded; here they are TransactionList, Transaction, and those of the schema"
	gobNames     = "gob sends the names of types: published is an unnamed slice, whose name takes no bytes, here a named one, whose name takes its length and two bytes"
)

// oracles are the known sizes by workload.
var oracles = map[string][]oracle{
	"movie": {
		{size: "record=one", contenders: stdJSON, bytes: 108},
		{size: "record=one", contenders: "encoding/xml", bytes: 150},
		{size: "record=one", contenders: family, bytes: 65},
		// Four strings of 57 bytes in total. mus and Avro add their lengths. Thrift's compact
		// protocol also adds a byte of type and number for each, and one byte at the end. Its
		// binary protocol adds three bytes for each and lengths of four bytes.
		{size: "record=one", contenders: "mus hamba/avro twmb/avro", bytes: 57 + 4*1},
		{size: "record=one", contenders: "thrift-compact", bytes: 57 + 4*(1+1) + 1},
		{size: "record=one", contenders: "thrift-binary", bytes: 57 + 4*(3+4) + 1},
	},
	"tick": {
		{size: "payload=published", contenders: family, bytes: 559},
		{size: "payload=published", contenders: stdJSON, bytes: 956},
		// The library writes a space after each of 206 commas or after none. A hash of the
		// program's file decides, so this test cannot know which.
		{size: "payload=published", contenders: "protojson", bytes: 1158, or: 1364},
	},
	"customer": {
		{size: "level=1", contenders: stdJSON, bytes: 371},
		{size: "level=2", contenders: stdJSON, bytes: 17_385},
		{size: "level=3", contenders: stdJSON, bytes: 2_502_847, long: true},
		{size: "level=1", contenders: family, bytes: 144},
		{size: "level=2", contenders: family, bytes: 9_099},
		{size: "level=3", contenders: family, bytes: 1_402_561, long: true},
		{size: "level=1", contenders: "flatbuffers", bytes: 296},
		{size: "level=2", contenders: "flatbuffers", bytes: 13_720 - 6*8, published: 13_720, why: languageLast, first: true},
		{size: "level=3", contenders: "flatbuffers", bytes: 2_039_848 - 196*8, published: 2_039_848, why: languageLast, first: true, long: true},
	},
	"sizes": {
		{size: "shape=single,struct=tiny", contenders: "encoding/gob", bytes: 56},
		{size: "shape=single,struct=medium", contenders: "encoding/gob", bytes: 228},
		{size: "shape=single,struct=big", contenders: "encoding/gob", bytes: 534},
		{size: "shape=single,struct=huge", contenders: "encoding/gob", bytes: 269_597, published: 269_601, long: true,
			why: "gob sends the names of a struct's slice types with their package: []sizes.Big and []*sizes.Big here; the published package's name has 7 letters instead of 5"},
		{size: "shape=slice,struct=tiny", contenders: "encoding/gob", bytes: 131, published: 120, why: gobNames + ": TinySlice, 9+2"},
		{size: "shape=slice,struct=medium", contenders: "encoding/gob", bytes: 736, published: 723, why: gobNames + ": MediumSlice, 11+2"},
		{size: "shape=slice,struct=big", contenders: "encoding/gob", bytes: 10_116, published: 10_121,
			why: gobNames + ": BigSlice, 8+2; but the published process had sent []Big before as a field of Huge, and gob keeps the name that it gave it there, 13 letters and two bytes"},

		{size: "shape=single,struct=tiny", contenders: stdJSON, bytes: 34},
		{size: "shape=single,struct=medium", contenders: stdJSON, bytes: 175},
		{size: "shape=single,struct=big", contenders: stdJSON, bytes: 644},
		{size: "shape=single,struct=huge", contenders: stdJSON, bytes: 890_172, long: true},
		{size: "shape=slice,struct=tiny", contenders: stdJSON, bytes: 176},
		{size: "shape=slice,struct=medium", contenders: stdJSON, bytes: 1_761},
		{size: "shape=slice,struct=big", contenders: stdJSON, bytes: 32_251},

		{size: "shape=single,struct=tiny", contenders: "encoding/xml", bytes: 61},
		{size: "shape=single,struct=medium", contenders: "encoding/xml", bytes: 273},
		{size: "shape=single,struct=big", contenders: "encoding/xml", bytes: 922 + 5, published: 922, why: base64Text},
		{size: "shape=single,struct=huge", contenders: "encoding/xml", bytes: 1_307_253 + 5*(50+50+256+1024), published: 1_307_253, why: base64Text, long: true},
		{size: "shape=slice,struct=tiny", contenders: "encoding/xml", bytes: 318 + 2*(len("TinySlice")-len("list")), published: 318, why: listRoot},
		{size: "shape=slice,struct=medium", contenders: "encoding/xml", bytes: 2_703 + 2*(len("MediumSlice")-len("list")), published: 2_703, why: listRoot},
		{size: "shape=slice,struct=big", contenders: "encoding/xml", bytes: 46_213 + 2*(len("BigSlice")-len("list")) + 5*50, published: 46_213, why: listRoot + "; and " + base64Text},

		{size: "shape=single,struct=tiny", contenders: "yaml.v3", bytes: 29},
		{size: "shape=single,struct=medium", contenders: "yaml.v3", bytes: 164},
		{size: "shape=single,struct=big", contenders: "yaml.v3", bytes: 720},
		{size: "shape=single,struct=huge", contenders: "yaml.v3", bytes: 1_214_459, long: true},
		{size: "shape=slice,struct=tiny", contenders: "yaml.v3", bytes: 165},
		{size: "shape=slice,struct=medium", contenders: "yaml.v3", bytes: 1_760},
		{size: "shape=slice,struct=big", contenders: "yaml.v3", bytes: 37_000},
	},
	"chain": {
		{size: "txs=1", contenders: family, bytes: 1_131},
		{size: "txs=2", contenders: family, bytes: 2_264},
		{size: "txs=5000", contenders: family, bytes: 5_669_870, long: true},
		{size: "txs=30000", contenders: family, bytes: 34_033_486, long: true},
		{size: "blocks=1,txs=5000", contenders: family, bytes: 5_670_148, long: true},
		{size: "blocks=1,txs=30000", contenders: family, bytes: 34_033_765, long: true},
		{size: "blocks=10,txs=5000", contenders: family, bytes: 56_701_480, published: 56_701_472, long: true,
			why: "the published nonces of blocks are any 64 bits, and those below 1<<63 take nine bytes as a varint; here all take ten. Nothing else in a block varies in length"},
		{size: "txs=5000", contenders: "encoding/gob", bytes: 5_669_722, published: 5_669_693, why: gobChain, long: true},
		{size: "txs=30000", contenders: "encoding/gob", bytes: 34_019_723, published: 34_019_694, why: gobChain, long: true},
	},
}

// streams are the known sizes of a message in a stream that has already sent the types. They
// apply to the modes with session=stream.
var streams = map[string][]oracle{
	"sizes": {
		{size: "shape=single,struct=tiny", contenders: "encoding/gob", bytes: 15},
		{size: "shape=single,struct=medium", contenders: "encoding/gob", bytes: 56},
		{size: "shape=single,struct=big", contenders: "encoding/gob", bytes: 199},
		{size: "shape=single,struct=huge", contenders: "encoding/gob", bytes: 269_119, long: true},
		{size: "shape=slice,struct=tiny", contenders: "encoding/gob", bytes: 65},
		{size: "shape=slice,struct=medium", contenders: "encoding/gob", bytes: 537},
		{size: "shape=slice,struct=big", contenders: "encoding/gob", bytes: 9_757},
	},
}

func isStream(mode string) bool { return slices.Contains(strings.Split(mode, ","), "session=stream") }

func isNoStream(mode string) bool { return !isStream(mode) }

// TestSizes compares the sizes of every contender's messages with the known sizes.
func TestSizes(t *testing.T) {
	for _, w := range builtin.All() {
		for _, o := range oracles[w.Name] {
			o.test(t, w, isNoStream)
		}
		for _, o := range streams[w.Name] {
			o.test(t, w, isStream)
		}
	}
}

func (o oracle) String() string {
	text := strconv.Itoa(o.bytes)
	if o.or != 0 {
		text += " or " + strconv.Itoa(o.or)
	}
	if o.published != 0 {
		text += fmt.Sprintf(", published as %d: %s", o.published, o.why)
	}
	return text
}

func (o oracle) test(t *testing.T, w *workload.Workload, modes func(string) bool) {
	if (o.published == 0) != (o.why == "") || o.published == o.bytes {
		t.Errorf("%s %s: the published number and the reason for another go together", w.Name, o.size)
	}
	for _, name := range strings.Fields(o.contenders) {
		t.Run(name+"/"+w.Name+"/"+o.size, func(t *testing.T) {
			if o.long && testing.Short() {
				t.Skip("takes long")
			}
			if name == "encoding/gob" && !alone(t) {
				return
			}
			got := sizes(t, w, o.size, name, modes, o.first)
			if len(got) == 0 {
				t.Fatal("no mode writes it")
			}
			for what, n := range got {
				if strings.Contains(what, "order=any") {
					continue // the order of entries changes the padding
				}
				if n != o.bytes && n != o.or {
					t.Errorf("%s takes %d bytes, want %s", what, n, o)
				}
			}
		})
	}
}

// alone runs the test again in a separate process and reports false. In that process it reports
// true. Gob numbers types in the order in which a process first meets them, and numbers from
// 128 on take one more byte, so the sizes depend on what was encoded before.
func alone(t *testing.T) bool {
	t.Helper()
	const env = "ASSAY_TEST_ALONE"
	if os.Getenv(env) != "" {
		return true
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+strings.ReplaceAll(t.Name(), "/", "$/^")+"$")
	cmd.Env = append(os.Environ(), env+"=1")
	out, err := cmd.CombinedOutput()
	if err != nil || bytes.Contains(out, []byte("no tests to run")) {
		t.Errorf("alone: %v\n%s", err, out)
	}
	return false
}

// sizes returns the number of bytes of a size's inputs in those of the contender's modes that
// modes selects. It measures only the first input if firstOnly is set, or if more would take
// much memory.
func sizes(t *testing.T, w *workload.Workload, key, name string, modes func(string) bool, firstOnly bool) map[string]int {
	t.Helper()
	size, err := w.Size(key)
	if err != nil {
		t.Fatal(err)
	}
	inputs := 3
	if firstOnly || size.Bytes > 10<<20 {
		inputs = 1
	}
	values, err := w.Generate(size, 1, inputs)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	for _, b := range bindings {
		if b.Contender != name || b.Workload != w.Name || b.Root != size.Root || !modes(b.Mode) || !slices.Contains(b.Ops, result.Encode) {
			continue
		}
		for i, data := range encodings(t, b, values, inputs) {
			got[fmt.Sprintf("input %d in mode %q", i, b.Mode)] = len(data)
		}
	}
	return got
}

// encodings returns the bytes of n values in one mode.
func encodings(t *testing.T, b bench.Binding, values any, n int) [][]byte {
	t.Helper()
	codec, err := b.New(values)
	if err != nil {
		t.Fatal(err)
	}
	codec.Seek(0)
	out := make([][]byte, n)
	for i := range out {
		sum, err := codec.Encode(1)
		if err != nil {
			t.Fatal(err)
		}
		out[i] = bytes.Clone(codec.Encoded())
		if sum != uint64(len(out[i])) {
			t.Fatalf("encode says %d bytes and returns %d", sum, len(out[i]))
		}
	}
	return out
}

// A judge is a program of another implementation of a format. It knows only the bytes and the
// schema that users see.
type judge struct {
	program, format string
	// inexact are the kinds that the program shows with fewer digits than they have. Workloads
	// with these kinds are left out.
	inexact []schema.Kind
	// through makes the program convert a message into text, and the text into a new message.
	through func(s script, x exhibit) []byte
}

// judges are all judges. Debian has the programs in the packages protobuf-compiler, capnproto
// and flatbuffers-compiler.
var judges = []judge{
	{program: "protoc", format: "protobuf", through: throughProtoc},
	{program: "capnp", format: "capnp", through: throughCapnp},
	{program: "flatc", format: "flatbuffers", through: throughFlatc, inexact: []schema.Kind{schema.Float32, schema.Float64}},
}

// An exhibit is a message that a contender wrote in a mode.
type exhibit struct {
	*workload.Workload
	root, mode string
	message    []byte
}

// A script runs a program in a separate directory.
type script struct {
	*testing.T
	program, dir string
}

// script returns a new script. It skips the test if the program is missing.
func (j judge) script(t *testing.T) script {
	t.Helper()
	return script{t, programs.Path(t, j.program), t.TempDir()}
}

// run returns the program's standard output for a standard input.
func (s script) run(in []byte, args ...string) []byte {
	s.Helper()
	cmd := exec.Command(s.program, args...)
	cmd.Dir = s.dir
	cmd.Stdin = bytes.NewReader(in)
	var out, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaints
	if err := cmd.Run(); err != nil {
		s.Fatalf("%s %s: %v\n%s%s", s.program, strings.Join(args, " "), err, &out, &complaints)
	}
	return out.Bytes()
}

// write writes a file, and read reads a file and removes it.
func (s script) write(name string, data []byte) {
	s.Helper()
	if err := os.WriteFile(filepath.Join(s.dir, name), data, 0o666); err != nil {
		s.Fatal(err)
	}
}

func (s script) read(name string) []byte {
	s.Helper()
	file := filepath.Join(s.dir, name)
	data, err := os.ReadFile(file)
	if err == nil {
		err = os.Remove(file)
	}
	if err != nil {
		s.Fatal(err)
	}
	return data
}

// throughProtoc fails if a message has unknown fields: protoc shows them by number, and cannot
// read that text.
func throughProtoc(s script, x exhibit) []byte {
	s.Helper()
	s.write("types.proto", protoc.Text(protoc.Options{Schema: x.Schema, Package: "example.com/" + x.Name, ProtoPackage: x.Name}))
	text := s.run(x.message, "--decode="+x.Name+"."+x.root, "types.proto")
	return s.run(text, "--encode="+x.Name+"."+x.root, "types.proto")
}

// throughCapnp uses JSON as the text, because version 0.9.2 cannot read everything that it
// writes in its own text format.
func throughCapnp(s script, x exhibit) []byte {
	s.Helper()
	layout, err := idl.New(x.Schema, "example.com/"+x.Name)
	if err != nil {
		s.Fatal(err)
	}
	s.write("types.capnp", layout.Text())
	module, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", idl.Library).Output()
	if err != nil {
		s.Fatal(err)
	}
	std := "-I" + filepath.Join(strings.TrimSpace(string(module)), "std")
	form := "binary"
	if slices.Contains(strings.Split(x.mode, ","), "packing=packed") {
		form = "packed"
	}
	text := s.run(x.message, "convert", form+":json", std, "types.capnp", x.root)
	return s.run(text, "convert", "json:"+form, std, "types.capnp", x.root)
}

// throughFlatc needs no separate verifier, because flatc verifies what it reads.
func throughFlatc(s script, x exhibit) []byte {
	s.Helper()
	shown, err := contendertest.Generated(filepath.Join("flatbuffers", "gen", x.Name, x.Name+".fbs"))
	if err != nil {
		s.Fatal(err)
	}
	root := x.Name + "." + x.root
	s.write("message.bin", x.message)
	s.run(nil, "--json", "--raw-binary", "--strict-json", "--root-type", root, shown, "--", "message.bin")
	s.read("message.bin")
	s.run(nil, "--binary", "--root-type", root, shown, "message.json")
	return s.read("message.bin")
}

// TestJudges makes every program read what every contender of its format writes, and write it
// anew. The contenders must read the same values from that. The values are quick sizes of every
// workload, and the base event of the probes, which has all kinds.
func TestJudges(t *testing.T) {
	server := contendertest.Serve(t, bench.Program{Workloads: builtin.All(), Bindings: bindings})
	for _, j := range judges {
		t.Run(j.program, func(t *testing.T) {
			s := j.script(t)
			for _, w := range builtin.All() {
				if slices.ContainsFunc(j.inexact, w.Schema.Has) {
					continue
				}
				for _, size := range w.Sizes {
					if size.Quick || size.Key == "probe="+probes.Base {
						server.Load(t, bench.Load{Workload: w.Name, Size: size.Key, Seed: 1, Inputs: 1})
						j.judge(s, server, linked(w), exhibit{Workload: w, root: size.Root})
					}
				}
			}
		})
	}
}

// judge judges the contenders with its format by the loaded values.
func (j judge) judge(s script, server *contendertest.Server, all []*contender.Contender, x exhibit) {
	s.Helper()
	all = slices.DeleteFunc(slices.Clone(all), func(c *contender.Contender) bool { return c.Format != j.format })
	for _, writer := range all {
		for _, mode := range modesFor(writer, x.Schema) {
			if !encodes(writer, mode) || mode != "" && testing.Short() {
				continue
			}
			who := result.Subject{Contender: writer.Name, Mode: mode}
			anew := messages(s.T, server, who)
			for i := range anew {
				x.mode, x.message = mode, anew[i]
				anew[i] = j.through(s, x)
			}
			for _, reader := range all {
				if !decodes(reader, "") || reader != writer && mode != "" {
					continue
				}
				as := result.Subject{Contender: reader.Name}
				if reader == writer && decodes(writer, mode) {
					as.Mode = mode
				}
				got := server.Verify(s.T, bench.Verify{
					Subject: as, Messages: anew,
					Losses: slices.Concat(contendertest.LossesIn(writer, mode), contendertest.Losses(reader)),
				})
				if !got.OK {
					s.Errorf("%s, root %s: %s reads what %s made of the message of %s: %s", x.Name, x.root, as, j.program, who, got.Reason)
				}
			}
		}
	}
}

// encodes and decodes report whether a mode of a contender has the op.
func encodes(c *contender.Contender, mode string) bool { return offers(c, mode, result.Encode) }
func decodes(c *contender.Contender, mode string) bool { return offers(c, mode, result.Decode) }

func offers(c *contender.Contender, mode string, op result.Op) bool {
	if m := c.Mode(mode); m != nil {
		return slices.Contains(m.Ops, op)
	}
	return mode == "" && slices.Contains(c.Ops, op)
}

// messages returns a subject's messages for the loaded values.
func messages(t *testing.T, server *contendertest.Server, who result.Subject) [][]byte {
	t.Helper()
	return server.Do(t, bench.Command{Cmd: "write", Write: &bench.Write{Subject: who, Bytes: 64 << 20}}).Written.Messages
}

// TestProtoc makes protoc itself decode the protobuf bytes with the .proto file that users see.
// The values are small enough to write out the text that protoc prints.
func TestProtoc(t *testing.T) {
	program := programs.Path(t, "protoc")
	for _, test := range []struct{ workload, size, want string }{
		{"movie", "record=one", `id: "12345"
title: "The Movie 2"
description: "Sequel of the legendary The Movie"
director: "Foo Bars"
`},
		{"customer", "level=1", `first_name: "Common First Name"
last_name: "Common Last Name"
age: 999
balance: 9.99948590590125e+22
debt: 450505050.91395193
addresses {
  key: "my Common address # 1"
  value {
    address: "street # 1 NY city"
    latitude: 40.6895541
    longitude: -74.0446034
    active: true
  }
}
preferences {
  dark_mode: true
  language: "en_us"
  notification {
    sms: true
    push: true
    email: true
  }
}
`},
	} {
		w := builtin.All()[slices.IndexFunc(builtin.All(), func(w *workload.Workload) bool { return w.Name == test.workload })]
		size, err := w.Size(test.size)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		file := protoc.Text(protoc.Options{Schema: w.Schema, Package: "example.com/" + w.Name, ProtoPackage: w.Name})
		if err := os.WriteFile(filepath.Join(dir, "types.proto"), file, 0o666); err != nil {
			t.Fatal(err)
		}
		for _, c := range linked(w) {
			if c.Format != "protobuf" || !encodes(c, "") {
				continue
			}
			cmd := exec.Command(program, "--decode="+w.Name+"."+size.Root, "types.proto")
			cmd.Dir = dir
			cmd.Stdin = bytes.NewReader(first(t, w, size, c))
			cmd.Stderr = os.Stderr
			out, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, string(out)); diff != "" {
				t.Errorf("%s of %s as protoc reads it (-want +got):\n%s", w.Name, c.Name, diff)
			}
		}
	}
}

package contenders_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"assay/bench"
	"assay/result"
	"assay/workload"
	"assay/workload/builtin"
)

// An oracle is the exact number of bytes that a value takes. It was measured
// with the published program, or computed from the published values, and not
// with the code under test.
type oracle struct {
	size       string
	contenders string // separated by spaces
	// bytes are what every input takes in every mode but the streams.
	bytes int
	// published is the number of the published data where it is another, and why
	// accounts for every byte between the two.
	published int
	why       string
	// or is a second number that is right.
	or int
	// first says that the number is that of the first input only.
	first bool
	// long rows are left out by -short.
	long bool
}

// family are the contenders that write the same protobuf bytes.
const family = "protobuf vtprotobuf gogo/protobuf"

// Reasons for numbers other than the published ones.
const (
	base64Text = "bytes are base64 in XML, 12 characters for the 7 that encoding/xml alone writes as text: 5 more for each Big"
	listRoot   = "published with the root element list, here it has the message's name"
	// Checked by writing the language where the published program does: then both
	// numbers are the published ones. The inputs after the first sort their keys
	// in another order, which moves the padding too.
	languageLast = "the published program writes the string of the language with the names, before the lists; here it is written with the table that it belongs to, after them. All of the difference is padding before float64s, which comes and goes by 8 bytes"
	gobChain     = "the 29 bytes are in the names of types and fields, which gob sends once: they are as many with 5,000 transactions as with 30,000, so every transaction takes the same. The names of the struct that was measured are not recorded; here they are TransactionList, Transaction, and those of the schema"
	gobNames     = "gob sends the names of types: published is an unnamed slice, whose name takes no bytes, here a named one, whose name takes its length and two bytes"
)

// oracles are the known sizes by workload.
var oracles = map[string][]oracle{
	"movie": {
		{size: "record=one", contenders: "encoding/json", bytes: 108},
		{size: "record=one", contenders: "encoding/xml", bytes: 150},
		{size: "record=one", contenders: family, bytes: 65},
	},
	"tick": {
		{size: "payload=published", contenders: family, bytes: 559},
		{size: "payload=published", contenders: "encoding/json", bytes: 956},
		// The library writes a space after each of 206 commas or after none, by a
		// hash of the program's file, so this program cannot know which.
		{size: "payload=published", contenders: "protojson", bytes: 1158, or: 1364},
	},
	"customer": {
		{size: "level=1", contenders: "encoding/json", bytes: 371},
		{size: "level=2", contenders: "encoding/json", bytes: 17_385},
		{size: "level=3", contenders: "encoding/json", bytes: 2_502_847, long: true},
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

		{size: "shape=single,struct=tiny", contenders: "encoding/json", bytes: 34},
		{size: "shape=single,struct=medium", contenders: "encoding/json", bytes: 175},
		{size: "shape=single,struct=big", contenders: "encoding/json", bytes: 644},
		{size: "shape=single,struct=huge", contenders: "encoding/json", bytes: 890_172, long: true},
		{size: "shape=slice,struct=tiny", contenders: "encoding/json", bytes: 176},
		{size: "shape=slice,struct=medium", contenders: "encoding/json", bytes: 1_761},
		{size: "shape=slice,struct=big", contenders: "encoding/json", bytes: 32_251},

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

// streams are the known sizes of a message in a stream that has sent the types
// already, in the modes that are streams.
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

// TestSizes holds what every contender writes against the known sizes.
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
				if n != o.bytes && n != o.or {
					t.Errorf("%s takes %d bytes, want %s", what, n, o)
				}
			}
		})
	}
}

// alone runs the test again in a process of its own and reports false, or true
// when this is that process. Gob numbers types in the order in which a process
// first meets them, and numbers from 128 on take a byte more: its sizes
// depend on what was encoded before.
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

// sizes returns how many bytes the inputs of a size take in the contender's
// modes that are asked for. Inputs after the first are left out when that is
// asked for, or when they would take much memory.
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

package rich

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	flatbuffers "github.com/google/flatbuffers/go"

	"assay/bench"
	"assay/contenders/flatbuffers/testdata/rich/model"
	"assay/internal/oracle"
	"assay/result"
	"assay/workload"
)

// A filler sets values at random. Lists and maps become nil, empty or filled, and pointers
// become nil or point to a zero value or to a random one.
type filler struct {
	r *rand.Rand
	// tame restricts values to those that survive flatc's JSON: UTF-8 text, and numbers with
	// few digits.
	tame bool
}

func (f filler) fill(v reflect.Value, depth int) {
	r := f.r
	switch v.Kind() {
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(f.time()))
			return
		}
		for i := range v.NumField() {
			f.fill(v.Field(i), depth)
		}
		if v.Type() == reflect.TypeFor[model.Shape]() {
			one(v, r.IntN(v.NumField()), r.IntN(4) == 0)
		}
	case reflect.Pointer:
		if r.IntN(3) == 0 || depth <= 0 {
			return
		}
		v.Set(reflect.New(v.Type().Elem()))
		if r.IntN(3) > 0 {
			f.fill(v.Elem(), depth-1)
		}
		if b, ok := v.Interface().(*[]byte); ok && *b == nil { // the documented exception
			*b = []byte{}
		}
		if s, ok := v.Interface().(*model.Shape); ok && *s == (model.Shape{}) { // the other exception
			s.Circle = new(model.Circle)
		}
	case reflect.Slice:
		if n := f.size(depth); n >= 0 {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
			for i := range n {
				f.elem(v.Index(i), depth)
			}
		}
	case reflect.Map:
		if n := f.size(depth); n >= 0 {
			v.Set(reflect.MakeMap(v.Type()))
			for range n {
				key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
				f.fill(key, depth)
				f.elem(value, depth)
				v.SetMapIndex(key, value)
			}
		}
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Int32, reflect.Int64:
		v.SetInt(int64(r.Uint64()) >> (r.IntN(64-v.Type().Bits()+1) + 64 - v.Type().Bits()))
		if v.Type() == reflect.TypeFor[model.Color]() {
			v.SetInt([]int64{0, 7, -3}[r.IntN(3)])
		}
	case reflect.Uint8, reflect.Uint32, reflect.Uint64:
		v.SetUint(r.Uint64() >> (64 - v.Type().Bits()))
	case reflect.Float32, reflect.Float64:
		x := float64(r.IntN(4000)-2000) / 4
		if !f.tame && r.IntN(2) == 0 {
			x = []float64{math.NaN(), math.Inf(1), math.MaxFloat32, math.SmallestNonzeroFloat32}[r.IntN(4)]
		}
		v.SetFloat(x)
	case reflect.String:
		v.SetString(f.text())
	default:
		panic(v.Type())
	}
}

// one keeps only the chosen variant of a union, or none if none is set.
func one(v reflect.Value, chosen int, none bool) {
	for i := range v.NumField() {
		switch f := v.Field(i); {
		case i != chosen || none:
			f.SetZero()
		case f.IsNil():
			f.Set(reflect.New(f.Type().Elem()))
		}
	}
}

// elem fills an element. A pointer that is an element is never nil.
func (f filler) elem(v reflect.Value, depth int) {
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	f.fill(v, depth-1)
}

func (f filler) size(depth int) int {
	if depth <= 0 {
		return f.r.IntN(2) - 1
	}
	return []int{-1, 0, 1, 3}[f.r.IntN(4)]
}

func (f filler) text() string {
	all := []string{"", "a", "no", "\u00e9\u4e16", strings.Repeat("long ", 20), strconv.Itoa(f.r.IntN(1e6))}
	if !f.tame {
		all = append(all, "\xff\xfe", "\x00nul", "a\x00")
	}
	return all[f.r.IntN(len(all))]
}

func (f filler) time() time.Time {
	if f.r.IntN(5) == 0 {
		return time.Time{}
	}
	return time.Unix(f.r.Int64N(1<<38)-1<<37, f.r.Int64N(1e9)).UTC()
}

func values[T any](seed uint64, n int, tame bool) []T {
	out := make([]T, n)
	for i := range out {
		filler{workload.Rand(seed, i), tame}.fill(reflect.ValueOf(&out[i]).Elem(), 4)
	}
	return out
}

func rich(seed uint64, tame bool) *model.Rich { return &values[model.Rich](seed, 1, tame)[0] }

func encode(v *model.Rich) []byte {
	p := packer{b: flatbuffers.NewBuilder(0)}
	p.b.Finish(packRich(&p, v))
	return p.b.FinishedBytes()
}

// decode unpacks data. A panic of the library or of the generated code on damaged input becomes
// an error.
func decode(data []byte) (v *model.Rich, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	v = new(model.Rich)
	u := newUnpacker(data)
	unpackRich(&u, v, GetRootAsRich(data, 0))
	return v, nil
}

// TestVerify runs the bindings as a runner does, with values of every root.
func TestVerify(t *testing.T) {
	w := &workload.Workload{
		Name: "rich", Schema: model.Schema,
		Sizes: []workload.Size{{Key: "root=Rich", Root: "Rich", Bytes: 1}, {Key: "root=Rows", Root: "Rows", Bytes: 1}, {Key: "root=Index", Root: "Index", Bytes: 1}, {Key: "root=Shape", Root: "Shape", Bytes: 1}},
		Generate: func(s workload.Size, seed uint64, n int) (any, error) {
			switch s.Root {
			case "Rich":
				return values[model.Rich](seed, n, false), nil
			case "Rows":
				return values[model.Rows](seed, n, false), nil
			case "Shape":
				return values[model.Shape](seed, n, false), nil
			}
			return values[model.Index](seed, n, false), nil
		},
	}
	var in, out bytes.Buffer
	enc := json.NewEncoder(&in)
	for _, size := range w.Sizes {
		if err := enc.Encode(bench.Command{Cmd: "load", Load: &bench.Load{Workload: "rich", Size: size.Key, Seed: 1, Inputs: 200}}); err != nil {
			t.Fatal(err)
		}
		for _, mode := range []string{"", "output=reuse"} {
			who := result.Subject{Contender: "flatbuffers", Mode: mode}
			if err := enc.Encode(bench.Command{Cmd: "verify", Verify: &bench.Verify{Subject: who}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := bench.Serve(bench.Program{Workloads: []*workload.Workload{w}, Bindings: Bindings}, &in, &out); err != nil {
		t.Fatal(err)
	}
	verified := 0
	for dec := json.NewDecoder(&out); dec.More(); {
		var a bench.Answer
		if err := dec.Decode(&a); err != nil {
			t.Fatal(err)
		}
		if a.Error != "" || a.Verified != nil && !a.Verified.OK {
			t.Errorf("%s %+v", a.Error, a.Verified)
		}
		if a.Verified != nil {
			verified++
		}
	}
	if verified != 8 {
		t.Errorf("%d verifications, want 8", verified)
	}
}

func TestNegativeZero(t *testing.T) {
	zero, neg := new(model.Rich), math.Copysign(0, -1)
	zero.AFloat64, zero.OptFloat64, zero.Float64S = neg, &neg, []float64{neg}
	got, err := decode(encode(zero))
	if err != nil {
		t.Fatal(err)
	}
	// A default is not written, and -0 equals 0. In other positions -0 survives.
	if math.Signbit(got.AFloat64) || !math.Signbit(*got.OptFloat64) || !math.Signbit(got.Float64S[0]) {
		t.Errorf("got %v %v %v", got.AFloat64, *got.OptFloat64, got.Float64S)
	}
}

func TestLookupByKey(t *testing.T) {
	v := new(model.Rich)
	v.ByString = map[string]bool{}
	v.ByInt64 = map[int64][]byte{}
	for i := range 100 {
		v.ByString[strconv.Itoa(i*7919%1000)] = i%2 == 0
		v.ByInt64[int64(i)*7919%1000-500] = []byte{byte(i)}
	}
	v.ByString[""] = true
	got := GetRootAsRich(encode(v), 0)
	var e RichByStringEntry
	for k, want := range v.ByString {
		if !got.ByStringByKey(&e, k) || e.Value() != want {
			t.Errorf("key %q was not found", k)
		}
	}
	var f RichByInt64Entry
	for k, want := range v.ByInt64 {
		if !got.ByInt64ByKey(&f, k) || !bytes.Equal(f.ValueBytes(), want) {
			t.Errorf("key %d was not found", k)
		}
	}
	if got.ByStringByKey(&e, "no such key") || got.ByInt64ByKey(&f, 12345) || got.ColorsByByKey(new(RichColorsByEntry), "") {
		t.Error("found a key that is not there")
	}
}

// TestHostile reads damaged buffers. The library's only defence is a panic if an offset leads
// out of the buffer. The test checks that reading ends and that it does not allocate out of
// proportion.
func TestHostile(t *testing.T) {
	good := encode(rich(5, false))
	try := func(what string, data []byte) (panicked bool) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := decode(data)
		runtime.ReadMemStats(&after)
		// One byte of a vector may become a struct of the model, and may be read maxReads
		// times.
		if spent, limit := after.TotalAlloc-before.TotalAlloc, uint64(1<<20+len(data)*maxReads*64); spent > limit {
			t.Errorf("%s: %d bytes of input allocated %d", what, len(data), spent)
		}
		return err != nil
	}
	panics := 0
	for n := range good {
		if try(fmt.Sprintf("cut to %d", n), good[:n:n]) {
			panics++
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	words := []uint32{0, 1, 4, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffff0}
	for i := range 5000 {
		data := bytes.Clone(good)
		for range 1 + r.IntN(3) {
			switch at := r.IntN(len(data) - 4); r.IntN(3) {
			case 0:
				data[at] ^= 1 << r.IntN(8)
			case 1:
				binary.LittleEndian.PutUint32(data[at:], words[r.IntN(len(words))])
			case 2:
				binary.LittleEndian.PutUint32(data[at&^3:], -uint32(r.IntN(len(data))))
			}
		}
		if try(fmt.Sprintf("change %d", i), data) {
			panics++
		}
	}
	if panics == 0 {
		t.Error("no damage was noticed: the test damages nothing")
	}
}

// vectorOf returns the position of the length of the vector in a field of the root table.
func vectorOf(data []byte, vtableOffset flatbuffers.VOffsetT) flatbuffers.UOffsetT {
	root := GetRootAsRich(data, 0).Table()
	return root.Vector(flatbuffers.UOffsetT(root.Offset(vtableOffset))) - 4
}

// field returns the vtable offset of the field with that number.
func field(number int) flatbuffers.VOffsetT { return flatbuffers.VOffsetT(2 + 2*number) }

func TestAttacks(t *testing.T) {
	fails := func(t *testing.T, data []byte, want string) {
		t.Helper()
		if _, err := decode(data); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one that holds %q", err, want)
		}
	}
	t.Run("length", func(t *testing.T) {
		data := encode(&model.Rich{Int64S: []int64{1}})
		flatbuffers.WriteUint32(data[vectorOf(data, field(43)):], math.MaxUint32)
		fails(t, data, "longer than the buffer")
	})
	t.Run("sharing", func(t *testing.T) {
		// Every element of a vector is the same long string.
		p := packer{b: flatbuffers.NewBuilder(0)}
		s := p.b.CreateString(strings.Repeat("x", 1000))
		for range 1000 {
			p.offsets = append(p.offsets, s)
		}
		strs := p.vector(0)
		RichStart(p.b)
		RichAddStrings(p.b, strs)
		p.b.Finish(RichEnd(p.b))
		fails(t, p.b.FinishedBytes(), "shared too often")
	})
	t.Run("cycle", func(t *testing.T) {
		// A leaf is its own next leaf: the offset wraps around.
		data := encode(&model.Rich{ALeaf: model.Leaf{Next: &model.Leaf{}}, SomeBytes: make([]byte, 1<<20)})
		leaf := GetRootAsRich(data, 0).ALeaf(nil).Table()
		at := leaf.Pos + flatbuffers.UOffsetT(leaf.Offset(4+2*10))
		flatbuffers.WriteUint32(data[at:], uint32(leaf.Pos-at))
		fails(t, data, "too deeply")
		fails(t, append(data[:at:at], data[at:at+4]...), "") // and when cut
	})
	t.Run("depth", func(t *testing.T) {
		v := new(model.Leaf)
		for range maxDepth - 2 {
			v = &model.Leaf{Next: v}
		}
		if _, err := decode(encode(&model.Rich{ALeaf: *v})); err != nil {
			t.Errorf("depth within the limit: %v", err)
		}
		fails(t, encode(&model.Rich{ALeaf: model.Leaf{Next: &model.Leaf{Next: v}}}), "too deeply")
	})
}

// FuzzUnpack checks that every unpacked value packs and unpacks to an equal value.
func FuzzUnpack(f *testing.F) {
	for seed := range uint64(4) {
		f.Add(encode(rich(seed, false)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := decode(data)
		if err != nil {
			t.Skip()
		}
		again, err := decode(encode(v))
		if err != nil {
			t.Fatal(err)
		}
		if diff, _ := workload.Diff(v, again, map[string]bool{"neg-zero": true}); diff != "" {
			t.Error(diff)
		}
	})
}

// TestFlatc makes flatc convert our bytes into JSON and the JSON into new bytes, which must
// unpack to the original value.
func TestFlatc(t *testing.T) {
	flatc := oracle.Path(t, "flatc")
	schema, err := filepath.Abs("rich.fbs")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	run := func(args ...string) {
		t.Helper()
		cmd := exec.Command(flatc, args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("flatc %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	run("--go", schema)
	run("--binary", "--schema", schema)
	for seed := range uint64(20) {
		v := rich(seed, true)
		ours, text := filepath.Join(dir, "value.bin"), filepath.Join(dir, "value.json")
		if err := os.WriteFile(ours, encode(v), 0o666); err != nil {
			t.Fatal(err)
		}
		run("--json", "--raw-binary", "--strict-json", schema, "--", ours)
		data, err := os.ReadFile(text)
		if err != nil {
			t.Fatal(err)
		}
		shown(t, data, v)
		if err := os.Remove(ours); err != nil {
			t.Fatal(err)
		}
		run("--binary", schema, text)
		theirs, err := os.ReadFile(ours)
		if err != nil {
			t.Fatal(err)
		}
		got, err := decode(theirs)
		if err != nil {
			t.Fatal(err)
		}
		if diff, _ := workload.Diff(v, got, nil); diff != "" {
			t.Errorf("seed %d: %s", seed, diff)
		}
		if sum := scanRich(GetRootAsRich(theirs, 0)); sum != v.LeafSum() {
			t.Errorf("seed %d: scanning flatc's bytes gives %d, want %d", seed, sum, v.LeafSum())
		}
	}
}

// shown checks parts of the JSON that flatc writes for a value.
func shown(t *testing.T, data []byte, v *model.Rich) {
	t.Helper()
	var got struct {
		AnInt64 int64            `json:"an_int64"`
		ATime   map[string]int64 `json:"a_time"`
		Strings []string         `json:"strings"`
		OptBool *bool            `json:"opt_bool"`
		ByInt32 []struct {
			Key   int32  `json:"key"`
			Value string `json:"value"`
		} `json:"by_int32"`
	}
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	byInt32 := map[int32]string{}
	for _, e := range got.ByInt32 {
		byInt32[e.Key] = e.Value
	}
	if got.AnInt64 != v.AnInt64 || got.ATime["seconds"] != v.ATime.Unix() || got.ATime["nanos"] != int64(v.ATime.Nanosecond()) ||
		len(got.Strings) != len(v.Strings) || !reflect.DeepEqual(got.OptBool, v.OptBool) || len(byInt32) != len(v.ByInt32) {
		t.Errorf("flatc shows %+v of %+v", got, v)
	}
	for k, want := range v.ByInt32 {
		if byInt32[k] != want {
			t.Errorf("flatc shows %q for key %d, want %q", byInt32[k], k, want)
		}
	}
}

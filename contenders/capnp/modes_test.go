//go:build generated

package capnp_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	capnp "capnproto.org/go/capnp/v3"

	"assay/bench"
	tickgen "assay/contenders/capnp/gen/tick"
	"assay/result"
	"assay/workload/tick"
)

// ticks returns values that differ, with bytes, texts and lists.
func ticks(t *testing.T) []tick.TickData {
	t.Helper()
	size, err := tick.Workload.Size("payload=realistic")
	if err != nil {
		t.Fatal(err)
	}
	values, err := tick.Workload.Generate(size, 1, 2)
	if err != nil {
		t.Fatal(err)
	}
	return values.([]tick.TickData)
}

// codecOf returns a codec of a mode.
func codecOf(t *testing.T, mode string, values ...tick.TickData) *bench.Codec {
	t.Helper()
	i := slices.IndexFunc(tickgen.Bindings, func(b bench.Binding) bool { return b.Mode == mode })
	if i < 0 {
		t.Fatalf("there is no mode %q", mode)
	}
	codec, err := tickgen.Bindings[i].New(values)
	if err != nil {
		t.Fatal(err)
	}
	return codec
}

// marshal returns the message of a value.
func marshal(t *testing.T, v tick.TickData) []byte {
	t.Helper()
	codec := codecOf(t, "", v)
	codec.Seek(0)
	if _, err := codec.Encode(1); err != nil {
		t.Fatal(err)
	}
	return codec.Encoded()
}

// read makes a codec read one message.
func read(codec *bench.Codec, op result.Op, message []byte) (uint64, error) {
	codec.Use([][]byte{message})
	codec.Seek(0)
	switch op {
	case result.Decode:
		return codec.Decode(1)
	case result.Open:
		return codec.Open(1)
	}
	return codec.Scan(1)
}

// inTwo returns a message of one segment as a message of two. The first segment is a far pointer
// to the beginning of the second, which is the whole old one.
func inTwo(message []byte) []byte {
	segment := message[8:]
	out := binary.LittleEndian.AppendUint32(nil, 1) // the number of segments less one
	out = binary.LittleEndian.AppendUint32(out, 1)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(segment)/8))
	out = binary.LittleEndian.AppendUint32(out, 0)
	out = binary.LittleEndian.AppendUint64(out, 1<<32|2)
	return append(out, segment...)
}

// framed returns a message with other numbers in its frame.
func framed(message []byte, last, words uint32) []byte {
	out := slices.Clone(message)
	binary.LittleEndian.PutUint32(out, last)
	binary.LittleEndian.PutUint32(out[4:], words)
	return out
}

// echoes returns a small message of a list whose n texts are the same text of that length.
func echoes(t *testing.T, n int32, length int) []byte {
	t.Helper()
	msg, seg := capnp.NewSingleSegmentMessage(nil)
	root, err := tickgen.NewRootTickData(seg)
	if err != nil {
		t.Fatal(err)
	}
	list, err := root.NewTransactionIds(n)
	if err != nil {
		t.Fatal(err)
	}
	text, err := capnp.NewText(list.Segment(), strings.Repeat("x", length))
	if err != nil {
		t.Fatal(err)
	}
	for i := range int(n) {
		if err := capnp.PointerList(list).Set(i, text.ToPtr()); err != nil {
			t.Fatal(err)
		}
	}
	out, err := msg.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestReuse reads good and damaged messages in turn. With target=reuse, each must give what it
// gives in the default mode, whatever the same Message held before.
func TestReuse(t *testing.T) {
	values := ticks(t)
	one, two := marshal(t, values[0]), marshal(t, values[1])
	words := uint32(len(one)/8 - 1)
	large := values[1]
	large.VarStruct = bytes.Repeat([]byte{'x'}, 40<<20) // the read limit becomes 80 MiB
	messages := []struct {
		name string
		data []byte
		good bool
	}{
		{"one", one, true},
		{"two", two, true},
		{"nothing", nil, false},
		{"half a frame", one[:4], false},
		{"a frame", one[:8], false},
		{"an empty segment", framed(one[:8], 0, 0), false},
		{"one again", one, true},
		{"in two segments", inTwo(two), true},
		{"one after two segments", one, true},
		{"in two segments, cut", inTwo(one)[:len(one)-8], false},
		{"cut", two[:len(two)-8], false},
		{"cut within a word", two[:len(two)-3], false},
		{"a segment that is longer than the data", framed(one, 0, words+1), false},
		{"a segment of 32 GiB", framed(one, 0, 1<<32-1), false},
		{"a segment that is shorter than its content", framed(one, 0, 8), false},
		{"more segments than there are", framed(one, 5, words), false},
		{"as many segments as can be", framed(one, 1<<32-1, words), false},
		{"data behind the segment", append(slices.Clone(two), one...), true},
		{"large", marshal(t, large), true},
		// The default limit of 64 MiB must be back.
		{"echoes", echoes(t, 70, 1<<20-1), false},
		{"two again", two, true},
	}
	reused := codecOf(t, "target=reuse", values...)
	for _, m := range messages {
		for _, op := range []result.Op{result.Open, result.Decode, result.Scan} {
			plain := codecOf(t, "", values...)
			want, wantErr := read(plain, op, m.data)
			got, err := read(reused, op, m.data)
			if fmt.Sprint(err) != fmt.Sprint(wantErr) || got != want {
				t.Errorf("%s of %s: %d, error %v; want %d, error %v", op, m.name, got, err, want, wantErr)
			}
			if op != result.Open && (wantErr == nil) != m.good {
				t.Errorf("%s of %s in the default mode: error %v, want none: %v", op, m.name, wantErr, m.good)
			}
			if op == result.Decode && err == nil && !reflect.DeepEqual(reused.Decoded(), plain.Decoded()) {
				t.Errorf("%s of %s returns another value than the default mode", op, m.name)
			}
		}
	}
}

// TestReuseKeeps checks what target=reuse keeps and what it does not: everything that the last value
// pointed to stays, although its message is gone, and a message is opened without an allocation for it.
func TestReuseKeeps(t *testing.T) {
	values := ticks(t)
	codec := codecOf(t, "target=reuse", values...)
	message := marshal(t, values[0])
	if _, err := read(codec, result.Decode, message); err != nil {
		t.Fatal(err)
	}
	kept := *codec.Decoded().(*tick.TickData)
	clear(message)
	if _, err := read(codec, result.Decode, marshal(t, values[1])); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(kept, values[0]) {
		t.Error("the parts of a decoded value change with its message or with the next one")
	}
	allocs := func(mode string) float64 {
		codec := codecOf(t, mode, values...)
		codec.Use([][]byte{marshal(t, values[0]), marshal(t, values[1])})
		codec.Seek(0)
		return testing.AllocsPerRun(100, func() {
			if _, err := codec.Open(1); err != nil {
				t.Fatal(err)
			}
		})
	}
	if plain, reuse := allocs(""), allocs("target=reuse"); reuse >= plain {
		t.Errorf("open allocates %v times, and %v times in the default mode: nothing is reused", reuse, plain)
	}
}

// TestAlias checks that bytes are left in the message with strings=alias, without room to append
// to them there, and that texts are not.
func TestAlias(t *testing.T) {
	want := ticks(t)[0]
	message := marshal(t, want)
	codec := codecOf(t, "strings=alias", want)
	if _, err := read(codec, result.Decode, message); err != nil {
		t.Fatal(err)
	}
	got := codec.Decoded().(*tick.TickData)
	if !reflect.DeepEqual(*got, want) {
		t.Fatal("another value is decoded")
	}
	if cap(got.VarStruct) != len(got.VarStruct) || cap(got.TimeLock) != len(got.TimeLock) {
		t.Error("an append to decoded bytes would write into the message")
	}
	clear(message)
	if none := make([]byte, 100); !bytes.Equal(got.VarStruct, none) || !bytes.Equal(got.TimeLock, none) {
		t.Error("decoded bytes do not point into the message")
	}
	if got.SignatureHex != want.SignatureHex || !slices.Equal(got.TransactionIds, want.TransactionIds) {
		t.Error("decoded texts point into the message")
	}
}

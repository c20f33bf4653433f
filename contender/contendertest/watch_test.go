package contendertest

import (
	"bytes"
	"testing"
	"time"

	"assay/result"
	"assay/workload"
)

// The watch names an operation that does not end by contender, op and input, and shows its
// stack. It does not report an operation that has ended.
func TestWatch(t *testing.T) {
	w := new(watch)
	w.loaded("texts", workload.Size{Key: "n=1", Bytes: 1 << 20})
	_, bindings := fake(hangs)
	codec, err := w.bindings(bindings)[0].New([]text{{"one"}, {"two"}, {"six"}})
	if err != nil {
		t.Fatal(err)
	}
	codec.Use([][]byte{[]byte("one"), []byte("two"), []byte("is not of three bytes")})
	if n, err := codec.Decode(2); n != 2 || err != nil {
		t.Fatalf("%d operations, %v", n, err)
	}
	if got := codec.Decoded().(*text); got.Text != "two" {
		t.Errorf("decoded %q", got.Text)
	}
	later := time.Now().Add(time.Hour)
	if got := w.late(later); got != "" {
		t.Errorf("nothing is under way: %q", got)
	}
	go codec.Decode(1)
	const want = "fake: decode of input 2 of texts n=1 has not ended after 35.2s"
	for end := time.Now().Add(time.Minute); w.late(later) != want; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("found %q, want %q", w.late(later), want)
		}
	}
	if got := w.late(time.Now()); got != "" {
		t.Errorf("it had no time: %q", got)
	}
	if place := stuck(); !bytes.Contains(place, []byte("/contendertest_test.go:")) || !bytes.Contains(place, []byte("created by assay/contender/contendertest.TestWatch ")) {
		t.Errorf("the place is\n%s", place)
	}
}

func TestInputs(t *testing.T) {
	for want, o := range map[string]operations{
		"input 0":                  {op: result.Encode, count: 1},
		"3 inputs from input 2 on": {op: result.Encode, at: 2, count: 3},
	} {
		if got := o.inputs(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

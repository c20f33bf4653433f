package contendertest

import (
	"bytes"
	"slices"
	"testing"

	"assay/bench"
	"assay/contender"
	"assay/result"
	"assay/workload"
)

// checkOwnership checks that a mode hands over what its name says it does.
// Without output=reuse, encoded bytes outlive the next call; without
// target=reuse, a decoded value does; without strings=alias, it outlives the
// message too.
func checkOwnership(t *testing.T, c *contender.Contender, bindings []bench.Binding, values any) {
	for _, b := range bindings {
		codec := bind(t, b, values)
		if slices.Contains(b.Ops, result.Encode) && !has(b.Mode, "output=reuse") {
			checkOutput(t, b, codec)
		}
		if slices.Contains(b.Ops, result.Decode) {
			codec.Use(messages(t, bindings, b, values))
			checkTarget(t, c, b, codec, values)
			if !has(b.Mode, "strings=alias") {
				own := messages(t, bindings, b, values)
				codec := bind(t, b, values)
				codec.Use(own)
				checkCopied(t, c, b, codec, own[0], values)
			}
		}
	}
}

func checkOutput(t *testing.T, b bench.Binding, codec *bench.Codec) {
	t.Helper()
	codec.Seek(0)
	run(t, b, result.Encode, codec.Encode)
	first := codec.Encoded()
	before := slices.Clone(first)
	run(t, b, result.Encode, codec.Encode)
	if !bytes.Equal(first, before) {
		t.Errorf("mode %q: the next encode overwrites the bytes of the last: it is output=reuse", b.Mode)
	}
}

func checkTarget(t *testing.T, c *contender.Contender, b bench.Binding, codec *bench.Codec, values any) {
	t.Helper()
	codec.Seek(0)
	run(t, b, result.Decode, codec.Decode)
	if has(b.Mode, "target=reuse") {
		return
	}
	first := codec.Decoded()
	run(t, b, result.Decode, codec.Decode)
	if diff := differ(c, model(values, 0), first); diff != "" {
		t.Errorf("mode %q: the next decode changes the value of the last, it is target=reuse: %s", b.Mode, diff)
	}
}

func checkCopied(t *testing.T, c *contender.Contender, b bench.Binding, codec *bench.Codec, message []byte, values any) {
	t.Helper()
	codec.Seek(0)
	run(t, b, result.Decode, codec.Decode)
	for i := range message {
		message[i] = '#'
	}
	if diff := differ(c, model(values, 0), codec.Decoded()); diff != "" {
		t.Errorf("mode %q: the decoded value changes with the message, it is strings=alias: %s", b.Mode, diff)
	}
}

func run(t *testing.T, b bench.Binding, name result.Op, op bench.Op) {
	t.Helper()
	if _, err := op(1); err != nil {
		t.Fatalf("mode %q: %s: %v", b.Mode, name, err)
	}
}

// differ describes the first difference beyond the contender's declared losses.
func differ(c *contender.Contender, want, got any) string {
	forgive := map[string]bool{}
	for _, l := range c.Losses {
		forgive[string(l)] = true
	}
	diff, _ := workload.Diff(want, got, forgive)
	return diff
}

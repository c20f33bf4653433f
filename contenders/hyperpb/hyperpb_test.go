//go:build generated

package hyperpb_test

import (
	"fmt"
	"testing"

	"buf.build/go/hyperpb"
	"google.golang.org/protobuf/proto"

	"assay/bench"
	moviegen "assay/contenders/hyperpb/gen/movie"
	tickgen "assay/contenders/hyperpb/gen/tick"
	"assay/workload/movie"
)

// TestPrivateUse shows a fault that the contender's Text mentions: the library refuses
// characters above U+7FFFF. If this test fails, the library has been corrected, and the Text
// must be corrected too.
func TestPrivateUse(t *testing.T) {
	for _, test := range []struct {
		title   string
		refused bool
	}{
		{"\U0007FFFF", false},
		{"\U00080000", true},
		{"\U0010FFFF", true},
	} {
		values := []movie.Metadata{{Title: test.title}}
		b := moviegen.Bindings[0]
		codec, err := b.New(values)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := codec.Encode(1); err != nil {
			t.Fatal(err)
		}
		for what, op := range map[string]bench.Op{"decode": codec.Decode, "scan": codec.Scan} {
			codec.Use([][]byte{codec.Encoded()})
			if _, err := op(1); (err != nil) != test.refused {
				t.Errorf("%s of %q: error %v, want one: %v", what, test.title, err, test.refused)
			}
		}
	}
}

// TestProfile shows why there is no mode with a profile: a list of strings comes back with
// additional empty strings at the front. If this test fails, the library has been corrected,
// and the contender must get such a mode.
func TestProfile(t *testing.T) {
	sent := &tickgen.TickData{TransactionIds: []string{"one", "two"}}
	data, err := proto.Marshal(sent)
	if err != nil {
		t.Fatal(err)
	}
	plain := hyperpb.CompileMessageDescriptor(sent.ProtoReflect().Descriptor())
	profile, shared := plain.NewProfile(), new(hyperpb.Shared)
	if err := shared.NewMessage(plain).Unmarshal(data, hyperpb.WithRecordProfile(profile, 1)); err != nil {
		t.Fatal(err)
	}
	shared.Free()
	for _, test := range []struct {
		what string
		kind *hyperpb.MessageType
		want string
	}{
		{"as it is", plain, `["one" "two"]`},
		{"with a profile", plain.Recompile(profile), `["" "" "one" "two"]`},
	} {
		m := hyperpb.NewMessage(test.kind)
		if err := m.Unmarshal(data); err != nil {
			t.Fatal(err)
		}
		list := m.Get(m.Descriptor().Fields().ByName("transaction_ids")).List()
		var got []string
		for i := range list.Len() {
			got = append(got, list.Get(i).String())
		}
		if text := fmt.Sprintf("%q", got); text != test.want {
			t.Errorf("%s: the list is %s, want %s", test.what, text, test.want)
		}
	}
}

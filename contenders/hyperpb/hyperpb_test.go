//go:build generated

package hyperpb_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"buf.build/go/hyperpb"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/timestamppb"

	"assay/bench"
	customergen "assay/contenders/hyperpb/gen/customer"
	moviegen "assay/contenders/hyperpb/gen/movie"
	probesgen "assay/contenders/hyperpb/gen/probes"
	"assay/workload/customer"
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

// TestProfile shows why the modes with a profile refuse some schemas: lists of strings and of bytes
// come back with additional empty elements at the front. If this test fails, the library has
// been corrected, and the modes must not refuse these schemas any more.
func TestProfile(t *testing.T) {
	sent := &probesgen.Event{Texts: []string{"one", "two"}, Blobs: [][]byte{[]byte("one"), []byte("two")}}
	data := marshal(t, sent)
	plain := hyperpb.CompileMessageDescriptor(sent.ProtoReflect().Descriptor())
	for _, test := range []struct {
		what string
		kind *hyperpb.MessageType
		want string
	}{
		{"as it is", plain, `["one" "two"]`},
		{"with a profile", recompile(t, plain, data), `["" "" "one" "two"]`},
	} {
		m := hyperpb.NewMessage(test.kind)
		if err := m.Unmarshal(data); err != nil {
			t.Fatal(err)
		}
		for _, field := range []protoreflect.Name{"texts", "blobs"} {
			list := m.Get(m.Descriptor().Fields().ByName(field)).List()
			var got []any
			for i := range list.Len() {
				got = append(got, list.Get(i).Interface())
			}
			if text := fmt.Sprintf("%q", got); text != test.want {
				t.Errorf("%s: the list %s is %s, want %s", test.what, field, text, test.want)
			}
		}
	}
}

// Parsers with a profile read all other kinds of fields rightly, also of messages that are unlike
// those of the profile, and from memory that another message had before.
func TestProfileOfOthers(t *testing.T) {
	sent := []*probesgen.Event{event(0), event(1), event(3), event(300), {
		OptText:  proto.String(""),
		OptLarge: proto.Int64(-1),
		Stamp:    &probesgen.Stamp{Label: "now", At: timestamppb.New(time.Unix(1, 2))},
		Nest:     &probesgen.Nest{Depth: 1, Nest: &probesgen.Nest{Depth: 2, Nest: &probesgen.Nest{}}},
	}}
	data := make([][]byte, len(sent))
	for i := range sent {
		data[i] = marshal(t, sent[i])
	}
	plain := hyperpb.CompileMessageDescriptor(sent[0].ProtoReflect().Descriptor())
	for i := range sent {
		kind := recompile(t, plain, data[i])
		for _, alias := range []bool{false, true} {
			shared := new(hyperpb.Shared)
			for _, k := range []int{0, 1, 3, 2, 3, 4, 1, 0, 4, 2} {
				for what, m := range map[string]*hyperpb.Message{"alone": hyperpb.NewMessage(kind), "with a Shared": shared.NewMessage(kind)} {
					if err := m.Unmarshal(data[k], hyperpb.WithAllowAlias(alias)); err != nil {
						t.Fatalf("message %d %s, with a profile of message %d: %v", k, what, i, err)
					}
					if !proto.Equal(sent[k], m) {
						t.Errorf("message %d %s, with a profile of message %d, alias %v: it comes back changed", k, what, i, alias)
					}
				}
				shared.Free()
			}
		}
	}
}

// event returns an event with n elements in each list and map that a profile reads rightly.
func event(n int) *probesgen.Event {
	e := &probesgen.Event{Small: int32(n), Labels: map[string]string{}, Rates: map[string]float64{}, ByName: map[string]*probesgen.Place{}, ByNumber: map[int64]string{}}
	for i := range n {
		name := fmt.Sprint("number ", i)
		e.Larges = append(e.Larges, int64(i))
		e.Doubles = append(e.Doubles, float64(i)/3)
		e.Colors = append(e.Colors, probesgen.Color(3*(i%2)-2))
		e.Places = append(e.Places, &probesgen.Place{Name: name, Height: int64(i)})
		e.Labels[name] = name
		e.Rates[name] = float64(i)
		e.ByName[name] = &probesgen.Place{Name: name}
		e.ByNumber[int64(i)] = name
	}
	return e
}

func marshal(t *testing.T, m proto.Message) []byte {
	t.Helper()
	data, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// recompile returns a type compiled again with a profile of one message.
func recompile(t *testing.T, kind *hyperpb.MessageType, data []byte) *hyperpb.MessageType {
	t.Helper()
	profile := kind.NewProfile()
	if err := hyperpb.NewMessage(kind).Unmarshal(data, hyperpb.WithRecordProfile(profile, 1)); err != nil {
		t.Fatal(err)
	}
	return kind.Recompile(profile)
}

// A codec with a profile also reads messages that it did not record: those of no input, of other
// inputs, and of inputs that have no message or one that the library refuses.
func TestUnrecorded(t *testing.T) {
	want := customer.Customer{
		FirstName: "Ada",
		Friends:   []*customer.Customer{{FirstName: "Bob"}, {FirstName: "Cid", Age: 7}},
		Addresses: map[string]*customer.Location{"home": {Address: "Street 1"}, "work": {Address: "Street 2", Active: true}},
	}
	writer, err := customergen.Bindings[0].New([]customer.Customer{want})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := writer.Encode(1); err != nil {
		t.Fatal(err)
	}
	message := slices.Clone(writer.Encoded())
	tested := 0
	for _, b := range customergen.Bindings {
		if !strings.Contains(b.Mode, "profile=on") {
			continue
		}
		tested++
		for what, values := range map[string][]customer.Customer{
			"no value":        nil,
			"an empty value":  {{}},
			"no message":      {{FirstName: "\xff"}},
			"refused":         {{FirstName: "\U00080000"}},
			"refused, others": {{FirstName: "\U00080000"}, {FirstName: "Eve"}},
			"the same":        {want},
		} {
			codec, err := b.New(values)
			if err != nil {
				t.Errorf("%s, %s: %v", b.Mode, what, err)
				continue
			}
			codec.Use([][]byte{message})
			for range 3 {
				if _, err := codec.Decode(1); err != nil {
					t.Fatalf("%s, %s: %v", b.Mode, what, err)
				}
				if got := codec.Decoded(); !reflect.DeepEqual(got, &want) {
					t.Errorf("%s, %s: decode returns %+v, want %+v", b.Mode, what, got, want)
				}
			}
		}
	}
	if tested != 2 {
		t.Errorf("%d of 2 modes with a profile were tested", tested)
	}
}

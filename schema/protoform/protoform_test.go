package protoform_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"

	"assay/internal/infer/protofile"
	"assay/schema"
	"assay/schema/protoform"
)

// compiled compiles a .proto file.
func compiled(t *testing.T, text string) *protofile.Result {
	t.Helper()
	name := filepath.Join(t.TempDir(), "x.proto")
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	r, err := protofile.Compile(t.Context(), protofile.Options{Files: []string{name}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// kinds has every kind of field in every place. It leaves out messages that contain themselves,
// because their model types cannot be made at run time.
func kinds(t *testing.T) (*protofile.Result, [][]byte) {
	t.Helper()
	read := func(name string) string {
		data, err := os.ReadFile(filepath.Join("..", "..", "internal", "infer", "protofile", "own", "testdata", "kinds", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	without := func(text string, parts ...string) string {
		for _, p := range parts {
			if !strings.Contains(text, p) {
				t.Fatalf("there is no %q", p)
			}
			text = strings.Replace(text, p, "", 1)
		}
		return text
	}
	file := without(read("kinds.proto"), "  Kinds again = 104;\n", "    repeated Inner inner = 3;\n", "  google.protobuf.Struct extra = 99;\n")
	records := without(read("kinds.ndjson"), `,"again":{"again":{"fFixed32":1}}`, `,"inner":[{},{"x":1}]`, `"extra":{"a":[1,null,{"b":true}]},`)
	return compiled(t, file), bytes.Split([]byte(strings.TrimSpace(records)), []byte("\n"))
}

// model returns the model type of a schema's type.
func model(s *schema.Schema, t schema.Type) reflect.Type {
	plain := map[schema.Kind]reflect.Type{
		schema.Bool: reflect.TypeFor[bool](), schema.Int32: reflect.TypeFor[int32](), schema.Int64: reflect.TypeFor[int64](),
		schema.Uint32: reflect.TypeFor[uint32](), schema.Uint64: reflect.TypeFor[uint64](), schema.Float32: reflect.TypeFor[float32](),
		schema.Float64: reflect.TypeFor[float64](), schema.String: reflect.TypeFor[string](), schema.Bytes: reflect.TypeFor[[]byte](),
		schema.Timestamp: reflect.TypeFor[time.Time](), schema.Duration: reflect.TypeFor[time.Duration](), schema.EnumKind: reflect.TypeFor[int32](),
	}
	var out reflect.Type
	switch t.Kind {
	case schema.List:
		return reflect.SliceOf(model(s, *t.Elem))
	case schema.Map:
		return reflect.MapOf(plain[t.Key], model(s, *t.Elem))
	case schema.MessageKind:
		var fields []reflect.StructField
		for _, f := range s.Message(t.Ref).Fields {
			fields = append(fields, reflect.StructField{Name: schema.GoName(f.Name), Type: model(s, f.Type)})
		}
		out = reflect.StructOf(fields)
	default:
		out = plain[t.Kind]
	}
	if t.Optional {
		return reflect.PointerTo(out)
	}
	return out
}

// TestRoundTrip: converting a message to a model value and back restores it.
func TestRoundTrip(t *testing.T) {
	r, records := kinds(t)
	files, err := protodesc.NewFiles(&descriptorpb.FileDescriptorSet{File: r.Descriptors()})
	if err != nil {
		t.Fatal(err)
	}
	types := dynamicpb.NewTypes(files)
	typ, err := types.FindMessageByName("kinds.v1.Kinds")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := json.Marshal(r.Plan())
	if err != nil {
		t.Fatal(err)
	}
	set, err := proto.Marshal(&descriptorpb.FileDescriptorSet{File: r.Descriptors()})
	if err != nil {
		t.Fatal(err)
	}
	opened, err := protoform.Open(string(plan), r.Schema, typ)
	if err != nil {
		t.Fatal(err)
	}
	bytewise, err := protoform.OpenBytes(string(plan), r.Schema, string(set))
	if err != nil {
		t.Fatal(err)
	}
	root := model(r.Schema, schema.Type{Kind: schema.MessageKind, Ref: r.Root})
	for _, record := range records {
		want := typ.New().Interface()
		if err := (protojson.UnmarshalOptions{Resolver: types}).Unmarshal(record, want); err != nil {
			t.Fatal(err)
		}
		value := reflect.New(root)
		if err := opened.Get(value.Interface(), want.ProtoReflect()); err != nil {
			t.Fatalf("%s: %v", record, err)
		}
		got := typ.New().Interface()
		if err := opened.Set(got.ProtoReflect(), value.Interface()); err != nil {
			t.Fatalf("%s: %v", record, err)
		}
		if !proto.Equal(want, got) {
			t.Errorf("%s (-want +got):\n%s", record, cmp.Diff(want, got, protocmp.Transform()))
		}
		// Decode replaces the earlier content of a value.
		data, err := bytewise.Encode(value.Interface())
		if err != nil {
			t.Fatal(err)
		}
		again := reflect.New(root)
		again.Elem().FieldByName("FString").SetString("before")
		if err := bytewise.Decode(again.Interface(), data); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(value.Elem().Interface(), again.Elem().Interface(), cmp.Comparer(func(a, b float32) bool { return a == b || a != a && b != b })); d != "" {
			t.Errorf("%s by its bytes (-want +got):\n%s", record, d)
		}
	}
}

// TestAppend: Append reports fields that the .proto file does not have, and returns an error
// for values that the schema cannot hold.
func TestAppend(t *testing.T) {
	r := compiled(t, `syntax = "proto3"; message M { E e = 1; M in = 2; string s = 3; } enum E { A = 0; }`)
	form, err := r.Plan().Bind(r.Descriptor(), dynamicpb.NewTypes(nil))
	if err != nil {
		t.Fatal(err)
	}
	m := dynamicpb.NewMessage(r.Descriptor())
	if err := proto.Unmarshal([]byte{0x12, 4, 0x48, 1, 0x50, 2, 0x48, 5}, m); err != nil {
		t.Fatal(err)
	}
	var left []string
	line, err := form.Append(nil, m, func(what string) { left = append(left, what) })
	if want := `{"e":0,"in":{"e":0,"in":null,"s":""},"s":""}`; err != nil || string(line) != want {
		t.Errorf("got %s, %v, want %s", line, err, want)
	}
	if want := []string{"field 9 of M, which the .proto does not have", "field 9 of M, which the .proto does not have", "field 10 of M, which the .proto does not have"}; !reflect.DeepEqual(left, want) {
		t.Errorf("left %q, want %q", left, want)
	}
	if _, err := form.Append(nil, m, nil); err != nil {
		t.Error(err)
	}
	m.Set(r.Descriptor().Fields().ByNumber(1), protoOf(7))
	if _, err := form.Append(nil, m, nil); err == nil || !strings.HasPrefix(err.Error(), "M.e holds 7, a value that its enum does not have") {
		t.Errorf("error %v", err)
	}
}

// TestAppendTimes: timestamps and durations are held to protobuf's rules for their seconds and
// nanoseconds, and durations to the range of a time.Duration.
func TestAppendTimes(t *testing.T) {
	r := compiled(t, `syntax = "proto3"; import "google/protobuf/timestamp.proto"; import "google/protobuf/duration.proto";
		message M { google.protobuf.Timestamp at = 1; google.protobuf.Duration took = 2; }`)
	form, err := r.Plan().Bind(r.Descriptor(), dynamicpb.NewTypes(nil))
	if err != nil {
		t.Fatal(err)
	}
	const at, took = 1, 2
	for _, test := range []struct {
		field          protoreflect.FieldNumber
		seconds, nanos int64
		want           string // the value, or the beginning of an error
	}{
		{took, 0, 500_000_000, "500000000"}, {took, 0, -1, "-1"}, {took, 0, 999_999_999, "999999999"}, {took, -1, -999_999_999, "-1999999999"}, {took, 1, 0, "1000000000"}, {took, -1, 0, "-1000000000"},
		{took, -1, 1, "M.took: -1 seconds and 1 nanoseconds are no"}, {took, 1, -1, "M.took: 1 seconds and -1 nanoseconds are no"}, {took, 0, 1e9, "M.took: 0 seconds"}, {took, 0, -1e9, "M.took: 0 seconds"},
		{took, 9_223_372_035, 999_999_999, "9223372035999999999"}, {took, 9_223_372_037, 0, "M.took: a duration of 9223372037 seconds"}, {took, math.MinInt64, 0, "M.took: a duration of"},
		{at, -62135596800, 0, `"0001-01-01T00:00:00Z"`}, {at, -62135596801, 999_999_999, "M.at: -62135596801 seconds"}, {at, 253402300799, 999_999_999, `"9999-12-31T23:59:59.999999999Z"`}, {at, 253402300800, 0, "M.at: 253402300800 seconds"},
		{at, 0, -1, "M.at: 0 seconds and -1"}, {at, 0, 1e9, "M.at: 0 seconds and 1000000000"},
	} {
		m := dynamicpb.NewMessage(r.Descriptor())
		value := m.Mutable(r.Descriptor().Fields().ByNumber(test.field)).Message()
		parts := value.Descriptor().Fields()
		value.Set(parts.ByNumber(1), protoreflect.ValueOfInt64(test.seconds))
		value.Set(parts.ByNumber(2), protoreflect.ValueOfInt32(int32(test.nanos)))
		line, err := form.Append(nil, m, nil)
		want := fmt.Sprintf(`{"at":null,"took":%s}`, test.want)
		if test.field == at {
			want = fmt.Sprintf(`{"at":%s,"took":null}`, test.want)
		}
		if refused := strings.HasPrefix(test.want, "M."); refused && (err == nil || !strings.HasPrefix(err.Error(), test.want)) || !refused && (err != nil || string(line) != want) {
			t.Errorf("%d seconds and %d nanoseconds are %s, %v, want %s", test.seconds, test.nanos, line, err, test.want)
		}
	}
}

// TestBind: a plan does not bind to other messages.
func TestBind(t *testing.T) {
	r := compiled(t, `syntax = "proto3"; message M { int32 a = 1; }`)
	other := compiled(t, `syntax = "proto3"; message M { int32 a = 2; N n = 1; } message N { int32 a = 1; }`)
	if _, err := other.Plan().Bind(r.Descriptor(), dynamicpb.NewTypes(nil)); err == nil {
		t.Error("a plan binds to a message without its fields")
	}
	lacks := *other.Plan()
	lacks.Messages = map[string]protoform.Message{"M": lacks.Messages["M"]}
	if _, err := lacks.Bind(other.Descriptor(), dynamicpb.NewTypes(nil)); err == nil {
		t.Error("a plan binds that lacks a message")
	}
	if _, err := protoform.Open("{", nil, nil); err == nil {
		t.Error("a plan opens that is no JSON")
	}
	plan, err := json.Marshal(r.Plan())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := protoform.OpenBytes(string(plan), r.Schema, "\xff"); err == nil {
		t.Error("descriptors are taken that are none")
	}
	form, err := r.Plan().Bind(r.Descriptor(), dynamicpb.NewTypes(nil))
	if err != nil {
		t.Fatal(err)
	}
	if err := form.Set(dynamicpb.NewMessage(r.Descriptor()), struct{ B int32 }{}); err == nil || !strings.Contains(err.Error(), "the model has no field A") {
		t.Errorf("error %v", err)
	}
	if err := form.Set(dynamicpb.NewMessage(r.Descriptor()), (*struct{ A int32 })(nil)); err == nil {
		t.Error("nil is taken for a value")
	}
}

func protoOf(n int32) protoreflect.Value { return protoreflect.ValueOfEnum(protoreflect.EnumNumber(n)) }

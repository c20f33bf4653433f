package protofile

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/dynamicpb"

	"assay/internal/infer"
)

// An error about a JSON record that is no JSON of protobuf's names the path of the value and says what
// protobuf's JSON has there.
func TestMisfits(t *testing.T) {
	const foreign = "this is not the JSON that protobuf writes of shop.v1.Order: give that, or messages in binary or text form, or try the file without the .proto"
	const typo = "correct it, or leave such records out with --skip-bad"
	tests := []struct{ record, want, advice string }{
		{`{"created":{"seconds":5}}`, `2:12: record 2: created is an object, where protobuf's JSON has a google.protobuf.Timestamp, a string as in "2024-05-01T12:30:00Z"`, foreign},
		{`{"created":"yesterday"}`, `2:12: record 2: created is "yesterday", where protobuf's JSON has a google.protobuf.Timestamp`, typo},
		{`{"took":"5m"}`, `2:9: record 2: took is "5m", where protobuf's JSON has a google.protobuf.Duration, a string of seconds as in "1.5s"`, typo},
		{`{"total":"5"}`, `2:10: record 2: total is "5", where protobuf's JSON has an object of type common.Money`, foreign},
		{`{"lines":{}}`, `2:10: record 2: lines is an object, where protobuf's JSON has a list`, foreign},
		{`{"lines":[{},null]}`, `2:14: record 2: lines[1] is null, where protobuf's JSON has an object of type shop.v1.Order.Line`, typo},
		{`{"lines":[{"unitPrice":{"units":{}}}]}`, `2:33: record 2: lines[0].unitPrice.units is an object, where protobuf's JSON has type int64, a whole number from -9223372036854775808 to 9223372036854775807`, foreign},
		{`{"stock":[]}`, `2:10: record 2: stock is a list, where protobuf's JSON has an object, as for any map`, foreign},
		{`{"stock":{"a b":"x"}}`, `2:17: record 2: stock["a b"] is "x", where protobuf's JSON has type int64`, typo},
		{`{"byNumber":{"x":{}}}`, `2:14: record 2: byNumber has the key "x", which is not of type int32`, typo},
		{`{"flags":{"yes":"a"}}`, `2:11: record 2: flags has the key "yes", which is not of type bool`, typo},
		{`{"signature":"***"}`, `2:14: record 2: signature is "***", where protobuf's JSON has type bytes, a string in base64`, typo},
		{`{"history":["STATUS_PAID","X"]}`, `2:27: record 2: history[1] is "X", where protobuf's JSON has a value of the enum shop.v1.Status (STATUS_UNSPECIFIED, STATUS_PAID, STATUS_SETTLED and STATUS_LOST)`, typo},
		{`{"size":-1}`, `2:9: record 2: size is -1, where protobuf's JSON has type uint64, a whole number from 0 to 18446744073709551615`, typo},
		{`{"deltas":[1.0,1e3,1.5]}`, `2:20: record 2: deltas[2] is 1.5, where protobuf's JSON has type sint32`, typo},
		{`{"weight":{"value":1}}`, `2:11: record 2: weight is an object, where protobuf's JSON has type int64`, foreign},
		{`{"ratio":1e400}`, `2:10: record 2: ratio is 1e400, where protobuf's JSON has type float, a number or "NaN", "Infinity", "-Infinity"`, typo},
		{`{"free":true}`, `2:9: record 2: free is true, where protobuf's JSON has an object of type google.protobuf.Empty`, foreign},
		{`{"extra":[]}`, `2:10: record 2: extra is a list, where protobuf's JSON has a google.protobuf.Struct, an object`, foreign},
		{`{"attachment":{"typeUrl":"x"}}`, `2:15: record 2: attachment has no "@type", where protobuf's JSON has a google.protobuf.Any`, foreign},
		{`{"attachment":{"@type":"a/nope.X"}}`, `2:15: record 2: attachment is a "a/nope.X", a message that the .proto files do not declare`, typo},
		{`{"replaces":{"OrderId":"a"}}`, `2:14: record 2: replaces: unknown field "OrderId", which shop.v1.Order does not have (near it is orderId)`, typo},
		{`{"apiVersion":"v1"}`, `2:2: record 2: unknown field "apiVersion", which shop.v1.Order does not have`, foreign},
		{`{"card":{},"invoice":"x"}`, `2:12: record 2: error parsing "invoice", oneof shop.v1.Order.payment is already set`, typo},
		{`"x"`, `2:1: record 2: the record is "x", where protobuf's JSON has an object of type shop.v1.Order`, foreign},
		{`{"status":9}`, `2:1: record 2: Order.status holds 9, a value that its enum does not have`, "add it to the .proto, or leave such records out with --skip-bad"},
		{`{"note":"a","note":"b"}`, `2:13: record 2: duplicate field "note"`, typo},
	}
	for _, tt := range tests {
		t.Run(tt.record, func(t *testing.T) {
			samples := []infer.Source{infer.Bytes("x.json", []byte("{}\n"+tt.record))}
			_, err := Read(t.Context(), Options{Files: []string{"testdata/shop/order.proto"}, Message: "Order", Samples: samples, Form: JSON})
			if err == nil {
				t.Fatal("no error")
			}
			if got := err.Error(); !strings.HasPrefix(got, "x.json:"+tt.want) || !strings.HasSuffix(got, "; "+tt.advice) {
				t.Errorf("error %q\nwant  %q … %q", got, tt.want, tt.advice)
			}
		})
	}
}

const required = `syntax = "proto2";
package r;
message Order {
  required string id = 1;
  repeated Line lines = 2;
  map<string, Line> named = 3;
  optional group Place = 4 { required string city = 1; }
  extensions 100 to 200;
  optional Line first_line = 5;
}
message Line { required int32 count = 1; }
extend Order { optional Line more = 100; }
`

// A missing required field is an error in every form and at every place.
func TestRequired(t *testing.T) {
	dir := write(t, map[string]string{"r.proto": required})
	o := Options{Files: []string{dir + "/r.proto"}, Message: "Order"}
	tests := []struct{ record, at, path string }{
		{`{}`, "1:1", "id"},
		{`{"id":"", "lines":[{"count":1},{}]}`, "1:32", "lines[1].count"},
		{`{"id":"", "named":{"a":{}}}`, "1:24", `named["a"].count`},
		{`{"id":"", "named":{"b":{},"c":{},"a":{},"d":{}}}`, "1:38", `named["a"].count`},
		{`{"id":"a","first_line":{}}`, "1:24", "firstLine.count"},
		{`{"id":"", "place":{}}`, "1:19", "place.city"},
		{`{"id":"", "[r.more]":{}}`, "1:1", "[r.more].count"},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			o.Samples, o.Form = []infer.Source{infer.Bytes("x.json", []byte(tt.record))}, JSON
			_, err := Read(t.Context(), o)
			if err == nil || !strings.HasPrefix(err.Error(), "x.json:"+tt.at+": record 1: "+tt.path+" is missing, and r.") || !strings.Contains(err.Error(), "/r.proto:") {
				t.Errorf("error %v, want one at %s about %s", err, tt.at, tt.path)
			}
			r, err := Compile(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			m := dynamicpb.NewMessage(r.desc)
			if err := (protojson.UnmarshalOptions{AllowPartial: true, Resolver: r.decoder.resolver}).Unmarshal([]byte(tt.record), m); err != nil {
				t.Fatal(err)
			}
			data, err := proto.MarshalOptions{AllowPartial: true}.Marshal(m)
			if err != nil {
				t.Fatal(err)
			}
			o.Samples, o.Form = []infer.Source{infer.Bytes("x", protowire.AppendBytes(nil, data))}, Delimited
			if _, err = Read(t.Context(), o); err == nil || !strings.HasPrefix(err.Error(), "x: record 1, at byte 0: "+tt.path+" is missing, and r.") {
				t.Errorf("error %v, want one about %s", err, tt.path)
			}
		})
	}
	o.Samples, o.Form = []infer.Source{infer.Bytes("x.json", []byte("{}\n{\"id\":\"a\"}"))}, JSON
	o.SkipBad = true
	if r, err := Read(t.Context(), o); err != nil || r.Records != 1 || r.BadCount != 1 {
		t.Errorf("with SkipBad: %+v, %v", r, err)
	}
}

// In every form, an error says what --skip-bad would do, unless there is no other record or the flag
// was given.
func TestAdvice(t *testing.T) {
	dir := write(t, map[string]string{"r.proto": required})
	const (
		good   = "\x0a\x01a"
		leaves = "; --skip-bad leaves such records out"
		or     = ", or leave such records out with --skip-bad"
		uses   = "; --skip-bad uses what comes before"
	)
	tests := []struct {
		form    Form
		samples []string
		want    string // the end of the error
	}{
		{JSON, []string{"{\"id\":\"a\"}\n{}"}, "give it a value" + or},
		{JSON, []string{"{}"}, "give it a value"},
		{JSON, []string{"{\"id\":\"a\"}\n{\"id\":5}"}, "correct it" + or},
		{JSON, []string{"{\"id\":5}"}, "correct it"},
		{Binary, []string{good, "\xff"}, "these bytes are not such a message" + leaves},
		{Binary, []string{"\xff"}, "these bytes are not such a message"},
		{Binary, []string{good, "\x12\x00"}, "give it a value" + or},
		{Binary, []string{good, ""}, "remove it" + or},
		{Binary, []string{good, strings.Repeat(good, 20)}, "if it is many messages" + or},
		{Binary, []string{strings.Repeat(good, 20)}, "if it is many messages"},
		{Text, []string{`id: "a"`, `id: `}, leaves},
		{Delimited, []string{"\x03" + good + "\x01\xff"}, "these bytes are not such a message" + leaves},
		{Delimited, []string{"\x03" + good + "\x00"}, "give it a value" + or},
		{Delimited, []string{"\x03" + good + "\x05ab"}, "the file ends after 2 of the 5 bytes of a message" + uses},
		{Delimited, []string{"\x05ab"}, "the file ends after 2 of the 5 bytes of a message"},
		{Delimited, []string{"\x03" + good + "\x80"}, "the file ends within the length of a message" + uses},
	}
	for _, tt := range tests {
		o := Options{Files: []string{dir + "/r.proto"}, Message: "Order", Form: tt.form, MaxRecord: 50}
		for _, s := range tt.samples {
			o.Samples = append(o.Samples, infer.Bytes("x", []byte(s)))
		}
		if _, err := Read(t.Context(), o); err == nil || !strings.HasSuffix(err.Error(), tt.want) {
			t.Errorf("%s %q: error %v\nwant one that ends with %q", tt.form, tt.samples, err, tt.want)
		}
		o.SkipBad = true
		said := ""
		if r, err := Read(t.Context(), o); err != nil {
			said = err.Error()
		} else if said = fmt.Sprint(r.Notes, r.Bad); r.Records != 1 || r.BadCount != 1 {
			t.Errorf("%s %q with SkipBad: %d records and %d bad ones", tt.form, tt.samples, r.Records, r.BadCount)
		}
		if strings.Contains(said, "--skip-bad") {
			t.Errorf("%s %q: --skip-bad was given and is advised: %s", tt.form, tt.samples, said)
		}
	}
}

// Records that are left out count against the limit on bytes, even empty ones. Otherwise endless bad
// records would be read without a limit.
func TestBadRecordsAreLimited(t *testing.T) {
	dir := write(t, map[string]string{"r.proto": required})
	r, err := Read(t.Context(), Options{
		Files: []string{dir + "/r.proto"}, Message: "Order", Form: Delimited, SkipBad: true, MaxBytes: 10,
		Samples: []infer.Source{infer.Bytes("x", []byte("\x03\x0a\x01a"+strings.Repeat("\x00", 1000)))},
	})
	if err != nil {
		t.Fatal(err)
	}
	if r.Records != 1 || r.BadCount != 7 || !strings.Contains(fmt.Sprint(r.Notes), "--max-bytes say how much") {
		t.Errorf("%d records, %d bad ones, notes %q", r.Records, r.BadCount, r.Notes)
	}
}

// The number of a record counts bad ones before it, those that are no JSON too, in all samples.
func TestRecordNumber(t *testing.T) {
	const text = "{\"note\":\"a\"}\n{\"note\" 5}\nnull\n{\"nte\":1}\n"
	r, err := Read(t.Context(), Options{
		Files: []string{"testdata/shop/order.proto"}, Message: "Order", Form: JSON, SkipBad: true,
		Samples: []infer.Source{infer.Bytes("a", []byte(text)), infer.Bytes("b", []byte(text))},
	})
	if err != nil {
		t.Fatal(err)
	}
	if r.BadCount != 4 {
		t.Fatalf("%d bad records, want 4: %v", r.BadCount, r.Bad)
	}
	for i, want := range map[int]string{1: "a:4:2: record 3: ", 3: "b:4:2: record 6: "} {
		if got := r.Bad[i].Error(); !strings.HasPrefix(got, want) {
			t.Errorf("error %q, want it to begin with %q", got, want)
		}
	}
}

// Bad records before a limit are reported, whether they are valid JSON or not, and do not count
// against the limit on records.
func TestBadBeforeLimit(t *testing.T) {
	const text = "{\"note\":\"a\"}\nnull\n{\"nte\":1}\n{\"nte\":2}\n{\"note\" 5}\n{\"note\":\"b\"}\n{\"note\":\"c\"}\n{\"note\" 6}\n"
	r, err := Read(t.Context(), Options{
		Files: []string{"testdata/shop/order.proto"}, Message: "Order", Form: JSON, SkipBad: true, MaxRecords: 2,
		Samples: []infer.Source{infer.Bytes("a", []byte(text)), infer.Bytes("b", []byte(text))},
	})
	if err != nil {
		t.Fatal(err)
	}
	var lines []int64
	for _, bad := range r.Bad {
		lines = append(lines, bad.Line)
	}
	if r.Records != 2 || r.BadCount != 3 || !slices.Equal(lines, []int64{3, 4, 5}) {
		t.Errorf("%d records and %d bad ones: %v", r.Records, r.BadCount, r.Bad)
	}
	want := []string{infer.OnlyFirst(2), "left out because they are null: 1 record"}
	if got := r.Notes[len(r.Notes)-2:]; !slices.Equal(got, want) {
		t.Errorf("the last notes are %q, want %q", got, want)
	}
}

// The limit on bytes ends the reading of all samples, also if white space reaches it, and one note says
// how many records were read.
func TestBytesOfSeveralSamples(t *testing.T) {
	first := "{\"note\":\"a\"}\n{\"note\":\"b\"}" + strings.Repeat("\n", 500) + "{\"note\":\"b\"}\n"
	r, err := Read(t.Context(), Options{
		Files: []string{"testdata/shop/order.proto"}, Message: "Order", Form: JSON, MaxBytes: 40,
		Samples: []infer.Source{infer.Bytes("a", []byte(first)), infer.Bytes("b", []byte(strings.Repeat("{\"note\":\"c\"}\n", 30)))},
	})
	if err != nil {
		t.Fatal(err)
	}
	notes := slices.DeleteFunc(slices.Clone(r.Notes), func(n string) bool { return !strings.HasPrefix(n, "only the first ") })
	if r.Records != 2 || !slices.Equal(notes, []string{infer.OnlyFirst(2)}) {
		t.Errorf("%d records, %q; want 2, and one note of them", r.Records, notes)
	}
}

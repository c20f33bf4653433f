package protoc

import (
	"testing"

	"assay/contender"
)

// A program registers types by the names of their package and of their file. Packages that can be in
// one program differ in both, and generators still name the Go files after the schema.
func TestNamesOfRequest(t *testing.T) {
	for _, test := range []struct {
		req             contender.Request
		protobuf, files string
	}{
		{contender.Request{Contender: "protobuf-opaque"}, "assay.protobufopaque.plain", "assay/protobufopaque/plain/types.proto"},
		{contender.Request{Alone: true}, "plain", "plain.proto"},
		{contender.Request{Alone: true, ProtoPackage: "plain.neutral"}, "plain.neutral", "plain/neutral/plain.proto"},
		{contender.Request{Alone: true, ProtoPackage: "plain.vtprotobuf"}, "plain.vtprotobuf", "plain/vtprotobuf/plain.proto"},
	} {
		test.req.Schema = plain("").Schema
		if o := OptionsFor(test.req); o.ProtoPackage != test.protobuf || o.File != test.files {
			t.Errorf("%+v: package %s in %s, want %s in %s", test.req, o.ProtoPackage, o.File, test.protobuf, test.files)
		}
	}
}

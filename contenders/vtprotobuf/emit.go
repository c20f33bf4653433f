package vtprotobuf

import (
	"assay/contender"
	"assay/contender/emit"
	"assay/contender/protoc"
	"assay/result"
)

const (
	typesGenerator = "google.golang.org/protobuf/cmd/protoc-gen-go"
	codeGenerator  = "github.com/planetscale/vtprotobuf/cmd/protoc-gen-go-vtproto"
)

func emitPackage(req contender.Request) (contender.Output, error) {
	// Names in the global registry of Google's library must be unique in a
	// program, so they begin with the contender's.
	options := protoc.Options{
		Schema:       req.Schema,
		Package:      req.Package,
		ProtoPackage: "assay.vtprotobuf." + req.Schema.Name,
		File:         "assay/vtprotobuf/" + req.Schema.Name + "/types.proto",
	}
	types := contender.Plugin{Tool: typesGenerator, Request: protoc.Request(options)}
	options.Parameter = "features=marshal+unmarshal+size"
	code := contender.Plugin{Tool: codeGenerator, Request: protoc.Request(options)}
	binder := &emit.Binder{
		Usages: []emit.Usage{
			{
				Encode: "out, err = in[i].MarshalVT()",
				Decode: "v = new($T)\nerr = v.UnmarshalVT(data)",
			},
			{
				Mode: "output=reuse",
				Only: []result.Op{result.Encode},
				// MarshalToSizedBufferVT fills its buffer from the end.
				Encode: "size := in[i].SizeVT()\nif cap(out) < size {\nout = make([]byte, size)\n}\nout = out[:size]\n_, err = in[i].MarshalToSizedBufferVT(out)",
			},
		},
	}
	return emit.Plugged(req, emit.ProtocGenGo(), binder, types, code)
}

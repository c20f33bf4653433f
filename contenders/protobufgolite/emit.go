package protobufgolite

import (
	"assay/contender"
	"assay/contender/emit"
	"assay/contender/protoc"
	"assay/result"
	"assay/schema"
)

const (
	module    = "github.com/aperturerobotics/protobuf-go-lite"
	generator = module + "/cmd/protoc-gen-go-lite"
	timestamp = module + "/types/known/timestamppb"
	duration  = module + "/types/known/durationpb"
	// parameter asks for no more than is used, and maps the well-known types to
	// the library's own packages of them.
	parameter = "features=marshal+unmarshal+unmarshal_unsafe+size" +
		",Mgoogle/protobuf/timestamp.proto=" + timestamp +
		",Mgoogle/protobuf/duration.proto=" + duration
)

func emitPackage(req contender.Request) (contender.Output, error) {
	options := protoc.OptionsFor(req)
	options.Parameter = parameter
	request := protoc.Request(options)
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
			{
				Mode:   "target=reuse",
				Only:   []result.Op{result.Decode, result.Scan},
				Start:  "c.v = new($T)",
				Decode: "v.Reset()\nerr = v.UnmarshalVT(data)",
			},
			{
				Mode:   "strings=alias",
				Only:   []result.Op{result.Decode, result.Scan},
				Decode: "v = new($T)\nerr = v.UnmarshalVTUnsafe(data)",
			},
		},
	}
	return emit.Plugged(req, style(), binder, contender.Plugin{Tool: generator, Request: request})
}

// style is that of protoc-gen-go, with other packages of well-known types.
func style() *emit.Style {
	st := emit.ProtocGenGo()
	st.Imports = []string{timestamp, duration}
	// A field that is absent is nil, and AsTime and New of this library are as
	// those of Google's but for years outside of 1 to 9999.
	st.Leaf[schema.Timestamp] = emit.Leaf{
		Go:   "*timestamppb.Timestamp",
		From: "timestamppb.New(%)",
		To:   "%.AsTime()",
		Sum:  "workload.LeafTimeParts(%.GetSeconds(), int64(%.GetNanos()))",
	}
	return st
}

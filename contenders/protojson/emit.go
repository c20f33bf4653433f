package protojson

import (
	"assay/contender"
	"assay/contender/emit"
	"assay/contender/protoc"
	"assay/result"
)

const generator = "google.golang.org/protobuf/cmd/protoc-gen-go"

func emitPackage(req contender.Request) (contender.Output, error) {
	request := protoc.Request(protoc.OptionsFor(req))
	binder := &emit.Binder{
		Imports: []string{"google.golang.org/protobuf/encoding/protojson"},
		Usages: []emit.Usage{
			{
				Encode: "out, err = protojson.Marshal(in[i])",
				Decode: "v = new($T)\nerr = protojson.Unmarshal(data, v)",
			},
			{
				Mode:   "output=reuse",
				Only:   []result.Op{result.Encode},
				Encode: "out, err = protojson.MarshalOptions{}.MarshalAppend(out[:0], in[i])",
			},
		},
	}
	return emit.Plugged(req, emit.ProtocGenGo(), binder, contender.Plugin{Tool: generator, Request: request})
}

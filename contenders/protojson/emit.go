package protojson

import (
	"assay/contender"
	"assay/contender/emit"
	"assay/contender/protoc"
	"assay/result"
)

const generator = "google.golang.org/protobuf/cmd/protoc-gen-go"

// Usages returns the modes. They are also for packages whose types are generated from a user's
// .proto file.
func Usages() []emit.Usage {
	byDefault := emit.Usage{
		Encode: "out, err = protojson.Marshal(in[i])",
		Decode: "v = new($T)\nerr = protojson.Unmarshal(data, v)",
	}
	return []emit.Usage{
		byDefault,
		{
			Mode:   "output=reuse",
			Only:   []result.Op{result.Encode},
			Encode: "out, err = protojson.MarshalOptions{}.MarshalAppend(out[:0], in[i])",
		},
		{
			Mode:   "target=reuse",
			Only:   []result.Op{result.Decode, result.Scan},
			Start:  "c.v = new($T)",
			Decode: "err = protojson.Unmarshal(data, v)",
		},
		emit.Program(byDefault),
	}
}

// Plugin returns the run of the generator. Request makes a request with a parameter.
func Plugin(request func(parameter string) []byte) contender.Plugin {
	return contender.Plugin{Tool: generator, Request: request("")}
}

func emitPackage(req contender.Request) (contender.Output, error) {
	binder := &emit.Binder{
		Imports: []string{"google.golang.org/protobuf/encoding/protojson"},
		Usages:  Usages(),
	}
	return emit.Plugged(req, emit.ProtocGenGo(), binder, Plugin(protoc.Requester(req)))
}

package protobuf

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
		Encode: "out, err = proto.Marshal(in[i])",
		Decode: "v = new($T)\nerr = proto.Unmarshal(data, v)",
	}
	return []emit.Usage{
		byDefault,
		{
			Mode:   "output=reuse",
			Only:   []result.Op{result.Encode},
			Encode: "out, err = proto.MarshalOptions{}.MarshalAppend(out[:0], in[i])",
		},
		{
			Mode:   "target=reuse",
			Only:   []result.Op{result.Decode, result.Scan},
			Start:  "c.v = new($T)",
			Decode: "err = proto.Unmarshal(data, v)",
		},
		{
			Mode:    "order=sorted",
			Refuses: emit.NeedsMaps,
			Only:    []result.Op{result.Encode},
			Encode:  "out, err = proto.MarshalOptions{Deterministic: true}.Marshal(in[i])",
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
		Stream: &emit.Stream{
			Write: "_, err = protodelim.MarshalTo(c.w, in)",
			// -1 means no limit; the default is 4 MiB.
			Read:    "v = new($T)\nerr = protodelim.UnmarshalOptions{MaxSize: -1}.UnmarshalFrom(c.r, v)",
			Imports: []string{"google.golang.org/protobuf/encoding/protodelim"},
		},
		Imports: []string{"google.golang.org/protobuf/proto"},
		Usages:  Usages(),
	}
	return emit.Plugged(req, emit.ProtocGenGo(), binder, Plugin(protoc.Requester(req)))
}

package protobufgolite

import (
	"slices"

	"assay/contender"
	"assay/contender/emit"
	"assay/contender/protoc"
	"assay/result"
	"assay/schema"
)

const (
	module    = "github.com/aperturerobotics/protobuf-go-lite"
	generator = module + "/cmd/protoc-gen-go-lite"
	known     = module + "/types/known/"
)

// wellKnown are the library's own packages for the files that come with protobuf.
var wellKnown = []struct{ file, pkg string }{
	{"any", "anypb"}, {"api", "apipb"}, {"duration", "durationpb"}, {"empty", "emptypb"}, {"source_context", "sourcecontextpb"},
	{"struct", "structpb"}, {"timestamp", "timestamppb"}, {"type", "typepb"}, {"wrappers", "wrapperspb"},
}

// Known reports whether the library has a package for a file that comes with protobuf. File is
// the file's path.
func Known(file string) bool {
	return slices.ContainsFunc(wellKnown, func(k struct{ file, pkg string }) bool { return "google/protobuf/"+k.file+".proto" == file })
}

// Usages returns the modes. They are also for packages whose types are generated from a user's
// .proto file.
func Usages() []emit.Usage {
	byDefault := emit.Usage{
		Encode: "out, err = in[i].MarshalVT()",
		Decode: "v = new($T)\nerr = v.UnmarshalVT(data)",
	}
	return []emit.Usage{
		byDefault,
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
			Mode:    "strings=alias",
			Refuses: emit.AliasesBoth,
			Only:    []result.Op{result.Decode, result.Scan},
			Decode:  "v = new($T)\nerr = v.UnmarshalVTUnsafe(data)",
		},
		emit.Program(byDefault),
	}
}

// Plugin returns the run of the generator, with only the features that are used. Request makes
// a request with a parameter.
func Plugin(request func(parameter string) []byte) contender.Plugin {
	parameter := "features=marshal+unmarshal+unmarshal_unsafe+size"
	for _, k := range wellKnown {
		parameter += ",Mgoogle/protobuf/" + k.file + ".proto=" + known + k.pkg
	}
	return contender.Plugin{Tool: generator, Request: request(parameter)}
}

func emitPackage(req contender.Request) (contender.Output, error) {
	binder := &emit.Binder{
		Stream: emit.Delimited("size := in.SizeVT()\nc.buf = slices.Grow(c.buf[:0], size)[:size]\n_, err = in.MarshalToSizedBufferVT(c.buf)", "err = v.UnmarshalVT(data)"),
		Usages: Usages(),
	}
	return emit.Plugged(req, style(), binder, Plugin(protoc.Requester(req)))
}

// style returns the style of protoc-gen-go with other packages of well-known types.
func style() *emit.Style {
	st := emit.ProtocGenGo()
	st.Imports = []string{known + "timestamppb", known + "durationpb"}
	// An absent field is nil. AsTime and New of this library agree with Google's, except for
	// years outside of 1 to 9999.
	st.Leaf[schema.Timestamp] = emit.Leaf{
		Go:   "*timestamppb.Timestamp",
		From: "timestamppb.New(%)",
		To:   "%.AsTime()",
		Sum:  "workload.LeafTimeParts(%.GetSeconds(), int64(%.GetNanos()))",
	}
	return st
}

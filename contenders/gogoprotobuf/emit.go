package gogoprotobuf

import (
	"strings"

	"assay/contender"
	"assay/contender/emit"
	"assay/contender/protoc"
	"assay/result"
	"assay/schema"
)

const (
	generator = "github.com/gogo/protobuf/protoc-gen-gogofaster"
	types     = "github.com/gogo/protobuf/types"
)

// wellKnown are the library's own packages for the files that come with protobuf. Without them
// the generated code would import packages that do not exist.
var wellKnown = []struct{ file, pkg string }{
	{"any", types}, {"api", types}, {"duration", types}, {"empty", types}, {"field_mask", types}, {"source_context", types},
	{"struct", types}, {"timestamp", types}, {"type", types}, {"wrappers", types},
	{"descriptor", "github.com/gogo/protobuf/protoc-gen-gogo/descriptor"},
}

// Usages returns the modes. They are also for packages whose types are generated from a user's
// .proto file.
func Usages() []emit.Usage {
	byDefault := emit.Usage{
		Encode: "out, err = in[i].Marshal()",
		Decode: "v = new($T)\nerr = v.Unmarshal(data)",
	}
	return []emit.Usage{
		byDefault,
		{
			Mode: "output=reuse",
			Only: []result.Op{result.Encode},
			// MarshalToSizedBuffer fills its buffer from the end.
			Encode: "size := in[i].Size()\nif cap(out) < size {\nout = make([]byte, size)\n}\nout = out[:size]\n_, err = in[i].MarshalToSizedBuffer(out)",
		},
		{
			Mode:   "target=reuse",
			Only:   []result.Op{result.Decode, result.Scan},
			Start:  "c.v = new($T)",
			Decode: "v.Reset()\nerr = v.Unmarshal(data)",
		},
		emit.Program(byDefault),
	}
}

// Plugin returns the run of the generator. Request makes a request with a parameter.
func Plugin(request func(parameter string) []byte) contender.Plugin {
	var parameter []string
	for _, k := range wellKnown {
		parameter = append(parameter, "Mgoogle/protobuf/"+k.file+".proto="+k.pkg)
	}
	return contender.Plugin{Tool: generator, Request: request(strings.Join(parameter, ","))}
}

func emitPackage(req contender.Request) (contender.Output, error) {
	binder := &emit.Binder{
		Stream: &emit.Stream{
			Fields: "enc protoio.Writer\ndec protoio.Reader",
			Create: "c.enc = protoio.NewDelimitedWriter(c.w)",
			Write:  "err = c.enc.WriteMsg(in)",
			Open:   "c.dec = protoio.NewDelimitedReader(c.r, math.MaxInt32)",
			Read:   "v = new($T)\nerr = c.dec.ReadMsg(v)",
			Named:  map[string]string{"github.com/gogo/protobuf/io": "protoio"}, Imports: []string{"math"},
		},
		Usages: Usages(),
	}
	return emit.Plugged(req, style(), binder, Plugin(protoc.Requester(req)))
}

// style returns the style of the types that protoc-gen-gogofaster writes.
func style() *emit.Style {
	return &emit.Style{
		Pointers: true,
		Wrapped:  true,
		Leaf: map[schema.Kind]emit.Leaf{
			schema.Timestamp: {
				Go:   "*types.Timestamp",
				From: "&types.Timestamp{Seconds: %.Unix(), Nanos: int32(%.Nanosecond())}",
				To:   "time.Unix(%.GetSeconds(), int64(%.GetNanos())).UTC()",
				Sum:  "workload.LeafTimeParts(%.GetSeconds(), int64(%.GetNanos()))",
			},
			schema.Duration: {
				Go:   "*types.Duration",
				From: "types.DurationProto(%)",
				To:   "(time.Duration(%.GetSeconds())*time.Second + time.Duration(%.GetNanos()))",
			},
		},
		// A wrapper around nil bytes is encoded as if it were absent.
		Optional: map[schema.Kind]emit.Leaf{schema.Bytes: emit.PresentBytes},
		Oneof: func(m *schema.Message, f *schema.Field) (field, wrapper, inner string) {
			inner = schema.GoName(f.Name)
			return "X" + inner, schema.GoName(m.Name) + "_" + inner, inner
		},
		Variant: emit.ProtoVariant,
		Imports: []string{types},
	}
}

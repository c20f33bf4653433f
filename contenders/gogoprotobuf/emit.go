package gogoprotobuf

import (
	"assay/contender"
	"assay/contender/emit"
	"assay/contender/protoc"
	"assay/result"
	"assay/schema"
)

const (
	generator = "github.com/gogo/protobuf/protoc-gen-gogofaster"
	// wellKnown maps the well-known types to the library's own package of them;
	// without it the generated code would import packages that do not exist.
	wellKnown = "Mgoogle/protobuf/timestamp.proto=github.com/gogo/protobuf/types," +
		"Mgoogle/protobuf/duration.proto=github.com/gogo/protobuf/types"
)

func emitPackage(req contender.Request) (contender.Output, error) {
	options := protoc.OptionsFor(req)
	options.Parameter = wellKnown
	request := protoc.Request(options)
	binder := &emit.Binder{
		Usages: []emit.Usage{
			{
				Encode: "out, err = in[i].Marshal()",
				Decode: "v = new($T)\nerr = v.Unmarshal(data)",
			},
			{
				Mode: "output=reuse",
				Only: []result.Op{result.Encode},
				// MarshalToSizedBuffer fills its buffer from the end.
				Encode: "size := in[i].Size()\nif cap(out) < size {\nout = make([]byte, size)\n}\nout = out[:size]\n_, err = in[i].MarshalToSizedBuffer(out)",
			},
		},
	}
	return emit.Plugged(req, style(), binder, contender.Plugin{Tool: generator, Request: request})
}

// style is that of the types that protoc-gen-gogofaster writes.
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
		// A wrapper around nil bytes is encoded as if it were not there.
		Optional: map[schema.Kind]emit.Leaf{schema.Bytes: emit.PresentBytes},
		Oneof: func(m *schema.Message, f *schema.Field) (field, wrapper, inner string) {
			inner = schema.GoName(f.Name)
			return "X" + inner, schema.GoName(m.Name) + "_" + inner, inner
		},
		Imports: []string{"github.com/gogo/protobuf/types"},
	}
}

package vtprotobuf

import (
	"strings"

	"assay/contender"
	"assay/contender/emit"
	"assay/contender/protoc"
	"assay/result"
	"assay/schema"
)

const (
	typesGenerator = "google.golang.org/protobuf/cmd/protoc-gen-go"
	codeGenerator  = "github.com/planetscale/vtprotobuf/cmd/protoc-gen-go-vtproto"
	// poolGenerator is the library's own generator with other method names.
	poolGenerator = "assay/contenders/vtprotobuf/generator"
)

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
		{
			Mode: "pool=on",
			Only: []result.Op{result.Decode, result.Scan},
			// After an error the codec must not keep the message that went to the pool.
			Decode: "v.ReturnToVTPool()\nv = $TFromVTPool()\nif err = v.UnmarshalVTPool(data); err != nil {\n\tc.v = v\n}",
		},
		{
			Mode:    "strings=alias,pool=on",
			Refuses: emit.AliasesBoth,
			Only:    []result.Op{result.Decode, result.Scan},
			// As in pool=on. The messages are in other pools: see the generator.
			Decode: "v.ReturnToVTUnsafePool()\nv = $TFromVTUnsafePool()\nif err = v.UnmarshalVTUnsafePool(data); err != nil {\n\tc.v = v\n}",
		},
		emit.Program(byDefault),
	}
}

// Plugins returns the runs of the generators: for the types, for their methods, and for the
// methods of the modes with pool=on. The types of the packages in pool are pooled, except for the
// types in exclude; both lists have import paths. Request makes a request with a parameter.
func Plugins(pool, exclude []string, request func(parameter string) []byte) []contender.Plugin {
	pooled := ""
	for _, p := range pool {
		pooled += ",pool=" + p + ".*"
	}
	for _, t := range exclude {
		pooled += ",pool-exclude=" + t
	}
	plugins := []contender.Plugin{
		{Tool: typesGenerator, Request: request("")},
		{Tool: codeGenerator, Request: request("features=marshal+unmarshal+unmarshal_unsafe+size")},
	}
	if len(pool) > 0 { // UnmarshalVT is generated either for a pool or without one
		plugins = append(plugins, contender.Plugin{Tool: poolGenerator, Request: request(strings.TrimPrefix(pooled, ","))})
	}
	return plugins
}

func emitPackage(req contender.Request) (contender.Output, error) {
	binder := &emit.Binder{
		Stream: emit.Delimited("size := in.SizeVT()\nc.buf = slices.Grow(c.buf[:0], size)[:size]\n_, err = in.MarshalToSizedBufferVT(c.buf)", "err = v.UnmarshalVT(data)"),
		Usages: Usages(),
	}
	var pool, names, exclude []string
	if !req.Alone && !req.Stream { // only the bindings of modes with pool=on call what poolGenerator writes
		pool, names = []string{req.Package}, unpooled(req.Schema)
	}
	for _, name := range names {
		exclude = append(exclude, req.Package+"."+name)
	}
	out, err := emit.Plugged(req, emit.ProtocGenGo(), binder, Plugins(pool, exclude, protoc.Requester(req))...)
	if err != nil {
		return contender.Output{}, err
	}
	if len(names) > 0 {
		file, err := stubs(req, names)
		if err != nil {
			return contender.Output{}, err
		}
		out.Files = append(out.Files, file)
	}
	return out, nil
}

// unpooled returns the names of the messages that are not pooled because they have optional
// bytes. The library's reset keeps the memory of such bytes by leaving an empty slice, which
// means present.
func unpooled(s *schema.Schema) []string {
	var names []string
	for _, m := range s.Messages {
		for _, f := range m.Fields {
			if f.Type.Kind == schema.Bytes && f.Type.Optional {
				names = append(names, m.Name)
				break
			}
		}
	}
	return names
}

// stubs returns a file with pool functions that do nothing, for the messages that are not
// pooled.
func stubs(req contender.Request, names []string) (contender.File, error) {
	out := emit.NewSource(req.Package, "assay")
	for _, name := range names {
		for _, pool := range []string{"VTPool", "VTUnsafePool"} {
			out.P("// %sFrom%s returns a new message: its optional bytes could not be reset.", name, pool)
			out.P("func %sFrom%s() *%s { return new(%s) }\n", name, pool, name, name)
			out.P("// ReturnTo%s does nothing.\nfunc (m *%s) ReturnTo%s() {}\n", pool, name, pool)
		}
	}
	data, err := out.Bytes()
	return contender.File{Name: "unpooled.go", Data: data}, err
}

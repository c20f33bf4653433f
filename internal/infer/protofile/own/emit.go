package own

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/gofeaturespb"
	"google.golang.org/protobuf/types/pluginpb"

	"assay/contender"
	"assay/contender/emit"
	"assay/contenders/gogoprotobuf"
	"assay/contenders/vtprotobuf"
	"assay/internal/infer/protofile"
	"assay/result"
	"assay/schema/protoform"
)

// An emitter writes the package of one contender for one message.
type emitter struct {
	kind
	result *protofile.Result
	req    contender.Request
	dir    string // the directory of the contender
	modes  []contender.Mode

	code     *code
	prefix   string // before names that protobuf registers; empty: none
	files    []*descriptorpb.FileDescriptorProto
	messages map[protoreflect.FullName]*protogen.Message // by the names in files
}

// vtPlugins returns the generators of vtprotobuf.
func vtPlugins(e *emitter) []contender.Plugin {
	var pool, exclude []string
	if e.req.Alone { // nothing that users copy calls the code with pools
		return vtprotobuf.Plugins(nil, nil, e.request)
	}
	for _, m := range e.messages {
		if at := string(m.GoIdent.GoImportPath); !slices.Contains(pool, at) {
			pool = append(pool, at)
		}
		if keepsBytes(m.Desc) {
			exclude = append(exclude, string(m.GoIdent.GoImportPath)+"."+m.GoIdent.GoName)
		}
	}
	slices.Sort(pool)
	slices.Sort(exclude)
	return vtprotobuf.Plugins(pool, exclude, e.request)
}

// gogoPlugins returns a run of gogofaster for each Go package, because one run can write only one
// package.
func gogoPlugins(e *emitter) []contender.Plugin {
	var all []contender.Plugin
	var done []string
	for _, f := range e.files {
		pkg := f.GetOptions().GetGoPackage()
		if slices.Contains(done, pkg) {
			continue
		}
		done = append(done, pkg)
		all = append(all, gogoprotobuf.Plugin(func(parameter string) []byte {
			req := e.codeRequest(parameter)
			req.FileToGenerate = nil
			for _, f := range e.files {
				if f.GetOptions().GetGoPackage() == pkg {
					req.FileToGenerate = append(req.FileToGenerate, f.GetName())
				}
			}
			return encoded(req)
		}))
	}
	return all
}

// emit returns the files of the package: the bindings and the conversions. It also returns the runs of
// the generators, which write the types into packages below it.
func (e *emitter) emit() (contender.Output, error) {
	if err := e.prepare(); err != nil {
		return contender.Output{}, &contender.Unsupported{Field: e.result.Message, Reason: err.Error()}
	}
	root := e.messages[protoreflect.FullName(e.named(e.result.Message))].GoIdent
	binder := &emit.Binder{
		Fallible: true, TypeOf: func(string) string { return "types." + root.GoName },
		Usages: e.offered(), Imports: e.imports, Named: map[string]string{string(root.GoImportPath): "types"},
	}
	bind, err := binder.Write(e.req)
	if err != nil {
		return contender.Output{}, err
	}
	out := contender.Output{Files: []contender.File{bind}, Plugins: e.plugins(e)}
	for i := range out.Plugins {
		out.Plugins[i].Below = e.req.Package
	}
	if e.req.Alone {
		return out, nil
	}
	convert, err := e.convert(root)
	out.Files = append(out.Files, convert)
	return out, err
}

// offered returns the usages whose modes the contender has, with their ops.
func (e *emitter) offered() []emit.Usage {
	var out []emit.Usage
	for _, u := range e.usages {
		i := slices.IndexFunc(e.modes, func(m contender.Mode) bool { return m.Key == u.Mode })
		switch {
		case u.Mode == "":
			u.Only = []result.Op{result.Encode, result.Decode}
		case i < 0:
			continue
		default:
			u.Only = e.modes[i].Ops
		}
		out = append(out, u)
	}
	return out
}

// prepare chooses the files and the names in the code that is generated from them.
func (e *emitter) prepare() error {
	whole := func(string) bool { return false }
	switch {
	case e.req.Alone:
		named := e.result.Named()
		whole = func(file string) bool { return slices.Contains(named, file) }
	case e.names && e.holdsAny():
		whole = func(string) bool { return true } // any message may be in an Any
	}
	var err error
	if e.code, err = codeOf(e.result, whole); err != nil {
		return err
	}
	if !e.req.Alone && (!e.names || e.clashes()) {
		e.prefix = "assay." + e.dir + "." + e.req.Schema.Name
	}
	e.files = e.code.ready(e.req.Package, e.prefix)
	if e.open {
		for _, f := range e.files {
			within(f.ProtoReflect(), func(m protoreflect.Message) {
				if set, ok := m.Interface().(*descriptorpb.FeatureSet); ok {
					proto.ClearExtension(set, gofeaturespb.E_Go)
				}
			})
		}
	}
	plugin, err := protogen.Options{}.New(e.codeRequest(""))
	if err != nil {
		return fmt.Errorf("its files cannot be given to generators: %w", err)
	}
	e.messages = map[protoreflect.FullName]*protogen.Message{}
	var add func(list []*protogen.Message)
	add = func(list []*protogen.Message) {
		for _, m := range list {
			if !m.Desc.IsMapEntry() {
				e.messages[m.Desc.FullName()] = m
				add(m.Messages)
			}
		}
	}
	for _, f := range plugin.Files {
		if f.Generate {
			add(f.Messages)
		}
	}
	if e.messages[protoreflect.FullName(e.named(e.result.Message))] == nil {
		return errors.New("it is a message that comes with protobuf, whose code every library has already")
	}
	if e.lacks != nil {
		return e.lacks(e)
	}
	return nil
}

// holdsAny reports whether the records can hold a message of any type.
func (e *emitter) holdsAny() bool {
	_, ok := e.result.Plan().Messages["google.protobuf.Any"]
	return ok
}

// clashes reports whether a name in the files may also be registered by other code in a runner.
func (e *emitter) clashes() bool {
	return slices.ContainsFunc(e.code.files, func(f *descriptorpb.FileDescriptorProto) bool {
		return taken(f.GetName(), "/") || taken(f.GetPackage(), ".")
	})
}

// taken reports whether other generated code in a runner may have a path or a package: these begin
// with assay.
func taken(name, separator string) bool {
	first, _, _ := strings.Cut(name, separator)
	return first == "assay"
}

// named returns the name of a message in the files that are generated from.
func (e *emitter) named(name string) string {
	if e.prefix == "" {
		return name
	}
	return e.prefix + "." + name
}

// codeRequest returns the request for a generator.
func (e *emitter) codeRequest(parameter string) *pluginpb.CodeGeneratorRequest {
	req := &pluginpb.CodeGeneratorRequest{
		CompilerVersion: &pluginpb.Version{Major: proto.Int32(3), Minor: proto.Int32(21), Patch: proto.Int32(12)},
		ProtoFile:       slices.Concat(e.code.known, e.files),
	}
	if parameter != "" {
		req.Parameter = &parameter
	}
	for _, f := range e.files {
		req.FileToGenerate = append(req.FileToGenerate, f.GetName())
	}
	return req
}

// request returns the encoded request for a generator.
func (e *emitter) request(parameter string) []byte { return encoded(e.codeRequest(parameter)) }

func encoded(req *pluginpb.CodeGeneratorRequest) []byte {
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(req)
	if err != nil {
		panic(err) // compiled files have all required fields, and all strings are UTF-8
	}
	return data
}

// plan returns the plan in JSON, with the names that the messages have in the files.
func (e *emitter) plan() (string, error) {
	given := e.result.Plan()
	rename := func(name string) string {
		if name == "" || strings.HasPrefix(name, "google.protobuf.") {
			return name
		}
		return e.named(name)
	}
	p := protoform.Plan{Root: rename(given.Root), Messages: map[string]protoform.Message{}}
	for name, m := range given.Messages {
		m.Fields = slices.Clone(m.Fields)
		for i := range m.Fields {
			m.Fields[i].Message = rename(m.Fields[i].Message)
		}
		p.Messages[rename(name)] = m
	}
	text, err := json.Marshal(p)
	return string(text), err
}

// convert returns convert.go: the conversions between the model and the types.
func (e *emitter) convert(root protogen.GoIdent) (contender.File, error) {
	plan, err := e.plan()
	if err != nil {
		return contender.File{}, err
	}
	out := emit.NewSource(e.req.Package, "assay")
	out.ImportAs("model", e.req.Model)
	out.ImportAs("types", string(root.GoImportPath))
	out.Import("sync", "assay/schema/protoform")
	name := e.req.Schema.Roots[0]
	sub := strings.NewReplacer("$R", name, "$T", "types."+root.GoName)
	w := func(text string) { out.P("%s", sub.Replace(text)) }
	out.P("// plan says which field of the .proto file is which of the schema.\nconst plan = %q\n", plan)
	if e.marshal == "" {
		w("var values = sync.OnceValues(func() (*protoform.Values, error) {\nreturn protoform.Open(plan, model.Schema, (*$T)(nil).ProtoReflect().Type())\n})\n")
		w("func from$R(dst *$T, src *model.$R) error {\nv, err := values()\nif err != nil {\nreturn err\n}\nreturn v.Set(dst.ProtoReflect(), src)\n}\n")
		w("func to$R(dst *model.$R, src *$T) error {\nv, err := values()\nif err != nil {\nreturn err\n}\nreturn v.Get(dst, src.ProtoReflect())\n}")
	} else {
		set, err := proto.MarshalOptions{Deterministic: true}.Marshal(&descriptorpb.FileDescriptorSet{File: slices.Concat(e.code.known, e.files)})
		if err != nil {
			return contender.File{}, err
		}
		out.P("// files are the descriptors of the .proto files.\nconst files = %q\n", set)
		w("var values = sync.OnceValues(func() (*protoform.Values, error) {\nreturn protoform.OpenBytes(plan, model.Schema, files)\n})\n")
		w("func from$R(dst *$T, src *model.$R) error {\nv, err := values()\nif err != nil {\nreturn err\n}\ndata, err := v.Encode(src)\nif err != nil {\nreturn err\n}\nreturn dst.Un" + strings.ToLower(e.marshal[:1]) + e.marshal[1:] + "(data)\n}\n")
		w("func to$R(dst *model.$R, src *$T) error {\nv, err := values()\nif err != nil {\nreturn err\n}\ndata, err := src." + e.marshal + "()\nif err != nil {\nreturn err\n}\nreturn v.Decode(dst, data)\n}")
	}
	data, err := out.Bytes()
	return contender.File{Name: "convert.go", Data: data}, err
}

// keepsBytes reports whether a message has a bytes field with presence outside of a oneof. To keep the
// memory of such a field, vtprotobuf's reset leaves an empty slice, which then counts as present.
func keepsBytes(m protoreflect.MessageDescriptor) bool {
	fields := m.Fields()
	for i := range fields.Len() {
		f := fields.Get(i)
		o := f.ContainingOneof()
		if f.Kind() == protoreflect.BytesKind && f.HasPresence() && (o == nil || o.IsSynthetic()) {
			return true
		}
	}
	return false
}

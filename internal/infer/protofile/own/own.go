// Package own makes contenders whose code is generated from a user's unchanged .proto file. Such code
// has the file's fixed-width and zigzag integers, oneofs, groups, required fields, extensions and
// names, which a neutral schema cannot express. Runners link these contenders beside all others and
// give them the same values: package protoform converts the values to messages, untimed, and compares
// the results of decoding.
//
// All contenders of a program share protobuf's registry of names. The files of each contender
// therefore get their own prefix, assay.own…, before their package and path. The binary form has no
// names in it, so the prefix does not change it. Protobuf's JSON has names, in google.protobuf.Any and
// for extensions, so own/protojson keeps the names unchanged.
package own

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"assay/contender"
	"assay/contender/emit"
	"assay/contenders/gogoprotobuf"
	"assay/contenders/protobuf"
	"assay/contenders/protobufgolite"
	"assay/contenders/protobufopaque"
	"assay/contenders/protojson"
	"assay/contenders/vtprotobuf"
	"assay/internal/infer/protofile"
	"assay/result"
)

// Prefix is the prefix of the names of these contenders. The name of the contender for the same
// library follows.
const Prefix = "own/"

// Name is the contender that most users with a .proto file have: Google's library with types
// generated from their file.
const Name = Prefix + "protobuf"

// A kind describes one of these contenders independently of a .proto file.
type kind struct {
	like *contender.Contender
	// text says how the library is used.
	text    string
	usages  []emit.Usage
	imports []string // the imports that the usages need
	plugins func(e *emitter) []contender.Plugin
	// names says that its bytes may contain names from the files, so that the files keep their
	// names.
	names bool
	// open says that its code has the open API of messages, whatever the files ask for.
	open bool
	// lacks returns what its generator cannot do for the files; nil: it can do everything.
	lacks func(e *emitter) error
	// marshal is the method that encodes a message whose type has no protobuf reflection. It is
	// empty if the type has it.
	marshal string
}

const library = "google.golang.org/protobuf/"

// kinds returns all kinds.
func kinds() []kind {
	one := func(plugin func(func(string) []byte) contender.Plugin) func(e *emitter) []contender.Plugin {
		return func(e *emitter) []contender.Plugin { return []contender.Plugin{plugin(e.request)} }
	}
	return []kind{{
		like: protobuf.Contender, text: "protoc-gen-go makes the types, and the calls are those of protobuf.",
		usages: protobuf.Usages(), imports: []string{library + "proto"}, plugins: one(protobuf.Plugin),
	}, {
		like: vtprotobuf.Contender, text: "protoc-gen-go makes the types, with its open API, and protoc-gen-go-vtproto the methods beside them; the calls are those of vtprotobuf. It neither reads nor writes extensions.",
		usages: vtprotobuf.Usages(), plugins: vtPlugins, open: true, lacks: lacksVT,
	}, {
		like: gogoprotobuf.Contender, text: "protoc-gen-gogofaster makes the types and methods. Options of gogoproto that your file may have are not heeded.",
		usages: gogoprotobuf.Usages(), plugins: gogoPlugins, marshal: "Marshal", lacks: lacksEditions,
	}, {
		like: protojson.Contender, text: "protoc-gen-go makes the types, and the calls are those of protojson.",
		usages: protojson.Usages(), imports: []string{library + "encoding/protojson"}, plugins: one(protojson.Plugin), names: true,
	}, {
		like: protobufopaque.Contender, text: "protoc-gen-go makes the types, with its opaque API, and the calls are those of protobuf.",
		usages: protobufopaque.Usages(), imports: []string{library + "proto"}, plugins: one(protobufopaque.Plugin),
	}, {
		like: protobufgolite.Contender, text: "protoc-gen-go-lite makes the types and methods, and the calls are those of protobuf-go-lite. It neither reads nor writes extensions.",
		usages: protobufgolite.Usages(), plugins: one(protobufgolite.Plugin), marshal: "MarshalVT", open: true, lacks: lacksLite,
	}}
}

// lacksEditions refuses files of an edition. A generator that does not know editions would take them
// for proto2.
func lacksEditions(e *emitter) error {
	for _, f := range e.code.files {
		if f.GetSyntax() == "editions" {
			return fmt.Errorf("%s is of an edition, and the generator knows proto2 and proto3 only", f.GetName())
		}
	}
	return nil
}

// lacksVT refuses fields for which this version of the generator writes code that does not compile:
// fields without presence in a file of an edition, and groups in lists and oneofs.
func lacksVT(e *emitter) error {
	return e.refused(func(f protoreflect.FieldDescriptor) string {
		edition := f.ParentFile().Syntax() == protoreflect.Editions
		if edition && !f.HasPresence() && f.Cardinality() != protoreflect.Repeated {
			return "has implicit presence in a file of an edition, which the generator knows nothing of"
		}
		return manyGroups(f)
	})
}

// manyGroups returns why a field that is a group in a list or a oneof is refused: generators derived
// from vtprotobuf's write code for it that does not compile. It returns "" for other fields.
func manyGroups(f protoreflect.FieldDescriptor) string {
	if f.Kind() != protoreflect.GroupKind || f.Cardinality() != protoreflect.Repeated && f.ContainingOneof() == nil {
		return ""
	}
	return "is a group in a list or a oneof, for which the generator writes code that does not compile"
}

// refused returns an error for the first field for which wrong returns a reason.
func (e *emitter) refused(wrong func(protoreflect.FieldDescriptor) string) error {
	for _, name := range slices.Sorted(maps.Keys(e.messages)) {
		m := e.messages[name]
		for _, f := range m.Fields {
			if why := wrong(f.Desc); why != "" {
				return fmt.Errorf("%s.%s %s", m.Desc.Name(), f.Desc.Name(), why)
			}
		}
	}
	return nil
}

// lacksLite refuses files that come with protobuf if the library has no package for them, and groups
// in lists and oneofs.
func lacksLite(e *emitter) error {
	for _, f := range e.code.known {
		if !protobufgolite.Known(f.GetName()) {
			return fmt.Errorf("the library has no package for %s", f.GetName())
		}
	}
	return e.refused(manyGroups)
}

// All returns the contenders without a .proto file, for descriptions of them. Their Emit always fails.
func All() []*contender.Contender {
	var all []*contender.Contender
	for _, k := range kinds() {
		c := k.describe()
		c.Emit = func(req contender.Request) (contender.Output, error) {
			return contender.Output{}, &contender.Unsupported{Field: req.Schema.Name, Reason: "it is for records of a .proto file: assay try FILE.proto --sample FILE"}
		}
		all = append(all, c)
	}
	return all
}

// Contenders returns the contenders for the message of a result.
func Contenders(r *protofile.Result) []*contender.Contender {
	var all []*contender.Contender
	for _, k := range kinds() {
		c := k.describe()
		if !r.SameBytes() {
			// This contender and the neutral ones cannot read one another's bytes.
			c.Format = Prefix + k.like.Format
		}
		if keepsBytes(r.Descriptor()) { // vtPlugins excludes the records' message from the pool
			c.Modes = slices.DeleteFunc(c.Modes, func(m contender.Mode) bool { return strings.Contains(m.Key, "pool=on") })
		}
		c.Emit = func(req contender.Request) (contender.Output, error) {
			e := emitter{kind: k, result: r, req: req, dir: c.Dir(), modes: c.Modes}
			return e.emit()
		}
		all = append(all, c)
	}
	return all
}

// Key returns a key for the code of the contenders of a result. Equal .proto files and messages have
// equal keys.
func Key(r *protofile.Result) string {
	h := sha256.New()
	text, err := json.Marshal(r.Plan())
	if err != nil {
		panic(err) // a plan has no type that cannot be encoded
	}
	h.Write(text)
	for _, f := range r.Descriptors() {
		f.SourceCodeInfo = nil
		data, err := proto.MarshalOptions{Deterministic: true, AllowPartial: true}.Marshal(f)
		if err != nil {
			panic(err) // a file that was compiled is valid
		}
		fmt.Fprintf(h, "%d\n", len(data))
		h.Write(data)
	}
	return hex.EncodeToString(h.Sum(nil)[:10])
}

// describe returns the contender with only the ops encode and decode.
func (k kind) describe() *contender.Contender {
	c := *k.like
	c.Name = Prefix + k.like.Name
	c.Title = "your .proto files as they are: " + k.like.Title
	c.Text = "The code is generated from your .proto files as they are, so its bytes are those of your own programs. " +
		k.text + " See assay explain " + k.like.Name + "."
	// The records were messages before, so they have no values that messages cannot hold.
	c.Losses = slices.DeleteFunc(slices.Clone(k.like.Losses), func(l contender.Loss) bool {
		return slices.Contains([]contender.Loss{contender.NilEmpty, contender.TimeZone, contender.TimeYears}, l)
	})
	c.Ops = offered(k.like.Ops)
	c.Modes = nil
	for _, m := range k.like.Modes {
		if m.Key == emit.ProgramMode.Key {
			continue // the types of the user's program are the generated ones
		}
		if m.Ops = offered(m.Ops); len(m.Ops) > 0 {
			c.Modes = append(c.Modes, m)
		}
	}
	return &c
}

// offered returns the ops that these contenders have: encode and decode.
func offered(ops []result.Op) []result.Op {
	var out []result.Op
	for _, op := range ops {
		if op == result.Encode || op == result.Decode {
			out = append(out, op)
		}
	}
	return out
}

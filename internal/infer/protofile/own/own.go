// Package own makes contenders whose code is generated from a user's .proto file
// as it is: with its fixed-width and zigzag integers, its oneofs, groups, required
// fields, extensions and names, which a neutral schema does not have. They are
// linked into runners beside all others, and get the same values: package
// protoform makes messages of them, untimed, and compares what comes back.
//
// All contenders of a program share protobuf's registry of names, so the files of
// each get a prefix of its own, assay.own… before their package and path. The
// binary form has no names in it. Protobuf's JSON has, in google.protobuf.Any and
// for extensions, and so own/protojson alone keeps the names as they are.
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

// Prefix begins the names of these contenders. The name of the contender whose
// library they use follows.
const Prefix = "own/"

// Name is the contender that somebody with a .proto file has: Google's library
// with their own generated types.
const Name = Prefix + "protobuf"

// A kind is one of these contenders, without a .proto file.
type kind struct {
	like *contender.Contender
	// text says how the library is used.
	text    string
	usages  []emit.Usage
	imports []string // of the usages
	plugins func(e *emitter) []contender.Plugin
	// names says that its bytes may hold names of the files, which are then kept.
	names bool
	// open says that its code is for the open API of messages, whatever the files
	// ask for.
	open bool
	// lacks says what its generator cannot do of the files; nil: it can do all.
	lacks func(e *emitter) error
	// marshal is the method that encodes a type without protobuf's reflection.
	marshal string
}

const library = "google.golang.org/protobuf/"

// kinds are all of them.
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

// lacksEditions refuses files of an edition, which a generator that does not know
// of editions would take for proto2.
func lacksEditions(e *emitter) error {
	for _, f := range e.code.files {
		if f.GetSyntax() == "editions" {
			return fmt.Errorf("%s is of an edition, and the generator knows proto2 and proto3 only", f.GetName())
		}
	}
	return nil
}

// lacksVT refuses fields for which the generator of this version writes code that
// does not compile: those without presence in a file of an edition, and groups in
// lists and oneofs.
func lacksVT(e *emitter) error {
	return e.refused(func(f protoreflect.FieldDescriptor) string {
		edition := f.ParentFile().Syntax() == protoreflect.Editions
		if edition && !f.HasPresence() && f.Cardinality() != protoreflect.Repeated {
			return "has implicit presence in a file of an edition, which the generator knows nothing of"
		}
		return manyGroups(f)
	})
}

// manyGroups says that a field is a group in a list or a oneof, for which generators
// made of vtprotobuf's write code that does not compile; empty: it is none.
func manyGroups(f protoreflect.FieldDescriptor) string {
	if f.Kind() != protoreflect.GroupKind || f.Cardinality() != protoreflect.Repeated && f.ContainingOneof() == nil {
		return ""
	}
	return "is a group in a list or a oneof, for which the generator writes code that does not compile"
}

// refused returns what is wrong with the first field that something is wrong with.
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

// lacksLite refuses files that come with protobuf and that the library has no package
// for, and groups in lists and oneofs.
func lacksLite(e *emitter) error {
	for _, f := range e.code.known {
		if !protobufgolite.Known(f.GetName()) {
			return fmt.Errorf("the library has no package for %s", f.GetName())
		}
	}
	return e.refused(manyGroups)
}

// All returns the contenders without a .proto file: what they are, for whoever
// reads of them. They have no code for any schema.
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
			// What the neutral contenders write it cannot read, and the reverse.
			c.Format = Prefix + k.like.Format
		}
		if keepsBytes(r.Descriptor()) { // there is no pool of the records' message
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

// Key names the code of the contenders of a result: equal .proto files and messages
// have equal keys.
func Key(r *protofile.Result) string {
	h := sha256.New()
	text, err := json.Marshal(r.Plan())
	if err != nil {
		panic(err) // it holds no type that could fail
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

// describe returns the contender, whose ops are those that every program does.
func (k kind) describe() *contender.Contender {
	c := *k.like
	c.Name = Prefix + k.like.Name
	c.Title = "your .proto files as they are: " + k.like.Title
	c.Text = "The code is generated from your .proto files as they are, so its bytes are those of your own programs. " +
		k.text + " See assay explain " + k.like.Name + "."
	// The records were messages before: what these cannot hold they do not.
	c.Losses = slices.DeleteFunc(slices.Clone(k.like.Losses), func(l contender.Loss) bool {
		return slices.Contains([]contender.Loss{contender.NilEmpty, contender.TimeZone, contender.TimeYears}, l)
	})
	c.Ops = offered(k.like.Ops)
	c.Modes = nil
	for _, m := range k.like.Modes {
		if m.Ops = offered(m.Ops); len(m.Ops) > 0 {
			c.Modes = append(c.Modes, m)
		}
	}
	return &c
}

// offered returns those of the ops that these contenders have.
func offered(ops []result.Op) []result.Op {
	var out []result.Op
	for _, op := range ops {
		if op == result.Encode || op == result.Decode {
			out = append(out, op)
		}
	}
	return out
}

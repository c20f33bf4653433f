// Package protoc runs the protocol between protoc and its plugins, which are code generators:
// it makes their request and reads their answer.
//
// It encodes and decodes the few messages by hand. The tool must not link any contender, so
// that no contender can be disturbed or favoured by it, and every protobuf library is a
// contender.
//
// Field numbers, types and labels are those of google/protobuf/descriptor.proto and
// google/protobuf/compiler/plugin.proto.
package protoc

import (
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"assay/schema"
)

// Options say what to generate.
type Options struct {
	// Schema is the schema. It must be valid.
	Schema *schema.Schema
	// Package is the import path of the Go package to generate. Its last
	// element is the package name.
	Package string
	// ProtoPackage is the protobuf package, such as assay.vtprotobuf.tick. All
	// generated packages of one program share protobuf's registry of names, so
	// each has a package of its own.
	ProtoPackage string
	// File is the path of the .proto file that the plugin sees, such as
	// assay/vtprotobuf/tick.proto. No such file exists, but the path too is a name in
	// protobuf's registry.
	File string
	// Parameter is what protoc would pass to the plugin from --NAME_opt.
	Parameter string
	// JSONName returns the JSON name of a field. Nil means protoc's default names. If the
	// function returns a name that no .proto file can hold, the field gets the default name,
	// with underscores appended if another field has it.
	JSONName func(m *schema.Message, f *schema.Field) string
	// Comments are additional comments of fields in Text, by Message.field.
	Comments map[string]string
}

// jsonName returns the JSON name of a field, and whether it differs from protoc's default.
func (o Options) jsonName(m *schema.Message, f *schema.Field) (name string, custom bool) {
	plain := camel(f.Name, false)
	if own, ok := o.wanted(m, f); ok {
		return own, own != plain
	}
	name = plain
	if m == nil || o.JSONName == nil {
		return name, false
	}
	for slices.ContainsFunc(m.Fields, func(other *schema.Field) bool {
		own, ok := o.wanted(m, other)
		return ok && own == name
	}) {
		name += "_"
	}
	return name, name != plain
}

// wanted returns what JSONName returns, and whether a .proto file can hold it: names in
// brackets are reserved for extensions.
func (o Options) wanted(m *schema.Message, f *schema.Field) (name string, ok bool) {
	if o.JSONName == nil {
		return "", false
	}
	name = o.JSONName(m, f)
	extension := strings.HasPrefix(name, "[") && strings.HasSuffix(name, "]")
	return name, name != "" && !extension && !strings.ContainsRune(name, 0) && utf8.ValidString(name)
}

func (o Options) goPackage() string { return o.Package + ";" + path.Base(o.Package) }

// typeName returns the full name of a message or enum of the schema.
func (o Options) typeName(name string) string { return "." + o.ProtoPackage + "." + name }

// Types of a FieldDescriptorProto.
const (
	typeDouble  = 1
	typeFloat   = 2
	typeInt64   = 3
	typeUint64  = 4
	typeInt32   = 5
	typeBool    = 8
	typeString  = 9
	typeMessage = 11
	typeBytes   = 12
	typeUint32  = 13
	typeEnum    = 14
)

// A protoType is protobuf's type for a kind.
type protoType struct {
	number int
	// name is the type's name in a .proto file. Empty: the name of the enum or message.
	name string
	// file must be imported for the type.
	file *wellKnown
}

var protoTypes = map[schema.Kind]protoType{
	schema.Bool:        {number: typeBool, name: "bool"},
	schema.Int32:       {number: typeInt32, name: "int32"},
	schema.Int64:       {number: typeInt64, name: "int64"},
	schema.Uint32:      {number: typeUint32, name: "uint32"},
	schema.Uint64:      {number: typeUint64, name: "uint64"},
	schema.Float32:     {number: typeFloat, name: "float"},
	schema.Float64:     {number: typeDouble, name: "double"},
	schema.String:      {number: typeString, name: "string"},
	schema.Bytes:       {number: typeBytes, name: "bytes"},
	schema.Timestamp:   {number: typeMessage, name: "google.protobuf.Timestamp", file: &timestampFile},
	schema.Duration:    {number: typeMessage, name: "google.protobuf.Duration", file: &durationFile},
	schema.EnumKind:    {number: typeEnum},
	schema.MessageKind: {number: typeMessage},
}

// A wellKnown is one of the two files of protobuf itself that this package uses. Both declare
// one message with int64 seconds = 1 and int32 nanos = 2.
type wellKnown struct {
	path, message, goPackage string
}

var (
	timestampFile = wellKnown{"google/protobuf/timestamp.proto", "Timestamp", "google.golang.org/protobuf/types/known/timestamppb"}
	durationFile  = wellKnown{"google/protobuf/duration.proto", "Duration", "google.golang.org/protobuf/types/known/durationpb"}
)

// imports returns the files that the schema needs, in a fixed order.
func imports(s *schema.Schema) []*wellKnown {
	used := map[*wellKnown]bool{}
	for _, m := range s.Messages {
		for _, f := range m.Fields {
			t := f.Type
			for t.Elem != nil {
				t = *t.Elem
			}
			used[protoTypes[t.Kind].file] = true
		}
	}
	var files []*wellKnown
	for _, f := range []*wellKnown{&durationFile, &timestampFile} {
		if used[f] {
			files = append(files, f)
		}
	}
	return files
}

// explicit reports whether a field needs the keyword optional to tell absent from zero.
// Messages, and so timestamps and durations, can be absent without it.
func explicit(t schema.Type) bool {
	return t.Optional && protoTypes[t.Kind].number != typeMessage
}

// entryName is the name of the message that protoc nests for a map field.
func entryName(name string) string { return camel(name, true) + "Entry" }

// camel removes the underscores of a name and puts the following letter in upper case, and the
// first letter if up is set. Protoc does this for JSON names and for the entry messages of
// maps.
func camel(name string, up bool) string {
	b := make([]byte, 0, len(name))
	for _, c := range []byte(name) {
		if c == '_' {
			up = true
			continue
		}
		if up && 'a' <= c && c <= 'z' {
			c -= 'a' - 'A'
		}
		b = append(b, c)
		up = false
	}
	return string(b)
}

// lines splits a doc into lines for comments. An empty doc has no lines.
func lines(doc string) []string {
	if doc == "" {
		return nil
	}
	doc = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(doc)
	return strings.Split(strings.TrimRight(doc, "\n"), "\n")
}

// Package protoc talks to the code generators that are plugins of protoc, as
// protoc would: it makes the request that they read and takes apart the answer
// that they write.
//
// It writes and reads the few messages by hand. The tool links no contender,
// so that none can disturb or be favoured by it, and every protobuf library is
// a contender.
//
// Numbers of fields, types and labels are those of
// google/protobuf/descriptor.proto and google/protobuf/compiler/plugin.proto.
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
	// File is the path of the .proto file that the plugin is to see, such as
	// assay/vtprotobuf/tick.proto. It exists nowhere; it too is a name in the
	// registry.
	File string
	// Parameter is what protoc's --NAME_opt would hand to the plugin.
	Parameter string
	// JSONName returns the name that a field has in JSON. Nil: it is what protoc
	// makes of the field's name, and nearly so where the function returns one that
	// no .proto file can hold.
	JSONName func(m *schema.Message, f *schema.Field) string
	// Comments are further comments of fields in Text, by Message.field.
	Comments map[string]string
}

// jsonName returns the name that a field has in JSON, and whether that has to be
// said.
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

// wanted returns what JSONName says, and whether a .proto file can hold it: names in
// brackets are kept for extensions.
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

// A protoType is how protobuf holds a kind.
type protoType struct {
	number int
	// name is how a .proto file calls it. Empty: by the name of the enum or
	// message.
	name string
	// file has to be imported for it.
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

// A wellKnown is one of the two files that come with protobuf and are used
// here. Both hold one message of an int64 seconds = 1 and an int32 nanos = 2.
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

// explicit reports whether a field needs the word optional to tell absent from
// zero. Messages, and so timestamps and durations, can be absent anyway.
func explicit(t schema.Type) bool {
	return t.Optional && protoTypes[t.Kind].number != typeMessage
}

// entryName is the name of the message that protoc nests for a map field.
func entryName(name string) string { return camel(name, true) + "Entry" }

// camel drops the underscores of a name and puts a letter after one in upper case,
// the first where up: what protoc calls a field in JSON, and the entries of a map.
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

// lines splits a doc into lines for comments. None when it is empty.
func lines(doc string) []string {
	if doc == "" {
		return nil
	}
	doc = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(doc)
	return strings.Split(strings.TrimRight(doc, "\n"), "\n")
}

package protoc

import (
	"encoding/binary"
	"strings"

	"assay/contender"
	"assay/schema"
)

// OptionsFor returns the options for a contender's package. The packages of a runner share
// protobuf's registry of names, so their names contain the contender's directory. A package
// with Alone has the names that Text gives to the schema. If the request names its protobuf
// package, the file is in the directories of that package. It keeps its own name, after which
// generators name the Go files.
func OptionsFor(req contender.Request) Options {
	o := Options{Schema: req.Schema, Package: req.Package, ProtoPackage: req.Schema.Name, File: req.Schema.Name + ".proto"}
	if !req.Alone {
		dir := contender.Dir(req.Contender)
		o.ProtoPackage = "assay." + dir + "." + req.Schema.Name
		o.File = "assay/" + dir + "/" + req.Schema.Name + "/types.proto"
		return o
	}
	if req.ProtoPackage != "" {
		o.ProtoPackage = req.ProtoPackage
		o.File = strings.ReplaceAll(req.ProtoPackage, ".", "/") + "/" + o.File
	}
	o.JSONName = func(m *schema.Message, f *schema.Field) string {
		if key, ok := req.Keys[m.Name+"."+f.Name]; ok {
			return key
		}
		return f.TextName()
	}
	return o
}

// Requester returns a function that makes the request for a contender's package with a
// parameter.
func Requester(req contender.Request) func(parameter string) []byte {
	return func(parameter string) []byte {
		o := OptionsFor(req)
		o.Parameter = parameter
		return Request(o)
	}
}

// Request returns the encoded google.protobuf.compiler.CodeGeneratorRequest that asks a plugin
// for the Go code of the schema. A bare message is encoded as a message with one field.
func Request(o Options) []byte {
	var b message
	b.str(1, o.File) // file_to_generate
	if o.Parameter != "" {
		b.str(2, o.Parameter) // parameter
	}
	b.msg(3, compilerVersion())
	for _, f := range imports(o.Schema) { // proto_file: a file comes after the files that it imports
		b.msg(15, f.file())
	}
	b.msg(15, o.file())
	return b
}

// compilerVersion is the protoc release whose behaviour this package copies. Plugins print the
// version into their code.
func compilerVersion() message {
	var b message
	b.num(1, 3)  // major
	b.num(2, 21) // minor
	b.num(3, 12) // patch
	return b
}

// file returns the FileDescriptorProto of a well-known file, without the comments and the
// options for other languages.
func (w *wellKnown) file() message {
	seconds := plainField("seconds", 1, typeInt64, "")
	nanos := plainField("nanos", 2, typeInt32, "")
	var m message
	m.str(1, w.message)
	m.msg(2, seconds)
	m.msg(2, nanos)

	var b message
	b.str(1, w.path)
	b.str(2, "google.protobuf")
	b.msg(4, m)
	b.msg(8, fileOptions(w.goPackage))
	b.str(12, "proto3")
	return b
}

func fileOptions(goPackage string) message {
	var b message
	b.str(11, goPackage) // go_package
	return b
}

// file returns the FileDescriptorProto of the schema.
func (o Options) file() message {
	var b message
	b.str(1, o.File)
	b.str(2, o.ProtoPackage)
	for _, f := range imports(o.Schema) {
		b.str(3, f.path) // dependency
	}
	for _, m := range o.Schema.Messages {
		b.msg(4, o.message(m))
	}
	for _, e := range o.Schema.Enums {
		b.msg(5, enum(e))
	}
	b.msg(8, fileOptions(o.goPackage()))
	b.str(12, "proto3") // syntax
	return b
}

// message returns the DescriptorProto of a message.
func (o Options) message(m *schema.Message) message {
	var b message
	b.str(1, m.Name)
	oneofs := 0
	for _, f := range m.Fields {
		oneof := -1
		if m.Union {
			oneof = 0
		} else if explicit(f.Type) {
			oneof = oneofs
			oneofs++
		}
		b.msg(2, o.field(m, f, oneof))
	}
	for _, f := range m.Fields {
		if f.Type.Kind == schema.Map {
			b.msg(3, o.entry(f)) // nested_type
		}
	}
	if m.Union {
		var oneof message
		oneof.str(1, m.OneofName())
		b.msg(8, oneof) // oneof_decl
		return b
	}
	// An optional field is the only member of a synthetic oneof.
	for _, f := range m.Fields {
		if explicit(f.Type) {
			var oneof message
			oneof.str(1, "_"+f.Name)
			b.msg(8, oneof) // oneof_decl
		}
	}
	return b
}

// field returns the FieldDescriptorProto of a field. Oneof is the index of its oneof, or -1.
func (o Options) field(m *schema.Message, f *schema.Field, oneof int) message {
	label := labelOptional
	number, typeName := o.typeOf(f.Type)
	switch f.Type.Kind {
	case schema.List:
		label = labelRepeated
		number, typeName = o.typeOf(*f.Type.Elem)
	case schema.Map: // a list of entries
		label = labelRepeated
		number, typeName = typeMessage, o.typeName(m.Name)+"."+entryName(f.Name)
	}
	name, _ := o.jsonName(m, f)
	b := fieldOf(f.Name, name, f.Number, label, number, typeName, oneof)
	if oneof >= 0 && !m.Union {
		b.num(17, 1) // proto3_optional
	}
	return b
}

// entry returns the DescriptorProto of the message for one entry of a map.
func (o Options) entry(f *schema.Field) message {
	key, _ := o.typeOf(schema.Type{Kind: f.Type.Key})
	value, typeName := o.typeOf(*f.Type.Elem)
	var options message
	options.num(7, 1) // map_entry
	var b message
	b.str(1, entryName(f.Name))
	b.msg(2, plainField("key", 1, key, ""))
	b.msg(2, plainField("value", 2, value, typeName))
	b.msg(7, options)
	return b
}

// typeOf returns the type number of a kind other than list and map, and the full name of its
// message or enum.
func (o Options) typeOf(t schema.Type) (number int, typeName string) {
	p := protoTypes[t.Kind]
	switch {
	case t.Ref != "":
		typeName = o.typeName(t.Ref)
	case p.file != nil:
		typeName = "." + p.name
	}
	return p.number, typeName
}

// Labels of a FieldDescriptorProto.
const (
	labelOptional = 1
	labelRepeated = 3
)

func plainField(name string, number, typ int, typeName string) message {
	return fieldOf(name, camel(name, false), number, labelOptional, typ, typeName, -1)
}

func fieldOf(name, jsonName string, number, label, typ int, typeName string, oneof int) message {
	var b message
	b.str(1, name)
	b.num(3, uint64(number))
	b.num(4, uint64(label))
	b.num(5, uint64(typ))
	if typeName != "" {
		b.str(6, typeName)
	}
	if oneof >= 0 {
		b.num(9, uint64(oneof)) // oneof_index
	}
	b.str(10, jsonName)
	return b
}

// enum returns the EnumDescriptorProto of an enum.
func enum(e *schema.Enum) message {
	var b message
	b.str(1, e.Name)
	for _, v := range e.Values {
		var value message
		value.str(1, v.Name)
		value.num(2, uint64(int64(v.Number))) // sign-extended, as int32 is on the wire
		b.msg(2, value)
	}
	return b
}

// A message is an encoded protobuf message. Its methods append a field.
type message []byte

// Wire types.
const (
	wireVarint = 0
	wireFixed8 = 1
	wireBytes  = 2
	wireFixed4 = 5
)

// num appends a varint field: an integer, an enum or a bool.
func (b *message) num(field int, v uint64) {
	*b = binary.AppendUvarint(*b, uint64(field)<<3|wireVarint)
	*b = binary.AppendUvarint(*b, v)
}

// str appends a string.
func (b *message) str(field int, s string) {
	*b = binary.AppendUvarint(*b, uint64(field)<<3|wireBytes)
	*b = binary.AppendUvarint(*b, uint64(len(s)))
	*b = append(*b, s...)
}

// msg appends a message.
func (b *message) msg(field int, m message) { b.str(field, string(m)) }

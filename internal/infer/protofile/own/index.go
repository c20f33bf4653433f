package own

import (
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
)

func fileProto(f protoreflect.FileDescriptor) *descriptorpb.FileDescriptorProto {
	return protodesc.ToFileDescriptorProto(f)
}

// An indexed has the declarations of files by their full names, with a leading dot, and records which
// of them are kept.
type indexed struct {
	top        map[string]*declared    // the top-level declaration around each type
	extensions map[string][]*extension // by the extended message
	kept       map[string]bool         // top-level declarations
	keptFields map[*descriptorpb.FieldDescriptorProto]bool
	files      map[string]bool // the files from which something is kept
}

// A declared is a top-level message or enum of a file.
type declared struct {
	name    string
	file    *descriptorpb.FileDescriptorProto
	message *descriptorpb.DescriptorProto // nil: it is an enum
}

// An extension is an extension declared in a file or in a message.
type extension struct {
	file  *descriptorpb.FileDescriptorProto
	field *descriptorpb.FieldDescriptorProto
	scope string // the top-level message in which it is declared, or ""
}

func index(files []*descriptorpb.FileDescriptorProto) *indexed {
	x := &indexed{
		top: map[string]*declared{}, extensions: map[string][]*extension{}, kept: map[string]bool{},
		keptFields: map[*descriptorpb.FieldDescriptorProto]bool{}, files: map[string]bool{},
	}
	for _, f := range files {
		scope := ""
		if f.GetPackage() != "" {
			scope = "." + f.GetPackage()
		}
		for _, e := range f.EnumType {
			name := scope + "." + e.GetName()
			x.top[name] = &declared{name, f, nil}
		}
		for _, m := range f.MessageType {
			name := scope + "." + m.GetName()
			x.nested(name, m, &declared{name, f, m})
		}
		for _, e := range f.Extension {
			x.extensions[e.GetExtendee()] = append(x.extensions[e.GetExtendee()], &extension{f, e, ""})
		}
	}
	return x
}

// nested adds a message and the declarations in it to the index.
func (x *indexed) nested(name string, m *descriptorpb.DescriptorProto, top *declared) {
	x.top[name] = top
	for _, e := range m.EnumType {
		x.top[name+"."+e.GetName()] = top
	}
	for _, e := range m.Extension {
		x.extensions[e.GetExtendee()] = append(x.extensions[e.GetExtendee()], &extension{top.file, e, top.name})
	}
	for _, n := range m.NestedType {
		x.nested(name+"."+n.GetName(), n, top)
	}
}

// keep keeps a type with its whole top-level declaration, and everything that this declaration needs:
// the types of its fields, and extensions of its messages.
func (x *indexed) keep(name string) {
	top := x.top[name]
	if top == nil || x.kept[top.name] {
		return
	}
	x.kept[top.name] = true
	x.files[top.file.GetName()] = true
	if top.message != nil {
		x.within(top.name, top.message)
	}
}

// within keeps the types of a message's fields and the message's extensions, and does the same for
// the messages declared in it.
func (x *indexed) within(name string, m *descriptorpb.DescriptorProto) {
	for _, f := range m.Field {
		x.keep(f.GetTypeName())
	}
	for _, n := range m.NestedType {
		x.within(name+"."+n.GetName(), n)
	}
	for _, e := range x.extensions[name] {
		x.keptFields[e.field] = true
		x.files[e.file.GetName()] = true
		x.keep(e.field.GetTypeName())
		if e.scope != "" {
			x.keep(e.scope)
		}
	}
}

// keepFile keeps all types of a file.
func (x *indexed) keepFile(f *descriptorpb.FileDescriptorProto) {
	for name, d := range x.top {
		if d.file == f && d.name == name {
			x.keep(name)
		}
	}
}

// cut removes from a file the declarations that are not kept, its services, and imports that are then
// not needed. It also removes the comments unless whole is set.
func (x *indexed) cut(f *descriptorpb.FileDescriptorProto, whole bool) {
	scope := ""
	if f.GetPackage() != "" {
		scope = "." + f.GetPackage()
	}
	f.Service = nil // no generator here uses services
	if !whole {
		f.SourceCodeInfo = nil
	}
	f.EnumType = slices.DeleteFunc(f.EnumType, func(e *descriptorpb.EnumDescriptorProto) bool { return !x.kept[scope+"."+e.GetName()] })
	f.MessageType = slices.DeleteFunc(f.MessageType, func(m *descriptorpb.DescriptorProto) bool { return !x.kept[scope+"."+m.GetName()] })
	lost := func(e *descriptorpb.FieldDescriptorProto) bool { return !x.keptFields[e] }
	f.Extension = slices.DeleteFunc(f.Extension, lost)
	needs := map[string]bool{}
	need := func(fields []*descriptorpb.FieldDescriptorProto) {
		for _, e := range fields {
			for _, name := range []string{e.GetTypeName(), e.GetExtendee()} {
				if d := x.top[name]; d != nil && d.file != f {
					needs[d.file.GetName()] = true
				}
			}
		}
	}
	need(f.Extension)
	var walk func(m *descriptorpb.DescriptorProto)
	walk = func(m *descriptorpb.DescriptorProto) {
		m.Extension = slices.DeleteFunc(m.Extension, lost)
		need(m.Field)
		need(m.Extension)
		for _, n := range m.NestedType {
			walk(n)
		}
	}
	for _, m := range f.MessageType {
		walk(m)
	}
	// Import files directly that were visible through public imports.
	f.Dependency, f.PublicDependency, f.WeakDependency = nil, nil, nil
	for name := range needs {
		f.Dependency = append(f.Dependency, name)
	}
	slices.Sort(f.Dependency)
}

// rename puts a prefix before all names of a file that programs register, and before the names of our
// own files and their types in references. ours has the names of our files.
func rename(f *descriptorpb.FileDescriptorProto, prefix string, ours map[string]bool) {
	dir := strings.ReplaceAll(prefix, ".", "/") + "/"
	f.Name = proto.String(dir + f.GetName())
	f.Package = proto.String(strings.TrimSuffix(prefix+"."+f.GetPackage(), "."))
	for i, d := range f.Dependency {
		if ours[d] {
			f.Dependency[i] = dir + d
		}
	}
	refer := func(fields []*descriptorpb.FieldDescriptorProto) {
		for _, e := range fields {
			for _, name := range []**string{&e.TypeName, &e.Extendee} {
				if *name != nil && !strings.HasPrefix(**name, ".google.protobuf.") {
					*name = proto.String("." + prefix + **name)
				}
			}
		}
	}
	refer(f.Extension)
	var walk func(m *descriptorpb.DescriptorProto)
	walk = func(m *descriptorpb.DescriptorProto) {
		refer(m.Field)
		refer(m.Extension)
		for _, n := range m.NestedType {
			walk(n)
		}
	}
	for _, m := range f.MessageType {
		walk(m)
	}
}

package protofile

import (
	"slices"

	"github.com/bufbuild/protocompile/linker"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"

	"assay/schema/protoform"
)

// Descriptor describes the message of the records.
func (r *Result) Descriptor() protoreflect.MessageDescriptor { return r.desc }

// Plan returns how the messages are those of the schema.
func (r *Result) Plan() *protoform.Plan { return r.plan }

// Descriptors returns the files as they were compiled, each after those it
// imports, with comments where a file was read. They are the caller's.
func (r *Result) Descriptors() []*descriptorpb.FileDescriptorProto {
	var all []*descriptorpb.FileDescriptorProto
	for _, f := range r.set.files {
		if read, ok := f.(linker.Result); ok {
			all = append(all, proto.CloneOf(read.FileDescriptorProto()))
			continue
		}
		all = append(all, protodesc.ToFileDescriptorProto(f))
	}
	return all
}

// A Source is a .proto file that was read.
type Source struct {
	// Name is as imports have it, a slash-separated path, and Path where it is.
	Name, Path string
	// Named says that the user named the file, rather than another file that
	// imports it.
	Named bool
}

// Sources are the .proto files that were read, each after those it imports. Those
// that come with protobuf are not among them.
func (r *Result) Sources() []Source {
	named := r.Named()
	var all []Source
	for _, f := range r.set.files {
		if path := r.set.finder.opened[f.Path()]; path != "" {
			all = append(all, Source{f.Path(), path, slices.Contains(named, f.Path())})
		}
	}
	return all
}

// Named are the names, as imports have them, of the files that the user named.
func (r *Result) Named() []string {
	var names []string
	for _, f := range r.set.named {
		names = append(names, f.Path())
	}
	return names
}

// SameBytes reports whether protobuf code that is generated from the schema
// writes what the .proto file's own code writes, and reads what that reads.
func (r *Result) SameBytes() bool {
	for _, d := range r.Differences {
		if d.Wire {
			return false
		}
	}
	return true
}

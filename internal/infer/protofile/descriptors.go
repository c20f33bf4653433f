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

// Descriptor returns the descriptor of the message of the records.
func (r *Result) Descriptor() protoreflect.MessageDescriptor { return r.desc }

// Plan returns the plan that relates the messages of the .proto files to those of the schema.
func (r *Result) Plan() *protoform.Plan { return r.plan }

// Descriptors returns the compiled files, each after the files that it imports. Files that were read
// from disk have their comments. The caller may modify the result.
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
	// Name is the name of the file in imports, a slash-separated path. Path is its path on disk.
	Name, Path string
	// Data is its text as it was compiled. The file may have changed since.
	Data []byte
	// Named says that the user named the file, so that it is not only imported by others.
	Named bool
}

// Sources returns the .proto files that were read, each after the files that it imports, without the
// files that come with protobuf.
func (r *Result) Sources() []Source {
	named := r.Named()
	var all []Source
	for _, f := range r.set.files {
		if path := r.set.finder.opened[f.Path()]; path != "" {
			all = append(all, Source{f.Path(), path, r.set.finder.texts[f.Path()], slices.Contains(named, f.Path())})
		}
	}
	return all
}

// Named returns the names, as in imports, of the files that the user named.
func (r *Result) Named() []string {
	var names []string
	for _, f := range r.set.named {
		names = append(names, f.Path())
	}
	return names
}

// SameBytes reports whether protobuf code that is generated from the schema reads and writes the same
// bytes as code that is generated from the .proto files.
func (r *Result) SameBytes() bool {
	for _, d := range r.Differences {
		if d.Wire {
			return false
		}
	}
	return true
}

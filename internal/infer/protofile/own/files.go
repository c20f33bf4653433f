package own

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/gofeaturespb"

	"assay/contender/emit"
	"assay/internal/infer/protofile"
	"assay/schema"
)

// standard is the prefix of the paths of the files that come with protobuf. Every library has its own
// Go packages for them, and every program registers their names.
const standard = "google/protobuf/"

// A code has the files from which code is generated.
type code struct {
	// files are the files to generate from, each after the files that it imports. known are the
	// files of protobuf itself that they import.
	files, known []*descriptorpb.FileDescriptorProto
	root         string // the full name of the message of the records
	dirs         map[string]goPackage
}

// A goPackage is the Go package for the code of a file. dir is relative to the package of the
// bindings.
type goPackage struct{ dir, name string }

// codeOf returns the files that code for the records' message needs. It keeps files whole, with their
// comments, if whole returns true for them; of all others it keeps only what the message needs. It
// removes options that are not protobuf's own, because no generator here uses them.
func codeOf(r *protofile.Result, whole func(file string) bool) (*code, error) {
	c := &code{root: r.Message}
	all := r.Descriptors()
	for i, f := range all {
		var err error
		if all[i], err = plain(f); err != nil {
			return nil, err
		}
	}
	x := index(all)
	for _, f := range all {
		if !strings.HasPrefix(f.GetName(), standard) && whole(f.GetName()) {
			x.keepFile(f)
		}
	}
	x.keep("." + c.root)
	for _, f := range all {
		if !x.files[f.GetName()] {
			continue
		}
		if strings.HasPrefix(f.GetName(), standard) {
			ours, err := published(f, x)
			if err != nil {
				return nil, err
			}
			c.known = append(c.known, ours)
			continue
		}
		if strings.HasPrefix("."+f.GetPackage()+".", ".google.protobuf.") {
			return nil, fmt.Errorf("%s declares messages of package %s, which every library of protobuf brings itself", f.GetName(), f.GetPackage())
		}
		x.cut(f, whole(f.GetName()))
		c.files = append(c.files, f)
	}
	c.known = withImports(c.known)
	c.group()
	c.tellApart()
	return c, nil
}

// plain returns a file without options that are not protobuf's own.
func plain(f *descriptorpb.FileDescriptorProto) (*descriptorpb.FileDescriptorProto, error) {
	data, err := proto.MarshalOptions{AllowPartial: true}.Marshal(f)
	if err != nil {
		return nil, err
	}
	// The resolver knows only one extension of protobuf's options, that of the Go generator. All
	// others become unknown fields.
	var known protoregistry.Types
	if err := known.RegisterExtension(gofeaturespb.E_Go); err != nil {
		return nil, err
	}
	out := &descriptorpb.FileDescriptorProto{}
	if err := (proto.UnmarshalOptions{Resolver: &known, AllowPartial: true}).Unmarshal(data, out); err != nil {
		return nil, fmt.Errorf("%s: %w", f.GetName(), err)
	}
	within(out.ProtoReflect(), func(m protoreflect.Message) { m.SetUnknown(nil) })
	return out, nil
}

// within calls visit for a message and all messages within it, except those in maps.
func within(m protoreflect.Message, visit func(protoreflect.Message)) {
	visit(m)
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case f.Message() == nil || f.IsMap():
		case f.IsList():
			for i := range v.List().Len() {
				within(v.List().Get(i).Message(), visit)
			}
		default:
			within(v.Message(), visit)
		}
		return true
	})
}

// published returns protobuf's own file with the name of f, as linked into this program. The error
// says that it lacks something that is kept of the user's copy f.
func published(f *descriptorpb.FileDescriptorProto, x *indexed) (*descriptorpb.FileDescriptorProto, error) {
	d, err := protoregistry.GlobalFiles.FindFileByPath(f.GetName())
	if err != nil {
		return nil, fmt.Errorf("%s is none of the files that Go libraries of protobuf bring", f.GetName())
	}
	for _, m := range f.MessageType {
		if !x.kept["."+f.GetPackage()+"."+m.GetName()] {
			continue
		}
		have := d.Messages().ByName(protoreflect.Name(m.GetName()))
		for _, field := range m.Field {
			if have == nil || !sameField(field, have.Fields().ByNumber(protoreflect.FieldNumber(field.GetNumber()))) {
				return nil, fmt.Errorf("%s is not the published file: its message %s has another field %s, and the Go libraries have the published one", f.GetName(), m.GetName(), field.GetName())
			}
		}
	}
	return fileProto(d), nil
}

func sameField(a *descriptorpb.FieldDescriptorProto, b protoreflect.FieldDescriptor) bool {
	return b != nil && string(b.Name()) == a.GetName() && protoreflect.Kind(a.GetType()) == b.Kind() &&
		(a.GetLabel() == descriptorpb.FieldDescriptorProto_LABEL_REPEATED) == (b.Cardinality() == protoreflect.Repeated)
}

// withImports returns files of protobuf itself and all files that they import, each after its imports.
func withImports(files []*descriptorpb.FileDescriptorProto) []*descriptorpb.FileDescriptorProto {
	var out []*descriptorpb.FileDescriptorProto
	seen := map[string]bool{}
	var add func(f *descriptorpb.FileDescriptorProto)
	add = func(f *descriptorpb.FileDescriptorProto) {
		if seen[f.GetName()] {
			return
		}
		seen[f.GetName()] = true
		for _, name := range f.Dependency {
			if d, err := protoregistry.GlobalFiles.FindFileByPath(name); err == nil {
				add(fileProto(d))
			}
		}
		out = append(out, f)
	}
	for _, f := range files {
		add(f)
	}
	return out
}

// group chooses the Go package for each file's code. Files with the same go_package get one Go
// package, as in the user's own build. Files without go_package get one if they have the same
// directory and protobuf package. If these Go packages would import one another in a cycle, all files
// get one.
func (c *code) group() {
	c.dirs = map[string]goPackage{}
	groups := map[string]goPackage{}
	taken := map[string]bool{}
	of := func(f *descriptorpb.FileDescriptorProto) string {
		if at, _, _ := strings.Cut(f.GetOptions().GetGoPackage(), ";"); at != "" {
			return at
		}
		return " " + path.Dir(f.GetName()) + " " + f.GetPackage()
	}
	if c.cyclic(of) {
		of = func(*descriptorpb.FileDescriptorProto) string { return "" }
	}
	for _, f := range c.files {
		key := of(f)
		g, ok := groups[key]
		if !ok {
			name := packageName(f)
			dir := name
			for i := 2; taken[dir]; i++ {
				dir = fmt.Sprintf("%s%d", name, i)
			}
			taken[dir] = true
			g = goPackage{"types/" + dir, name}
			groups[key] = g
		}
		c.dirs[f.GetName()] = g
	}
}

// tellApart renames files from different directories that have one base name and one Go package,
// because generators name the code after the base name. It also replaces characters in base names
// that cannot be in a Go name, because gogofaster makes identifiers from base names, and changes base names that
// the go command would take for a condition, such as a platform. No two files get one name.
func (c *code) tellApart() {
	renamed := map[string]string{}
	dirs := map[string]goPackage{}
	taken := map[string]bool{} // the new names without .proto, and those of the Go files
	for _, f := range c.files {
		dir, base := path.Split(f.GetName())
		plain := strings.Map(asciiOnly, strings.TrimSuffix(base, ".proto"))
		if plain == "" || plain[0] == '_' || plain[0] == '.' {
			plain = "p" + plain
		}
		if emit.Conditional(plain + ".pb.go") {
			stem, rest, _ := strings.Cut(plain+".", ".")
			plain = strings.TrimSuffix(stem+"_proto."+rest, ".")
		}
		in := c.dirs[f.GetName()]
		name := plain
		for i := 2; taken[dir+name] || taken["go "+in.dir+"/"+name]; i++ {
			name = fmt.Sprintf("%s_%d", plain, i)
		}
		taken[dir+name], taken["go "+in.dir+"/"+name] = true, true
		renamed[f.GetName()] = dir + name + ".proto"
		dirs[renamed[f.GetName()]] = in
	}
	for _, f := range c.files {
		for i, d := range f.Dependency {
			if to, ok := renamed[d]; ok {
				f.Dependency[i] = to
			}
		}
		f.Name = proto.String(renamed[f.GetName()])
	}
	c.dirs = dirs
}

// asciiOnly returns c, or an underscore if generators may not expect c in the name of a file.
func asciiOnly(c rune) rune {
	if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("_-.", c) {
		return c
	}
	return '_'
}

// cyclic reports whether packages import one another in a cycle, if the function of returns the package
// of each file.
func (c *code) cyclic(of func(*descriptorpb.FileDescriptorProto) string) bool {
	byName := map[string]*descriptorpb.FileDescriptorProto{}
	imports := map[string]map[string]bool{}
	for _, f := range c.files {
		byName[f.GetName()] = f
	}
	for _, f := range c.files {
		for _, name := range f.Dependency {
			if d := byName[name]; d != nil && of(d) != of(f) {
				if imports[of(f)] == nil {
					imports[of(f)] = map[string]bool{}
				}
				imports[of(f)][of(d)] = true
			}
		}
	}
	state := map[string]int{} // 1: on the current path, 2: done
	var circle func(key string) bool
	circle = func(key string) bool {
		if state[key] > 0 {
			return state[key] == 1
		}
		state[key] = 1
		for to := range imports[key] {
			if circle(to) {
				return true
			}
		}
		state[key] = 2
		return false
	}
	return slices.ContainsFunc(c.files, func(f *descriptorpb.FileDescriptorProto) bool { return circle(of(f)) })
}

// packageName returns the name of the Go package for a file's code: the name for which the file asks,
// changed if necessary so that the package can be imported.
func packageName(f *descriptorpb.FileDescriptorProto) string {
	at, name, ok := strings.Cut(f.GetOptions().GetGoPackage(), ";")
	switch {
	case ok:
	case at != "":
		name = path.Base(at)
	case f.GetPackage() != "":
		name = f.GetPackage()[strings.LastIndexByte(f.GetPackage(), '.')+1:]
	default:
		name = strings.TrimSuffix(path.Base(f.GetName()), ".proto")
	}
	name = strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
			return r
		case 'A' <= r && r <= 'Z':
			return r + 'a' - 'A'
		}
		return -1
	}, name)
	if name == "" || name[0] <= '9' || !schema.PackageName(name) || slices.Contains([]string{"testdata", "model", "init"}, name) {
		name = "p" + name + "pb"
	}
	return name
}

// ready returns copies of the files for a generator. Each has the Go package of its code, below the
// package pkg of the bindings. If prefix is not empty, it is before all names that protobuf registers.
func (c *code) ready(pkg, prefix string) []*descriptorpb.FileDescriptorProto {
	var out []*descriptorpb.FileDescriptorProto
	ours := map[string]bool{}
	for _, f := range c.files {
		ours[f.GetName()] = true
	}
	for _, f := range c.files {
		f = proto.CloneOf(f)
		g := c.dirs[f.GetName()]
		if f.Options == nil {
			f.Options = &descriptorpb.FileOptions{}
		}
		f.Options.GoPackage = proto.String(pkg + "/" + g.dir + ";" + g.name)
		if prefix != "" {
			rename(f, prefix, ours)
		}
		out = append(out, f)
	}
	return out
}

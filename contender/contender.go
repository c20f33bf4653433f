// Package contender is the contract of a contender: one library, with its code generator
// if it has one, that speaks a format.
//
// A [Contender] is a value that describes itself. Lists, help texts, tables and pages are made
// from it, so a contender is described in one place. The package of a contender imports no
// library, because the program that plans, analyses and reports must link none.
//
// [Contender.Emit] turns a schema into the Go source that links the library, including the
// batch loops. A [Request] names the schema and the package, and the [Output] has the files,
// and the code generators that the caller still has to run ([Plugin]). The go command compiles
// that source only into runners. An emitter returns an [*Unsupported] if its format cannot hold
// the schema.
//
// Four tables define the words that describe a contender: [Traits] for the library, [Losses]
// for its round trip, [Axes] for its modes, and result.Ops for its ops. The conformance tests
// compare losses, and traits where they can, with what the code does.
//
// Packages below contender/emit help to write emitters.
package contender

import (
	"slices"

	"assay/result"
	"assay/schema"
)

// A Contender is one library, or one generator, that speaks a format.
type Contender struct {
	// Name is the contender's name on the command line and in tables: the library's own short
	// name or, for the standard library, its import path.
	Name string
	// Title describes it in one line.
	Title string
	// Text is a paragraph for explain: how assay uses it, and why.
	Text string
	// Choose says in one line when it is the right choice.
	Choose string
	// Format names the wire format. Contenders of one format must decode one another's bytes,
	// which verification checks.
	Format string
	// Module is the module whose version is the contender's version; empty for
	// the standard library.
	Module string
	// License is the SPDX identifier of the module's license.
	License string
	// Traits are the library's traits, each once.
	Traits []Trait
	// Ops are the ops that it offers, in the order of result.Ops.
	Ops []result.Op
	// Modes are the modes that it offers besides the default mode.
	Modes []Mode
	// Lacks are the axes that ask it (see Axis.Asks) and on which it has no mode, each with the
	// reason, in the order of Axes.
	Lacks []Lack
	// Advice is where the library's authors say how to use it.
	Advice Advice
	// Bias says whom assay's way of measuring it favours.
	Bias Bias
	// Losses are the known losses of its round trip. Verification forgives
	// those whose word is Forgiven; see LossWord.
	Losses []Loss
	// NumbersTypes says that it numbers types in the order of their first use in a process, and
	// writes the numbers. The length of its messages then depends on what the process did
	// before.
	NumbersTypes bool
	// SpacesVary says that a hash of the program decides whether its text has spaces after
	// commas. The texts of two programs are equal apart from spaces.
	SpacesVary bool
	// GoogleTypes says that its Go types are messages of google.golang.org/protobuf, so that
	// protojson can read into them.
	GoogleTypes bool
	// Varies says why messages of one value differ in length from call to call even if the
	// schema has no map, whose order could be the reason; a clause without a full stop. If it
	// is empty and lengths vary nevertheless, verification fails.
	Varies string
	// Group names the runner that it is built into. Empty is the default runner. A contender
	// that is heavy, or that disturbs others when it is linked, has its own group and is
	// measured only on request.
	Group string
	// Stream says in a sentence how it writes messages to a file one after another, in its
	// format's own way, and reads them back. Empty: it has no streams.
	Stream string
	// Tools are the protoc-style plugins that Emit's Plugins name, as package paths of modules
	// pinned in go.mod.
	Tools []string
	// Emit writes the Go package for a schema. Equal Requests give equal Outputs. The error is
	// an *Unsupported if the format cannot hold the schema.
	Emit func(Request) (Output, error)
}

// A Request says what an emitter must write.
type Request struct {
	// Schema has passed Validate. The emitter must not change it.
	Schema *schema.Schema
	// Whole is the schema with all roots, if Schema has only those that a runner needs. Nil: Schema
	// has all.
	Whole *schema.Schema
	// Package is the import path of the package to write. Its last element is
	// the package name.
	Package string
	// Model is the import path of the package with the neutral model types.
	Model string
	// Contender is the name that the bindings carry: Contender.Name.
	Contender string
	// Varies is Contender.Varies.
	Varies string
	// Alone asks for a package that users copy. It has functions that encode and decode
	// in the default mode, and no bindings.
	Alone bool
	// Stream asks for the streams of the roots instead of bindings. The contender must have a
	// non-empty Stream.
	Stream bool
	// Keys are, with Alone, the names of fields in the user's JSON, by Message.field, for
	// fields whose JSON name is not the text name.
	Keys map[string]string
	// ProtoPackage is, with Alone, the protobuf package of the schema. Empty: the schema's
	// name.
	ProtoPackage string
}

// An Output is the package that an emitter wrote.
type Output struct {
	// Files are written to the package's directory.
	Files []File
	// Plugins are generators that the caller runs; the caller adds the files of their answers.
	// This way assay uses a generator from the library's module and does not link the library.
	Plugins []Plugin
}

// A File is one file of a generated package.
type File struct {
	// Name is the file's name within the package's directory, or a slash-separated path
	// if the file belongs to a package below it.
	Name string
	// Data is its content. Go source need not be formatted yet.
	Data []byte
}

// A Plugin is one run of a code generator that speaks protoc's plugin
// protocol: a CodeGeneratorRequest on standard input, a CodeGeneratorResponse
// on standard output.
type Plugin struct {
	// Tool is the plugin's package path.
	Tool string
	// Uses are the package paths of programs that the plugin runs. A caller that has built them
	// passes their files to the plugin as arguments, in this order. Without arguments the
	// plugin builds them itself.
	Uses []string
	// Request is an encoded google.protobuf.compiler.CodeGeneratorRequest or, for a contender's
	// own generator, input in that generator's format.
	Request []byte
	// Below is set if the generator writes several packages. It is the import path of the
	// requested package, and files keep their directories below it. Empty: all files belong to
	// one package, and their directories are dropped.
	Below string
}

// An Unsupported error says that a format cannot hold a schema.
type Unsupported struct {
	// Field is the path of the field that the format cannot hold, as Message.field.
	Field string
	// Reason says why, without naming the field again.
	Reason string
}

func (u *Unsupported) Error() string { return u.Field + ": " + u.Reason }

// A Mode is a way to use a library, other than its default one.
type Mode struct {
	// Key is the mode as rows show it, for example "output=reuse".
	Key string
	// Ops are the ops whose code differs in this mode, in the order of result.Ops. Only they
	// have rows.
	Ops []result.Op
	// Text says how the library is called in this mode.
	Text string
	// Losses are the losses of the round trip in this mode, in addition to Contender.Losses.
	Losses []Loss
	// Refuses returns why the mode is not for a schema that the contender can hold, or nil if it
	// is: a field that the mode cannot hold, or the root of a schema that the mode would treat
	// like another mode. Emit leaves out a mode that refuses. A nil Refuses means that the mode
	// is for every such schema.
	Refuses func(*schema.Schema) *Unsupported
}

// A Lack is an axis on which a contender has no mode.
type Lack struct {
	// Axis is the axis's name, such as "target=reuse".
	Axis string
	// Reason says why, as a clause that begins with a small letter unless it begins with a
	// name.
	Reason string
}

// An Advice is what the library's authors say about its use.
type Advice struct {
	// URL is a page of the authors.
	URL string
	// Text is the end of a sentence that says what they advise, and which mode follows the
	// advice.
	Text string
}

// A Bias says what a reader must know about the way assay measures a contender. Each field is a
// clause without a full stop.
type Bias struct {
	// Ours names the timed code that assay writes, besides batch loops and conversions.
	Ours string
	// Favours begins with "for it: ", "against it: " or is "neither".
	Favours string
	// Unmeasured names uses of the library that assay does not measure.
	Unmeasured string
}

// Mode returns the mode with that key, or nil for the default mode and for an undeclared one.
func (c *Contender) Mode(key string) *Mode {
	for i := range c.Modes {
		if c.Modes[i].Key == key {
			return &c.Modes[i]
		}
	}
	return nil
}

// Refusing returns the schema that [Mode.Refuses] is to be asked about. It is the whole schema, because
// a plan chooses modes for a workload, and then the roots that a runner needs.
func (r Request) Refusing() *schema.Schema {
	if r.Whole != nil {
		return r.Whole
	}
	return r.Schema
}

// ModesFor returns the modes that do not refuse a schema. The contender itself must be able to
// hold it.
func (c *Contender) ModesFor(s *schema.Schema) []Mode {
	return slices.DeleteFunc(slices.Clone(c.Modes), func(m Mode) bool { return m.Refuses != nil && m.Refuses(s) != nil })
}

// LossesIn returns the losses of the round trip in the mode with that key: the contender's
// losses, then those of the mode.
func (c *Contender) LossesIn(mode string) []Loss {
	if m := c.Mode(mode); m != nil {
		return slices.Concat(c.Losses, m.Losses)
	}
	return c.Losses
}

// Dir returns the contender's directory under contenders/, which is also the name of its
// package: its name in lower-case letters and digits.
func (c *Contender) Dir() string { return Dir(c.Name) }

// Dir returns the directory of the contender with that name.
func Dir(name string) string {
	out := make([]byte, 0, len(name))
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
			out = append(out, c)
		case 'A' <= c && c <= 'Z':
			out = append(out, c-'A'+'a')
		}
	}
	return string(out)
}

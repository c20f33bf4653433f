// Package contender is the contract of a contender: one library, with its code generator
// if it has one, that speaks a format.
//
// A [Contender] is a value that describes itself. Lists, help texts, tables and pages
// are made from it, so a contender is described in one place. Its package imports no
// library: the program that plans, analyses and reports links none.
//
// [Contender.Emit] turns a schema into the Go source that does link the library, batch
// loops included. A [Request] says for which schema and package, and the [Output] has
// the files, with the code generators that still have to be run ([Plugin]). The go
// command compiles that source into runners only. An emitter returns an [*Unsupported]
// if its format cannot hold the schema.
//
// What is true of a contender is said in words of four tables: [Traits] of the library,
// [Losses] of its round trip, [Axes] of its modes, and result.Ops of what it does. The
// conformance tests compare losses, and traits where they can, with what the code does.
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
	// Name is how the command line and the tables call it: the library's own
	// short name or, for the standard library, its import path.
	Name string
	// Title is one line: what it is.
	Title string
	// Text is a paragraph for explain: how it is used here, and why so.
	Text string
	// Choose says in one line when it is the right choice.
	Choose string
	// Format names the wire format. Contenders of one format decode one
	// another's bytes, and verification checks that they do.
	Format string
	// Module is the module whose version is the contender's version; empty for
	// the standard library.
	Module string
	// License is the SPDX identifier of the module's licence.
	License string
	// Traits are what is true of the library, each once.
	Traits []Trait
	// Ops are the ops it offers, in the order of result.Ops.
	Ops []result.Op
	// Modes are the modes it offers besides the default one.
	Modes []Mode
	// Lacks are the axes that ask it and on which it has no mode, each with the reason,
	// in the order of Axes.
	Lacks []Lack
	// Advice is where the library's authors say how to use it.
	Advice Advice
	// Bias is whom the way in which assay measures it favours.
	Bias Bias
	// Losses are what its round trip is known to lose. Verification tolerates
	// exactly these.
	Losses []Loss
	// NumbersTypes says that it numbers types in the order in which a process first
	// uses them, and writes the numbers. The length of its messages then depends on what
	// the process did before.
	NumbersTypes bool
	// SpacesVary says that its text has a space after each comma or has none, which a
	// hash of the program decides. The texts of two programs are equal without spaces.
	SpacesVary bool
	// GoogleTypes says that its Go types are messages of google.golang.org/protobuf, which
	// protojson reads into.
	GoogleTypes bool
	// Varies says why messages of one value differ in length from call to call, where the
	// schema has no map whose order could be why, as a clause without a full stop. Empty:
	// they do not, and a contender whose lengths vary is not verified.
	Varies string
	// Group names the runner it is built into. Empty is the default runner; a
	// contender that is heavy, or that disturbs others by being linked, has a
	// group of its own and is measured only when asked for.
	Group string
	// Stream says in a sentence how it writes messages to a file one after another, by
	// its format's own means, and reads them back. Empty: it has no streams.
	Stream string
	// Tools are the protoc-style plugins that Emit's Plugins name, as package
	// paths of the modules pinned in go.mod.
	Tools []string
	// Emit writes the Go package for a schema, and writes the same for an equal
	// Request. The error is an *Unsupported if the format cannot hold the schema.
	Emit func(Request) (Output, error)
}

// A Request is what an emitter is asked for.
type Request struct {
	// Schema has passed Validate. The emitter must not change it.
	Schema *schema.Schema
	// Package is the import path of the package to write. Its last element is
	// the package name.
	Package string
	// Model is the import path of the package of the neutral model types.
	Model string
	// Contender is the name that the bindings carry, the contender's own.
	Contender string
	// Varies is the contender's own.
	Varies string
	// Alone asks for a package that users copy. It has functions that encode and decode
	// in the default mode, and no bindings.
	Alone bool
	// Stream asks for the streams of the roots in the place of bindings, of a contender
	// whose Stream is not empty.
	Stream bool
	// Keys are, with Alone, the names that fields have in the JSON of whoever copies
	// it, by Message.field, where they are not the text names.
	Keys map[string]string
	// ProtoPackage is, with Alone, the protobuf package of the schema; empty: the
	// schema's name.
	ProtoPackage string
}

// An Output is the package that an emitter wrote.
type Output struct {
	// Files are written to the package's directory.
	Files []File
	// Plugins are generators that the caller runs; it adds the files that they answer
	// with. So a generator from the library's module is used, and the tool does not link
	// the library.
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
	// Uses are the package paths of programs that the plugin runs. A caller that has
	// built them gives the plugin their files as its arguments, in this order. Without
	// arguments the plugin builds them itself.
	Uses []string
	// Request is an encoded google.protobuf.compiler.CodeGeneratorRequest or,
	// for a generator of the contender's own, whatever that reads.
	Request []byte
	// Below is set if the generator writes several packages. It is the import path of
	// the package that was asked for, and files keep the directories of their names
	// below it. Empty: all files belong to one package, and directories are dropped.
	Below string
}

// An Unsupported error says that a format cannot hold a schema.
type Unsupported struct {
	// Field is the path of the field that cannot be held, as Message.field.
	Field string
	// Reason says why, without naming the field again.
	Reason string
}

func (u *Unsupported) Error() string { return u.Field + ": " + u.Reason }

// A Mode is a way to use a library, other than its default one.
type Mode struct {
	// Key is the mode as rows show it, for example "output=reuse".
	Key string
	// Ops are the ops whose code differs in this mode, in the order of result.Ops. Only
	// they get rows.
	Ops []result.Op
	// Text says how the library is called in this mode.
	Text string
	// Losses are what the round trip loses in this mode besides what it always
	// does.
	Losses []Loss
	// Refuses, unless it is nil, says which field of a schema that the contender can hold
	// the mode cannot, and why; nil: it can. Emit leaves the mode out then.
	Refuses func(*schema.Schema) *Unsupported
}

// A Lack is an axis on which a contender has no mode.
type Lack struct {
	// Axis is the axis's name, such as "target=reuse".
	Axis string
	// Reason says why, as a clause that begins with a small letter unless with a name.
	Reason string
}

// An Advice is what the authors of a library say about using it.
type Advice struct {
	// URL is a page of theirs.
	URL string
	// Text says in a sentence's end what they advise, and which mode does so.
	Text string
}

// A Bias is what a reader has to know of how a contender is measured, each a clause
// without a full stop.
type Bias struct {
	// Ours is what of the timed code assay writes, besides batch loops and conversions.
	Ours string
	// Favours begins with "for it: ", "against it: " or is "neither".
	Favours string
	// Unmeasured names what its users do with it and assay does not.
	Unmeasured string
}

// Mode returns the mode of that key, or nil for the default mode and for one
// that is not declared.
func (c *Contender) Mode(key string) *Mode {
	for i := range c.Modes {
		if c.Modes[i].Key == key {
			return &c.Modes[i]
		}
	}
	return nil
}

// ModesFor returns the modes that can hold a schema which the contender can.
func (c *Contender) ModesFor(s *schema.Schema) []Mode {
	return slices.DeleteFunc(slices.Clone(c.Modes), func(m Mode) bool { return m.Refuses != nil && m.Refuses(s) != nil })
}

// LossesIn returns what the round trip loses in the mode of that key: the contender's
// own losses, then those that the mode adds.
func (c *Contender) LossesIn(mode string) []Loss {
	if m := c.Mode(mode); m != nil {
		return slices.Concat(c.Losses, m.Losses)
	}
	return c.Losses
}

// Dir returns the directory of the contender under contenders/, which is also
// the name of its package: its name in lower-case letters and digits.
func (c *Contender) Dir() string { return Dir(c.Name) }

// Dir returns the directory of the contender of that name.
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

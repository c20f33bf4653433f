// Package contender is the contract of a contender: one library (and its
// generator) that speaks a format.
//
// A Contender is a value that describes itself: every list, help text, table
// and page is made from it. It imports no library. Its Emit turns a schema
// into the Go source that does link the library, batch loops included; that
// source is compiled into runners only.
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
	Traits  []Trait
	// Ops are the ops it offers, in the order of result.Ops.
	Ops []result.Op
	// Modes are the modes it offers besides the default one.
	Modes []Mode
	// Losses are what its round trip is known to lose. Verification tolerates
	// exactly these.
	Losses []Loss
	// NumbersTypes says that it numbers types in the order in which a process first
	// uses them, and writes the numbers: how long its messages are depends on what the
	// process did before.
	NumbersTypes bool
	// SpacesVary says that its text has a space after each comma or none, by a hash of
	// the program that links it: texts of two programs are equal without spaces.
	SpacesVary bool
	// Group names the runner it is built into. Empty is the default runner; a
	// contender that is heavy, or that disturbs others by being linked, has a
	// group of its own and is measured only when asked for.
	Group string
	// Tools are the protoc-style plugins that Emit's Plugins name, as package
	// paths of the modules pinned in go.mod.
	Tools []string
	// Emit writes the Go package for a schema. It returns an *Unsupported when
	// the format cannot hold the schema.
	Emit func(Request) (Output, error)
}

// A Request is what an emitter is asked for.
type Request struct {
	Schema *schema.Schema
	// Package is the import path of the package to write. Its last element is
	// the package name.
	Package string
	// Model is the import path of the package of the neutral model types.
	Model string
	// Contender is the name that the bindings carry.
	Contender string
	// Alone asks for a package that is to be used rather than measured: in the
	// place of bindings it has functions that encode and decode in the default
	// mode, for whoever copies it.
	Alone bool
	// Keys are, with Alone, the names that fields have in the JSON of whoever copies
	// it, by Message.field, where they are not the text names.
	Keys map[string]string
	// ProtoPackage is, with Alone, the protobuf package of the schema; empty: it is
	// called as the schema.
	ProtoPackage string
}

// An Output is the package that an emitter wrote.
type Output struct {
	Files []File
	// Plugins are run by whoever asked, and the files they answer with are
	// added. They let a generator that lives in its library's module be used
	// without linking the library into the tool.
	Plugins []Plugin
}

// A File is one file of a generated package.
type File struct {
	// Name is the file's name within the package directory: a slash-separated path
	// where it is of a package below that.
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
	// Uses are the package paths of programs that the plugin runs. Who has them
	// already gives the plugin their files as its arguments, in this order; a plugin
	// without arguments builds them itself.
	Uses []string
	// Request is an encoded google.protobuf.compiler.CodeGeneratorRequest or,
	// for a generator of the contender's own, whatever that reads.
	Request []byte
	// Below is set where the generator writes several packages: the import path of
	// the one that is asked for. Files keep the directories of their names from
	// there on. Empty: all are of that one package, and directories are dropped.
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
	// Ops are the ops whose code differs in this mode. Only they get rows.
	Ops []result.Op
	// Text says how the library is called in this mode.
	Text string
	// Losses are what the round trip loses in this mode besides what it always
	// does.
	Losses []Loss
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

// LossesIn returns what the round trip is known to lose in a mode: all that the
// contender declares, and what the mode adds.
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

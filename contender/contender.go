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

// AxisText explains each axis=value of a mode: what is done and what is given
// up by it. The default mode of every contender is output=fresh,
// target=fresh, strings=copy, session=oneshot.
var AxisText = map[string]string{
	"output=reuse":   "encodes into a buffer that is kept from call to call. Gives up: the bytes are valid only until the next call, so they must be written out or copied first.",
	"target=reuse":   "decodes into a value that is kept from call to call. Gives up: the decoded value is valid only until the next call.",
	"pool=on":        "takes messages and what is in them from a pool, and returns them to it. Gives up: nothing of a decoded value may be used once it was returned, here by the next call, which the compiler does not check: such a use reads what another message holds.",
	"strings=alias":  "decoded strings and bytes point into the input. Gives up: the input must stay unchanged and is kept alive as long as any of them.",
	"session=stream": "one encoder and one decoder serve many messages, so that what they share, such as type information, is set up and sent once. Gives up: where types are sent, a message cannot be read without those before it.",
	"order=sorted":   "writes map entries sorted by key, so that equal values have equal bytes. Gives up: the time that sorting takes.",
	"config=std":     "the library's settings that make it behave as encoding/json does: what is escaped, sorted, validated and matched is the same. Gives up: the speed of the library's own defaults.",
	"layout=array":   "writes structs as arrays of their fields' values, without names. Gives up: fields can be neither left out nor reordered, readers must know the same fields, and contenders of the format in their other modes cannot read it.",
	"ints=compact":   "writes integers in as few bytes as their values need, where the library does not do so by default. Gives up: the time that choosing takes, and the type of the integer for readers without the schema.",
	"ints=fixed":     "writes integers at their full width, where the library does not do so by default. Gives up: the bytes that small values do not need, and contenders of the format in their other modes cannot read it.",
	"packing=packed": "writes the format's packed form, in which bytes that are zero take next to no space. Gives up: reading in place, since a message must be unpacked whole before any of it is read, and the time for both.",
	"config=fastest": "the library's settings for speed, listed in the mode's own text. Gives up: what those settings leave out, such as escaping for HTML, sorted keys, or validation.",
}

// A Loss is something that a round trip does not give back, and that is a
// property of the format or library rather than a fault.
type Loss string

// The losses. Verification compares with each declared one forgiven, and says
// which of them the data at hand did suffer.
const (
	NilEmpty    Loss = "nil-empty"    // nil and empty lists, maps and bytes become the same
	ZeroPointer Loss = "zero-pointer" // a pointer to a zero value comes back nil
	TimeZone    Loss = "time-zone"    // the instant survives, its zone does not
	TimeLocal   Loss = "time-local"   // times come back in the zone of the machine
	TimeRange   Loss = "time-range"   // instants outside int64 nanoseconds around 1970 are refused or wrong
	TimeYears   Loss = "time-years"   // years after 9999 are refused or wrong
	TimeMicros  Loss = "time-micros"  // times come back in whole microseconds
	TimeMillis  Loss = "time-millis"  // times come back in whole milliseconds
	UintRange   Loss = "uint-range"   // unsigned integers above the greatest int64 are refused or wrong
	NegEnum     Loss = "neg-enum"     // enum values below zero are refused or wrong
	FloatRange  Loss = "float-range"  // the greatest float32 is refused or wrong
	NegZero     Loss = "neg-zero"     // -0 comes back as 0
	NaNInf      Loss = "nan-inf"      // NaN and infinities are refused
	BadUTF8     Loss = "bad-utf8"     // strings that are not UTF-8 are changed or refused
	NUL         Loss = "nul"          // NUL and other control characters in strings are changed or refused
	Newline     Loss = "newline"      // line feeds at the ends of strings are changed or refused
	Syntax      Loss = "syntax"       // some strings that look like syntax are changed or refused
	Depth       Loss = "depth"        // messages a hundred deep in one another are refused
)

// LossText explains each loss in one sentence.
var LossText = map[Loss]string{
	NilEmpty:    "nil and empty lists, maps and bytes come back alike",
	ZeroPointer: "a pointer to a zero value comes back nil",
	TimeZone:    "the instant survives, the name and offset of its zone do not",
	TimeLocal:   "the instant survives, and is in the zone of the machine that reads it, also when it was in UTC",
	TimeRange:   "instants outside the years 1678 to 2262 are refused or come back wrong",
	TimeYears:   "years after 9999 are refused or come back wrong",
	TimeMicros:  "times come back cut or rounded to microseconds",
	TimeMillis:  "times come back cut or rounded to milliseconds",
	UintRange:   "unsigned integers above 9223372036854775807 are refused or come back wrong",
	NegEnum:     "enum values below zero are refused or come back wrong, in a field or in a list",
	FloatRange:  "float32 values at the end of their range are refused or come back wrong",
	NegZero:     "negative zero comes back as zero",
	NaNInf:      "NaN and the infinities are refused",
	BadUTF8:     "strings that are not valid UTF-8 are changed or refused",
	NUL:         "NUL and other control characters in strings are changed or refused",
	Newline:     "some strings that are line feeds, or begin or end with them, are changed or refused",
	Syntax:      "some strings that look like numbers or like the format's own syntax are changed or refused",
	Depth:       "messages that are a hundred deep in one another are refused",
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

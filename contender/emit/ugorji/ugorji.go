// Package ugorji is shared by the contenders of github.com/ugorji/go/codec. In that library a
// format is a handle, and everything else is the same.
package ugorji

import (
	"slices"
	"strings"

	"assay/contender"
	"assay/contender/emit"
	"assay/result"
)

const (
	Module  = "github.com/ugorji/go/codec"
	License = "MIT"
	// Group is a separate runner for these contenders: the library is one large package that
	// takes long to compile.
	Group = "ugorji"
)

// Traits are the traits of the library in any format.
var Traits = []contender.Trait{contender.Reflection, contender.SchemaFree, contender.CrossLanguage, contender.Streaming, contender.Evolvable, contender.Unsafe, contender.PureGo}

// Ops are the ops of the default mode.
var Ops = []result.Op{result.Encode, result.Decode, result.Scan, result.Convert}

// Modes are the modes besides the default mode.
var Modes = []contender.Mode{
	{Key: "session=stream", Ops: both, Text: "One Encoder and one Decoder serve all messages; ResetBytes prepares them for each message."},
	{Key: "output=reuse,session=stream", Ops: encode, Text: "The same Encoder writes every message, to a reused slice."},
	{Key: "strings=alias", Ops: decode, Text: "The handle's option ZeroCopy.", Refuses: emit.AliasesBoth},
	{Key: "order=sorted", Ops: encode, Text: "The handle's option Canonical, which also sorts the fields of structs.", Refuses: emit.NeedsMaps},
	{Key: "layout=array", Ops: both, Text: "The handle's option StructToArray. The Decoder reads both layouts."},
}

// A Setting is a mode of one format in which a field of the handle is set.
type Setting struct {
	// Mode is the mode, with Ops, Text and Refuses.
	Mode contender.Mode
	// Handle is the name of the variable with the handle, and Sets the statement that sets the
	// field of the handle h.
	Handle, Sets string
}

// ModesWith returns the modes of a format that has a mode of its own.
func ModesWith(own Setting) []contender.Mode { return append(slices.Clone(Modes), own.Mode) }

// StreamText says how streams are written in any format.
const StreamText = "One Encoder and one Decoder: values one after another."

var (
	encode = []result.Op{result.Encode}
	decode = []result.Op{result.Decode, result.Scan}
	both   = []result.Op{result.Encode, result.Decode, result.Scan}
)

// Emit returns the package of a contender. Handle is the type of its handle, settings are
// statements that set fields of the handle h, and own is the mode that other formats lack.
func Emit(req contender.Request, handle, settings string, own Setting) (contender.Output, error) {
	if field := emit.Endless(req.Schema); field != "" {
		// The library looks up the encoder of the elements of a list or map, and then of their
		// elements, until it meets a struct.
		return contender.Output{}, &contender.Unsupported{
			Field: field, Reason: "ugorji/go/codec cannot hold a list or map that contains itself: it overflows the stack as it looks for the codec of its elements",
		}
	}
	style := &emit.Style{Unwrap: req.Schema, OmitZero: emit.ByPointer}
	types := emit.NewSource(req.Package, "assay")
	types.Import(Module)
	style.Types(types, req.Schema, emit.TagEmpty("codec"), [2]string{})
	types.P("// The handles differ in one option each. They are not changed once they are in\n// use.")
	types.P("var (\nplain = newHandle(func(*codec.%s) {})", handle)
	for _, v := range [][2]string{{"sorted", "h.Canonical = true"}, {"array", "h.StructToArray = true"}, {"alias", "h.ZeroCopy = true"}, {own.Handle, own.Sets}} {
		types.P("%s = newHandle(func(h *codec.%s) { %s })", v[0], handle, v[1])
	}
	types.P(")\n\nfunc newHandle(option func(h *codec.%s)) *codec.%s {\nh := new(codec.%s)", handle, handle, handle)
	types.P("%s\noption(h)\nreturn h\n}", settings)

	const (
		fresh   = "out = nil\nerr = codec.NewEncoderBytes(&out, %).Encode(in[i])"
		read    = "v = new($T)\nerr = codec.NewDecoderBytes(data, %).Decode(v)"
		encoder = "enc *codec.Encoder"
		start   = "c.enc = codec.NewEncoderBytes(nil, plain)"
	)
	binder := &emit.Binder{
		Stream:  emit.Coders("*codec.Encoder", "codec.NewEncoder(c.w, plain)", "*codec.Decoder", "codec.NewDecoder(c.r, plain)"),
		Imports: []string{Module},
		Usages: []emit.Usage{
			{Encode: with(fresh, "plain"), Decode: with(read, "plain")},
			{
				Mode:   "session=stream",
				Only:   both,
				Fields: encoder + "\ndec *codec.Decoder",
				Start:  start + "\nc.dec = codec.NewDecoderBytes(nil, plain)",
				Encode: "out = nil\nc.enc.ResetBytes(&out)\nerr = c.enc.Encode(in[i])",
				Decode: "v = new($T)\nc.dec.ResetBytes(data)\nerr = c.dec.Decode(v)",
			},
			{
				Mode:   "output=reuse,session=stream",
				Only:   encode,
				Fields: encoder,
				Start:  start,
				Encode: "out = out[:0]\nc.enc.ResetBytes(&out)\nerr = c.enc.Encode(in[i])",
			},
			{Mode: "strings=alias", Refuses: emit.AliasesBoth, Only: decode, Decode: with(read, "alias")},
			{Mode: "order=sorted", Refuses: emit.NeedsMaps, Only: encode, Encode: with(fresh, "sorted")},
			{Mode: "layout=array", Only: both, Encode: with(fresh, "array"), Decode: with(read, "array")},
			{Mode: own.Mode.Key, Refuses: own.Mode.Refuses, Only: own.Mode.Ops, Encode: with(fresh, own.Handle), Decode: with(read, own.Handle)},
		},
	}
	return emit.Package(req, types, style, binder)
}

func with(statements, handle string) string {
	return strings.ReplaceAll(statements, "%", handle)
}

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

// modes are the modes that set no field of the handle.
var modes = []contender.Mode{
	{Key: "session=stream", Ops: both, Text: "One Encoder and one Decoder serve all messages; ResetBytes prepares them for each message."},
	{Key: "output=reuse,session=stream", Ops: encode, Text: "The same Encoder writes every message, to a reused slice."},
}

// settings are the settings that every format has.
var settings = []Setting{
	{
		Mode:    contender.Mode{Key: "strings=alias", Ops: decode, Text: "The handle's option ZeroCopy.", Refuses: emit.AliasesBoth},
		Session: "strings=alias,session=stream", Handle: "alias", Sets: "h.ZeroCopy = true",
	},
	{
		Mode:    contender.Mode{Key: "order=sorted", Ops: encode, Text: "The handle's option Canonical, which also sorts the fields of structs.", Refuses: emit.NeedsMaps},
		Session: "session=stream,order=sorted", Handle: "sorted", Sets: "h.Canonical = true",
	},
	{
		Mode:    contender.Mode{Key: "layout=array", Ops: both, Text: "The handle's option StructToArray. The Decoder reads both layouts."},
		Session: "session=stream,layout=array", Handle: "array", Sets: "h.StructToArray = true",
	},
}

// A Setting is two modes in which a field of the handle is set: in one, each message has its own
// Encoder or Decoder, and in the other, one serves all messages.
type Setting struct {
	// Mode is the first mode, with Ops, Text and Refuses.
	Mode contender.Mode
	// Session is the key of the second mode, which adds session=stream in the order of
	// contender.Axes.
	Session string
	// Handle is the name of the variable with the first mode's handle, and Sets the statement
	// that sets the field of the handle h.
	Handle, Sets string
}

// session returns the second mode.
func (s Setting) session() contender.Mode {
	m := s.Mode
	m.Key = s.Session
	var kept []string
	if encodes(m) {
		kept = append(kept, "one Encoder")
	}
	if decodes(m) {
		kept = append(kept, "one Decoder")
	}
	m.Text = "As in session=stream, " + strings.Join(kept, " and ") + " for all messages, with the option of " + s.Mode.Key + "."
	return m
}

// sessionHandle is the name of the variable with the second mode's handle.
func (s Setting) sessionHandle() string { return s.Handle + "Session" }

func encodes(m contender.Mode) bool { return slices.Contains(m.Ops, result.Encode) }

func decodes(m contender.Mode) bool { return slices.Contains(m.Ops, result.Decode) }

// settingsWith returns the settings of a format that has one of its own.
func settingsWith(own Setting) []Setting { return append(slices.Clone(settings), own) }

// ModesWith returns the modes, besides the default mode, of a format that has a setting of its own.
func ModesWith(own Setting) []contender.Mode {
	all := slices.Clone(modes)
	for _, s := range settingsWith(own) {
		all = append(all, s.Mode, s.session())
	}
	return all
}

// StreamText says how streams are written in any format.
const StreamText = "One Encoder and one Decoder: values one after another."

var (
	encode = []result.Op{result.Encode}
	decode = []result.Op{result.Decode, result.Scan}
	both   = []result.Op{result.Encode, result.Decode, result.Scan}
)

// Emit returns the package of a contender. Handle is the type of its handle, sets are statements
// that set fields of every handle h, and own is the setting that other formats lack.
func Emit(req contender.Request, handle, sets string, own Setting) (contender.Output, error) {
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
	types.P("// The handles differ in one option at most, and each mode with an option has a\n// handle of its own. They are not changed once they are in use.")
	types.P("var (\nplain = newHandle(func(*codec.%s) {})", handle)
	for _, s := range settingsWith(own) {
		for _, name := range []string{s.Handle, s.sessionHandle()} {
			types.P("%s = newHandle(func(h *codec.%s) { %s })", name, handle, s.Sets)
		}
	}
	types.P(")\n\nfunc newHandle(option func(h *codec.%s)) *codec.%s {\nh := new(codec.%s)", handle, handle, handle)
	types.P("%s\noption(h)\nreturn h\n}", sets)

	const (
		fresh = "out = nil\nerr = codec.NewEncoderBytes(&out, %).Encode(in[i])"
		read  = "v = new($T)\nerr = codec.NewDecoderBytes(data, %).Decode(v)"
	)
	reuse := session(modes[1], "plain")
	reuse.Encode = "out = out[:0]\nc.enc.ResetBytes(&out)\nerr = c.enc.Encode(in[i])"
	usages := []emit.Usage{
		{Encode: with(fresh, "plain"), Decode: with(read, "plain")},
		session(modes[0], "plain"),
		reuse,
	}
	for _, s := range settingsWith(own) {
		usages = append(usages,
			emit.Usage{Mode: s.Mode.Key, Refuses: s.Mode.Refuses, Only: s.Mode.Ops, Encode: with(fresh, s.Handle), Decode: with(read, s.Handle)},
			session(s.session(), s.sessionHandle()))
	}
	binder := &emit.Binder{
		Stream:  emit.Coders("*codec.Encoder", "codec.NewEncoder(c.w, plain)", "*codec.Decoder", "codec.NewDecoder(c.r, plain)"),
		Imports: []string{Module},
		Usages:  usages,
	}
	return emit.Package(req, types, style, binder)
}

// session returns the usage of a mode with session=stream, whose Encoder and Decoder have the
// handle.
func session(m contender.Mode, handle string) emit.Usage {
	u := emit.Usage{Mode: m.Key, Refuses: m.Refuses, Only: m.Ops}
	var fields, start []string
	if encodes(m) {
		fields = append(fields, "enc *codec.Encoder")
		start = append(start, with("c.enc = codec.NewEncoderBytes(nil, %)", handle))
		u.Encode = "out = nil\nc.enc.ResetBytes(&out)\nerr = c.enc.Encode(in[i])"
	}
	if decodes(m) {
		fields = append(fields, "dec *codec.Decoder")
		start = append(start, with("c.dec = codec.NewDecoderBytes(nil, %)", handle))
		u.Decode = "v = new($T)\nc.dec.ResetBytes(data)\nerr = c.dec.Decode(v)"
	}
	u.Fields, u.Start = strings.Join(fields, "\n"), strings.Join(start, "\n")
	return u
}

func with(statements, handle string) string {
	return strings.ReplaceAll(statements, "%", handle)
}

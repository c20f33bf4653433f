package contender

import (
	"slices"
	"strings"

	"assay/result"
)

// An Axis is one way in which modes differ from the default mode, which is
// output=fresh, target=fresh, strings=copy, session=oneshot.
type Axis struct {
	// Name is the axis and its value, as a mode's key writes them: "output=reuse".
	Name string
	// Text says what the mode does, and GivesUp what that costs. Each is a clause or a noun
	// phrase.
	Text, GivesUp string
	// op is the op that the axis changes; empty: any op.
	op result.Op
	// formats are the formats that the axis applies to; nil: all formats.
	formats []string
	// A contender is asked about the axis only if its default mode has the trait when and lacks
	// the trait unless. Empty: no condition.
	when, unless Trait
}

// StreamMode is the mode of streams, which Contender.Stream describes. It is measured
// separately and is not one of Contender.Modes.
const StreamMode = "stream=file"

// Axes are all axes except that of WholeMode.
var Axes = []Axis{{
	Name:    "output=reuse",
	Text:    "encodes into a buffer that is kept from call to call",
	GivesUp: "the bytes are valid only until the next call, so they must be written out or copied first",
	op:      result.Encode,
}, {
	Name:    "target=reuse",
	Text:    "decodes into a value that is kept from call to call",
	GivesUp: "the decoded value is valid only until the next call",
	op:      result.Decode,
}, {
	Name:    "pool=on",
	Text:    "takes messages and their contents from a pool, and returns them to the pool",
	GivesUp: "a decoded value must not be used after it returns to the pool, which happens here at the next call. The compiler does not check this, and a later use reads another message's data",
}, {
	Name:    "strings=alias",
	Text:    "decoded strings and bytes point into the input",
	GivesUp: "the input must not change, and it stays in memory as long as any of these strings or bytes",
	op:      result.Decode,
}, {
	Name:    "profile=on",
	Text:    "decodes by a parser that the library compiled with a profile of messages: which fields occur, and how many elements lists and maps have",
	GivesUp: "messages must be recorded and the parser compiled before it is of use, and messages unlike the recorded ones gain less or take more memory",
	// A profile is about a message type and its fields. Other formats have no contender that takes one.
	op: result.Decode, formats: []string{"protobuf"},
}, {
	Name:    "session=stream",
	Text:    "one encoder and one decoder serve many messages, so that shared information, such as types, is set up and sent only once",
	GivesUp: "if the encoder sends types, a message cannot be read without the messages before it",
}, {
	Name:    StreamMode,
	Text:    "writes messages one after another to a file, in the format's own way, and reads them back: no more than one message is in memory",
	GivesUp: "a message cannot be read without the messages before it",
}, {
	Name:    "types=program",
	Text:    "encodes from and decodes to types that the program has already, and each time converts them to and from the types that the contender works on",
	GivesUp: "the time and memory of the conversion",
	op:      result.Convert, when: Codegen,
}, {
	Name:    "order=sorted",
	Text:    "writes map entries sorted by key, so that equal values have equal bytes",
	GivesUp: "the time that sorting takes",
	op:      result.Encode, unless: Deterministic,
}, {
	Name:    "order=any",
	Text:    "writes map entries in whatever order the map gives them, although the default mode sorts them",
	GivesUp: "equal values may have different bytes and, in formats that can search entries by key in place, this search is lost",
	op:      result.Encode, when: Deterministic,
}, {
	Name:    "time=unix",
	Text:    "writes times as a number of seconds since 1970, although the default mode writes text",
	GivesUp: "the time's zone and any precision that the number cannot hold",
	formats: []string{"cbor"},
}, {
	Name:    "config=std",
	Text:    "the library's settings that make it escape, sort, validate and match as encoding/json does",
	GivesUp: "the speed of the library's own defaults",
	formats: []string{"json"},
}, {
	Name:    "layout=array",
	Text:    "writes structs as arrays of their fields' values, without names",
	GivesUp: "fields can be neither left out nor reordered, readers must know the same fields, and other modes of the format's contenders cannot read it",
	formats: []string{"msgpack", "cbor"},
}, {
	Name:    "ints=compact",
	Text:    "writes integers in as few bytes as their values need, if the library does not do so by default",
	GivesUp: "the time to choose a width, and the type of the integer, which readers without the schema cannot see",
	op:      result.Encode, formats: []string{"msgpack", "cbor", "bson"},
}, {
	Name:    "ints=fixed",
	Text:    "writes integers at their full width, if the library does not do so by default",
	GivesUp: "small values take more bytes than they need, and other modes of the format's contenders cannot read it",
	formats: []string{"mus"},
}, {
	Name:    "packing=packed",
	Text:    "writes the format's packed form, in which bytes that are zero take next to no space",
	GivesUp: "the time to pack and unpack, and the loss of reading in place, because a whole message must be unpacked before any of it can be read",
	formats: []string{"capnp"},
}, {
	Name:    "config=fastest",
	Text:    "the library's settings for speed, listed in the mode's own text",
	GivesUp: "what those settings leave out, such as escaping for HTML, sorted keys, or validation",
	formats: []string{"json"},
}}

// AxisOf returns the axis of that name. For an unknown name, the axis has only the name.
func AxisOf(name string) Axis {
	if name == wholeAxis.Name {
		return wholeAxis
	}
	i := slices.IndexFunc(Axes, func(a Axis) bool { return a.Name == name })
	if i < 0 {
		return Axis{Name: name}
	}
	return Axes[i]
}

// Asks reports whether a contender must either offer the axis or refuse it with a reason. That
// is so if the contender has the op that the axis changes and a format that the axis applies
// to, and its default mode does not already do the same. The floor is not a library and is
// asked nothing.
func (a Axis) Asks(c *Contender) bool {
	return c.Format != "none" &&
		(a.op == "" || slices.Contains(c.Ops, a.op)) &&
		(a.formats == nil || slices.Contains(a.formats, c.Format)) &&
		(a.when == "" || c.Is(a.when)) && (a.unless == "" || !c.Is(a.unless))
}

// Modes returns the modes of a contender that contain the axis, alone or with other axes.
func (a Axis) Modes(c *Contender) []Mode {
	var on []Mode
	for _, m := range c.Modes {
		if slices.Contains(strings.Split(m.Key, ","), a.Name) {
			on = append(on, m)
		}
	}
	return on
}

// Offers reports whether a contender has a mode on the axis, or streams if the axis is
// StreamMode.
func (a Axis) Offers(c *Contender) bool {
	return len(a.Modes(c)) > 0 || a.Name == StreamMode && c.Stream != ""
}

// String says what the mode does and what that costs.
func (a Axis) String() string { return a.Text + ". The price: " + a.GivesUp + "." }

package contender

import "slices"

// An Axis is one way in which modes differ from the default mode, which is
// output=fresh, target=fresh, strings=copy, session=oneshot.
type Axis struct {
	// Name is the axis and its value, as a mode's key has them: "output=reuse".
	Name string
	// Text says what is done, and GivesUp what that costs, each a sentence's end.
	Text, GivesUp string
}

// Axes are all axes.
var Axes = []Axis{{
	Name:    "output=reuse",
	Text:    "encodes into a buffer that is kept from call to call",
	GivesUp: "the bytes are valid only until the next call, so they must be written out or copied first",
}, {
	Name:    "target=reuse",
	Text:    "decodes into a value that is kept from call to call",
	GivesUp: "the decoded value is valid only until the next call",
}, {
	Name:    "pool=on",
	Text:    "takes messages and what is in them from a pool, and returns them to it",
	GivesUp: "nothing of a decoded value may be used once it was returned, here by the next call, which the compiler does not check: such a use reads what another message holds",
}, {
	Name:    "strings=alias",
	Text:    "decoded strings and bytes point into the input",
	GivesUp: "the input must stay unchanged and is kept alive as long as any of them",
}, {
	Name:    "session=stream",
	Text:    "one encoder and one decoder serve many messages, so that what they share, such as type information, is set up and sent once",
	GivesUp: "where types are sent, a message cannot be read without those before it",
}, {
	Name:    "order=sorted",
	Text:    "writes map entries sorted by key, so that equal values have equal bytes",
	GivesUp: "the time that sorting takes",
}, {
	Name:    "config=std",
	Text:    "the library's settings that make it behave as encoding/json does: what is escaped, sorted, validated and matched is the same",
	GivesUp: "the speed of the library's own defaults",
}, {
	Name:    "layout=array",
	Text:    "writes structs as arrays of their fields' values, without names",
	GivesUp: "fields can be neither left out nor reordered, readers must know the same fields, and contenders of the format in their other modes cannot read it",
}, {
	Name:    "ints=compact",
	Text:    "writes integers in as few bytes as their values need, where the library does not do so by default",
	GivesUp: "the time that choosing takes, and the type of the integer for readers without the schema",
}, {
	Name:    "ints=fixed",
	Text:    "writes integers at their full width, where the library does not do so by default",
	GivesUp: "the bytes that small values do not need, and contenders of the format in their other modes cannot read it",
}, {
	Name:    "packing=packed",
	Text:    "writes the format's packed form, in which bytes that are zero take next to no space",
	GivesUp: "reading in place, since a message must be unpacked whole before any of it is read, and the time for both",
}, {
	Name:    "config=fastest",
	Text:    "the library's settings for speed, listed in the mode's own text",
	GivesUp: "what those settings leave out, such as escaping for HTML, sorted keys, or validation",
}}

// AxisOf returns the axis of that name; one without a text where there is none.
func AxisOf(name string) Axis {
	i := slices.IndexFunc(Axes, func(a Axis) bool { return a.Name == name })
	if i < 0 {
		return Axis{Name: name}
	}
	return Axes[i]
}

// String says what is done and what is given up.
func (a Axis) String() string { return a.Text + ". Gives up: " + a.GivesUp + "." }

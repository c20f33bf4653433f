// Package mus describes the contender mus. It does not import its library.
package mus

import (
	"assay/contender"
	"assay/result"
)

// Contender is github.com/mus-format/mus-go.
var Contender = &contender.Contender{
	Name:  "mus",
	Title: "MUS: values one after another, by generated calls into mus-go",
	Text: "Assay writes the serializers, in the form that mus-go's documentation gives: a type with Marshal, Unmarshal, Size and Skip for each message, of one call a field. Messages have neither names nor numbers of fields. " +
		"Integers and lengths are varints; floats have their full width, because as varints nearly all would take more; a time is raw.TimeUnixNanoUTC, which cannot hold the zero time. Encode asks for the size, makes a slice of it, and fills it. " +
		"Lists, maps, strings and bytes are read by the serializers that validate lengths (NewValidSliceSer and the like), which are not the library's defaults: a list or map has at most 1<<21 elements, because room for them is made before they are read, and a string or byte string at most 1 GiB, because sums with lengths near 1<<63 are not checked. Strings cannot make the program allocate more than the message has. " +
		"It is not offered with target=reuse, because Unmarshal returns values and never fills what was there.",
	Choose:  "when only Go reads the data, all of it at the same version, and it must be small and fast",
	Format:  "mus",
	Module:  "github.com/mus-format/mus-go",
	License: "MIT",
	Traits:  []contender.Trait{contender.Codegen, contender.Unsafe, contender.PureGo},
	Ops:     []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "Marshal into a byte slice that is kept, and made anew when the size asked for is larger."},
		{Key: "strings=alias", Ops: []result.Op{result.Decode, result.Scan}, Text: "Strings and bytes are read by the library's package unsafe, all else as by default. For bytes it makes a slice that it then does not use."},
		{Key: "ints=fixed,strings=alias", Ops: []result.Op{result.Encode, result.Decode, result.Scan}, Text: "Everything is written and read by the library's package unsafe, which copies numbers as they are in memory, in the byte order of the machine."},
	},
	Lacks: []contender.Lack{
		{Axis: "target=reuse", Reason: "Unmarshal returns values and never fills what was there"},
		{Axis: "pool=on", Reason: "the library has no pool of what it decodes"},
		{Axis: "session=stream", Reason: "values share nothing; mus-stream-go is a module of its own for io.Reader and io.Writer"},
		{Axis: "order=sorted", Reason: "no option sorts maps"},
		{Axis: contender.StreamMode, Reason: "streams are what another module of its authors is for"},
	},
	Advice: contender.Advice{URL: "https://github.com/mus-format/mus-go#how-to", Text: "Size, a slice of that size, Marshal, as here; its package unsafe for most speed (ints=fixed,strings=alias)"},
	Bias:   contender.Bias{Ours: "the serializers, after its documentation", Favours: "for it: it has no names and no numbers of fields; against it: lengths are validated, which is not its default, and values that Unmarshal returns are put on the heap", Unmeasured: "its own generator musgen, versions, pointers that are shared"},
	Losses: []contender.Loss{contender.NilEmpty, contender.TimeZone, contender.TimeRange},
	Emit:   emitPackage,
}

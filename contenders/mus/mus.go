// Package mus describes the contender mus. It does not import its library.
package mus

import (
	"assay/contender"
	"assay/contender/emit"
	"assay/result"
)

// Contender is github.com/mus-format/mus-go.
var Contender = &contender.Contender{
	Name:  "mus",
	Title: "MUS: values one after another, by generated calls into mus-go",
	Text: "Assay writes the serializers in the form that mus-go's documentation gives: for each message a type with Marshal, Unmarshal, Size and Skip, which make one call for each field. Messages contain neither names nor numbers of fields. " +
		"Integers and lengths are varints; floats have their full width, because nearly all floats would take more as varints; a time is raw.TimeUnixNanoUTC, which cannot hold the zero time. Encode calls Size, makes a slice of that size, and fills the slice. " +
		"Serializers that validate lengths (NewValidSliceSer and the like) read lists, maps, strings and bytes; they are not the library's defaults. A list or map has at most 1<<21 elements, because the library allocates memory for the elements before it reads them. A string or byte string has at most 1 GiB, because the library adds lengths near 1<<63 without an overflow check. A string cannot make the program allocate more bytes than the message has. " +
		"It is not offered with target=reuse, because Unmarshal returns new values and never fills an existing one.",
	Choose:  "when only Go programs with the same version of the types read the data, and it must be small and fast",
	Format:  "mus",
	Module:  "github.com/mus-format/mus-go",
	License: "MIT",
	Traits:  []contender.Trait{contender.Codegen, contender.Unsafe, contender.PureGo},
	Ops:     []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	Modes: []contender.Mode{
		{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "Marshal writes into a reused byte slice. A larger message gets a new slice, which replaces the old one."},
		{Key: "strings=alias", Ops: []result.Op{result.Decode, result.Scan}, Text: "The library's package unsafe reads strings and bytes; other values are read as in the default mode. For bytes, the package makes a slice that it does not use.", Refuses: emit.AliasesBoth},
		{Key: "ints=fixed,strings=alias", Ops: []result.Op{result.Encode, result.Decode, result.Scan}, Text: "The library's package unsafe writes and reads numbers, times, strings and bytes; its package ord has the lists, maps and pointers, and lengths are varints. Package unsafe copies numbers as they are in memory, in the byte order of the machine."},
		{Key: "output=reuse,ints=fixed,strings=alias", Ops: []result.Op{result.Encode, result.Decode, result.Scan}, Text: "Marshal writes into a reused byte slice, as in output=reuse, with the serializers of ints=fixed,strings=alias, which also read."},
	},
	Lacks: []contender.Lack{
		{Axis: "target=reuse", Reason: "Unmarshal returns new values and never fills an existing one"},
		{Axis: "pool=on", Reason: "the library has no pool of what it decodes"},
		{Axis: "session=stream", Reason: "values share nothing; mus-stream-go, for io.Reader and io.Writer, is a separate module"},
		{Axis: "types=program", Reason: "serializers are written for the types that the program has, and nothing is converted"},
		{Axis: "order=sorted", Reason: "no option sorts maps"},
		{Axis: contender.StreamMode, Reason: "its authors have a separate module for streams"},
	},
	Advice: contender.Advice{URL: "https://github.com/mus-format/mus-go#how-to", Text: "Size, then Marshal into a slice of that size, as here; its package unsafe for the most speed (ints=fixed,strings=alias and output=reuse,ints=fixed,strings=alias)"},
	Bias:   contender.Bias{Ours: "the serializers, in the form that its documentation gives", Favours: "for it: its messages have no names and no numbers of fields; against it: lengths are validated, which is not its default, and assay puts the values that Unmarshal returns on the heap", Unmeasured: "its own generator musgen, versions, shared pointers"},
	Losses: []contender.Loss{contender.NilEmpty, contender.TimeZone, contender.TimeRange},
	Emit:   emitPackage,
}

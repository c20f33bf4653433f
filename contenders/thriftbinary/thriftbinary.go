// Package thriftbinary describes the contender thrift-binary. It does not import
// its library.
package thriftbinary

import (
	"assay/contender"
	"assay/contender/emit/thrift"
)

// Contender is github.com/apache/thrift with TBinaryProtocol.
var Contender = &contender.Contender{
	Name:    "thrift-binary",
	Title:   "Thrift's binary protocol, by code like that of its compiler",
	Text:    thrift.Text + " In the binary protocol, integers have their full width, and three bytes before each field hold its type and number.",
	Choose:  "when you must use Thrift with this protocol, which is the default of its servers",
	Format:  "thrift-binary",
	Module:  thrift.Module,
	License: thrift.License,
	Traits:  thrift.Traits,
	Ops:     thrift.Ops,
	Modes:   thrift.Modes,
	Lacks: []contender.Lack{
		{Axis: "target=reuse", Reason: "Read does not change fields that the message does not have"},
		{Axis: "pool=on", Reason: "TSerializerPool and TDeserializerPool pool only serializers and deserializers, and the default mode uses them"},
		{Axis: "strings=alias", Reason: "the library always copies strings and bytes"},
		{Axis: "session=stream", Reason: "messages share nothing; transports frame them"},
		{Axis: "order=sorted", Reason: "the compiler writes a loop over the map, and has no option that sorts"},
	},
	Advice: contender.Advice{URL: "https://pkg.go.dev/github.com/apache/thrift/lib/go/thrift#TSerializerPool", Text: "pools of serializers if goroutines share them, as here"},
	Bias:   contender.Bias{Ours: "the methods that the compiler would write", Favours: "for it: unsigned numbers and times are held as other types, and the default mode leaves out conversion", Unmeasured: "RPC, transports"},
	Losses: thrift.Losses,
	Stream: thrift.StreamText,
	Emit:   emitPackage,
}

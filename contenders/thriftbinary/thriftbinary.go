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
	Title:   "Thrift's binary protocol, by code as its compiler writes it",
	Text:    thrift.Text + " In the binary protocol, integers have their full width and each field the three bytes of its type and number.",
	Choose:  "when Thrift is given, and with it this protocol, which is the default of its servers",
	Format:  "thrift-binary",
	Module:  thrift.Module,
	License: thrift.License,
	Traits:  thrift.Traits,
	Ops:     thrift.Ops,
	Modes:   thrift.Modes,
	Losses:  thrift.Losses,
	Emit:    emitPackage,
}

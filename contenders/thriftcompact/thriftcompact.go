// Package thriftcompact describes the contender thrift-compact. It does not
// import its library.
package thriftcompact

import (
	"assay/contender"
	"assay/contender/emit/thrift"
)

// Contender is github.com/apache/thrift with TCompactProtocol.
var Contender = &contender.Contender{
	Name:    "thrift-compact",
	Title:   "Thrift's compact protocol, by code as its compiler writes it",
	Text:    thrift.Text + " In the compact protocol, integers are varints and a field mostly one byte of its type and how far its number is from the last one's.",
	Choose:  "when Thrift is given, and messages shall be small",
	Format:  "thrift-compact",
	Module:  thrift.Module,
	License: thrift.License,
	Traits:  thrift.Traits,
	Ops:     thrift.Ops,
	Modes:   thrift.Modes,
	Losses:  thrift.Losses,
	Emit:    emitPackage,
}

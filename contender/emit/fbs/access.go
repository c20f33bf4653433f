package fbs

import (
	"strconv"
	"strings"

	"assay/contender/emit"
)

// access writes the output of flatc without the parts that are not used here: the object API,
// the mutators and the size-prefixed roots.
func (l *Layout) access(out *emit.Source) {
	out.Import("bytes")
	for _, e := range l.Schema.Enums {
		out.P("type %s int32\n\nconst (", e.Name)
		for _, v := range ascending(e) {
			out.P("%s %s = %d", l.values[v.Name], e.Name, v.Number)
		}
		out.P(")\n")
	}
	for _, u := range l.Unions {
		u.declare(out)
	}
	if l.Stamp != "" {
		out.P("%s", strings.NewReplacer("$T", l.Stamp, "$Create", l.create).Replace(stampType))
	}
	for _, t := range l.Tables {
		sub := strings.NewReplacer("$T", t.Name, "$Root", t.root, "$Start", t.start, "$End", t.end, "$slots", strconv.Itoa(t.Slots))
		out.P("%s", sub.Replace(tableType))
		for _, f := range t.Fields {
			l.getter(out, t, f)
		}
		if key := t.key(); key != nil {
			lookup := lookupScalar
			if key.Form == Text {
				lookup = lookupText
			}
			out.P("%s", strings.NewReplacer("$T", t.Name, "$key", key.get, "$go", l.goType(key)).Replace(lookup))
		}
		out.P("%s", sub.Replace("func $Start(builder *flatbuffers.Builder) {\nbuilder.StartObject($slots)\n}\n"))
		for _, f := range t.Fields {
			l.adder(out, f)
		}
		out.P("%s", sub.Replace("func $End(builder *flatbuffers.Builder) flatbuffers.UOffsetT {\nreturn builder.EndObject()\n}\n"))
	}
}

const stampType = `type $T struct {
	_tab flatbuffers.Struct
}

func (rcv *$T) Init(buf []byte, i flatbuffers.UOffsetT) {
	rcv._tab.Bytes = buf
	rcv._tab.Pos = i
}

func (rcv *$T) Table() flatbuffers.Table {
	return rcv._tab.Table
}

func (rcv *$T) Seconds() int64 {
	return rcv._tab.GetInt64(rcv._tab.Pos + flatbuffers.UOffsetT(0))
}

func (rcv *$T) Nanos() int32 {
	return rcv._tab.GetInt32(rcv._tab.Pos + flatbuffers.UOffsetT(8))
}

func $Create(builder *flatbuffers.Builder, seconds int64, nanos int32) flatbuffers.UOffsetT {
	builder.Prep(8, 16)
	builder.Pad(4)
	builder.PrependInt32(nanos)
	builder.PrependInt64(seconds)
	return builder.Offset()
}
`

const tableType = `type $T struct {
	_tab flatbuffers.Table
}

func $Root(buf []byte, offset flatbuffers.UOffsetT) *$T {
	n := flatbuffers.GetUOffsetT(buf[offset:])
	x := &$T{}
	x.Init(buf, n+offset)
	return x
}

func (rcv *$T) Init(buf []byte, i flatbuffers.UOffsetT) {
	rcv._tab.Bytes = buf
	rcv._tab.Pos = i
}

func (rcv *$T) Table() flatbuffers.Table {
	return rcv._tab
}
`

// goType returns the Go type of a scalar or of a string key.
func (l *Layout) goType(f *Field) string {
	switch {
	case f.Form == Text:
		return "string"
	case f.Ref != "":
		return f.Ref
	}
	return scalars[f.Kind].goType
}

// The accessors, one for each shape of result. All begin alike and return $none if the field is
// absent.
const (
	getScalar = `func (rcv *$T) $Get() $go {
	$find
		return $value
	}
	return $none
}
`
	getOptional = `func (rcv *$T) $Get() *$go {
	$find
		v := $value
		return &v
	}
	return nil
}
`
	getText = `func (rcv *$T) $Get() []byte {
	$find
		return rcv._tab.ByteVector(o + rcv._tab.Pos)
	}
	return nil
}
`
	getBytes = `func (rcv *$T) $Get(j int) byte {
	$find
		a := rcv._tab.Vector(o)
		return rcv._tab.GetByte(a + flatbuffers.UOffsetT(j*1))
	}
	return 0
}

func (rcv *$T) $Length() int {
	$find
		return rcv._tab.VectorLen(o)
	}
	return 0
}

func (rcv *$T) $Bytes() []byte {
	$find
		return rcv._tab.ByteVector(o + rcv._tab.Pos)
	}
	return nil
}
`
	getInline = `func (rcv *$T) $Get(obj *$R) *$R {
	$find
		x := $at
		if obj == nil {
			obj = new($R)
		}
		obj.Init(rcv._tab.Bytes, x)
		return obj
	}
	return nil
}
`
	getVector = `func (rcv *$T) $Length() int {
	$find
		return rcv._tab.VectorLen(o)
	}
	return 0
}
`
	getScalars = `func (rcv *$T) $Get(j int) $go {
	$find
		a := rcv._tab.Vector(o)
		return $value
	}
	return $none
}
`
	getTexts = `func (rcv *$T) $Get(j int) []byte {
	$find
		a := rcv._tab.Vector(o)
		return rcv._tab.ByteVector(a + flatbuffers.UOffsetT(j*4))
	}
	return nil
}
`
	getStructs = `func (rcv *$T) $Get(obj *$R, j int) bool {
	$find
		x := rcv._tab.Vector(o)
		x += flatbuffers.UOffsetT(j) * $size
		obj.Init(rcv._tab.Bytes, x)
		return true
	}
	return false
}
`
	getTables = `func (rcv *$T) $Get(obj *$R, j int) bool {
	$find
		x := rcv._tab.Vector(o)
		x += flatbuffers.UOffsetT(j) * 4
		x = rcv._tab.Indirect(x)
		obj.Init(rcv._tab.Bytes, x)
		return true
	}
	return false
}
`
	getByKey = `func (rcv *$T) $ByKey(obj *$R, key $key) bool {
	$find
		x := rcv._tab.Vector(o)
		return obj.LookupByKey(key, x, rcv._tab.Bytes)
	}
	return false
}
`
)

// getter writes the accessors of a field.
func (l *Layout) getter(out *emit.Source, t *Table, f *Field) {
	var text, ref, at, key string
	switch f.Form {
	case Scalar:
		switch {
		case f.Vector:
			text = getScalars
		case f.Optional:
			text = getOptional
		default:
			text = getScalar
		}
	case Text:
		if text = getText; f.Vector {
			text = getTexts
		}
	case Bytes:
		text = getBytes
	case Struct:
		ref, at = l.Stamp, "o + rcv._tab.Pos"
		if text = getInline; f.Vector {
			text = getStructs
		}
	case Choice:
		text = getChoice
	case Nested:
		ref, at = f.table.Name, "rcv._tab.Indirect(o + rcv._tab.Pos)"
		if text = getInline; f.Vector {
			text = getTables
			if k := f.table.key(); k != nil {
				text, key = text+"\n"+getByKey, l.goType(k)
			}
		}
	}
	if f.Vector {
		text += "\n" + getVector
	}
	info := scalars[f.Kind]
	value := "rcv._tab.Get" + info.method + "(o + rcv._tab.Pos)"
	if f.Vector {
		value = "rcv._tab.Get" + info.method + "(a + flatbuffers.UOffsetT(j*" + strconv.Itoa(f.size()) + "))"
	}
	if f.Ref != "" {
		value = f.Ref + "(" + value + ")"
	}
	text = strings.NewReplacer(
		"$Type", f.getType, "$type", strconv.Itoa(4+2*f.first()), "$U", f.unionName(),
		"$T", t.Name, "$R", ref, "$at", at, "$key", key,
		"$Get", f.get, "$Length", f.length, "$Bytes", f.bytes, "$ByKey", f.byKey,
		"$find", "o := flatbuffers.UOffsetT(rcv._tab.Offset("+strconv.Itoa(4+2*f.Slot)+"))\nif o != 0 {",
		"$value", value, "$go", l.goType(f), "$none", info.zero, "$size", strconv.Itoa(f.size()),
	).Replace(text)
	out.P("%s", text)
}

// adder writes the builder functions of a field.
func (l *Layout) adder(out *emit.Source, f *Field) {
	var param, body string
	slot := strconv.Itoa(f.Slot)
	switch {
	case f.Form == Choice:
		out.P("%s", strings.NewReplacer("$addType", f.addType, "$add", f.add, "$U", f.union.Name, "$type", strconv.Itoa(f.first()), "$slot", slot).Replace(addChoice))
		return
	case f.Form == Scalar && !f.Vector:
		info, value := scalars[f.Kind], "v"
		if param = l.goType(f); f.Ref != "" {
			value = "int32(v)"
		}
		if f.Optional {
			body = "builder.Prepend" + info.method + "(" + value + ")\nbuilder.Slot(" + slot + ")"
		} else {
			body = "builder.Prepend" + info.method + "Slot(" + slot + ", " + value + ", " + info.zero + ")"
		}
	case f.Form == Struct && !f.Vector:
		param, body = "flatbuffers.UOffsetT", "builder.PrependStructSlot("+slot+", v, 0)"
	default:
		param, body = "flatbuffers.UOffsetT", "builder.PrependUOffsetTSlot("+slot+", v, 0)"
	}
	out.P("func %s(builder *flatbuffers.Builder, v %s) {\n%s\n}\n", f.add, param, body)
	if f.Vector {
		size := strconv.Itoa(f.size())
		align := size
		if f.Form == Struct {
			align = "8"
		}
		out.P("func %s(builder *flatbuffers.Builder, numElems int) flatbuffers.UOffsetT {\nreturn builder.StartVector(%s, numElems, %s)\n}\n", f.startVector, size, align)
	}
}

// LookupByKey is a binary search in a vector of tables that is sorted by key. vectorLocation is
// where the vector's elements begin.
const (
	lookupText = `func (rcv *$T) LookupByKey(key string, vectorLocation flatbuffers.UOffsetT, buf []byte) bool {
	span := flatbuffers.GetUOffsetT(buf[vectorLocation-4:])
	start := flatbuffers.UOffsetT(0)
	bKey := []byte(key)
	for span != 0 {
		middle := span / 2
		tableOffset := flatbuffers.GetIndirectOffset(buf, vectorLocation+4*(start+middle))
		obj := &$T{}
		obj.Init(buf, tableOffset)
		comp := bytes.Compare(obj.$key(), bKey)
		if comp > 0 {
			span = middle
		} else if comp < 0 {
			middle += 1
			start += middle
			span -= middle
		} else {
			rcv.Init(buf, tableOffset)
			return true
		}
	}
	return false
}
`
	lookupScalar = `func (rcv *$T) LookupByKey(key $go, vectorLocation flatbuffers.UOffsetT, buf []byte) bool {
	span := flatbuffers.GetUOffsetT(buf[vectorLocation-4:])
	start := flatbuffers.UOffsetT(0)
	for span != 0 {
		middle := span / 2
		tableOffset := flatbuffers.GetIndirectOffset(buf, vectorLocation+4*(start+middle))
		obj := &$T{}
		obj.Init(buf, tableOffset)
		val := obj.$key()
		if val > key {
			span = middle
		} else if val < key {
			middle += 1
			start += middle
			span -= middle
		} else {
			rcv.Init(buf, tableOffset)
			return true
		}
	}
	return false
}
`
)

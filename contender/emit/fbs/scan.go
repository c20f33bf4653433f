package fbs

import (
	"assay/contender/emit"
	"assay/schema"
)

// scan writes the functions that add up every leaf of a buffer in place.
func (l *Layout) scan(out *emit.Source) {
	out.Import("assay/workload")
	for _, u := range l.Unions {
		scanUnion(out, u)
	}
	for _, t := range l.Tables {
		switch {
		case t == l.boxed:
			continue
		case t.Message != nil:
			out.P("// scan%s adds up every leaf in place. It trusts its input.", t.Name)
		}
		out.P("func scan%s(src *%s) (sum uint64) {", t.Name, t.Name)
		for _, f := range t.Fields {
			if f.Vector {
				l.scanVector(out, f)
			} else {
				l.scanValue(out, f)
			}
		}
		out.P("return sum\n}\n")
	}
}

// stampSum is the sum of a timestamp.
const stampSum = "workload.LeafTimeParts(x.Seconds(), int64(x.Nanos()))"

// leafSum returns the name of the function that folds a scalar into a sum.
func leafSum(k schema.Kind) string {
	switch k {
	case schema.Bool, schema.Float32, schema.Float64:
		return "workload.Leaf" + scalars[k].method
	}
	return "workload.LeafInt"
}

// scanValue adds a field other than a vector to the sum.
func (l *Layout) scanValue(out *emit.Source, f *Field) {
	switch f.Form {
	case Choice:
		out.P("{\nvar x flatbuffers.Table\nif src.%s(&x) {\nsum += scan%s(src.%s(), &x)\n}\n}", f.get, f.union.value, f.getType)
	case Scalar:
		if f.Optional { // the accessor would return a pointer, which may cost an allocation
			out.P("if o := src._tab.Offset(%d); o != 0 {\nsum += %s(src._tab.Get%s(src._tab.Pos + flatbuffers.UOffsetT(o)))\n}",
				4+2*f.Slot, leafSum(f.Kind), scalars[f.Kind].method)
			return
		}
		out.P("sum += %s(src.%s())", leafSum(f.Kind), f.get)
	case Text:
		out.P("sum += workload.LeafText(src.%s())", f.get)
	case Bytes:
		out.P("sum += workload.LeafText(src.%s())", f.bytes)
	case Struct:
		out.P("if x := src.%s(new(%s)); x != nil {\nsum += %s\n}", f.get, l.Stamp, stampSum)
	case Nested:
		out.P("if x := src.%s(new(%s)); x != nil {\nsum += scan%s(x)\n}", f.get, f.table.Name, f.table.Name)
	}
}

// scanVector adds the elements of a vector to the sum.
func (l *Layout) scanVector(out *emit.Source, f *Field) {
	loop := "for i := range src." + f.length + "() {\n"
	switch {
	case f.Form == Scalar:
		out.P("%ssum += %s(src.%s(i))\n}", loop, leafSum(f.Kind), f.get)
	case f.Form == Text:
		out.P("%ssum += workload.LeafText(src.%s(i))\n}", loop, f.get)
	case f.Form == Struct:
		out.P("{\nvar x %s\n%ssrc.%s(&x, i)\nsum += %s\n}\n}", l.Stamp, loop, f.get, stampSum)
	case f.table == l.boxed:
		out.P("{\nvar x %s\n%ssrc.%s(&x, i)\nsum += workload.LeafText(x.%s())\n}\n}", f.table.Name, loop, f.get, f.table.Fields[0].bytes)
	default:
		out.P("{\nvar x %s\n%ssrc.%s(&x, i)\nsum += scan%s(&x)\n}\n}", f.table.Name, loop, f.get, f.table.Name)
	}
}

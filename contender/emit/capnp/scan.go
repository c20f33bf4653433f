package capnp

import (
	"assay/contender/emit"
	"assay/schema"
)

// fail follows a call that can fail, in a function that scans.
const fail = "if err != nil {\nreturn sum, err\n}"

// scan writes the functions that add up every leaf of a message in place.
func (l *Layout) scan(out *emit.Source) {
	out.Import("time", "assay/workload")
	for _, root := range l.Schema.Roots {
		out.P("// sumOf%s adds up every leaf of a message.", root)
		out.P("func sumOf%s(msg *capnp.Message) (uint64, error) {\nroot, err := root%s(msg)\nif err != nil {\nreturn 0, err\n}\nreturn scan%s(root)\n}\n", root, root, l.byName[root].Name)
	}
	for _, st := range l.Structs {
		if st == l.stamp {
			continue
		}
		out.P("func scan%s(src %s) (sum uint64, err error) {", st.Name, st.Name)
		for _, f := range st.Fields {
			if !f.flags {
				l.scanField(out, f)
			}
		}
		out.P("return sum, nil\n}\n")
	}
}

func (l *Layout) scanField(out *emit.Source, f *Field) {
	name := title(f.Name)
	get := "src." + name + "()"
	switch {
	case f.List:
		out.P("if src.Has%s() {\nlist, err := %s\n%s\nfor i := range list.Len() {", name, get, fail)
		l.scanElem(out, f)
		out.P("}\n}")
	case f.flag != nil:
		out.P("if src.%s() {\nsum += %s\n}", title(f.flag.Name), leaf(f.of.Kind, get))
	case f.Kind == schema.String:
		out.P("{\nb, err := src.%sBytes()\n%s\nsum += workload.LeafText(b)\n}", name, fail)
	case f.Kind == schema.Bytes:
		out.P("{\nb, err := %s\n%s\nsum += workload.LeafText(b)\n}", get, fail)
	case f.Struct != nil:
		if f.of.Optional {
			out.P("if src.Has%s() {", name)
		} else {
			out.P("{")
		}
		out.P("m, err := %s\n%s", get, fail)
		l.scanStruct(out, f, "m")
		out.P("}")
	default:
		out.P("sum += %s", leaf(f.of.Kind, get))
	}
}

// scanElem adds element i of the list to the sum.
func (l *Layout) scanElem(out *emit.Source, f *Field) {
	switch {
	case f.Kind == schema.String:
		out.P("b, err := list.BytesAt(i)\n%s\nsum += workload.LeafText(b)", fail)
	case f.Kind == schema.Bytes:
		out.P("b, err := list.At(i)\n%s\nsum += workload.LeafText(b)", fail)
	case f.Struct != nil:
		l.scanStruct(out, f, "list.At(i)")
	default:
		out.P("sum += %s", leaf(f.of.Kind, "list.At(i)"))
	}
}

// scanStruct adds a struct to the sum.
func (l *Layout) scanStruct(out *emit.Source, f *Field, expr string) {
	if f.Struct == l.stamp {
		out.P("t := %s\nsum += workload.LeafTimeParts(t.Seconds(), int64(t.Nanos()))", expr)
		return
	}
	out.P("n, err := scan%s(%s)\n%s\nsum += n", f.Struct.Name, expr, fail)
}

// leaf returns the expression that folds a number.
func leaf(k schema.Kind, get string) string {
	switch k {
	case schema.Bool:
		return "workload.LeafBool(" + get + ")"
	case schema.Float32:
		return "workload.LeafFloat32(" + get + ")"
	case schema.Float64:
		return "workload.LeafFloat64(" + get + ")"
	case schema.Duration:
		return "workload.LeafDuration(time.Duration(" + get + "))"
	}
	return "workload.LeafInt(" + get + ")"
}

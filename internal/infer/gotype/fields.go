package gotype

import (
	"cmp"
	"go/types"
	"reflect"
	"slices"
	"strings"
	"unicode"
)

// A structField is a field of a struct as encoding/json sees it.
type structField struct {
	v         *types.Var
	name      string // its key in JSON
	tagged    bool
	omitEmpty bool
	omitZero  bool
	quoted    bool // its value is in quotes in JSON
	index     []int
	embedding string // the embedded fields on the way to it, each followed by a dot
	twice     bool   // its struct is embedded twice at this depth, so that it is there twice
	lifted    bool   // it is in a struct that an embedded pointer leads to, and absent if that is nil
}

// An omitted is a field that encoding/json does not see, and the reason.
type omitted struct {
	name, why string
}

// Reasons why encoding/json does not see fields.
const (
	unexported = "unexported fields, which no codec sees"
	unsettable = "embedded pointers to unexported structs, which encoding/json writes but cannot read"
	dashed     = "fields with the tag json:\"-\""
	hidden     = "fields that another of the same name hides"
)

// visible returns the fields of a struct type that encoding/json writes, including those of embedded
// structs, and the fields that it does not write. If several fields have one name, encoding/json takes
// the one that is embedded least deep, then the one with a tag; of equal ones it takes none. An
// embedded struct for which keep returns true is a field itself.
func visible(t types.Type, keep func(types.Type) bool) (fields []structField, left []omitted) {
	var found []structField
	seen := map[types.Type]bool{}
	times := map[types.Type]int{} // how often each struct is embedded at this depth
	for depth := []embedding{{t: types.Unalias(t)}}; len(depth) > 0; {
		var next []embedding
		timesNext := map[types.Type]int{}
		for _, e := range depth {
			if seen[e.t] {
				continue
			}
			seen[e.t] = true
			own, inner, omitted := e.fields(keep)
			for _, f := range own {
				f.twice = times[e.t] > 1
				found = append(found, f)
			}
			for _, n := range inner {
				timesNext[n.t]++
			}
			next, left = append(next, inner...), append(left, omitted...)
		}
		depth, times = next, timesNext
	}
	byName := map[string][]structField{}
	for _, f := range found {
		byName[f.name] = append(byName[f.name], f)
	}
	for _, f := range found {
		if wins(f, byName[f.name]) {
			fields = append(fields, f)
		} else {
			left = append(left, omitted{f.embedding + f.v.Name(), hidden})
		}
	}
	slices.SortFunc(fields, func(a, b structField) int { return slices.Compare(a.index, b.index) })
	return fields, left
}

// An embedding is a struct type whose fields encoding/json lifts into those of another.
type embedding struct {
	t     types.Type
	index []int
	path  string // the embedded fields on the way to it, each followed by a dot
	// lifted says that one of these fields is a pointer.
	lifted bool
}

// fields returns the fields of the struct itself, the structs whose fields are lifted into it, and
// the fields that encoding/json does not see.
func (e embedding) fields(keep func(types.Type) bool) (own []structField, inner []embedding, left []omitted) {
	st := e.t.Underlying().(*types.Struct)
	for i := range st.NumFields() {
		v := st.Field(i)
		inside, pointer := embedded(v)
		tag := reflect.StructTag(st.Tag(i)).Get("json")
		why := ""
		switch {
		case v.Name() == "_":
			continue
		case !v.Exported() && inside == nil:
			why = unexported
		case tag == "-":
			why = dashed
		case !v.Exported() && pointer:
			why = unsettable
		}
		if why != "" {
			left = append(left, omitted{e.path + v.Name(), why})
			continue
		}
		name, options, _ := strings.Cut(tag, ",")
		if !validKey(name) {
			name = ""
		}
		index := append(slices.Clone(e.index), i)
		if v.Embedded() && name == "" && inside != nil && !keep(v.Type()) {
			inner = append(inner, embedding{inside, index, e.path + v.Name() + ".", e.lifted || pointer})
			continue
		}
		opts := strings.Split(options, ",")
		own = append(own, structField{
			v: v, name: cmp.Or(name, v.Name()), tagged: name != "", index: index, embedding: e.path, lifted: e.lifted,
			omitEmpty: slices.Contains(opts, "omitempty"),
			omitZero:  slices.Contains(opts, "omitzero"),
			quoted:    slices.Contains(opts, "string") && quotable(v.Type()),
		})
	}
	return own, inner, left
}

// quotable reports whether the tag option string has an effect on a type: encoding/json itself writes its
// values as a text, a number or a truth value.
func quotable(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&(types.IsBoolean|types.IsInteger|types.IsFloat|types.IsString) != 0 && !has(t, "MarshalJSON") && !has(t, "MarshalText")
}

// embedded returns the type of the struct that a field embeds, or nil, and whether it embeds a
// pointer.
func embedded(v *types.Var) (t types.Type, pointer bool) {
	if !v.Embedded() {
		return nil, false
	}
	t = types.Unalias(v.Type())
	if p, ok := t.(*types.Pointer); ok {
		t, pointer = types.Unalias(p.Elem()), true
	}
	if _, ok := t.Underlying().(*types.Struct); !ok {
		return nil, pointer
	}
	return t, pointer
}

// wins reports whether encoding/json takes a field for its name, rather than one of the rivals.
func wins(f structField, rivals []structField) bool {
	if f.twice {
		return false
	}
	order := func(a, b structField) int {
		if n := cmp.Compare(len(a.index), len(b.index)); n != 0 {
			return n
		}
		switch {
		case a.tagged == b.tagged:
			return 0
		case a.tagged:
			return -1
		}
		return 1
	}
	for _, r := range rivals {
		if !slices.Equal(r.index, f.index) && order(r, f) <= 0 {
			return false
		}
	}
	return true
}

// validKey reports whether encoding/json accepts a key in a tag.
func validKey(s string) bool {
	for _, c := range s {
		if !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", c) && !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			return false
		}
	}
	return s != ""
}

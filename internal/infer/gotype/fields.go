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
	name      string // its key
	tagged    bool
	omitEmpty bool
	omitZero  bool
	index     []int
	embedding string // the field through which an embedded struct is held
}

// An omitted is a field that encoding/json does not see, and why.
type omitted struct {
	name, why string
}

// Why fields are not seen.
const (
	unexported = "unexported fields, which no codec sees"
	dashed     = "fields with the tag json:\"-\""
	hidden     = "fields that another of the same name hides"
)

// visible returns the fields of a struct that encoding/json writes, those of
// embedded structs among them. The rules are those of encoding/json: the field
// that is embedded least deep wins, then one with a tag, and of equals none. The
// embedded structs for which keep answers true are fields themselves.
func visible(st *types.Struct, keep func(types.Type) bool) (fields []structField, left []omitted) {
	type level struct {
		st        *types.Struct
		index     []int
		embedding string
	}
	var found []structField
	seen := map[*types.Struct]bool{}
	for current := []level{{st: st}}; len(current) > 0; {
		var next []level
		for _, l := range current {
			if seen[l.st] {
				continue
			}
			seen[l.st] = true
			for i := range l.st.NumFields() {
				v := l.st.Field(i)
				inner, pointer := embedded(v)
				tag := reflect.StructTag(l.st.Tag(i)).Get("json")
				name, options, _ := strings.Cut(tag, ",")
				switch {
				case v.Name() == "_":
					continue
				case v.Embedded() && !v.Exported() && (inner == nil || pointer && !v.Exported()):
					left = append(left, omitted{l.embedding + v.Name(), unexported})
					continue
				case !v.Embedded() && !v.Exported():
					left = append(left, omitted{l.embedding + v.Name(), unexported})
					continue
				case tag == "-":
					left = append(left, omitted{l.embedding + v.Name(), dashed})
					continue
				}
				if !validKey(name) {
					name = ""
				}
				index := append(slices.Clone(l.index), i)
				if v.Embedded() && name == "" && inner != nil && !keep(v.Type()) {
					next = append(next, level{inner, index, l.embedding + v.Name() + "."})
					continue
				}
				f := structField{v: v, name: name, tagged: name != "", index: index, embedding: l.embedding}
				f.omitEmpty = slices.Contains(strings.Split(options, ","), "omitempty")
				f.omitZero = slices.Contains(strings.Split(options, ","), "omitzero")
				if name == "" {
					f.name = v.Name()
				}
				found = append(found, f)
			}
		}
		current = next
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

// embedded returns the struct that a field embeds, and whether by a pointer.
func embedded(v *types.Var) (st *types.Struct, pointer bool) {
	if !v.Embedded() {
		return nil, false
	}
	t := v.Type()
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t, pointer = p.Elem(), true
	}
	st, _ = t.Underlying().(*types.Struct)
	return st, pointer
}

// wins reports whether a field is the one that a name stands for.
func wins(f structField, rivals []structField) bool {
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

// validKey reports whether encoding/json takes a key from a tag.
func validKey(s string) bool {
	for _, c := range s {
		if !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", c) && !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			return false
		}
	}
	return s != ""
}

package gotype

import (
	"fmt"
	"go/constant"
	"go/types"
	"math"
	"slices"
	"strings"

	"assay/internal/guess"
	"assay/internal/infer/gotype/program"
	"assay/schema"
)

// noOther ends the reason in the guess that an integer type is an enum.
const noOther = ", and the records hold no other number"

// has reports whether a type, or a pointer to it, has a method.
func has(t types.Type, name string) bool {
	if _, ok := t.Underlying().(*types.Interface); ok {
		return false
	}
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
	_, ok := obj.(*types.Func)
	return ok
}

// isStd reports whether a type is pkg.name of the standard library.
func isStd(t types.Type, pkg, name string) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Name() == name && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == pkg
}

// isTime reports whether a type is time.Time or a type defined as time.Time.
func isTime(t types.Type) bool {
	if isStd(t, "time", "Time") {
		return true
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok || st.NumFields() != 3 || st.Field(0).Pkg() == nil {
		return false
	}
	return st.Field(0).Pkg().Path() == "time" && st.Field(0).Name() == "wall" && st.Field(2).Name() == "loc"
}

// isValue reports whether an embedded struct is one value rather than a set of fields.
func (b *builder) isValue(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	_, ok := b.special(t)
	return ok
}

// special returns the form of a type that is not written according to its underlying type: times and
// durations, some types of encoding/json, and types whose methods write them.
func (b *builder) special(t types.Type) (form, bool) {
	switch {
	case isTime(t):
		return plain(schema.Timestamp, program.Time), true
	case isStd(t, "time", "Duration"):
		return plain(schema.Duration, program.Duration), true
	case isStd(t, "encoding/json", "RawMessage"):
		made := b.text("json.RawMessage", true)
		made.typ.Optional, made.plan.Optional = true, true
		return made, true
	case isStd(t, "encoding/json", "Number"):
		return plain(schema.String, program.String), true
	}
	if _, ok := types.Unalias(t).(*types.Named); !ok {
		return form{}, false
	}
	st, isStruct := t.Underlying().(*types.Struct)
	if isStruct && st.NumFields() == 1 && st.Field(0).Embedded() {
		if inner := st.Field(0).Type(); isTime(inner) || isStd(inner, "time", "Duration") {
			made, _ := b.special(inner)
			elem := made.plan
			made.plan = program.Type{How: program.Wrapped, Elem: &elem}
			return made, true
		}
	}
	marshals, texts := has(t, "MarshalJSON"), has(t, "MarshalText")
	if isStruct {
		fields, left := visible(t, func(types.Type) bool { return false })
		open := len(fields) > 0 && !slices.ContainsFunc(left, func(o omitted) bool { return o.why == unexported || o.why == unsettable })
		if open && (marshals || !texts) || len(fields) > 0 && !marshals && !texts {
			return form{}, false
		}
	}
	switch {
	case texts:
		return plain(schema.String, program.Text), true
	case marshals && (isStruct || isBytes(t)):
		return b.text(full(t), false), true
	case isStruct && has(t, "MarshalBinary"):
		return plain(schema.Bytes, program.Binary), true
	}
	return form{}, false
}

// known returns the form of a special type or an enum. It also lists the methods of any named type.
func (b *builder) known(t types.Type, path string) (form, bool) {
	if made, ok := b.enum(t, path); ok {
		b.methodsOf(t, program.Enum)
		return made, true
	}
	made, ok := b.special(t)
	if !ok {
		b.methodsOf(t, program.Message)
		return made, false
	}
	b.methodsOf(t, made.plan.How)
	if isStd(t, "encoding/json", "Number") {
		b.notes.add(number, path)
	}
	if made.plan.How == program.JSON && made.jsonText {
		b.notes.add(asJSON, fmt.Sprintf("%s (%s)", path, short(t)))
	}
	return made, true
}

// enum returns the form of an integer type that has at least two constants.
func (b *builder) enum(t types.Type, path string) (form, bool) {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || isStd(t, "time", "Duration") || named.Obj().Pkg() == nil {
		return form{}, false
	}
	basic, ok := named.Underlying().(*types.Basic)
	if !ok || basic.Info()&types.IsInteger == 0 {
		return form{}, false
	}
	values := constants(named)
	if len(values) < 2 {
		return form{}, false
	}
	key := full(t)
	if n, ok := b.noEnums[key]; ok {
		b.guesses = append(b.guesses, guess.Guess{
			Path: path, Decision: basic.Name(), Effect: guess.Type,
			Reason: fmt.Sprintf("%s has constants, but a record holds %s, which is none of them", short(t), n),
		})
		return form{}, false
	}
	name, ok := b.enums[key]
	if !ok {
		e := &schema.Enum{Name: b.names.Name(typeNames(named)...), Doc: b.target.docs[named.Obj().Pos()], Values: values}
		name = e.Name
		if i := slices.IndexFunc(values, func(v schema.EnumValue) bool { return v.Number == 0 }); i > 0 {
			zero := values[i]
			copy(values[1:i+1], values[:i])
			values[0] = zero
		} else if i < 0 {
			e.Values = append([]schema.EnumValue{{Name: name + "Unset"}}, values...)
		}
		b.enums[key] = name
		b.schema.Enums = append(b.schema.Enums, e)
		b.guesses = append(b.guesses, guess.Guess{
			Path: path, Decision: "enum " + name, Effect: guess.Type,
			Reason: fmt.Sprintf("%s has %d constants", short(t), len(values)) + noOther,
		})
	}
	made := form{typ: schema.Type{Kind: schema.EnumKind, Ref: name}, plan: program.Type{How: program.Enum, Ref: key, Values: map[string]bool{"0": true}}}
	for _, v := range b.schema.Enum(name).Values {
		made.plan.Values[fmt.Sprint(v.Number)] = true
	}
	return made, true
}

// constants returns the constants of a type in its package, one for each number, in the order of the
// numbers. It returns nil if a number does not fit in 32 bits.
func constants(named *types.Named) []schema.EnumValue {
	var values []schema.EnumValue
	seen := map[int32]bool{}
	scope := named.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		c, ok := scope.Lookup(name).(*types.Const)
		if !ok || name == "_" || !types.Identical(c.Type(), named) {
			continue
		}
		n, exact := constant.Int64Val(constant.ToInt(c.Val()))
		if !exact || n < math.MinInt32 || n > math.MaxInt32 {
			return nil
		}
		if !seen[int32(n)] {
			seen[int32(n)] = true
			values = append(values, schema.EnumValue{Name: name, Number: int32(n)})
		}
	}
	slices.SortFunc(values, func(a, b schema.EnumValue) int { return int(int64(a.Number) - int64(b.Number)) })
	return values
}

// codecs has the methods with which types encode and decode themselves and that people write by hand,
// without methods that only generators write.
var codecs = []string{
	"MarshalJSON", "UnmarshalJSON", "MarshalJSONTo", "UnmarshalJSONFrom", "MarshalText", "UnmarshalText", "AppendText",
	"MarshalBinary", "UnmarshalBinary", "AppendBinary", "GobEncode", "GobDecode", "MarshalXML", "UnmarshalXML",
	"MarshalYAML", "UnmarshalYAML", "MarshalCBOR", "UnmarshalCBOR", "MarshalBSON", "UnmarshalBSON", "MarshalBSONValue", "UnmarshalBSONValue",
	"MarshalMsg", "UnmarshalMsg", "EncodeMsg", "DecodeMsg", "EncodeMsgpack", "DecodeMsgpack", "MarshalMsgpack", "UnmarshalMsgpack",
}

// methodsOf lists the methods in codecs that a type has.
func (b *builder) methodsOf(t types.Type, how program.How) {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || b.asked[full(t)] || named.Obj().Pkg() == nil {
		return
	}
	b.asked[full(t)] = true
	if b.target.standard(named.Obj().Pkg()) {
		return
	}
	byUse := map[string][]string{}
	for _, name := range codecs {
		if has(t, name) {
			u := use(name, how, b.target.isFunc)
			byUse[u] = append(byUse[u], name)
		}
	}
	for _, u := range []string{reads, gives, unused} {
		if names := byUse[u]; len(names) > 0 {
			b.methods = append(b.methods, Methods{Type: short(t), Names: names, Use: u})
		}
	}
}

// standard reports whether a package is in the standard library. The import paths of other modules,
// except the user's, begin with the name of a host.
func (t *target) standard(p *types.Package) bool {
	if t.pkg.Module != nil && (p.Path() == t.pkg.Module.Path || strings.HasPrefix(p.Path(), t.pkg.Module.Path+"/")) {
		return false
	}
	first, _, _ := strings.Cut(p.Path(), "/")
	return !strings.Contains(first, ".")
}

// The uses of methods.
const (
	reads  = "read the sample"
	gives  = "give what the field of the schema holds"
	unused = "are of your own types only, and not of the generated ones that are compared with them"
)

func use(name string, how program.How, isFunc bool) string {
	switch {
	case name == "UnmarshalJSON" && !isFunc, name == "UnmarshalText" && how == program.Text && !isFunc:
		return reads
	case name == "MarshalJSON" && how == program.JSON, name == "MarshalText" && how == program.Text, name == "MarshalBinary" && how == program.Binary:
		return gives
	}
	return unused
}

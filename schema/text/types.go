package text

import (
	"fmt"
	"slices"
	"strings"

	"assay/schema"
)

// kindNames are the type names of the text form, by kind.
var kindNames = [...]string{
	schema.Bool:      "bool",
	schema.Int32:     "int32",
	schema.Int64:     "int64",
	schema.Uint32:    "uint32",
	schema.Uint64:    "uint64",
	schema.Float32:   "float32",
	schema.Float64:   "float64",
	schema.String:    "string",
	schema.Bytes:     "bytes",
	schema.Timestamp: "timestamp",
	schema.Duration:  "duration",
}

// FormatType returns the expression of a valid type, such as map[string]*Order.
func FormatType(t schema.Type) string {
	var b strings.Builder
	for {
		if t.Optional {
			b.WriteByte('*')
		}
		switch {
		case t.Ref != "":
			b.WriteString(t.Ref)
			return b.String()
		case t.Kind == schema.List && t.Elem != nil:
			b.WriteString("[]")
		case t.Kind == schema.Map && t.Elem != nil:
			b.WriteString("map[" + kindName(t.Key) + "]")
		default:
			b.WriteString(kindName(t.Kind))
			return b.String()
		}
		t = *t.Elem
	}
}

func kindName(k schema.Kind) string {
	if k > schema.Invalid && int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "invalid"
}

// A typeParser parses one type expression.
type typeParser struct {
	expr string
	pos  int
	err  string // what is wrong at pos; empty: no error
	ref  int    // where the name of a message or enum begins; -1 if there is none
}

// parse returns the type. If its innermost type is a message or an enum, that type has a Ref
// but no kind yet.
func (p *typeParser) parse() schema.Type {
	p.ref = -1
	t := p.typ(false)
	if p.err == "" && p.pos < len(p.expr) {
		p.err = fmt.Sprintf("unexpected %q after the type", short(p.expr[p.pos:]))
	}
	return t
}

// typ parses a type or, if elem is set, the type of an element. An element cannot be a list or
// a map, so the depth of the recursion does not depend on the text.
func (p *typeParser) typ(elem bool) schema.Type {
	var t schema.Type
	t.Optional = p.pass("*")
	switch {
	case elem && (p.at("[]") || p.at("map[")):
		p.err = "the element of a list or map cannot be a list or a map itself; make it a bare message"
		return t
	case p.pass("[]"):
		t.Kind = schema.List
	case p.pass("map["):
		t.Kind, t.Key = schema.Map, p.key()
		if p.err != "" {
			return t
		}
	default:
		start := p.pos
		name := p.name()
		if k := slices.Index(kindNames[:], name); k > 0 {
			t.Kind = schema.Kind(k)
		} else if p.err == "" {
			t.Ref, p.ref = name, start
		}
		return t
	}
	inner := p.typ(true)
	t.Elem = &inner
	return t
}

// key parses the key of a map and the bracket after it.
func (p *typeParser) key() schema.Kind {
	start := p.pos
	name := p.name()
	k := slices.Index(kindNames[:], name)
	switch {
	case p.err != "":
	case k <= 0:
		p.pos, p.err = start, fmt.Sprintf("a map's key cannot be %q; it must be string, int32, int64, uint32 or uint64", short(name))
	case !p.pass("]"):
		p.err = "a ] is missing after the map's key"
	}
	return schema.Kind(k)
}

// name parses a name. A missing name is an error.
func (p *typeParser) name() string {
	rest := p.expr[p.pos:]
	n := strings.IndexFunc(rest, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
	if n < 0 {
		n = len(rest)
	}
	if n == 0 {
		p.err = "a type is missing here; write a name, *T, []T or map[K]T"
	}
	p.pos += n
	return rest[:n]
}

func (p *typeParser) at(prefix string) bool { return strings.HasPrefix(p.expr[p.pos:], prefix) }

func (p *typeParser) pass(prefix string) bool {
	ok := p.at(prefix)
	if ok {
		p.pos += len(prefix)
	}
	return ok
}

// short returns the beginning of a text for an error.
func short(s string) string {
	const most = 80
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

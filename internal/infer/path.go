package infer

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assay/internal/nearest"
	"assay/internal/phrase"
	"assay/schema"
)

// A step leads from a value to one inside it.
type step struct {
	kind stepKind
	key  string // of inKey
}

type stepKind byte

const (
	inKey   stepKind = iota // the value of a key, written as the key
	inValue                 // any value of a map, written as *
	inList                  // any element of a list, written as []
)

// leads reports whether the step s of a rule matches the step to. A step to any value of a map
// matches every key.
func (s step) leads(to step) bool { return s == to || s.kind == inValue && to.kind == inKey }

// A path leads from a record to a value in it. The empty path is the record.
type path []step

// A Step leads from a value to one inside it. It is for packages that walk records themselves.
type Step struct{ step }

// Key returns the step to the value of a key.
func Key(key string) Step { return Step{step{kind: inKey, key: key}} }

// AnyValue returns the step to any value of a map.
func AnyValue() Step { return Step{step{kind: inValue}} }

// AnyElement returns the step to any element of a list.
func AnyElement() Step { return Step{step{kind: inList}} }

// PathText returns the path that leads from a record through the steps, as users write it and as
// Overrule.Path and guesses have it.
func PathText(steps []Step) string {
	var p path
	for _, s := range steps {
		p = append(p, s.step)
	}
	return p.String()
}

// plus returns the path with one more step.
func (p path) plus(s step) path { return append(slices.Clip(p), s) }

// holds reports whether p is a proper prefix of q.
func (p path) holds(q path) bool { return len(p) < len(q) && slices.Equal(p, q[:len(p)]) }

// String returns the path as users write it: keys with dots between them, [] for the elements of a
// list, * for the values of a map, and . for the record. A key that could be misread is in quotes.
func (p path) String() string {
	if len(p) == 0 {
		return "."
	}
	var b strings.Builder
	for i, s := range p {
		if i > 0 && s.kind != inList {
			b.WriteByte('.')
		}
		switch {
		case s.kind == inList:
			b.WriteString("[]")
		case s.kind == inValue:
			b.WriteByte('*')
		case plainKey(s.key):
			b.WriteString(s.key)
		default:
			b.WriteString(strconv.Quote(s.key))
		}
	}
	return b.String()
}

func plainKey(key string) bool {
	return key != "" && len(key) <= 80 && !strings.ContainsAny(key, ".[]*\"\\=") && strconv.Quote(key) == `"`+key+`"`
}

// parsePath parses a path in the form that String returns.
func parsePath(text string) (path, error) {
	bad := func(why string) (path, error) {
		return nil, fmt.Errorf("%q is no path: %s; write keys as in user.name, [] for the elements of a list, * for the values of a map, and . for the record", text, why)
	}
	if text == "." {
		return path{}, nil
	}
	if text == "" {
		return bad("it is empty")
	}
	var p path
	rest := text
	for first := true; rest != ""; first = false {
		if strings.HasPrefix(rest, "[]") {
			p = append(p, step{kind: inList})
			rest = rest[2:]
			continue
		}
		if !first {
			if rest[0] != '.' {
				return bad("a dot is missing before " + rest)
			}
			rest = rest[1:]
		}
		key := rest
		switch {
		case strings.HasPrefix(rest, `"`):
			quoted, err := strconv.QuotedPrefix(rest)
			if err != nil {
				return bad("a quotation mark is not closed")
			}
			key, _ = strconv.Unquote(quoted)
			rest = rest[len(quoted):]
			p = append(p, step{kind: inKey, key: key})
			continue
		default:
			if i := strings.IndexAny(rest, ".["); i >= 0 {
				key = rest[:i]
			}
			rest = rest[len(key):]
		}
		switch {
		case key == "*":
			p = append(p, step{kind: inValue})
		case key == "" || strings.ContainsAny(key, "]*\""):
			return bad("a key is missing, or has one of ]*\" in it and is not in quotes")
		default:
			p = append(p, step{kind: inKey, key: key})
		}
	}
	return p, nil
}

// An Overrule is a user's answer that replaces a guess.
type Overrule struct {
	// Path is the path of the values that the answer is about, as in a guess. A * stands for
	// any key.
	Path string
	// Type is one of the following: a scalar kind as in the schema's text form; a spelling
	// (schema.Spelling), where decimal and local may lack their digits; enum; struct, union, map
	// or map[K]; list or row; json, which keeps the text of the value's JSON; number, which keeps
	// the text of numbers; none, which leaves the value out; or html, for all texts of the
	// records. It can also say how absent and null values are written: omitempty and omitzero
	// leave them out, null writes null. A path may have one of these three besides another type.
	Type string
}

// keeps reports whether an overrule says how absent and null values are written.
func (o *Overrule) keeps() bool { return slices.Contains(keeping, o.Type) }

// keeping has the types that say how absent and null values are written.
var keeping = []string{"omitempty", "omitzero", "null"}

// types has the valid values of Overrule.Type except spellings and maps with a kind of key.
var types = []string{
	"bool", "int32", "int64", "uint32", "uint64", "float32", "float64", "string", "bytes", "timestamp", "duration",
	"enum", "struct", "union", "map", "list", "row", "json", "number", "html", "none", "omitempty", "omitzero", "null",
}

// keyTypes has the types of maps with a kind of key.
var keyTypes = []string{"map[string]", "map[int32]", "map[int64]", "map[uint32]", "map[uint64]"}

// String returns the flag that gives the overrule.
func (o Overrule) String() string {
	switch o.Type {
	case "map", "struct", "union":
		return "--" + o.Type + " " + phrase.ShellLine(o.Path)
	}
	return "--type " + phrase.ShellLine(o.Path+"="+o.Type)
}

// ParseOverrule parses the value of a flag: a PATH for the flags "map", "struct" and "union", and
// PATH=TYPE for "type".
func ParseOverrule(flag, value string) (Overrule, error) {
	o := Overrule{Path: value, Type: flag}
	if flag == "type" {
		i := strings.LastIndexByte(value, '=')
		if i < 0 {
			return Overrule{}, fmt.Errorf("%q is no PATH=TYPE, as in user.id=string", value)
		}
		o = Overrule{Path: value[:i], Type: value[i+1:]}
	}
	if _, err := o.rule(); err != nil {
		return Overrule{}, err
	}
	return o, nil
}

// A rule is an overrule or a union, and the path that still leads to the values it is about.
type rule struct {
	of    *Overrule // nil: it is a union
	union *union    // nil: it is an overrule
	path  path      // the remaining path
}

func (o Overrule) rule() (path, error) {
	p, err := parsePath(o.Path)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(types, o.Type) && !slices.Contains(keyTypes, o.Type) && !asksSpelling(o.Type) {
		hint := "it is one of " + strings.Join(overruleTypes(), ", ")
		if as := schema.Spelling(o.Type); as.Base() != as && slices.Contains(schema.Spellings, as.Base()) {
			hint = as.Unknown()
		} else if near := nearest.Name(o.Type, append(overruleTypes(), keyTypes...)); near != "" {
			hint = fmt.Sprintf("did you mean %q?", near)
		}
		return nil, fmt.Errorf("%s: there is no type %q; %s", o.Path, o.Type, hint)
	}
	if o.Type == "html" && len(p) > 0 {
		return nil, fmt.Errorf("%s: html is about all texts of the records, not of one field; say --type .=html", o.Path)
	}
	return p, nil
}

// follow returns the rules that lead on after a step, and the overrules that end there: end for the
// type of the value, and keep for absent and null values. If several rules end there, the last one
// that the user gave counts.
func follow(rules []rule, s step) (on []rule, end, keep *Overrule) {
	for _, r := range rules {
		if len(r.path) == 0 {
			continue
		}
		if !r.path[0].leads(s) {
			continue
		}
		switch {
		case len(r.path) > 1:
			on = append(on, rule{r.of, r.union, r.path[1:]})
		case r.union != nil: // see unionAt
		case r.of.keeps():
			keep = r.of
		default:
			end = r.of
		}
	}
	return on, end, keep
}

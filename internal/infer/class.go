package infer

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// The class of a value is a string. Values can have one type only if their classes are compatible:
// "t" is a text, "b" a truth value, "#" a number, "{" an object, and "[" with the class of its
// elements a list. The class of null and of an empty text is unknown, written as "". "*" stands for
// several classes.

// classOf returns the class of a value, given as JSON.
func classOf(raw []byte) string {
	d := jsontext.NewDecoder(bytes.NewBuffer(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	class, err := readClass(d)
	if err != nil {
		return "*" // reading the records reports what is wrong
	}
	return class
}

// readClass reads a value.
func readClass(d *jsontext.Decoder) (string, error) {
	switch kind := d.PeekKind(); kind {
	case '[':
		if _, err := d.ReadToken(); err != nil {
			return "", err
		}
		class := ""
		for d.PeekKind() != ']' {
			elem, err := readClass(d)
			if err != nil {
				return "", err
			}
			class = sameClass(class, elem)
		}
		_, err := d.ReadToken()
		return "[" + class, err
	case '"':
		raw, err := d.ReadValue()
		if len(raw) == len(`""`) {
			return "", err
		}
		return "t", err
	default:
		class := map[jsontext.Kind]string{'n': "", 't': "b", 'f': "b", '{': "{", '0': "#"}[kind]
		return class, d.SkipValue()
	}
}

// sameClass returns the common class of values of two classes, "*" if they differ.
func sameClass(a, b string) string {
	switch {
	case a == b || b == "":
		return a
	case a == "":
		return b
	case a[0] == '[' && b[0] == '[':
		return "[" + sameClass(a[1:], b[1:])
	}
	return "*"
}

// differ reports whether values of two classes cannot be of one type. A list whose own elements
// are of several classes ("[*") differs from no other list.
func differ(a, b string) bool {
	for a != "" && b != "" && a[0] == '[' && b[0] == '[' {
		a, b = a[1:], b[1:]
	}
	return a != "" && b != "" && a != "*" && b != "*" && a != b
}

// see records the class of a value of a key.
func (k *kind) see(key int, class string) {
	if k.class == nil {
		k.class, k.torn = map[int]string{}, map[int]bool{}
	}
	k.torn[key] = k.torn[key] || differ(k.class[key], class)
	k.class[key] = sameClass(k.class[key], class)
}

// differs reports whether some key has values of one type in each of two kinds, but these two types
// differ.
func (k *kind) differs(o *kind) bool {
	for key, class := range k.class {
		if !k.torn[key] && !o.torn[key] && differ(class, o.class[key]) {
			return true
		}
	}
	return false
}

// torn reports whether a member has values of several types, directly or as elements of its lists,
// so that one struct would keep the text of their JSON.
func (ob *object) torn() bool {
	return (ob.seen >= fewestObjects || ob.ragged()) && len(ob.members) <= maxSurveyed &&
		slices.ContainsFunc(ob.members, func(m *member) bool { return find(m.node).torn() })
}

// ragged reports whether a member has lists that are nested to several depths.
func (ob *object) ragged() bool {
	return slices.ContainsFunc(ob.members, func(m *member) bool { return find(m.node).ragged() != "" })
}

func (n *node) torn() bool {
	switch {
	case n.force != nil || n.union != nil:
		return false
	case len(n.kinds()) > 1:
		return true
	case n.list == nil || n.list.isRow || n.list.elem == nil:
		return false
	}
	return find(n.list.elem).torn()
}

// explained returns the keys whose values are of one type within each kind, but of different types
// in different kinds. It is empty unless a text in the objects tells the kinds and no key of any
// kind has values of several types.
func (p *partition) explained() (keys []string) {
	if p.tag == nil || p.tag.beside || p.when != nil {
		return nil
	}
	for i, key := range p.keys {
		all := ""
		differing := false
		for _, k := range p.kinds {
			if k.torn[i] {
				return nil
			}
			differing = differing || differ(all, k.class[i])
			all = sameClass(all, k.class[i])
		}
		if differing {
			keys = append(keys, shorten(key))
		}
	}
	return keys
}

// tells reports whether the texts of the tag are likely names of kinds, because there are at least
// three objects for each text on average, or because of the tag's key. Texts that are data, such as
// ids, could explain any difference of types by chance.
func (t *tag) tells() bool {
	return ofKinds(t.key) || t.objects >= 3*int64(len(t.kinds))
}

// ofKinds reports whether a key ends in type or kind, so that its texts are likely names of kinds.
func ofKinds(key string) bool {
	key = strings.ToLower(key)
	return strings.HasSuffix(key, "type") || strings.HasSuffix(key, "kind")
}

// whyTyped returns the reason for a union whose kinds have values of different types.
func (p *partition) whyTyped(keys []string, some string) string {
	return fmt.Sprintf("the type of %s in the %s depends on their %q: %s; one struct would have the text of its JSON there",
		strings.Join(keys, ", "), plural(p.objects, "object"), shorten(p.tag.key), some)
}

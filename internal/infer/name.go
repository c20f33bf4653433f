package infer

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/schema"
)

// words splits a key into words of lower-case ASCII letters and digits. Words end at characters
// that are neither letters nor digits, and where the case shows that a new word begins. Each letter
// or digit beyond ASCII becomes a word: u and its code point in hexadecimal. Only the first
// maxChoice bytes of a key count.
func words(key string) []string {
	key = key[:min(len(key), maxChoice)]
	var out []string
	var word []byte
	flush := func() {
		if len(word) > 0 {
			out = append(out, string(word))
			word = nil
		}
	}
	runes := []rune(key)
	for i, r := range runes {
		switch {
		case 'A' <= r && r <= 'Z':
			before := i > 0 && (lower(runes[i-1]) || digit(runes[i-1]))
			after := i > 0 && upper(runes[i-1]) && i+1 < len(runes) && lower(runes[i+1]) && !pluralAt(runes, i+1)
			if before || after {
				flush()
			}
			word = append(word, byte(r)+'a'-'A')
		case lower(r), digit(r):
			word = append(word, byte(r))
		case r > 127 && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			flush()
			word = fmt.Appendf(nil, "u%x", r)
			flush()
		default:
			flush()
		}
	}
	flush()
	return out
}

// pluralAt reports whether runes[i] is an s that ends a word in capitals, as in podIPs and
// imageURLsSeen.
func pluralAt(runes []rune, i int) bool {
	return runes[i] == 's' && (i+1 == len(runes) || !lower(runes[i+1]))
}

func lower(r rune) bool { return 'a' <= r && r <= 'z' }
func upper(r rune) bool { return 'A' <= r && r <= 'Z' }
func digit(r rune) bool { return '0' <= r && r <= '9' }

// maxName is roughly the length, in bytes, of the longest name that is made from a key.
const maxName = 60

// snake returns a name in snake case, for the field of a key.
func snake(key string) string {
	name := strings.Join(words(key), "_")
	if len(name) > maxName {
		name = strings.TrimRight(name[:maxName], "_")
	}
	switch {
	case name == "":
		return "field"
	case digit(rune(name[0])):
		return "f" + name
	}
	return name
}

// camel returns a name in camel case, for the message of a key. schema.GoName returns such a name
// unchanged.
func camel(key string) string {
	var b strings.Builder
	for _, w := range words(key) {
		if b.Len()+len(w) > maxName {
			break
		}
		b.WriteString(strings.ToUpper(w[:1]) + w[1:])
	}
	name := b.String()
	if name == "" || digit(rune(name[0])) {
		name = "N" + name
	}
	return schema.GoName(name)
}

// SchemaName returns a valid name of a schema, made from any name, such as that of a file.
func SchemaName(name string) string {
	name = snake(name)
	if !schema.PackageName(name) || name == "field" {
		return name + "_data"
	}
	return name
}

// irregular has the singulars of words for which the rules of singular give wrong results.
var irregular = map[string]string{
	"children": "child", "people": "person", "indices": "index", "vertices": "vertex", "matrices": "matrix",
	"movies": "movie", "cookies": "cookie", "series": "series", "species": "species", "news": "news", "data": "data",
	"status": "status", "address": "address", "lens": "lens", "lenses": "lens", "axes": "axis", "menus": "menu", "leaves": "leaf", "shelves": "shelf",
	"heroes": "hero", "potatoes": "potato", "echoes": "echo", "quizzes": "quiz", "caches": "cache", "aches": "ache", "analyses": "analysis", "bases": "base", "databases": "database",
	"theses": "thesis", "crises": "crisis", "diagnoses": "diagnosis", "hypotheses": "hypothesis", "synopses": "synopsis",
	"canvas": "canvas", "canvases": "canvas", "kubernetes": "kubernetes", "alias": "alias", "aliases": "alias", "atlas": "atlas", "atlases": "atlas", "bias": "bias", "biases": "bias",
	"gas": "gas", "gases": "gas", "bus": "bus", "buses": "bus", "redis": "redis", "postgres": "postgres", "https": "https", "dns": "dns", "aws": "aws", "os": "os", "css": "css", "js": "js",
	"tls": "tls", "sms": "sms", "gps": "gps", "always": "always", "plus": "plus", "minus": "minus",
}

// isPlural reports whether a key names many things.
func isPlural(key string) bool { return !slices.Equal(words(singular(key)), words(key)) }

// singular returns a key with its last word in the singular, as lower-case words joined by
// underscores.
func singular(key string) string {
	w := words(key)
	if len(w) == 0 {
		return key
	}
	last := &w[len(w)-1]
	switch s := *last; {
	case irregular[s] != "":
		*last = irregular[s]
	case len(s) < 4 && s != "ids" && s != "ips":
	case strings.HasSuffix(s, "ies"):
		*last = strings.TrimSuffix(s, "ies") + "y"
	case strings.HasSuffix(s, "sses"), strings.HasSuffix(s, "xes"), strings.HasSuffix(s, "ches"), strings.HasSuffix(s, "shes"),
		strings.HasSuffix(s, "tuses"), strings.HasSuffix(s, "ruses"):
		*last = strings.TrimSuffix(s, "es")
	case strings.HasSuffix(s, "ss"), strings.HasSuffix(s, "us"), strings.HasSuffix(s, "is"):
	default:
		*last = strings.TrimSuffix(s, "s")
	}
	return strings.Join(w, "_")
}

// TextName returns a key in a form that a struct tag can hold: other characters become underscores.
// Text names in a schema have this form.
func TextName(key string) string {
	if key == "-" || key == "" {
		return "_"
	}
	return strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return '_'
		}
		return r
	}, key)
}

// A namer names the fields of one message so that the identifiers in the code that any library
// generates from these names differ.
type namer struct {
	taken map[string]bool
	plain map[string]bool // keys that are valid text names, each reserved for its own field
}

func newNamer() *namer { return &namer{taken: map[string]bool{}} }

// keep reserves each key that is a valid text name for the field of that key. Keys must be unique.
func (n *namer) keep(keys []string) {
	n.plain = map[string]bool{}
	for _, key := range keys {
		if TextName(key) == key {
			n.plain[key], n.taken["text "+key] = true, true
		}
	}
}

// text returns the text name of a field for a key.
func (n *namer) text(key string) string {
	if n.plain[key] {
		return key
	}
	base := TextName(key)
	for i := 1; ; i++ {
		text := base
		if i > 1 {
			text = fmt.Sprintf("%s_%d", base, i)
		}
		if id := "text " + text; !n.taken[id] {
			n.taken[id] = true
			return text
		}
	}
}

// name returns the name of a field for a key.
func (n *namer) name(key string) string {
	base := snake(key)
	if schema.Reserved(schema.GoName(base)) {
		base += "_"
	}
	for i := 1; ; i++ {
		name := base
		if i > 1 {
			name = fmt.Sprintf("%s_%d", strings.TrimRight(base, "_"), i)
		}
		if n.take(name) {
			return name
		}
	}
}

// take takes all identifiers that are made from a name, if none is taken, and reports whether it
// did: the field, its getter, the type that marks it as optional, and its name in protobuf's JSON.
// schema.Validate checks the same name spaces.
func (n *namer) take(name string) bool {
	g := schema.GoName(name)
	if schema.Reserved(g) {
		return false
	}
	ids := []string{"go " + g, "go Get" + g, "go X" + g, "json " + strings.ToLower(strings.ReplaceAll(name, "_", ""))}
	for _, id := range ids {
		if n.taken[id] {
			return false
		}
	}
	for _, id := range ids {
		n.taken[id] = true
	}
	return true
}

// typeNames gives the messages and enums of a schema their names.
type typeNames struct{ taken map[string]bool }

// newTypeNames returns typeNames in which only the names that generated packages use for themselves
// are taken.
func newTypeNames() *typeNames {
	t := &typeNames{map[string]bool{}}
	for _, name := range schema.GeneratedNames() {
		t.taken[strings.ToLower(name)] = true
	}
	return t
}

// affixes has what generators put before and after the name of a type to make further names.
var affixes = []struct{ before, after string }{
	{"New", ""}, {"NewRoot", ""}, {"ReadRoot", ""}, {"GetRootAs", ""}, {"Read", ""}, {"Write", ""}, {"Marshal", ""}, {"Unmarshal", ""},
	{"", "T"}, {"", "List"}, {"", "Entry"}, {"", "Future"}, {"", "Size"}, {"", "Value"}, {"", "Name"}, {"", "Start"}, {"", "End"},
	{"", "FromModel"}, {"", "ToModel"},
}

// name takes and returns the first of the names that is free, or else names[0] with a number.
func (t *typeNames) name(names ...string) string {
	for i := 1; ; i++ {
		for _, n := range names {
			if i > 1 {
				n = schema.GoName(fmt.Sprintf("%s%d", n, i))
			}
			if t.free(n) {
				t.taken[strings.ToLower(n)] = true
				return n
			}
			if i > 1 {
				break
			}
		}
	}
}

// free reports whether neither the name nor any name that a generator makes from it is taken. It
// ignores case, because some file systems and languages do.
func (t *typeNames) free(name string) bool {
	name = strings.ToLower(name)
	if t.taken[name] {
		return false
	}
	for _, a := range affixes {
		before, after := strings.ToLower(a.before), strings.ToLower(a.after)
		if t.taken[before+name+after] {
			return false
		}
		if rest, ok := strings.CutPrefix(name, before); ok {
			if rest, ok = strings.CutSuffix(rest, after); ok && t.taken[rest] {
				return false
			}
		}
	}
	return true
}

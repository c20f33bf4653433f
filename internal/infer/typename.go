package infer

import (
	"maps"
	"slices"
	"strings"

	"assay/internal/guess"
	"assay/schema"
)

// A sharing is a guess that two places share one message.
type sharing struct {
	guess   int // the index of the guess
	message *message
	first   path
}

// guessShared records the guess that a path has the message of another place. It does nothing if the
// path has only nulls, because no flag could give it another message.
func (b *builder) guessShared(m *message, first, at path) {
	if b.voidAt == nil {
		b.voidAt = map[string]bool{}
		for _, n := range b.voids {
			b.voidAt[n.origin().String()] = true
		}
	}
	if b.voidAt[at.String()] {
		return
	}
	why := "their fields are the same, or nearly"
	if first.holds(at) {
		why = "an object there looks like the one around it"
	}
	b.shared = append(b.shared, sharing{len(b.result.Guesses), m, first})
	b.guess(guess.Name, at, "struct", "", "%s", why)
}

// shareLate records the guess that a message m is replaced by the message to, which was made before.
func (b *builder) shareLate(to, m *message) {
	overrule, why := "struct", "their fields are the same"
	switch {
	case m.Row:
		overrule = "row"
	case m.union != nil:
		overrule, why = "union", "their kinds are the same"
		if len(m.Fields) < len(to.Fields) {
			why = "the other has all of its kinds"
		}
	}
	for _, at := range m.users {
		b.shared = append(b.shared, sharing{len(b.result.Guesses), to, to.users[0]})
		b.guess(guess.Name, at, overrule, "", "%s", why)
	}
}

// nameShared completes the guesses about shared messages with the names of these.
func (b *builder) nameShared(names map[*message]string) {
	for _, s := range b.shared {
		b.result.Guesses[s.guess].Decision = "one type with " + s.first.String() + ", " + names[b.at(s.message.Name)]
	}
}

// keyOf returns the key that names a message at a path: the last key of the path, in the singular if
// the message is an element or a value below it.
func keyOf(at path) string {
	key := ""
	for _, s := range at {
		switch {
		case s.kind == inKey:
			key = s.key
		default:
			key = singular(key)
		}
	}
	return key
}

// callName returns the key from which the name of a message is made. For a message of several places,
// the first of these that exists is:
//   - the key of more than half of the places;
//   - the last words that all keys share;
//   - a word for the type, from its kind of value, its fields, or the plural that contains it (a
//     size for the values of sizes);
//   - a key that is a noun for the type: see isNoun;
//   - both keys, if there are two;
//   - the names of its fields, if they are few;
//   - the most frequent key.
func (m *message) callName() string {
	keys := m.userKeys()
	if len(keys) == 1 {
		return keys[0]
	}
	count := map[string]int{}
	best := keys[0]
	for _, k := range keys {
		if count[k]++; count[k] > count[best] {
			best = k
		}
	}
	if count[best]*2 > len(keys) || len(count) == 1 {
		return best
	}
	if tail := commonTail(keys); tail != "" {
		return tail
	}
	for _, name := range []string{m.scalarName(), fieldsWord(m), m.parentName()} {
		if name != "" {
			return name
		}
	}
	if ofPlace(best) {
		best = keys[max(slices.IndexFunc(keys, func(k string) bool { return !ofPlace(k) }), 0)]
	}
	maps.DeleteFunc(count, func(k string, _ int) bool { return k != best && ofPlace(k) })
	if len(count) == 1 {
		return best
	}
	for _, k := range keys {
		if w := words(k); len(w) > 0 && isNoun(w[len(w)-1]) && (isSomebody(w[len(w)-1]) || len(count) <= fewNouns || count[k]*fewNouns >= len(keys)) {
			return w[len(w)-1]
		}
	}
	if other := slices.IndexFunc(keys, func(k string) bool { return k != best && count[k] > 0 }); len(count) == 2 && !m.Wraps && !m.Bare {
		return best + "_or_" + keys[other]
	}
	if name := fieldsName(m); name != "" {
		return name
	}
	return best
}

// fewNouns bounds how rare a key with a noun may be to name a message: at most fewNouns different keys
// exist, or one in fewNouns places has the key. Among dozens of keys, one has such a noun by chance.
const fewNouns = 6

// ofPlace reports whether a key is a name that placeName makes.
func ofPlace(key string) bool {
	n, ok := strings.CutPrefix(key, "f")
	return ok && n != "" && strings.Trim(n, "0123456789") == ""
}

// mostCalled is how many places are considered for the name of a message.
const mostCalled = 100

// userKeys returns the key of the message at each of its places, except for places within the message
// itself.
func (m *message) userKeys() (keys []string) {
	if len(m.called) > 0 {
		return m.called
	}
	first := m.users[0]
	for i, at := range m.users {
		if i > 0 && first.holds(at) {
			continue
		}
		keys = append(keys, keyOf(at))
	}
	return keys
}

// parentName returns, in the singular, the key of the object that contains the message, if that key is
// the same at all places, is a plural, and its singular is not vague; otherwise "".
func (m *message) parentName() string {
	name := ""
	for i, at := range m.users {
		if len(at) < 2 || at[len(at)-1].kind != inKey || at[len(at)-2].kind != inKey {
			return ""
		}
		parent := at[len(at)-2].key
		if i > 0 && parent != name {
			return ""
		}
		name = parent
	}
	if one := singular(name); isPlural(name) && !vague(one) {
		return one
	}
	return ""
}

// commonTail returns the last words that all keys share, or "". A single vague or short word does not
// count.
func commonTail(keys []string) string {
	tail := words(keys[0])
	for _, k := range keys[1:] {
		w := words(k)
		n := 0
		for n < len(w) && n < len(tail) && w[len(w)-1-n] == tail[len(tail)-1-n] {
			n++
		}
		tail = tail[len(tail)-n:]
	}
	if len(tail) == 0 || len(tail) == 1 && (vague(tail[0]) || len(tail[0]) < 4) {
		return ""
	}
	return strings.Join(tail, "_")
}

// scalarName returns the kind of the scalars in a list, a map or a wrapper, or the kinds of a union of
// scalars. It returns "" for other messages.
func (m *message) scalarName() string {
	if m.ByKind() {
		return m.kindsName()
	}
	if !m.Bare && !m.Wraps {
		return ""
	}
	t := m.Fields[0].Type
	for t.Elem != nil {
		t = *t.Elem
	}
	for name, kind := range scalars {
		if kind == t.Kind {
			return name
		}
	}
	return ""
}

// kindsName returns the kinds of a union of scalars, and "" for other messages.
func (m *message) kindsName() string {
	var names []string
	for _, f := range m.Fields {
		if f.Type.Ref != "" || !m.ByKind() {
			return ""
		}
		names = append(names, f.Name)
	}
	return strings.Join(names, "_or_")
}

// isSomebody reports whether a word names a person regardless of role: an owner and an editor are
// both users.
func isSomebody(word string) bool { return word == "user" || word == "account" || word == "person" }

// isNoun reports whether a word says what something is rather than what it is for: user does, owner
// does not.
func isNoun(word string) bool {
	switch word {
	case "user", "account", "person", "address", "point", "location", "position", "money", "amount", "price", "image", "file", "link",
		"range", "period", "size", "reference", "contact", "company", "organization", "product", "country", "city", "place":
		return true
	}
	return false
}

// fieldsWord returns the common word for a message with certain fields, such as point for x and y, or
// "".
func fieldsWord(m *message) string {
	var names []string
	for _, f := range m.Fields {
		names = append(names, strings.ToLower(f.Name))
	}
	slices.Sort(names)
	switch strings.Join(names, " ") {
	case "ref":
		return "ref"
	case "x y", "x y z", "lat lon", "lat lng", "lat long", "latitude longitude", "alt lat lon", "altitude latitude longitude":
		return "point"
	case "end start", "from to":
		return "span"
	case "height width":
		return "size"
	case "nanos seconds", "nanoseconds seconds":
		return "instant"
	case "amount currency":
		return "money"
	case "unit value":
		return "quantity"
	}
	return ""
}

// fieldsName returns a name made from the fields of a message with at most three fields, or "".
func fieldsName(m *message) string {
	if len(m.Fields) == 0 || len(m.Fields) > 3 || m.Bare || m.Wraps {
		return ""
	}
	if t := m.Fields[0].Type; len(m.Fields) == 1 && (t.Kind == schema.MessageKind || t.Elem != nil && t.Elem.Kind == schema.MessageKind) {
		return "with_" + m.Fields[0].Name
	}
	var parts []string
	for _, f := range m.Fields {
		parts = append(parts, f.Name)
	}
	return strings.Join(parts, "_")
}

// nameOf returns the name of a message, made from callName. If that name is taken, it puts the
// parent's name before it, or else as many keys on the way to the message as are necessary.
func (a *assembly) nameOf(m *message, parent string) string {
	key := m.callName()
	if key == "" {
		key = a.rootKey
	}
	key = m.worded(key)
	suffix := m.suffix
	if key == m.kindsName() {
		suffix = "" // TextOrNumber says that it is a union
	}
	names := []string{schema.GoName(camel(key) + suffix)}
	switch {
	case m.Bare && strings.HasPrefix(parent, camel(key)):
		names = append(names, schema.GoName(parent+suffix)) // a list of lists of lists
	case parent != "":
		names = append(names, schema.GoName(parent+camel(key)+suffix))
	}
	names = append(names, m.wayNames(key)...)
	if parent != "" {
		names = append(names, schema.GoName(camel(key)+"Of"+parent+suffix))
	}
	return a.types.name(names...)
}

// worded returns a key in a form with which a name can begin. If the key begins with a digit, as 200
// in responses, the singular of the key before it comes first: response_200.
func (m *message) worded(key string) string {
	way := m.users[0]
	if w := words(key); len(w) == 0 || !digit(rune(w[0][0])) || len(way) < 2 || way[len(way)-1].kind != inKey || way[len(way)-2].kind != inKey {
		return key
	}
	return singular(way[len(way)-2].key) + "_" + key
}

// wayNames returns names for a message made from the keys on the way to its first place. Each name has
// one key more than the one before it: ParameterSchema, then GetParameterSchema.
func (m *message) wayNames(key string) (names []string) {
	way := m.users[0]
	name := camel(key)
	for i := len(way) - 1; i >= 0 && len(name) < maxName/2; i-- {
		if way[i].kind != inKey || i == len(way)-1 {
			continue
		}
		of := way[i].key
		if way[i+1].kind != inKey {
			of = singular(of)
		}
		if word := camel(of); !strings.HasPrefix(name, word) {
			name = word + name
			names = append(names, schema.GoName(name+m.suffix))
		}
	}
	return names
}

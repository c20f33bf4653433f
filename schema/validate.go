package schema

import (
	"errors"
	"fmt"
	"go/build/constraint"
	"go/token"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// An Error says which rule of this package a schema breaks, and at which place.
type Error struct {
	// Path is the place that breaks the rule: a message or an enum by its name, a field as
	// Message.field, an enum value as Enum.VALUE. It is empty for the schema itself. An element
	// without a name is identified by its index, as in messages[0] or Message.fields[2].
	Path string
	// Part is the part at fault: name, doc, number, type, text, omitempty, omitzero, null,
	// one_or_many, json_text, as, when, fields, values, bare, wraps, row, union, tag or roots.
	// The text form uses the same words as keys.
	Part string
	// Reason says what is wrong and what to do about it.
	Reason string
}

func (e *Error) Error() string {
	if e.Path == "" {
		return e.Reason
	}
	return e.Path + ": " + e.Reason
}

// The limits of field numbers are protobuf's.
const (
	maxNumber     = 1<<29 - 1
	firstReserved = 19000 // protobuf keeps 19000 to 19999 for itself
	lastReserved  = 19999
)

// methods are the methods that generated message types have in one library or another. A Go
// struct cannot have a field and a method with the same name, and each generator renames such a
// field in its own way.
var methods = map[string]bool{
	// the neutral model
	"LeafSum": true,
	// exported models
	"MarshalJSON": true, "UnmarshalJSON": true,
	// protoc-gen-go, vtprotobuf and gogo protobuf
	"Reset": true, "String": true, "GoString": true, "ProtoMessage": true, "ProtoReflect": true,
	"Descriptor": true, "ExtensionMap": true, "ExtensionRangeArray": true,
	"Marshal": true, "MarshalTo": true, "Unmarshal": true,
	"Size": true, "ProtoSize": true, "Equal": true, "VerboseEqual": true,
	"MarshalToSizedBuffer": true, "XXX_Size": true, "XXX_Marshal": true, "XXX_Unmarshal": true, "XXX_Merge": true,
	"XXX_DiscardUnknown": true, "XXX_OneofWrappers": true,
	// vtprotobuf and protobuf-go-lite, with the pools of vtprotobuf
	"SizeVT": true, "MarshalVT": true, "MarshalToVT": true, "MarshalToSizedBufferVT": true, "UnmarshalVT": true,
	"UnmarshalVTUnsafe": true, "UnmarshalVTPool": true, "UnmarshalVTUnsafePool": true,
	"ResetVT": true, "ResetVTUnsafe": true, "ReturnToVTPool": true, "ReturnToVTUnsafePool": true,
	// tinylib/msgp, with the modes for reuse, aliases and arrays
	"EncodeMsg": true, "DecodeMsg": true, "MarshalMsg": true, "UnmarshalMsg": true, "Msgsize": true,
	"UnmarshalMsgReuse": true, "UnmarshalMsgAlias": true,
	"MarshalMsgArray": true, "UnmarshalMsgArray": true, "MsgsizeArray": true,
	// easyjson, with the mode for aliases
	"MarshalEasyJSON": true, "UnmarshalEasyJSON": true, "UnmarshalAlias": true,
	// go-json-experiment
	"MarshalJSONTo": true, "UnmarshalJSONFrom": true,
}

// GeneratedNames returns the exported names of generated packages that do not come from the schema,
// so that no message or enum may have them.
func GeneratedNames() []string { return []string{"Bindings", "Schema", "Streams"} }

// Reserved reports whether no field may have the given Go name, because a generated message
// type has a method with that name. A trailing underscore in the field's name avoids the clash,
// and Field.Text keeps the name in the data: a field "size" has Name "size_" and Text "size".
func Reserved(goName string) bool { return methods[goName] }

// PackageName reports whether a name of lower-case letters, digits and underscores can name a
// Go package and its directory. The go command refuses some names on every system: names with a
// special meaning for it, and the names of Windows devices.
func PackageName(name string) bool {
	switch name {
	case "main", "internal", "vendor", "aux", "con", "nul", "prn":
		return false
	}
	device := strings.HasPrefix(name, "com") || strings.HasPrefix(name, "lpt")
	return !token.IsKeyword(name) && !(device && len(name) == 4 && '1' <= name[3] && name[3] <= '9')
}

// Validate returns nil if the schema keeps every rule of this package and can be turned into Go
// and protobuf without renaming anything. Otherwise it returns all mistakes as an errors.Join
// of *Error.
//
// Some rules avoid clashes of generated names. No two fields of a message share a Go name, a
// getter or a JSON name. No field name is Reserved. No enum value has the name of a message. No
// two names that generators join, such as Order_Note for the field note of Order, are the same.
// A text name is unique in its message and can stand in a struct tag. The limits of field
// numbers are protobuf's.
func (s *Schema) Validate() error {
	c := &checker{schema: s, types: map[string]string{}, values: map[string]string{}}
	c.head()
	for i, m := range s.Messages {
		c.declare(m.Name, "message", at("messages", i))
	}
	for i, e := range s.Enums {
		c.declare(e.Name, "enum", at("enums", i))
	}
	c.roots()
	for i, m := range s.Messages {
		c.message(orAt(m.Name, "messages", i), m)
	}
	for i, e := range s.Enums {
		c.enum(orAt(e.Name, "enums", i), e)
	}
	c.joined()
	c.recursion()
	return errors.Join(c.errs...)
}

// A checker collects the errors of one schema.
type checker struct {
	schema *Schema
	errs   []error
	types  map[string]string // name of a message or enum → "message" or "enum"
	values map[string]string // name of an enum value → its enum
}

func (c *checker) fail(path, part, format string, args ...any) {
	c.errs = append(c.errs, &Error{Path: path, Part: part, Reason: fmt.Sprintf(format, args...)})
}

// at returns the path of an element without a name.
func at(list string, i int) string { return fmt.Sprintf("%s[%d]", list, i) }

// orAt returns the name, or the element's index in its list if the name is empty.
func orAt(name, list string, i int) string {
	if name != "" {
		return name
	}
	return at(list, i)
}

func (c *checker) head() {
	name := c.schema.Name
	switch {
	case !isSnake(name):
		c.fail("", "name", "the schema's name %q must be lower-case letters, digits and underscores, starting with a letter", name)
	case !PackageName(name):
		c.fail("", "name", "the schema's name %q cannot name a Go package; choose another, such as %q", name, name+"_data")
	}
	c.doc("", c.schema.Doc)
}

func (c *checker) doc(path, doc string) {
	switch {
	case !utf8.ValidString(doc):
		c.fail(path, "doc", "the doc is not valid UTF-8")
	case strings.ContainsFunc(doc, acts): // docs become comments of generated code
		c.fail(path, "doc", "the doc holds a control or bidirectional character; leave it out")
	case strings.ContainsRune(doc, '\ufeff'): // a Go file has none after its first character
		c.fail(path, "doc", "the doc holds a byte order mark (U+FEFF); leave it out")
	case constrains(doc):
		c.fail(path, "doc", "a line of the doc begins with +build, which is a build constraint in a Go comment; write the line in another way")
	}
}

// constrains reports whether a line of a doc would be a build constraint in a comment of Go. Gofmt
// moves such a comment from anywhere to the head of the file.
func constrains(doc string) bool {
	for line := range strings.Lines(doc) {
		if constraint.IsPlusBuild("// " + line) {
			return true
		}
	}
	return false
}

// acts reports whether a rune affects how the text around it is displayed.
func acts(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r)
}

// declare records the name of a message or enum and checks it.
func (c *checker) declare(name, what, place string) {
	if name == "" {
		c.fail(place, "name", "the %s has no name", what)
		return
	}
	if !isTypeName(name) {
		c.fail(name, "name", "the %s's name must be letters, digits and underscores, starting with an upper-case letter", what)
	} else if g := GoName(name); g != name {
		c.fail(name, "name", "protobuf's generators would rename the %s to %s; name it so", what, g)
	}
	if slices.Contains(GeneratedNames(), name) {
		c.fail(name, "name", "generated packages have a variable of this name; choose another, such as %sType", name)
	}
	if other, ok := c.types[name]; ok {
		c.fail(name, "name", "there is another %s of this name; messages and enums share one Go package", other)
		return
	}
	c.types[name] = what
}

func (c *checker) roots() {
	if len(c.schema.Roots) == 0 {
		c.fail("", "roots", "the schema has no roots; name at least one message that is encoded as a whole document")
	}
	seen := map[string]bool{}
	for _, r := range c.schema.Roots {
		switch {
		case c.types[r] == "enum":
			c.fail("", "roots", "the root %q is an enum; a root is a message", r)
		case c.types[r] == "":
			c.fail("", "roots", "the root %q is not a message of the schema", r)
		case seen[r]:
			c.fail("", "roots", "the root %q is listed twice", r)
		}
		seen[r] = true
	}
}

func (c *checker) message(path string, m *Message) {
	c.doc(path, m.Doc)
	if m.Bare && (len(m.Fields) != 1 || !m.Fields[0].Type.container()) {
		c.fail(path, "bare", "a bare message has exactly one field, and it is a list or a map")
	}
	if m.Wraps && (m.Bare || len(m.Fields) != 1) {
		c.fail(path, "wraps", "a message that wraps has exactly one field and is not bare")
	}
	if m.Row && (m.Bare || m.Wraps || len(m.Fields) == 0) {
		c.fail(path, "row", "a row has at least one field, is not bare, and does not wrap")
	}
	names := fieldNames{}
	for i, f := range m.Fields {
		fpath := path + "." + orAt(f.Name, "fields", i)
		c.field(fpath, f)
		if m.Row && f.Omits() {
			c.fail(fpath, "omitempty", "a row keeps all of its places, so that none of its fields is left out")
		}
		names.add(c, fpath, f)
	}
	c.union(path, m)
}

// fieldNames are the names that the fields of one message have taken, by name space.
type fieldNames struct {
	numbers                map[int]string
	names, gos, json, text map[string]string
}

// add records the names of a field, and reports clashes with an earlier field. It reports only
// the first clash of names, because the others follow from it.
func (n *fieldNames) add(c *checker, path string, f *Field) {
	if n.numbers == nil {
		*n = fieldNames{map[int]string{}, map[string]string{}, map[string]string{}, map[string]string{}, map[string]string{}}
	}
	if other, ok := n.numbers[f.Number]; ok {
		c.fail(path, "number", "the number %d is taken by field %q", f.Number, other)
	} else {
		n.numbers[f.Number] = f.Name
	}
	defer func() { n.names[f.Name] = f.Name }()
	if _, ok := n.names[f.Name]; ok {
		c.fail(path, "name", "there is another field of this name in the message")
		return
	}
	goName, json := GoName(f.Name), lowerCamel(f.Name)
	taken := goNames(f)
	for _, g := range taken {
		if other, ok := n.gos[g]; ok {
			c.fail(path, "name", "generated Go code would use the name %s for this field and for field %q; rename one", g, other)
			return
		}
	}
	for _, g := range taken {
		n.gos[g] = f.Name
	}
	if other, ok := n.json[json]; ok {
		c.fail(path, "name", "protobuf's JSON would call both this field and field %q %q; rename one", other, json)
		return
	}
	n.json[json] = f.Name
	if Reserved(goName) {
		c.fail(path, "name", "generated types have a method %s; name the field %q and give it text = %q", goName, f.Name+"_", f.TextName())
	}
	if other, ok := n.text[f.TextName()]; ok {
		c.fail(path, "text", "the text name %q is taken by field %q", f.TextName(), other)
		return
	}
	n.text[f.TextName()] = f.Name
}

// goNames returns the names that a field takes in generated Go structs: its own name,
// protobuf's getter and, if protoc-gen-go makes one, the oneof that marks a value as optional.
func goNames(f *Field) []string {
	name := GoName(f.Name)
	names := []string{name, "Get" + name}
	if f.Type.Optional && f.Type.Kind != MessageKind {
		names = append(names, "X"+name)
	}
	return names
}

func (c *checker) field(path string, f *Field) {
	c.doc(path, f.Doc)
	if f.Name == "" {
		c.fail(path, "name", "the field has no name")
	} else if !isSnake(f.Name) {
		c.fail(path, "name", "a field's name must be lower-case letters, digits and underscores, starting with a letter; give the name that formats write as text")
	}
	switch {
	case f.Number < 1:
		c.fail(path, "number", "the number %d is too small; numbers start at 1", f.Number)
	case f.Number > maxNumber:
		c.fail(path, "number", "the number %d is too large; the largest is %d", f.Number, maxNumber)
	case firstReserved <= f.Number && f.Number <= lastReserved:
		c.fail(path, "number", "the number %d is one of %d to %d, which protobuf keeps for itself", f.Number, firstReserved, lastReserved)
	}
	if bad := badText(f.Text); bad != "" {
		c.fail(path, "text", "the text name %q %s", f.Text, bad)
	}
	c.typ(path, f.Type, false)
	c.presence(path, f)
	leaf := f.Type
	if leaf.container() && leaf.Elem != nil {
		leaf = *leaf.Elem
	}
	if f.JSONText && leaf.Kind != String {
		c.fail(path, "json_text", "a JSON text is held by a string, or by the strings of a list or map")
	}
	c.spelling(path, f, leaf)
	c.oneOrMany(path, f)
}

// oneOrMany checks a list whose single element JSON writes alone. A reader must be able to tell
// such an element, by how it begins, from a list and from null.
func (c *checker) oneOrMany(path string, f *Field) {
	switch {
	case !f.OneOrMany:
		return
	case f.Type.Kind != List:
		c.fail(path, "one_or_many", "a list of one element is written as the element; the type is no list")
	case f.JSONText:
		c.fail(path, "one_or_many", "an element that is any JSON cannot be told from a list; leave one_or_many or json_text out")
	case f.Type.Elem != nil && !c.schema.told(*f.Type.Elem):
		c.fail(path, "one_or_many", "an element that is a list or null in JSON cannot be told from a list of elements or from none; leave one_or_many out")
	}
}

// told reports whether JSON writes values of a type neither as a list nor as null.
func (s *Schema) told(t Type) bool {
	m := s.Message(t.Ref)
	switch {
	case t.Kind != MessageKind || m == nil: // an unknown message is reported elsewhere
		return true
	case m.Bare:
		return len(m.Fields) == 1 && m.Fields[0].Type.Kind == Map && !m.Fields[0].Null
	}
	return !m.Row && !m.Wraps && !slices.Contains(s.VariantKinds(m), JSONArray)
}

// presence checks what a field says about values that are absent, null or empty.
func (c *checker) presence(path string, f *Field) {
	nilable := f.Type.container() || f.Type.Kind == Bytes && !f.Type.Optional
	switch {
	case f.OmitZero && f.OmitEmpty:
		c.fail(path, "omitzero", "omitempty leaves out what is absent or empty, omitzero only what is absent; keep one of them")
	case f.OmitZero && !nilable:
		c.fail(path, "omitzero", "omitzero is for lists, maps and bytes; write omitempty = true, and put a * before the type if an empty value must be told from none")
	case f.Null && f.Omits():
		c.fail(path, "null", "a field is written as null where it is absent, or is left out; keep one of null, omitempty and omitzero")
	case f.Null && !nilable:
		c.fail(path, "null", "null is for lists, maps and bytes; an optional value, with a * before its type, is null unless it has omitempty")
	}
}

// badText returns why a text name cannot be written in a struct tag, or an empty string if it
// can. The allowed characters are those that encoding/json accepts in a tag.
func badText(text string) string {
	if text == "-" {
		return "means in a struct tag that the field is left out; choose another"
	}
	for _, r := range text {
		if !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r) || r == utf8.RuneError {
			return fmt.Sprintf("holds %q, which a Go struct tag cannot hold", r)
		}
	}
	return ""
}

// typ checks the type of a field or of an element.
func (c *checker) typ(path string, t Type, elem bool) {
	bad := func(format string, args ...any) { c.fail(path, "type", format, args...) }
	switch {
	case t.Kind <= Invalid || t.Kind > Map:
		bad("the field has no valid kind")
		return
	case t.Kind == EnumKind && c.types[t.Ref] != "enum":
		bad("the schema has no enum %q", t.Ref)
	case t.Kind == MessageKind && c.types[t.Ref] != "message":
		bad("the schema has no message %q", t.Ref)
	case t.Ref != "" && t.Kind != EnumKind && t.Kind != MessageKind:
		bad("the type refers to %q but is neither an enum nor a message", t.Ref)
	}
	if t.Optional && (t.container() || elem && t.Kind != MessageKind) {
		if elem {
			bad("only elements that are messages can be optional; drop the *")
		} else {
			bad("lists and maps are never optional; drop the *")
		}
	}
	switch t.Kind {
	case Map:
		switch t.Key {
		case String, Int32, Int64, Uint32, Uint64:
		default:
			bad("a map's key must be string, int32, int64, uint32 or uint64")
		}
	default:
		if t.Key != Invalid {
			bad("the type has a key but is not a map")
		}
	}
	switch {
	case !t.container() && t.Elem != nil:
		bad("the type has an element but is neither a list nor a map")
	case t.container() && t.Elem == nil:
		bad("the list or map has no element type")
	case t.container() && t.Elem.container():
		bad("the element of a list or map cannot be a list or a map itself; make it a bare message")
	case t.container():
		c.typ(path, *t.Elem, true)
	}
}

// container reports whether the type is a list or a map.
func (t Type) container() bool { return t.Kind == List || t.Kind == Map }

func (c *checker) enum(path string, e *Enum) {
	c.doc(path, e.Doc)
	if len(e.Values) == 0 {
		c.fail(path, "values", "the enum has no values; the first is number 0, the value of an unset field")
		return
	}
	numbers := map[int32]string{}
	short := map[string]string{}
	for i, v := range e.Values {
		vpath := path + "." + orAt(v.Name, "values", i)
		if i == 0 && v.Number != 0 {
			c.fail(vpath, "number", "the first value of an enum must have number 0, which is the value of an unset field")
		}
		if other, ok := numbers[v.Number]; ok {
			c.fail(vpath, "number", "the number %d is taken by value %q", v.Number, other)
		}
		numbers[v.Number] = v.Name
		c.value(vpath, e, v, short)
	}
}

// value checks the name of an enum value. short holds the names of the enum's earlier values in
// the form in which protobuf compares them: without the enum's name.
func (c *checker) value(path string, e *Enum, v EnumValue, short map[string]string) {
	if v.Name == "" {
		c.fail(path, "name", "the value has no name")
		return
	}
	if !isUpperSnake(v.Name) {
		c.fail(path, "name", "a value's name must be upper-case letters, digits and underscores, starting with a letter")
		return
	}
	if other, ok := c.values[v.Name]; ok {
		c.fail(path, "name", "enum %q has a value of this name too; names of values are unique in a schema", other)
		return
	}
	c.values[v.Name] = e.Name
	for _, n := range []string{v.Name, e.Name + "_" + v.Name} {
		if what, ok := c.types[n]; ok {
			c.fail(path, "name", "generated code would use the name %s for this value and for the %s %s; rename one", n, what, n)
			return
		}
	}
	s := shortValue(e.Name, v.Name)
	if other, ok := short[s]; ok {
		c.fail(path, "name", "protobuf takes this name and %q for the same, because it ignores the enum's name and underscores; rename one", other)
		return
	}
	short[s] = v.Name
}

// recursion finds messages that contain themselves by value, which a Go struct cannot.
func (c *checker) recursion() {
	const (
		open = 1 + iota
		done
	)
	state := map[string]int{}
	var visit func(m *Message)
	visit = func(m *Message) {
		state[m.Name] = open
		for i, f := range m.Fields {
			next := c.schema.Message(f.Type.Ref)
			if f.Type.Kind != MessageKind || f.Type.Optional || next == nil {
				continue
			}
			switch state[next.Name] {
			case open:
				c.fail(m.Name+"."+orAt(f.Name, "fields", i), "type", "message %s would contain itself without end; make the field optional, a list or a map", next.Name)
			case 0:
				visit(next)
			}
		}
		state[m.Name] = done
	}
	for _, m := range c.schema.Messages {
		if state[m.Name] == 0 {
			visit(m)
		}
	}
}

func isSnake(s string) bool      { return isName(s, 'a', 'z', "abcdefghijklmnopqrstuvwxyz") }
func isUpperSnake(s string) bool { return isName(s, 'A', 'Z', "ABCDEFGHIJKLMNOPQRSTUVWXYZ") }
func isTypeName(s string) bool {
	return isName(s, 'A', 'Z', "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
}

// isName reports whether s begins with a byte from lo to hi and consists of letters, digits and
// underscores.
func isName(s string, lo, hi byte, letters string) bool {
	if s == "" || s[0] < lo || s[0] > hi {
		return false
	}
	return strings.Trim(s, letters+"0123456789_") == ""
}

// lowerCamel returns the name that protobuf's JSON gives to a field.
func lowerCamel(name string) string {
	var b strings.Builder
	up := false
	for _, r := range name {
		if r == '_' {
			up = true
			continue
		}
		if up {
			r = unicode.ToUpper(r)
		}
		b.WriteRune(r)
		up = false
	}
	return b.String()
}

// shortValue returns the form in which protobuf compares the names of an enum's values: without
// the enum's name in front, in camel case.
func shortValue(enum, value string) string {
	prefix := strings.ToLower(strings.ReplaceAll(enum, "_", ""))
	rest := strings.ToLower(value)
	for prefix != "" && rest != "" {
		if rest[0] != '_' {
			if rest[0] != prefix[0] {
				break
			}
			prefix = prefix[1:]
		}
		rest = rest[1:]
	}
	rest = strings.TrimLeft(rest, "_")
	if prefix != "" || rest == "" {
		rest = strings.ToLower(value)
	}
	return lowerCamel(rest)
}

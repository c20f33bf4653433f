package infer

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"assay/schema"
	"assay/schema/text"
)

// messages returns the names of a schema's messages, without helpers: those with Bare or Wraps.
func messages(r *Result) (all []string) {
	for _, m := range r.Schema.Messages {
		if !m.Bare && !m.Wraps {
			all = append(all, m.Name)
		}
	}
	return all
}

// A syntax tree gives a message for each kind of its nodes and a few unions, whatever other values are
// in the nodes or around the tree.
func TestGrammar(t *testing.T) {
	s := made(t, "estree")
	plain := s.JSON(0)
	var located, whole, around bytes.Buffer
	for i, line := range bytes.Split(bytes.TrimSpace(plain), []byte("\n")) {
		at := fmt.Sprintf(`"loc":{"start":{"line":%d,"column":1},"end":{"line":%d,"column":2}},"start"`, i, i)
		located.WriteString(strings.ReplaceAll(string(line), `"start"`, at) + "\n")
		fmt.Fprintf(&around, `{"file":"%d.js","size":%d,"ast":%s,"errors":[]}`+"\n", i, i, line)
		if i > 0 {
			whole.WriteByte(',')
		}
		whole.Write(line)
	}
	last := []byte(strings.NewReplacer(`"type":"`, `"kind":"`, `"kind":"init"`, `"mode":"init"`, `"kind":"get"`, `"mode":"get"`, `"kind":"method"`, `"mode":"method"`,
		`"kind":"const"`, `"mode":"const"`, `"kind":"let"`, `"mode":"let"`, `"kind":"var"`, `"mode":"var"`).Replace(string(plain)))
	for name, sample := range map[string][]byte{
		"plain": plain, "located": located.Bytes(), "one record": []byte(`{"programs":[` + whole.String() + `]}`), "around": around.Bytes(), "by another key": last,
	} {
		t.Run(name, func(t *testing.T) {
			r := inferred(t, string(sample))
			all := messages(r)
			for _, kind := range []string{"Program", "IfStatement", "CallExpression", "Identifier", "TemplateElement", "Expression", "Statement", "Pattern"} {
				if !slices.Contains(all, kind) {
					t.Errorf("there is no message %s", kind)
				}
			}
			if len(all) > 60 {
				t.Errorf("%d messages: %v", len(r.Schema.Messages), all)
			}
			if form := string(text.Format(r.Schema)); strings.Contains(form, "json_text") {
				t.Errorf("there is text of JSON:\n%s", form)
			}
			again, err := JSON([]Source{Bytes("t", sample)}, Options{})
			if err != nil || string(text.Format(again.Schema)) != string(text.Format(r.Schema)) {
				t.Errorf("read twice, the schemas differ (%v)", err)
			}
		})
	}
}

// A place with one kind has the kind's message, and a place with several kinds has a union. A null in
// a list stays null.
func TestPlacesOfGrammar(t *testing.T) {
	r := inferred(t, string(made(t, "estree").JSON(0)))
	for field, want := range map[string]string{
		"IfStatement.test": "Expression", "IfStatement.alternate": "*Statement", "ClassDeclaration.id": "Identifier", "TryStatement.finalizer": "*BlockStatement",
		"CallExpression.arguments": "[]Expression", "ArrayExpression.elements": "[]ElementOrNull", "Literal.value": "*ValueUnion", "FunctionExpression.params": "[]Pattern",
	} {
		name, key, _ := strings.Cut(field, ".")
		m := r.Schema.Message(name)
		if m == nil {
			t.Errorf("there is no message %s", name)
			continue
		}
		f := m.TextField(key)
		if f == nil || text.FormatType(f.Type) != want {
			t.Errorf("%s is %+v, want %s", field, f, want)
		}
	}
}

// A tree with more paths than there may be nodes is read: its kinds have few fields.
func TestDeepGrammar(t *testing.T) {
	if testing.Short() {
		t.Skip("a large sample takes seconds")
	}
	r := rand.New(rand.NewPCG(7, 8))
	var node func(depth int) string
	node = func(depth int) string {
		kind := r.IntN(12)
		if depth == 0 {
			return fmt.Sprintf(`{"type":"Leaf%c","v%d":1}`, 'A'+rune(kind), kind)
		}
		return fmt.Sprintf(`{"type":"Node%c","l%d":%s,"r%d":%s}`, 'A'+rune(kind), kind, node(depth-1), kind, node(depth-1))
	}
	var lines []string
	for range 60 {
		lines = append(lines, node(10))
	}
	if err := merged(ndjson(lines...)); err == nil {
		t.Error("the sample has fewer paths than it is to have")
	}
	from := inferred(t, string(ndjson(lines...)))
	if n := len(from.Schema.Messages); n > 30 {
		t.Errorf("there are %d messages", n)
	}
}

// If all objects have two keys that may tell the kinds, inference finds the right one.
func TestGrammarBesideAnotherKey(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var node func(depth int) string
	node = func(depth int) string {
		kind, inner := r.IntN(10), "null"
		if depth > 0 {
			inner = node(depth - 1)
		}
		return fmt.Sprintf(`{"type":"Node%c","valueKind":"const","v%d":1,"in%d":%s}`, 'A'+rune(kind), kind, kind, inner)
	}
	var lines []string
	for range 40 {
		lines = append(lines, node(4))
	}
	if all := messages(inferred(t, string(ndjson(lines...)))); !slices.Contains(all, "NodeA") || !slices.Contains(all, "NodeJ") {
		t.Errorf("the messages are %v", all)
	}
}

// A tree of few kinds is a union if each kind has its own fields, and one struct if its nodes are
// containers and leaves.
func TestFewKinds(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 9))
	write := func(kinds ...string) string {
		var node func(depth int) string
		node = func(depth int) string {
			kind := kinds[0] // a leaf
			if depth > 0 {
				kind = kinds[r.IntN(len(kinds))]
			}
			for strings.Contains(kind, "@") {
				kind = strings.Replace(kind, "@", node(depth-1), 1)
			}
			return kind
		}
		var lines []string
		for range 20 {
			lines = append(lines, node(4))
		}
		return string(ndjson(lines...))
	}
	for _, test := range []struct{ name, sample, messages string }{
		{"expressions", write(`{"type":"lit","value":1}`, `{"type":"add","left":@,"right":@}`, `{"type":"neg","of":@}`), "Node Lit Add Neg"},
		{"with what all have", write(`{"type":"lit","line":1,"value":1}`, `{"type":"add","line":1,"left":@,"right":@}`, `{"type":"neg","line":2,"of":@}`), "Node Lit Add Neg"},
		{"two operators", write(`{"kind":"lit","value":1}`, `{"kind":"add","left":@,"right":@}`, `{"kind":"sub","left":@,"right":@}`, `{"kind":"not","of":@}`), "Node Lit Add Sub Not"},
		{"files", write(`{"type":"file","name":"f","size":1,"mode":"r"}`, `{"type":"dir","name":"d","children":[@,@]}`, `{"type":"link","name":"l","target":"t"}`), "T"},
		{"texts", write(`{"type":"text","text":"t"}`, `{"type":"list","ordered":true,"content":[@]}`, `{"type":"item","checked":true,"content":[@,@]}`), "T"},
		{"a kind without fields", write(`{"type":"nil"}`, `{"type":"add","left":@,"right":@}`, `{"type":"neg","of":@}`), "T"},
		{"one operator", write(`{"type":"lit","value":1}`, `{"type":"add","left":@,"right":@}`, `{"type":"sub","left":@,"right":@}`), "T"},
		{"optional fields", write(`{"type":"lit","value":1}`, `{"type":"add","left":@,"right":@}`, `{"type":"neg","of":@}`, `{"type":"neg"}`, `{"type":"add","left":@}`, `{"type":"lit"}`), "T"},
	} {
		sorted := func(names []string) string { slices.Sort(names); return strings.Join(names, " ") }
		if got, want := sorted(messages(inferred(t, test.sample))), sorted(strings.Fields(test.messages)); got != want {
			t.Errorf("%s: the messages are %s, want %s", test.name, got, want)
		}
	}
}

// merged merges a sample without looking for a grammar.
func merged(sample []byte) error {
	in := inference{options: Options{}.WithDefaults(), surveyed: map[string]bool{}}
	in.result = &Result{sources: []Source{Bytes("f", sample)}, options: in.options}
	return in.observeAll()
}

// A user's answer for a place applies to the kind's field at all places.
func TestOverrulesOfGrammar(t *testing.T) {
	s := made(t, "estree")
	for rules, want := range map[string]string{
		"type body[].id.name=json": "", "type .=json": "", "struct body[]": "", "union body[]": "", "map body[]": "",
		"type body[].argument=none": "", "type body[].test=json": "", "type body[].alternate=omitempty": "",
		"type body[].type=enum":              "the texts at body[].type tell the kinds of a tree's objects apart, and stay as they are",
		"union body[].declarations[].id.loc": "no record has anything at",
	} {
		r, err := JSON([]Source{Bytes(s.File(), s.JSON(0))}, Options{Overrules: overrules(t, rules)})
		if err == nil {
			err = r.Lines(func(_, _ []byte) error { return nil })
		}
		if got := fmt.Sprint(err); want == "" && err != nil || !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", rules, got, want)
		}
	}
}

// Nested objects are no grammar if their texts are no names of kinds, or if they have the same fields
// for all texts.
func TestNoGrammar(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for name, node := range map[string]func(kind int, inner string) string{
		"one struct": func(kind int, inner string) string {
			return fmt.Sprintf(`{"type":"k%d","size":1,"in":[%s]}`, kind, inner)
		},
		"kinds and others": func(kind int, inner string) string {
			return fmt.Sprintf(`{"type":"k%d","a%d":1,"in":[{"x":1},%s]}`, kind, kind, inner+`{"x":2}`)
		},
		"ids": func(kind int, inner string) string {
			return fmt.Sprintf(`{"type":"%08x-0000-4000-8000-%012x","a%d":1,"b%d":1,"in":[%s]}`, kind, kind, kind, kind, inner)
		},
	} {
		var lines []string
		for range 40 {
			in := ""
			for range 4 {
				in = node(r.IntN(12), in)
				if name == "kinds and others" {
					in += ","
				}
			}
			lines = append(lines, strings.TrimSuffix(in, ","))
		}
		sample := ndjson(lines...)
		from := inferred(t, string(sample))
		for _, m := range from.Schema.Messages {
			if m.Union && len(m.Fields) > 8 {
				t.Errorf("%s: %s is a union of %d", name, m.Name, len(m.Fields))
			}
		}
	}
}

// grammarOf writes a tree of invented kinds. The decisions determine the values of the fields.
func (c *composer) grammarOf() []byte {
	kinds := 3 + c.pick(13)
	fields := make([][]int, kinds)
	for k := range fields {
		for range 1 + c.pick(4) {
			fields[k] = append(fields[k], c.pick(256))
		}
	}
	random := rand.New(rand.NewPCG(uint64(c.pick(256)), uint64(c.pick(256))))
	var node func(kind, depth int) string
	of := func(from, depth int) string { return node((from+random.IntN(1+from%5))%kinds, depth+1) }
	node = func(kind, depth int) string {
		var b strings.Builder
		fmt.Fprintf(&b, `{"type":"Kind%c"`, 'A'+rune(kind))
		for i, f := range fields[kind] {
			name := fmt.Sprintf("%c%d", 'a'+rune(kind+f)%26, i)
			value := fmt.Sprint(random.IntN(9))
			if depth < 6 {
				switch f % 11 {
				case 0, 1, 2:
					value = of(f, depth)
				case 3, 4:
					value = "[" + of(f, depth) + "," + of(f, depth) + "]"
				case 5:
					value = []string{"null", of(f, depth)}[random.IntN(2)]
				case 6:
					value = "[null," + of(f, depth) + "]"
				case 7:
					if random.IntN(2) == 0 {
						continue
					}
					value = []string{"null", of(f, depth)}[random.IntN(2)]
				case 8:
					value = `{"at":{"line":1,"column":2},"in":` + of(f, depth) + `}`
				case 9:
					if f%3 == 0 {
						value = []string{"true", node(f%kinds, depth+1), "[]"}[random.IntN(2+f%2)]
					}
				case 10:
					value = []string{`"x"`, "1", "null", "{}"}[random.IntN(4)]
				}
			} else if f%11 < 9 {
				value = "null"
				if f%11 == 3 || f%11 == 4 || f%11 == 6 {
					value = "[]"
				}
			}
			fmt.Fprintf(&b, `,"%s":%s`, name, value)
		}
		b.WriteByte('}')
		return b.String()
	}
	for range 6 {
		c.write(node(random.IntN(kinds), 0) + "\n")
		if len(c.out) > 100_000 {
			break
		}
	}
	return c.out
}

// TestComposedGrammars is FuzzGrammar with random samples.
func TestComposedGrammars(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	n, made := 60, 0
	if testing.Short() {
		n = 30
	}
	for range n {
		if grammatical(t, drawn(r, 20+r.IntN(60))) {
			made++
		}
	}
	if made < n/4 {
		t.Errorf("only %d of %d samples are a grammar", made, n)
	}
}

// FuzzGrammar checks that trees of many kinds are read without loss: see grammatical.
func FuzzGrammar(f *testing.F) {
	f.Add([]byte("1\x05\x02aaa2233445566778899"))
	f.Fuzz(func(t *testing.T, decisions []byte) { grammatical(t, decisions) })
}

// grammatical infers a schema from a sample of grammarOf and checks it with accepts. It reports whether
// the sample became a grammar.
func grammatical(t *testing.T, decisions []byte) bool {
	t.Helper()
	sample := (&composer{decisions: decisions}).grammarOf()
	r, err := JSON([]Source{Bytes("f.json", sample)}, Options{})
	if err != nil {
		t.Fatalf("%v\nof %s", err, sample)
	}
	accepts(t, r, sample)
	again, err := JSON([]Source{Bytes("f.json", sample)}, Options{})
	if err != nil || string(text.Format(again.Schema)) != string(text.Format(r.Schema)) {
		t.Fatalf("read twice, the schemas are (%v)\n%s\n%s", err, text.Format(r.Schema), text.Format(again.Schema))
	}
	return slices.ContainsFunc(r.Schema.Messages, func(m *schema.Message) bool { return strings.HasPrefix(m.Name, "Kind") })
}

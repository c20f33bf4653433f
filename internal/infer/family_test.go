package infer

import "testing"

// Objects of a tree's type are recognized under any key and at any depth, even with few of the tree's
// fields. Objects that have the same fields by chance are not.
func TestFamilies(t *testing.T) {
	for _, test := range []struct{ name, sample, messages string }{
		{"a JSON schema", `{"$schema":"s","title":"P","type":"object","properties":{"name":{"type":"string","description":"x"},"age":{"type":"integer","minimum":0},"tags":{"type":"array","items":{"type":"string"}},
			"address":{"type":"object","properties":{"street":{"type":"string"},"geo":{"$ref":"#/$defs/geo"}},"required":["street"]}},"required":["name"],"$defs":{"geo":{"type":"object","properties":{"lat":{"type":"number"},"lon":{"type":"number"}}}}}`, "F PropertyOrDef"},
		{"patterns for names", `{"type":"object","properties":{"10-a":{"type":"object","properties":{"11-b":{"type":"string"}},"patternProperties":{"^x-":{"type":"string"}}},"12-c":{"type":"number"}},"required":["10-a"]}`, "F Property"},
		{"a text or a list of texts", `{"type":"object","properties":{"10-a":{"type":["string","null"]},"11-b":{"type":"object","items":{"type":["string","null"]},"properties":{"12-c":{"type":"string"}}}}}`, "F Items"},
		{"messages that quote messages, in two places", `{"message":{"id":1,"from":"a","at":5,"photo":"p","reply":{"id":2,"from":"b","at":6,"photo":"q","reply":{"id":5,"from":"a","at":2}}},"edited":{"id":3,"from":"c","at":7,"editedAt":8,"reply":{"id":4,"from":"d","at":9,"reply":{"id":6,"from":"a","at":1}}}}`, "F MessageOrEdited"},
		{"extensions of extensions", `{"extension":[{"url":"a","extension":[{"url":"b","valueCode":"c"},{"url":"d","valueDecimal":1.5}]},{"url":"e","valueString":"f"}]}`, "F Extension"},
		{"the owner of a folder", `{"id":1,"name":"a","size":3,"owner":{"id":7,"name":"x"},"children":[{"id":2,"name":"b","size":1,"children":[]}]}`, "F Owner"},
		{"what a tree hangs on", `{"menu":{"header":"h","items":[{"id":"a","label":"b","url":"/b","items":[{"id":"c","label":"d","url":"/e","items":[]}]}]}}`, "F Menu Item"},
		{"lists of one page in those of another", `{"totalSize":2,"done":true,"records":[{"attributes":"a","id":"i","name":"n","contacts":{"totalSize":1,"done":true,"records":[{"attributes":"c","lastName":"l","email":"e"}]}}]}`, "F Record Contacts ContactsRecord"},
		{"a field of a schema with a name", `{"a":{"id":"x","kind":"t","kids":[{"id":"y","kind":"t","kids":[]}],"label":{"text":"u"}},"b":{"text":"v","lang":"w"}}`, "F A Label B"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if messages, _, _ := messagesOf(t, test.sample, "", Options{}); messages != test.messages {
				t.Errorf("%s\nthe messages are %s, want %s", test.sample, messages, test.messages)
			}
		})
	}
}

// The flag in the guess separates an object from a tree.
func TestFamiliesOverruled(t *testing.T) {
	sample := `{"id":1,"at":2,"kids":[{"id":2,"at":3,"kids":[{"id":4,"at":5}]}],"next":{"id":3,"at":4}}`
	if messages, _, _ := messagesOf(t, sample, "", Options{}); messages != "F" {
		t.Errorf("the messages are %s", messages)
	}
	if messages, _, _ := messagesOf(t, sample, "", Options{Overrules: overrules(t, "struct next")}); messages != "F Next" {
		t.Errorf("overruled, the messages are %s", messages)
	}
}

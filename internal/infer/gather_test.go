package infer

import "testing"

// Values that are sometimes a list and sometimes a single element are lists, and the schema says that
// JSON writes one element without brackets. If there is also a list of one element, they are a union.
func TestGather(t *testing.T) {
	const list, text = "a list, without brackets in JSON when it has one element; --type v=json", "a string with the value's JSON; --type v=none"
	const union = "a union: text or list; --type v="
	for _, test := range []fieldTest{
		{name: "texts", sample: ndjson(`{"v":"a"}`, `{"v":["b","c"]}`), field: `type = "[]string", one_or_many = true`, guesses: list, lines: `{"v":["a"]} {"v":["b","c"]}`},
		{name: "numbers", sample: ndjson(`{"v":1}`, `{"v":[2.5,3]}`), field: `type = "[]float64", one_or_many = true`, guesses: list, lines: `{"v":[1.0]} {"v":[2.5,3.0]}`},
		{name: "truth values and empty lists", sample: ndjson(`{"v":true}`, `{"v":[]}`), field: `type = "[]bool", one_or_many = true`, guesses: list, lines: `{"v":[true]} {"v":[]}`},
		{name: "objects", sample: ndjson(`{"v":{"a":1}}`, `{"v":[{"a":2},{"a":3,"b":"x"}]}`), field: `type = "[]V", one_or_many = true`, guesses: list,
			lines: `{"v":[{"a":1,"b":null}]} {"v":[{"a":2,"b":null},{"a":3,"b":"x"}]}`},
		{name: "lists of one length", sample: ndjson(`{"v":"a"}`, `{"v":["b","c"]}`, `{"v":["d","e"]}`), field: `type = "[]string", one_or_many = true`, guesses: list},
		{name: "absent", sample: ndjson(`{"u":1,"v":"a"}`, `{"u":1}`, `{"u":1,"v":["b","c"]}`), field: `type = "[]string", omitempty = true, one_or_many = true`, guesses: list,
			lines: `{"u":1,"v":["a"]} {"u":1,"v":null} {"u":1,"v":["b","c"]}`},
		{name: "null", sample: ndjson(`{"v":"a"}`, `{"v":null}`, `{"v":["b","c"]}`), field: `type = "[]string", null = true, one_or_many = true`, guesses: list},
		{name: "an empty text among texts", sample: ndjson(`{"u":1,"v":""}`, `{"u":1}`, `{"u":1,"v":"a"}`, `{"u":1,"v":["b",""]}`), field: `type = "[]string", omitzero = true, one_or_many = true`, guesses: list,
			lines: `{"u":1,"v":[""]} {"u":1,"v":null} {"u":1,"v":["a"]} {"u":1,"v":["b",""]}`},
		{name: "absent and null", sample: ndjson(`{"u":1,"v":"a"}`, `{"u":1}`, `{"u":1,"v":null}`, `{"u":1,"v":["b","c"]}`), field: `type = "*VOrNull", omitempty = true`,
			guesses: list + "|a value, null or absent; --type v=omitempty", lines: `{"u":1,"v":{"value":["a"]}} {"u":1,"v":null} {"u":1,"v":{"value":null}} {"u":1,"v":{"value":["b","c"]}}`},
		{name: "in a map", sample: ndjson(`{"v":{"2001":"a","2002":["b","c"],"2003":"d","2004":"e","2005":"f","2006":"g","2007":"h","2008":"i"}}`), field: `type = "map[string]VItems"`,
			guesses: "a map; --struct v|keys of a map as text; --type 'v=map[int64]'|a list, without brackets in JSON when it has one element; --type 'v.*=json'",
			lines:   `{"v":{"2001":["a"],"2002":["b","c"],"2003":["d"],"2004":["e"],"2005":["f"],"2006":["g"],"2007":["h"],"2008":["i"]}}`},
		{name: "times", sample: ndjson(`{"v":"2026-01-01T00:00:00Z"}`, `{"v":["2026-01-01T00:00:00Z","2026-01-02T00:00:00Z"]}`), field: `type = "[]timestamp", one_or_many = true`,
			guesses: list + "|timestamp; --type 'v[]=string'"},
		{name: "elements asked for", sample: ndjson(`{"v":"1"}`, `{"v":["2","3"]}`), overrules: "type v[]=int64", field: `type = "[]int64", one_or_many = true`, lines: `{"v":[1]} {"v":[2,3]}`},
		{name: "overruled", sample: ndjson(`{"v":"a"}`, `{"v":["b","c"]}`), overrules: "type v=json", field: `type = "string", json_text = true`, lines: `{"v":"\"a\""} {"v":"[\"b\",\"c\"]"}`},

		{name: "a list of one", sample: ndjson(`{"v":"a"}`, `{"v":["b"]}`, `{"v":["b","c"]}`), field: `type = "VUnion"`, guesses: union + "list",
			lines: `{"v":{"text":"a","items":null}} {"v":{"text":null,"items":["b"]}} {"v":{"text":null,"items":["b","c"]}}`},
		{name: "a list of one, and lists asked for", sample: ndjson(`{"v":"a"}`, `{"v":["b"]}`, `{"v":["b","c"]}`), overrules: "type v=list", field: `type = "[]string", one_or_many = true`,
			lines: `{"v":["a"]} {"v":["b"]} {"v":["b","c"]}`},
		{name: "a list of nulls", sample: ndjson(`{"v":"a"}`, `{"v":["b",null]}`), field: `type = "VUnion"`, guesses: union + "json"},
		{name: "elements of another kind", sample: ndjson(`{"v":"a"}`, `{"v":[1,2]}`), field: `type = "VUnion"`, guesses: union + "json"},
		{name: "elements of two kinds", sample: ndjson(`{"v":"a"}`, `{"v":["b",1]}`), field: `type = "VUnion"`, guesses: union + "json|a union: text or number; --type 'v[]=json'"},
		{name: "values of two kinds", sample: ndjson(`{"v":"a"}`, `{"v":1}`, `{"v":["b","c"]}`), field: `type = "VUnion"`, guesses: "a union: text, number or list; --type v=json",
			lines: `{"v":{"text":"a","number":null,"items":null}} {"v":{"text":null,"number":1,"items":null}} {"v":{"text":null,"number":null,"items":["b","c"]}}`},
		{name: "objects with other values than the elements", sample: ndjson(`{"v":{"a":[1,2],"b":2}}`, `{"v":[{"a":{"x":1},"c":1},{"a":{"x":2},"c":2}]}`), field: `type = "VUnion"`, guesses: "a union: list or object; --type v=list",
			lines: `{"v":{"items":null,"object":{"a":[1,2],"b":2}}} {"v":{"items":[{"a":{"x":1},"c":1},{"a":{"x":2},"c":2}],"object":null}}`},
		{name: "objects that are other things than the elements", sample: ndjson(`{"v":{"contents":"a","range":"b"}}`, `{"v":[{"uri":"c","range":"d"},{"uri":"e","range":"f"}]}`), field: `type = "VUnion"`,
			guesses: "a union: list or object; --type v=list"},
		{name: "objects without a key of the elements", sample: ndjson(`{"v":{"range":"b"}}`, `{"v":[{"uri":"c","range":"d"},{"uri":"e","range":"f"}]}`), field: `type = "[]V", one_or_many = true`, guesses: list},
		{name: "objects with most keys of the elements", sample: ndjson(`{"v":{"a":1,"b":2,"c":3,"d":4}}`, `{"v":[{"a":1,"b":2,"c":3,"e":4},{"a":1,"b":2,"c":3,"e":4}]}`), field: `type = "[]V", one_or_many = true`, guesses: list},
		{name: "numbers beyond 64 bits", sample: ndjson(`{"v":1}`, `{"v":[123456789012345678901234567890,2]}`), field: `type = "string", json_text = true`, guesses: text},
		{name: "an element of a list", sample: ndjson(`{"v":["a"]}`, `{"v":["a",["b"],"d"]}`, `{"v":[["b"],["c","d"]]}`), field: `type = "string", json_text = true`, guesses: "a string with the value's JSON; --type v=list"},
		{name: "in lists", sample: ndjson(`{"v":["a","b"]}`, `{"v":["a",["b","c"],"d"]}`), field: `type = "string", json_text = true`, guesses: "a string with the value's JSON; --type v=list"},
		{name: "empty texts only", sample: ndjson(`{"u":1,"v":""}`, `{"u":1,"v":["b","c"]}`), field: `type = "[]string", null = true`, guesses: "null where it is an empty text; --type v=json"},
	} {
		t.Run(test.name, test.run)
	}
}

// If shared messages have single values at one place and a list of one element at another, the values
// are a union.
func TestGatherShared(t *testing.T) {
	for _, test := range []struct{ name, sample, field string }{
		{"lists alike", `{"ends":[{"x":1,"y":2,"v":"p"},{"x":1,"y":2,"v":["p","q"]}],"stops":[{"x":3,"y":4,"v":"q"},{"y":5,"x":4,"v":["q","r","s"]}]}`, `type = "[]string", one_or_many = true`},
		{"a list of one in one of them", `{"ends":[{"x":1,"y":2,"v":"p"},{"x":1,"y":2,"v":["p","q"]}],"end":{"x":3,"y":4,"v":["q"]}}`, `type = "VUnion"`},
		{"numbers, and a list of one in one of them", `{"ends":[{"x":1,"y":2,"v":1},{"x":1,"y":2,"v":[1.5,2]}],"end":{"x":3,"y":4,"v":[3]}}`, `type = "VUnion"`},
		{"objects, and a list of one in one of them", `{"ends":[{"x":1,"y":2,"v":{"k":1}},{"x":1,"y":2,"v":[{"k":2},{"k":3}]}],"end":{"x":3,"y":4,"v":[{"k":4}]}}`, `type = "VUnion"`},
		{"objects in one, lists in one, and both in one", `{"r":{"1001":{"m":{},"p":{}},"1002":{"p":{"s":[{"v":{"k":1}}]}},"1003":{"p":{"s":[{"v":[{"k":3},{"k":4}]}]}},"1004":{"p":{"s":[{"v":{"k":1}},{"v":[{"k":5}]}]}},"1005":{"m":{},"p":{}}}}`, `type = "VUnion"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			sample := ndjson(test.sample, test.sample)
			r, err := JSON([]Source{Bytes("f", sample)}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			accepts(t, r, sample)
			write(t, r)
			if got := fieldText(r, "v"); got != test.field {
				t.Errorf("the field is %s, want %s", got, test.field)
			}
		})
	}
}

package infer

import "testing"

// The error about a value that does not fit names its path, whatever type the field belongs to.
func TestWhere(t *testing.T) {
	people := `{"author":{"id":"7","name":"Ann","age":3},"reviewers":[{"id":"x8","name":"Bo","age":4}]}` + "\n" +
		`{"author":{"id":"9","name":"Cy","age":5},"reviewers":[{"id":"x1","name":"Di","age":6}]}`
	for _, test := range []struct {
		name, text string
		overrule   Overrule
		want       string
	}{
		{"a shared type", people, Overrule{"reviewers[].id", "int64"}, `f:1:62: reviewers[].id is "x8" here, and in the schema it is an int64`},
		{"a spelling", people, Overrule{"reviewers[].id", "uuid"},
			`f:1:62: reviewers[].id is "x8" here and should be a lower-case UUID: a UUID has 8, 4, 4, 4 and 12 hexadecimal digits with - between them; make its type another one, or leave the record out with --skip-bad`},
		{"the first element", `{"a":["x"]}`, Overrule{"a[]", "int64"}, `f:1:7: a[] is "x" here, and in the schema it is an int64`},
		{"a later element", `{"a":["1","x"]}`, Overrule{"a[]", "int64"}, `f:1:11: a[] is "x" here, and in the schema it is an int64`},
		{"a row", `{"a":[1,true,"x"]}`, Overrule{"a.f3", "int64"}, `f:1:14: a.f3 is "x" here, and in the schema it is an int64`},
		{"a map", `{"m":{"0a1b2c3d4e5f6071":"1","8a1b2c3d4e5f6072":"x","9a1b2c3d4e5f6073":"2"}}`, Overrule{"m.*", "int64"}, `f:1:49: m.* is "x" here, and in the schema it is an int64`},
		{"the key of a map", `{"m":{"1":2,"x":3}}`, Overrule{"m", "map[int64]"}, `f:1:13: the key "x" is no int64 as it would be written again; keep the keys of m as text with map[string]`},
		{"a kind of value", `{"v":[7,{"a":"x"}]}{"v":[{"a":"y"},"b",8]}`, Overrule{"v[].a", "int64"}, `f:1:14: v[].a is "x" here, and in the schema it is an int64`},
		{"alone for a list", `{"v":{"a":"x"}}{"v":[{"a":"1"},{"a":"2"}]}`, Overrule{"v[].a", "int64"}, `f:1:11: v[].a is "x" here, and in the schema it is an int64`},
		{"a key in quotes", `{"a.b":"x"}`, Overrule{`"a.b"`, "int64"}, `f:1:8: "a.b" is "x" here, and in the schema it is an int64`},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, err := JSON([]Source{Bytes("f", []byte(test.text))}, Options{Name: "documents", Overrules: []Overrule{test.overrule}})
			if err == nil {
				t.Fatalf("no error, and the schema is\n%v", r.Schema)
			}
			if err.Error() != test.want {
				t.Errorf("got  %s\nwant %s", err, test.want)
			}
		})
	}
}

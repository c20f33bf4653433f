package workload

import "testing"

func TestPlainJSON(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{``, `null`},
		{`null`, `null`},
		{`"a"`, `"a"`},
		{`"\u003cb\u003E\u0026\u2028\u2029"`, "\"<b>&\u2028\u2029\""},
		{`"\\u003c"`, `"\\u003c"`},
		{`"\\\u003c"`, `"\\<"`},
		{`{"\u003ck":["\"\n\u0001",1.50]}`, `{"<k":["\"\n\u0001",1.50]}`},
		{`"\u003"`, `"\u003"`},
		{`"\`, `"\`},
	} {
		if got := PlainJSON(test.text); got != test.want {
			t.Errorf("%s became %s, want %s", test.text, got, test.want)
		}
		if got, want := LeafJSON([]byte(test.text)), LeafText(test.want); got != want {
			t.Errorf("the leaf of %s is %x, want %x", test.text, got, want)
		}
	}
}

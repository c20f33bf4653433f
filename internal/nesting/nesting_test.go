package nesting

import (
	"strings"
	"testing"
)

func TestTooDeep(t *testing.T) {
	most := strings.Repeat("{", Max)
	for _, test := range []struct {
		text    string
		slashes bool
		want    int
	}{
		{"", false, -1},
		{most, false, -1},
		{most + "[", false, Max},
		{most + "}{}{", false, -1},
		{strings.Repeat("[[a]]\n", 1000), false, -1},
		{strings.Repeat("}", 1000) + most, false, -1},
		{most + `"{{{" '{' """{"{""" '''{'{''' # {`, false, -1},
		{most + `"\"{" '\' '{' ""` + "\n{", false, Max + 17},
		{most + "\"{\n{", false, Max + 3},
		{most + "# \"\n{", false, Max + 4},
		{most + "// { \" \n/* { ' */ \"{\" '\\'{' ", true, -1},
		{most + "/* */ <", true, Max + 6},
		{most + "# {", true, Max + 2},
		{"x = [" + strings.Repeat("1.5, ", 1000) + "]", false, -1},
		{"[" + strings.Repeat("a.", Max) + "a]", false, -1},
		{"[" + strings.Repeat("a.", Max+1) + "a]", false, 2*Max + 2},
		{strings.Repeat(`"a" . `, Max+1) + "a = 1", false, 6*Max + 4},
		{`"""`, false, -1},
		{`"\`, false, -1},
		{"/*", true, -1},
	} {
		if got := TooDeep([]byte(test.text), test.slashes); got != test.want {
			t.Errorf("%.20q… %q: got %d, want %d", test.text, test.text[max(0, len(test.text)-20):], got, test.want)
		}
	}
}

func FuzzTooDeep(f *testing.F) {
	f.Add([]byte("a = [{b = \"\"\"\\\"\"\"\"}] # x\n'''"), false)
	f.Add([]byte("message A { /* // */ option (a) = '\\''; }"), true)
	f.Fuzz(func(t *testing.T, text []byte, slashes bool) {
		if at := TooDeep(text, slashes); at >= len(text) || at >= 0 && len(text) <= Max {
			t.Errorf("%d of %d", at, len(text))
		}
	})
}

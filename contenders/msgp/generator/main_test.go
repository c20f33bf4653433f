package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

const types = "package p\n\ntype T struct {\n\tA []U `msg:\"a\"`\n}\n\ntype U struct {\n\tB int64 `msg:\"b\"`\n\tH int64 `msg:\"Msgsize\"`\n\tC, D, E, F, G string\n}\n"

func TestGenerate(t *testing.T) {
	method := regexp.MustCompile(`func \(z \*?T\) (\w+)`)
	for _, test := range []struct {
		directive, name string
		methods         []string
	}{
		{"", "msgp.go", []string{"MarshalMsg", "Msgsize", "UnmarshalMsg"}},
		{"//assay:unmarshal Reuse\n", "reuse.go", []string{"UnmarshalMsgReuse"}},
		{"//assay:all Array\n//msgp:tuple T U\n", "array.go", []string{"MarshalMsgArray", "MsgsizeArray", "UnmarshalMsgArray"}},
	} {
		got, err := generate([]byte(test.directive + types))
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if got.GetName() != test.name {
			t.Errorf("the file is %s, want %s", got.GetName(), test.name)
		}
		var methods []string
		for _, m := range method.FindAllStringSubmatch(got.GetContent(), -1) {
			methods = append(methods, m[1])
		}
		slices.Sort(methods)
		if !slices.Equal(methods, test.methods) {
			t.Errorf("%s has the methods %v, want %v", test.name, methods, test.methods)
		}
		if test.name != "array.go" && !strings.Contains(got.GetContent(), `"Msgsize"`) { // arrays have no keys
			t.Errorf("%s has another key in the place of Msgsize", test.name)
		}
		// The same code reads a list and its elements.
		if call := test.methods[len(test.methods)-1] + "(bts)"; !strings.Contains(got.GetContent(), "]."+call) {
			t.Errorf("%s does not call %s for the elements", test.name, call)
		}
	}
}

func TestGenerateRefuses(t *testing.T) {
	for _, source := range []string{"", "package p\n", "package p\ntype T struct {"} {
		if got, err := generate([]byte(source)); err == nil {
			t.Errorf("%q: no error, and the file %s", source, got.GetName())
		}
	}
}

package main

import (
	"os"
	"strings"
	"testing"
)

const source = `
type Color int32

type Item struct {
	Name  string ` + "`json:\"name,nocopy\"`" + `
	Color Color  ` + "`json:\"color\"`" + `
	Code  int64  ` + "`json:\"UnmarshalEasyJSON\"`" + `
}

type Items []Item
`

func TestGenerate(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	const pkg = "//assay:package assay/contenders/easyjson/generator/none\n"
	for _, test := range []struct {
		name, comment, file string
		has, hasNot         []string
	}{
		{"all methods", "", "easyjson.go",
			[]string{
				"func (v Item) MarshalEasyJSON(", "func (v *Item) UnmarshalEasyJSON(",
				"func (v Items) MarshalEasyJSON(", "func (v *Items) UnmarshalEasyJSON(",
				"(v1).UnmarshalEasyJSON(in)", "in.UnsafeString()",
			},
			[]string{"MarshalJSON(", "(v *Color)", "AliasJSON"}},
		{"another module", "", "easyjson.go",
			[]string{"func (v Items) MarshalEasyJSON("},
			[]string{"example.com", "alone"}},
		{"one method", "//assay:unmarshal AliasJSON\n", "aliasjson.go",
			[]string{"func (v *Item) AliasJSON(", "func (v *Items) AliasJSON(", "(v1).AliasJSON(in)", `"UnmarshalEasyJSON"`},
			[]string{"MarshalEasyJSON(", "Encode"}},
		{"methods of a type's own", "//assay:own Item\n", "easyjson.go",
			[]string{"func (v Items) MarshalEasyJSON(", "(v1).UnmarshalEasyJSON(in)"},
			[]string{"func (v Item) MarshalEasyJSON("}},
	} {
		t.Run(test.name, func(t *testing.T) {
			of := pkg
			if test.name == "another module" {
				of = "//assay:package example.com/none\n"
			}
			// The source follows another file, whose types have the same names.
			files, err := generate([]byte(of + "package none\n" + source + "\n" + of + test.comment + "package none\n" + source))
			if err != nil {
				t.Fatal(err)
			}
			imported, _, _ := strings.Cut(strings.TrimPrefix(of, "//assay:package "), "\n")
			if len(files) != 2 || files[0].GetName() != imported+"/easyjson.go" || !strings.Contains(files[0].GetContent(), "func (v Item) MarshalEasyJSON(") {
				t.Fatalf("files %v, want two, of which the first has all methods", files)
			}
			got := files[1]
			if want := imported + "/" + test.file; got.GetName() != want {
				t.Errorf("the file is %s, want %s", got.GetName(), want)
			}
			for _, s := range test.has {
				if !strings.Contains(got.GetContent(), s) {
					t.Errorf("the code has no %q", s)
				}
			}
			for _, s := range test.hasNot {
				if strings.Contains(got.GetContent(), s) {
					t.Errorf("the code has %q", s)
				}
			}
		})
	}
	if _, err := os.Stat("none"); err == nil {
		t.Error("the directory of the package was made")
	}
}

func TestGenerateRefuses(t *testing.T) {
	for _, test := range []struct{ name, source, want string }{
		{"no package", "package x\n", "the source has no comment //assay:package"},
		{"no Go", "//assay:package assay/x\n}", "types.go:2:1: expected 'package'"},
	} {
		_, err := generate([]byte(test.source))
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s: error %v, want %s", test.name, err, test.want)
		}
	}
}

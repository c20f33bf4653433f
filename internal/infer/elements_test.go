package infer

import (
	"slices"
	"testing"

	"assay/schema"
	"assay/schema/text"
)

// If a field may be null, the elements of lists and maps of the same type are not nullable because of
// it, and vice versa.
func TestNullElements(t *testing.T) {
	const user, other = `{"login":"a","mail":"m"}`, `{"login":"b","mail":"n"}`
	for _, test := range []struct{ name, sample, field, want string }{
		{"null beside a list", `{"assignee":null,"assignees":[` + user + `]}{"assignee":` + user + `,"assignees":[]}`, "assignees", "[]Assignee"},
		{"the field beside it", `{"assignee":null,"assignees":[` + user + `]}{"assignee":` + user + `,"assignees":[]}`, "assignee", "*Assignee"},
		{"null beside a map", `{"owner":null,"by":{"0a1b2c3d4e5f6071":` + user + `,"8a1b2c3d4e5f6072":` + other + `}}{"owner":` + user + `,"by":{}}`, "by", "map[string]Owner"},
		{"null in a list", `{"assignee":` + user + `,"assignees":[null,` + other + `]}`, "assignees", "[]AssigneeOrNull"},
		{"the field beside null in a list", `{"assignee":` + user + `,"assignees":[null,` + other + `]}`, "assignee", "Assignee"},
		{"null in a list within a tree", `{"id":1,"kids":[{"id":2,"kids":[],"main":null}],"main":{"id":3,"kids":[],"main":null}}`, "kids", "[]F"},
		{"null in lists of one length", `{"a":[1,null]}{"a":[2,3]}`, "a", "[]AOrNull"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, _, r := messagesOf(t, test.sample, "", Options{})
			fields := r.Schema.Message(r.Root).Fields
			i := slices.IndexFunc(fields, func(f *schema.Field) bool { return f.Name == test.field })
			if i < 0 {
				t.Fatalf("there is no field %s", test.field)
			}
			if got := text.FormatType(fields[i].Type); got != test.want {
				t.Errorf("%s is %s, want %s", test.field, got, test.want)
			}
		})
	}
}

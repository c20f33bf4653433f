package analysis

import (
	"slices"
	"testing"

	"assay/result"
)

// What a resumed run says anew is shown once, and what is no longer so is not shown.
func TestNotes(t *testing.T) {
	tests := []struct {
		name  string
		notes []result.Note
		want  []string
	}{
		{"one after another", []result.Note{{Text: "a"}, {Text: "b"}}, []string{"a", "b"}},
		{"said twice", []result.Note{{Text: "a"}, {Text: "b"}, {Text: "a"}}, []string{"a", "b"}},
		{"replaced", []result.Note{{About: "x", Text: "2 of 8"}, {About: "y", Text: "b"}, {About: "x", Text: "5 of 8"}}, []string{"b", "5 of 8"}},
		{"withdrawn", []result.Note{{About: "x", Text: "2 of 8"}, {Text: "a"}, {About: "x"}}, []string{"a"}},
		{"one of two withdrawn", []result.Note{{About: "x", Text: "a"}, {About: "more x", Text: "a"}, {About: "x"}}, []string{"a"}},
		{"nothing to withdraw", []result.Note{{About: "x"}}, nil},
		{"said again", []result.Note{{About: "x", Text: "2 of 8"}, {About: "x"}, {About: "x", Text: "2 of 8"}}, []string{"2 of 8"}},
	}
	for _, test := range tests {
		records := []result.Record{launchOf(1, 0, flat("json", 10, 40, 1))}
		for i := range test.notes {
			records = append(records, result.Record{Note: &test.notes[i]})
		}
		var got []string
		for _, w := range Of(planOf("json"), records, View{}).Warnings {
			if w.Kind == RunNote {
				got = append(got, w.Text)
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

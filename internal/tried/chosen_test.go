package tried

import (
	"strings"
	"testing"

	"assay/internal/measure"
)

// Contenders are chosen by their names, each once. The error distinguishes a list of names or a pattern
// from a misspelled name.
func TestChosen(t *testing.T) {
	for _, test := range []struct {
		names []string
		want  string // the names that are chosen, or the beginning of the error
	}{
		{nil, ""},
		{[]string{"msgp", "protobuf", "msgp"}, "msgp protobuf"},
		{[]string{"protobuf,msgp"}, `--contender: "protobuf,msgp" is no contender: -c takes a name here, not a regular expression; repeat it for each contender, as in -c protobuf -c msgp`},
		{[]string{"^protobuf$"}, `--contender: "^protobuf$" is no contender: -c takes a name here, not a regular expression`},
		{[]string{"protobuf|msgp"}, `--contender: "protobuf|msgp" is no contender: -c takes a name here, not a regular expression`},
		{[]string{"proto.*"}, `--contender: "proto.*" is no contender: -c takes a name here, not a regular expression`},
		{[]string{"protobf"}, `--contender: there is no contender "protobf" (did you mean "protobuf"?)`},
		{[]string{"own/protobuf"}, "--contender: own/protobuf is for records of a .proto file"},
	} {
		chosen, err := Chosen((&TakeAway{}).Contenders(), test.names)
		got := strings.Join(measure.Names(chosen), " ")
		if err != nil {
			got = err.Error()
		}
		if got != test.want && (err == nil || !strings.HasPrefix(got, test.want)) {
			t.Errorf("%q: %s; want %s", test.names, got, test.want)
		}
	}
}

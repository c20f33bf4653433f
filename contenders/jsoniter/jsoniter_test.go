package jsoniter

import (
	"encoding/json"
	"testing"

	jsoniter "github.com/json-iterator/go"
)

// The description says how the library's bytes differ from those of encoding/json.
func TestBytes(t *testing.T) {
	for _, test := range []struct {
		value        any
		theirs, ours string // ours is that of encoding/json
	}{
		{1e-7, `1e-07`, `1e-7`},
		{"\b\f", `"\u0008\u000c"`, `"\b\f"`},
		{map[string]string{"b": "<", "a": "\u2028"}, `{"a":"\u2028","b":"\u003c"}`, `{"a":"\u2028","b":"\u003c"}`},
	} {
		theirs, err := jsoniter.ConfigCompatibleWithStandardLibrary.Marshal(test.value)
		if err != nil {
			t.Fatal(err)
		}
		ours, err := json.Marshal(test.value)
		if err != nil {
			t.Fatal(err)
		}
		if string(theirs) != test.theirs || string(ours) != test.ours {
			t.Errorf("%s and %s, want %s and %s", theirs, ours, test.theirs, test.ours)
		}
	}
}

package infer

import (
	"fmt"
	"strings"
	"testing"
)

// TestManyKeysOfTwoKinds: a place in two kinds of objects, whose keys together are too many for a
// union, is no union, and no error, unless the user asked for one.
func TestManyKeysOfTwoKinds(t *testing.T) {
	var records strings.Builder
	for i := range 40 {
		kind := string("ab"[i%2])
		fmt.Fprintf(&records, `{"type":%q`, kind)
		for k := range 6 {
			fmt.Fprintf(&records, `,"%s%d":%d`, kind, k, i)
		}
		records.WriteString(`,"data":{"same":1`)
		for k := range 300 {
			if (i/2+k)%3 == 0 {
				continue
			}
			name := kind + string(rune('a'+k/26%26)) + string(rune('a'+k%26))
			switch k % 3 {
			case 0:
				fmt.Fprintf(&records, `,%q:%d`, name, k)
			case 1:
				fmt.Fprintf(&records, `,%q:"text %d"`, name, k)
			default:
				fmt.Fprintf(&records, `,%q:{"x":[%d]}`, name, k)
			}
		}
		records.WriteString("}}\n")
	}
	if _, err := JSON([]Source{Bytes("events.ndjson", []byte(records.String()))}, Options{}); err != nil {
		t.Fatal(err)
	}
}

// The members of a large map are no tags of one another: looking at all of them for each would take
// time that grows with their square.
func TestManyKeysBeside(t *testing.T) {
	for _, n := range []int{maxSurveyed, maxSurveyed + 1} {
		beside := make([]pair, n)
		for i := range beside {
			beside[i] = pair{fmt.Sprint("u", i), []byte(`"x"`)}
		}
		x := &suspect{}
		x.start()
		x.add([]pair{{"a", []byte("1")}}, beside)
		if few, tags := n == maxSurveyed, x.places[true]; few != (tags > 0) {
			t.Errorf("%d members beside: %d tags", n, tags)
		}
	}
}

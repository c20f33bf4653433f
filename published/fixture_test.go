package published

import "testing"

func TestKeep(t *testing.T) {
	var f Fixture
	made := 0
	get := func(key string) int {
		return Keep(&f, key, func() int { made++; return made })
	}
	for i, step := range []struct {
		key  string
		want int
	}{
		{"a", 1}, {"a", 1}, {"b", 2}, {"b", 2}, {"a", 3}, // only one is kept
	} {
		if got := get(step.key); got != step.want {
			t.Errorf("step %d: %s is %d, want %d", i, step.key, got, step.want)
		}
	}
	if got := Keep(&f, "a", func() string { return "text" }); got != "text" {
		t.Errorf("a value of another type was returned as %q", got)
	}
}

// The previous value must be gone before the next one is made, because the two may not fit in
// memory together.
func TestKeepLetsGoFirst(t *testing.T) {
	var f Fixture
	Keep(&f, "a", func() []byte { return make([]byte, 1) })
	Keep(&f, "b", func() []byte {
		if f.value != nil {
			t.Error("the value of a is still held")
		}
		return nil
	})
}

package analysis

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestLetters(t *testing.T) {
	tests := []struct {
		name string
		n    int
		told string // pairs
		want []string
	}{
		{"nothing", 0, "", []string{}},
		{"one", 1, "", []string{"a"}},
		{"all alike", 3, "", []string{"a", "a", "a"}},
		{"all apart", 3, "01 02 12", []string{"a", "b", "c"}},
		{"two and one", 3, "02 12", []string{"a", "a", "b"}},
		{"a chain", 4, "02 03 13", []string{"a", "ab", "bc", "c"}},
		{"the outer alike, the inner not", 3, "01", []string{"a", "b", "ab"}},
	}
	for _, test := range tests {
		told := func(i, j int) bool {
			return strings.Contains(test.told, string([]byte{byte('0' + i), byte('0' + j)}))
		}
		if got := letters(test.n, told); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// Two things share a letter exactly when they are not told apart, for random sets of pairs.
func TestLettersAreRight(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		n := 1 + rng.IntN(12)
		apart := make(map[[2]int]bool)
		density := rng.Float64()
		for i := range n {
			for j := range i {
				apart[[2]int{j, i}] = rng.Float64() < density
			}
		}
		told := func(i, j int) bool { return apart[[2]int{min(i, j), max(i, j)}] }
		texts := letters(n, told)
		for i := range n {
			if texts[i] == "" {
				t.Fatalf("%v has no letter", i)
			}
			for j := range i {
				if share := strings.ContainsAny(texts[i], texts[j]); share == told(i, j) {
					t.Fatalf("%d and %d: told apart %v, letters %q and %q", i, j, told(i, j), texts[i], texts[j])
				}
			}
		}
	}
}

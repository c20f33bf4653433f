package drive

import "testing"

// Over as many launches as there are processes, each process is started once in every place. A
// process that is always started between two others is faster than both.
func TestRotated(t *testing.T) {
	for _, all := range []string{"ab", "abc", "abcd"} {
		places := map[[2]int]int{} // how often a thing is in a place
		for launch := range 3 * len(all) {
			for place, thing := range rotated([]byte(all), launch) {
				places[[2]int{int(thing), place}]++
			}
		}
		for at, n := range places {
			if n != 3 || len(places) != len(all)*len(all) {
				t.Errorf("of %q, %c was started %d times in place %d of %d launches", all, at[0], n, at[1], 3*len(all))
			}
		}
	}
}

package drive

import "testing"

// On each CPU, each process is started as often in every place, and as often before as after any
// other. A process that is always started between two others is faster than both.
func TestRotated(t *testing.T) {
	for _, all := range []string{"ab", "abc", "abcd"} {
		for cpus := range 4 { // 0: processes are not kept on a CPU
			turns := 2 * len(all)
			places, before := map[[3]int]int{}, map[[3]int]int{} // by CPU and thing
			for launch := range turns * max(1, cpus) {
				cpu := launch % max(1, cpus)
				order := rotated([]byte(all), launch, cpus)
				for place, thing := range order {
					places[[3]int{cpu, int(thing), place}]++
					for _, later := range order[place+1:] {
						before[[3]int{cpu, int(thing), int(later)}]++
					}
				}
			}
			for at, n := range places {
				if n != 2 || len(places) != len(all)*len(all)*max(1, cpus) {
					t.Errorf("of %q on CPU %d of %d, %c was started %d times in place %d of %d launches", all, at[0], cpus, at[1], n, at[2], turns)
				}
			}
			for at, n := range before {
				if n != len(all) {
					t.Errorf("of %q on CPU %d of %d, %c was started before %c in %d of %d launches", all, at[0], cpus, at[1], at[2], n, turns)
				}
			}
		}
	}
}

// However many CPUs there are, and wherever a run ends, no process is started before another much
// more often than after it.
func TestRotatedEndsAnywhere(t *testing.T) {
	for _, all := range []string{"ab", "abc", "abcd"} {
		for cpus := range 129 {
			ahead := map[[2]byte]int{} // how much more often the first is started before the second
			for launch := range 96 {
				order := rotated([]byte(all), launch, cpus)
				for place, thing := range order {
					for _, later := range order[place+1:] {
						ahead[[2]byte{thing, later}]++
						ahead[[2]byte{later, thing}]--
					}
				}
				for of, n := range ahead {
					if n > 2 {
						t.Fatalf("of %q on %d CPUs, %c was started before %c %d times more than after it, in %d launches", all, cpus, of[0], of[1], n, launch+1)
					}
				}
			}
		}
	}
}

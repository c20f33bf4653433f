package host

import "testing"

func TestStealOfStat(t *testing.T) {
	tests := []struct {
		name, stat string
		want       int64
	}{
		{"all CPUs", "cpu  10 20 30 40 50 60 70 1234 90 0\ncpu0 1 2 3 4 5 6 7 8 9 0\n", 1234},
		{"old kernel", "cpu  10 20 30 40 50 60 70\n", 0},
		{"absent", "", 0},
		{"another line first", "intr 1 2 3 4 5 6 7 8 9\n", 0},
		{"not a number", "cpu a b c d e f g h\n", 0},
	}
	for _, tt := range tests {
		if got := stolen([]byte(tt.stat)); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
	if Steal() < 0 || Load() < 0 {
		t.Errorf("this machine: steal %d, load %g", Steal(), Load())
	}
}

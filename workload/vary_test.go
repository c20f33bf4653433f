package workload

import (
	"math"
	"strconv"
	"strings"
	"testing"
)

func TestVaryText(t *testing.T) {
	const text = "abc xyz ABC 019 é/#"
	if got := NewVary(1, 0).Text(text); got != text {
		t.Errorf("value 0 is %q", got)
	}
	class := func(r rune) rune {
		switch {
		case strings.ContainsRune("abc", r):
			return 'a'
		case 'd' <= r && r <= 'z':
			return 'd'
		case 'A' <= r && r <= 'Z':
			return 'A'
		case '0' <= r && r <= '9':
			return '1'
		}
		return r
	}
	for i := 1; i < 200; i++ {
		got := NewVary(1, i).Text(text)
		if strings.Map(class, got) != strings.Map(class, text) || got == text {
			t.Errorf("value %d is %q", i, got)
		}
		letters := strings.NewReplacer("é/#", "").Replace(got)
		if strings.ContainsAny(letters, "enoyENOY0") {
			t.Errorf("value %d has a letter or digit to avoid: %q", i, got)
		}
	}
	if NewVary(1, 1).Text(text) == NewVary(2, 1).Text(text) {
		t.Error("two seeds give the same text")
	}
}

func TestVaryInt(t *testing.T) {
	if got := NewVary(1, 0).Int(7, 1, 2); got != 7 {
		t.Errorf("value 0 is %d", got)
	}
	seen := map[int64]bool{}
	for i := 1; i < 200; i++ {
		seen[NewVary(1, i).Int(7, -1, 1)] = true
	}
	if len(seen) != 3 || !seen[-1] || !seen[0] || !seen[1] {
		t.Errorf("numbers from -1 to 1 are %v", seen)
	}
}

func TestVaryDecimal(t *testing.T) {
	if got := NewVary(1, 0).Decimal(1.5, 1, 9, 10); got != 1.5 {
		t.Errorf("value 0 is %v", got)
	}
	for i := 1; i < 2000; i++ {
		v := NewVary(1, i)
		for _, f := range []float64{v.Decimal(10.24, 10_01, 99_99, 100), -v.Decimal(-10.24, -99_99, -10_01, 100)} {
			if text := strconv.FormatFloat(f, 'g', -1, 64); len(text) != len("10.24") {
				t.Errorf("value %d is %s", i, text)
			}
			if math.Float64bits(f)&0xFF == 0 {
				t.Errorf("value %d is %v, whose last byte is 0", i, f)
			}
		}
	}
}

// A shorter result is a prefix of a longer one from the same generator.
func TestRandBytes(t *testing.T) {
	long := RandBytes(Rand(1, 2), 19)
	if len(long) != 19 || cap(long) > 32 {
		t.Errorf("%d bytes with room for %d", len(long), cap(long))
	}
	for n := range 19 {
		if got := RandBytes(Rand(1, 2), n); string(got) != string(long[:n]) {
			t.Errorf("%d bytes are % x, not the first of % x", n, got, long)
		}
	}
}

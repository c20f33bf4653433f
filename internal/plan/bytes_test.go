package plan

import "testing"

func TestParseBytes(t *testing.T) {
	for text, want := range map[string]int64{
		"100MB": 100_000_000, "2GiB": 2 << 30, "2 GiB": 2 << 30, "1.5K": 1536, "7": 7, "7B": 7, "1kB": 1000,
		"": 0, "0": 0, "-1MB": 0, "NaN": 0, "MB": 0, "1e300": 0, "12 apples": 0, "0.5": 0, "0.4B": 0, "0.5K": 512, "4294967296G": 0, "4294967295G": 4294967295 << 30,
	} {
		got, err := ParseBytes(text)
		if got != want || (err == nil) != (want > 0) {
			t.Errorf("ParseBytes(%q) = %d, %v; want %d", text, got, err, want)
		}
	}
}

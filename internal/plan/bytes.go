package plan

import (
	"fmt"
	"strconv"
	"strings"
)

// units are the units that may follow a number of bytes.
var units = []struct {
	name  string
	bytes float64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"kB", 1e3}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9},
	{"K", 1 << 10}, {"M", 1 << 20}, {"G", 1 << 30}, {"B", 1}, {"", 1},
}

// ParseBytes reads a positive number of bytes, as in "100MB" or "2 GiB". K, M and G
// alone are powers of 1024.
func ParseBytes(text string) (int64, error) {
	for _, u := range units {
		number, ok := strings.CutSuffix(text, u.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err != nil || !(n*u.bytes >= 1) || n*u.bytes >= 1<<62 {
			break
		}
		return int64(n * u.bytes), nil
	}
	return 0, fmt.Errorf("%q is no size", text)
}

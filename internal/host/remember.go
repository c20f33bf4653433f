package host

import (
	"bytes"
	"encoding/json"
	"math"

	"assay/internal/cachedir"
)

// A sentinelBest is one line of what the cache knows of sentinels. Lines are only
// ever added, and a line that was damaged costs that line.
type sentinelBest struct {
	Machine string  `json:"machine"`
	NS      float64 `json:"ns"`
}

// Remember returns the best time that the sentinel ever had on the machine of
// the key (see Key), this one included, in nanoseconds, and keeps it in the
// cache. A run made wholly beside a noisy neighbour can be told only by what the
// machine did at another time. A time that is not positive is not kept: it asks
// what is known, 0 when nothing is. A cache that cannot be read or written costs
// the memory and nothing else.
func Remember(cache cachedir.Dir, key string, sentinelNS float64) (best float64) {
	best = remembered(cache.Learned(), key)
	if !(sentinelNS > 0) || math.IsInf(sentinelNS, 1) || best > 0 && best <= sentinelNS {
		return best
	}
	if line, err := json.Marshal(sentinelBest{key, sentinelNS}); err == nil {
		// The line break before ends a line that was cut short.
		_ = cache.AppendLearned(append(append([]byte{'\n'}, line...), '\n'))
	}
	return sentinelNS
}

// remembered returns the least time of the machine in the file's content, 0
// when there is none.
func remembered(data []byte, key string) float64 {
	best := 0.0
	for line := range bytes.Lines(data) {
		var b sentinelBest
		if json.Unmarshal(line, &b) != nil || b.Machine != key || !(b.NS > 0) {
			continue
		}
		if best == 0 || b.NS < best {
			best = b.NS
		}
	}
	return best
}

// figures is another kind of line: all that is known of a machine under names. The last
// line of a machine is the one that counts.
type figures struct {
	Machine string             `json:"machine"`
	Figures map[string]float64 `json:"figures"`
}

// Figures returns what KeepFigures kept last for the machine of the key, nil where that
// is nothing or cannot be read.
func Figures(cache cachedir.Dir, key string) map[string]float64 {
	var last map[string]float64
	for line := range bytes.Lines(cache.Learned()) {
		var f figures
		if json.Unmarshal(line, &f) == nil && f.Machine == key && f.Figures != nil {
			last = f.Figures
		}
	}
	return last
}

// KeepFigures keeps what is known of a machine in the place of what was. It is for
// figures that make a plan better and that nothing else depends on, so an error to write
// them is none.
func KeepFigures(cache cachedir.Dir, key string, all map[string]float64) {
	if line, err := json.Marshal(figures{key, all}); err == nil {
		_ = cache.AppendLearned(append(append([]byte{'\n'}, line...), '\n'))
	}
}

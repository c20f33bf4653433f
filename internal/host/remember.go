package host

import (
	"bytes"
	"encoding/json"
	"math"

	"assay/internal/cachedir"
)

// A sentinelBest is one line about a sentinel in the cache. Lines are only appended, and a
// damaged line does not affect others.
type sentinelBest struct {
	Machine string  `json:"machine"`
	NS      float64 `json:"ns"`
}

// Remember returns the best time in nanoseconds that the sentinel ever had on the machine
// with the key (see [Key]), including sentinelNS. It stores a new best time in the cache.
// Only times from other runs can show that a noisy neighbour disturbed a whole run. If
// sentinelNS is not positive, Remember only returns the best known time, or 0. It ignores
// errors of the cache.
func Remember(cache cachedir.Dir, key string, sentinelNS float64) (best float64) {
	best = remembered(cache.Learned(), key)
	if !(sentinelNS > 0) || math.IsInf(sentinelNS, 1) || best > 0 && best <= sentinelNS {
		return best
	}
	if line, err := json.Marshal(sentinelBest{key, sentinelNS}); err == nil {
		// The line break ends a previous line that was cut short.
		_ = cache.AppendLearned(append(append([]byte{'\n'}, line...), '\n'))
	}
	return sentinelNS
}

// remembered returns the smallest time of the machine in the file's content, or 0.
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

// figures is another kind of line: named numbers that are known about a machine. Only the
// last line of a machine counts.
type figures struct {
	Machine string             `json:"machine"`
	Figures map[string]float64 `json:"figures"`
}

// Figures returns the numbers that KeepFigures last stored for the machine with the key. It
// returns nil if there are none or if the cache cannot be read.
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

// KeepFigures stores numbers for a machine, replacing earlier ones. It ignores errors,
// because the numbers only improve plans.
func KeepFigures(cache cachedir.Dir, key string, all map[string]float64) {
	if line, err := json.Marshal(figures{key, all}); err == nil {
		_ = cache.AppendLearned(append(append([]byte{'\n'}, line...), '\n'))
	}
}

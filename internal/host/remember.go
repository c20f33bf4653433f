package host

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
)

// sentinelFile holds the best sentinel times, one a line. Lines are only ever
// added, in one write each, so that several processes need no lock, and a line
// that was damaged costs that line.
const sentinelFile = "sentinel.jsonl"

// A sentinelBest is one line of the file.
type sentinelBest struct {
	Machine string  `json:"machine"`
	NS      float64 `json:"ns"`
}

// Remember returns the best time that the sentinel ever had on the machine of
// the key (see Key), this one included, in nanoseconds, and keeps it in the
// cache directory. A run made wholly beside a noisy neighbour can be told only
// by what the machine did at another time. A time that is not positive is not
// kept: it asks what is known, 0 when nothing is. A directory that cannot be
// read or written costs the memory and nothing else.
func Remember(cacheDir, key string, sentinelNS float64) (best float64) {
	name := filepath.Join(cacheDir, sentinelFile)
	if cacheDir != "" {
		data, _ := os.ReadFile(name)
		best = remembered(data, key)
	}
	if !(sentinelNS > 0) || math.IsInf(sentinelNS, 1) || best > 0 && best <= sentinelNS {
		return best
	}
	line, err := json.Marshal(sentinelBest{key, sentinelNS})
	if err != nil || cacheDir == "" || os.MkdirAll(cacheDir, 0o777) != nil {
		return sentinelNS
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return sentinelNS
	}
	defer f.Close()
	// The line break before ends a line that was cut short.
	f.Write(append(append([]byte{'\n'}, line...), '\n'))
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

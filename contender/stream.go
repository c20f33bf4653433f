package contender

import (
	"strconv"
	"strings"
)

// A StreamWay is how messages get to a file and back, as the key of a streams mode says it:
// "stream=file,codec=zstd,cpus=2".
type StreamWay struct {
	// Codec compresses the file; empty: the file is not compressed.
	Codec string
	// CPUs is the number of goroutines that share the messages, each with its own file; at
	// least 1.
	CPUs int
}

// Mode returns the mode's key.
func (w StreamWay) Mode() string {
	mode := StreamMode
	if w.Codec != "" {
		mode += ",codec=" + w.Codec
	}
	if w.CPUs > 1 {
		mode += ",cpus=" + strconv.Itoa(w.CPUs)
	}
	return mode
}

// StreamWayOf parses the key of a streams mode. Ok is false for other modes, and for keys that
// Mode would not return.
func StreamWayOf(mode string) (way StreamWay, ok bool) {
	way.CPUs = 1
	rest, ok := strings.CutPrefix(mode, StreamMode)
	if !ok {
		return way, false
	}
	for part := range strings.SplitSeq(strings.TrimPrefix(rest, ","), ",") {
		switch key, value, _ := strings.Cut(part, "="); key {
		case "codec":
			way.Codec = value
		case "cpus":
			way.CPUs, _ = strconv.Atoi(value)
		}
	}
	return way, way.Mode() == mode
}

// Streams says whether a mode is a streams mode.
func Streams(mode string) bool {
	_, ok := StreamWayOf(mode)
	return ok
}

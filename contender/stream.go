package contender

import (
	"strconv"
	"strings"
)

// A StreamWay is how messages get to a file and back, as a mode of streams says it:
// "stream=file,codec=zstd,cpus=2".
type StreamWay struct {
	// Codec compresses what is written to the file; empty: the file is plain.
	Codec string
	// CPUs is how many goroutines share the messages, each with a file of its own, from 1.
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

// StreamWayOf returns what a mode says of streams; ok is false for modes of values in
// memory, and for keys that Mode does not return.
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

// Streams says whether a mode is one of streams.
func Streams(mode string) bool {
	_, ok := StreamWayOf(mode)
	return ok
}

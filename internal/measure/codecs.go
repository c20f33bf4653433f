package measure

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"assay/bench/compress"
	"assay/contender"
	"assay/internal/analysis"
	"assay/internal/plan"
	"assay/result"
)

// codecs is the suffix of the name of a group whose runner also links compressors. The ops of
// package compress are timed in such a runner only, so that the compressors' code is not laid out
// among the other libraries in ordinary runners.
const codecs = "codecs"

// whole is the suffix of the name of a group whose runner is for whole values. It links the same
// as the ordinary runner of the group. It has its own name because the runner of the group's
// streams, which may be in the same run, links something else.
const whole = "whole"

// with returns the name of a group's runner of a kind: codecs, whole, or "".
func with(group, kind string) string {
	switch {
	case kind == "":
		return group
	case group == "":
		return kind
	}
	return group + "+" + kind
}

// cut splits the result of with into group and kind.
func cut(name string) (group, kind string) {
	for _, kind := range []string{codecs, whole} {
		if name == kind {
			return "", kind
		}
		if group, ok := strings.CutSuffix(name, "+"+kind); ok {
			return group, kind
		}
	}
	return name, ""
}

// cutCodecs returns the group of a runner, and whether the runner links compressors.
func cutCodecs(name string) (group string, ok bool) {
	group, kind := cut(name)
	return group, kind == codecs
}

// kindOf returns the kind of runner in which a case is measured: codecs, whole, or "".
func kindOf(c result.Case) string {
	switch {
	case contender.Whole(c.Mode):
		return whole
	case packed(c):
		return codecs
	}
	return ""
}

// compresses says whether an op is one of package compress.
func compresses(op result.Op) bool { return slices.Contains(compress.Ops, op) }

// packed says whether a case needs a runner with codecs.
func packed(c result.Case) bool {
	way, _ := contender.StreamWayOf(c.Mode)
	return compresses(c.Op) || way.Codec != ""
}

// cpusNamed matches the numbers of goroutines in a pattern of modes.
var cpusNamed = regexp.MustCompile(`cpus=(\d+)`)

// mostCPUs is the largest number of goroutines of a stream.
const mostCPUs = 1024

// StreamModes returns the mode of whole values and the modes of streams: uncompressed and with
// every codec, each on every number of goroutines in cpus and in the pattern. If there is no
// number, it uses one goroutine.
func StreamModes(pattern string, cpus []int) []string {
	for _, found := range cpusNamed.FindAllStringSubmatch(pattern, -1) {
		if n, err := strconv.Atoi(found[1]); err == nil && 1 <= n && n <= mostCPUs {
			cpus = append(slices.Clone(cpus), n)
		}
	}
	if len(cpus) == 0 {
		cpus = []int{1}
	}
	cpus = slices.Compact(slices.Sorted(slices.Values(cpus)))
	modes := []string{contender.WholeMode}
	for i := -1; i < len(compress.Codecs); i++ {
		var way contender.StreamWay
		if i >= 0 {
			way.Codec = compress.Codecs[i].Name
		}
		for _, way.CPUs = range cpus {
			modes = append(modes, way.Mode())
		}
	}
	return modes
}

// CodecModes returns the modes that a runner with codecs adds to a contender.
func CodecModes(c *contender.Contender, op result.Op) []string {
	if !compresses(op) || c.Name == analysis.Floor || !slices.Contains(c.Ops, result.Encode) || !slices.ContainsFunc(Known(), func(x *contender.Contender) bool { return x.Name == c.Name }) {
		return nil
	}
	return compress.Modes()
}

// CodecOf returns the codec that a mode names.
func CodecOf(mode string) (compress.Codec, bool) {
	name, ok := strings.CutPrefix(mode, compress.Axis+"=")
	if !ok {
		return compress.Codec{}, false
	}
	return compress.Named(name)
}

// CodecText describes a mode that names a codec.
func CodecText(c compress.Codec) string {
	return fmt.Sprintf("messages of the default mode are compressed and decompressed, one by one: %s", c.Text)
}

// groupNames returns the names of the runners that a selection needs: each group with each kind,
// the default group first. Cases of contenders that all runners link belong to the first group.
func groupNames(sel plan.Selection) []string {
	var out []string
	for i, group := range groups(sel.Contenders) {
		has := map[string]bool{}
		for _, c := range sel.Cases {
			here := i == 0
			if !common(c.Contender) {
				here = slices.ContainsFunc(sel.Contenders, func(x *contender.Contender) bool { return x.Name == c.Contender && x.Group == group })
			}
			if here {
				has[kindOf(c)] = true
			}
		}
		has[""] = has[""] || len(has) == 0
		for _, kind := range []string{"", codecs, whole} {
			if has[kind] {
				out = append(out, with(group, kind))
			}
		}
	}
	return out
}

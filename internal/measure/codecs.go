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

// codecs ends the name of a group whose runner links what compresses as well.
// The ops of package compress are timed there and nowhere else: what compresses
// is then not among the code that lies around the libraries otherwise.
const codecs = "codecs"

// whole ends the name of a group whose runner is for whole values. It is the ordinary
// runner of the group, and has a name of its own because that of streams beside it links
// something else.
const whole = "whole"

// with returns the name of a group with codecs, whole, or neither.
func with(group, kind string) string {
	switch {
	case kind == "":
		return group
	case group == "":
		return kind
	}
	return group + "+" + kind
}

// cut returns a group's name without what with added, and that.
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

// cutCodecs returns a group without codecs, and whether its runner links what
// compresses.
func cutCodecs(name string) (group string, ok bool) {
	group, kind := cut(name)
	return group, kind == codecs
}

// kindOf says what kind of runner a case is measured in: codecs, whole, or neither.
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

// cpusNamed are the numbers of goroutines that a pattern of modes names.
var cpusNamed = regexp.MustCompile(`cpus=(\d+)`)

// mostCPUs is the largest number of goroutines of a stream.
const mostCPUs = 1024

// StreamModes returns the mode of whole values, and the modes of streams on the numbers of
// goroutines and those that a pattern of modes names, plain and by every codec. No number is
// one goroutine.
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

// CodecText says what is done in a mode that names a codec.
func CodecText(c compress.Codec) string {
	return fmt.Sprintf("messages of the default mode are compressed and decompressed, one by one: %s", c.Text)
}

// groupNames returns the groups, each with the kinds of runners that a selection needs,
// those of the default group first. What all runners have belongs to the first.
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

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

// withCodecs returns the name of that group with codecs.
func withCodecs(group string) string {
	if group == "" {
		return codecs
	}
	return group + "+" + codecs
}

// cutCodecs returns a group without codecs, and whether its runner links what
// compresses.
func cutCodecs(name string) (group string, ok bool) {
	if name == codecs {
		return "", true
	}
	return strings.CutSuffix(name, "+"+codecs)
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

// StreamModes returns the modes of streams on the numbers of goroutines, and those that a
// pattern of modes names, plain and by every codec. No number is one goroutine.
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
	var modes []string
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

// groupNames returns the groups, with codecs and without, whose runners a selection needs, those of the default group
// first. What all runners have belongs to the first.
func groupNames(sel plan.Selection) []string {
	var out []string
	for i, group := range groups(sel.Contenders) {
		plain, squeezed := false, false
		for _, c := range sel.Cases {
			here := i == 0
			if !common(c.Contender) {
				here = slices.ContainsFunc(sel.Contenders, func(x *contender.Contender) bool { return x.Name == c.Contender && x.Group == group })
			}
			squeezed = squeezed || here && packed(c)
			plain = plain || here && !packed(c)
		}
		if plain || !squeezed {
			out = append(out, group)
		}
		if squeezed {
			out = append(out, withCodecs(group))
		}
	}
	return out
}

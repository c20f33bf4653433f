package page

import (
	"bytes"
	"go/format"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"assay/contender"
	"assay/result"
)

// golden is the workload with code in the repository for every contender that supports it.
const golden = "customer"

// loop matches the batch loops of a contender's default mode. They belong to its first codec.
var loop = regexp.MustCompile(`(?s)\nfunc \(c \*codec[A-Za-z]*?0\) (encode|decode)\(n int\) .*?\n}\n`)

// timed returns the batch loops of a contender's default mode, as Go source, and the file that
// they are from. Both are empty if source has no such file, as for an external contender. The
// loops are those for the workload customer. If the format does not support customer, they are
// those for the first workload with code in the repository.
func timed(source fs.FS, c *contender.Contender) (code, file string) {
	if source == nil || c.Emit == nil || c.Dir() == "" {
		return "", ""
	}
	files, err := fs.Glob(source, "contenders/"+c.Dir()+"/gen/*/bind.go")
	if err != nil || len(files) == 0 {
		return "", ""
	}
	file = files[max(0, slices.IndexFunc(files, func(f string) bool { return path.Base(path.Dir(f)) == golden }))]
	data, err := fs.ReadFile(source, file)
	if err != nil {
		return "", ""
	}
	var loops []string
	seen := map[result.Op]bool{}
	for _, m := range loop.FindAllSubmatch(data, -1) {
		op := result.Op(m[1])
		if seen[op] || !slices.Contains(c.Ops, op) {
			continue
		}
		seen[op] = true
		text := bytes.TrimSpace(m[0])
		if tidy, err := format.Source(text); err == nil {
			text = tidy
		}
		loops = append(loops, string(text))
	}
	if len(loops) == 0 {
		return "", ""
	}
	return strings.Join(loops, "\n\n"), file
}

// timedBlock shows the timed code of the named contenders.
func (p *builder) timedBlock(names []string) (block, bool) {
	var inner []block
	for _, name := range names {
		c := p.about(name)
		if c == nil {
			continue
		}
		code, file := timed(p.Code, c)
		if code == "" {
			continue
		}
		inner = append(inner, text(name+", "+file+":"), block{Code: code})
	}
	if len(inner) == 0 {
		return block{}, false
	}
	intro := text("These are the loops of the default mode for a message of one workload, from the repository. " +
		"assay runner source DIR writes all code that is timed, with the types and the conversions.")
	return block{Summary: "The code that is timed", Inner: append([]block{intro}, inner...)}, true
}

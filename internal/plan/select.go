// Package plan decides what is measured: which cases, in which cells, with how many rounds of
// each, within which budget.
package plan

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"assay/contender"
	"assay/internal/phrase"
	"assay/result"
	"assay/workload"
)

// Options say what Select selects from and how.
type Options struct {
	Workloads  []*workload.Workload
	Contenders []*contender.Contender
	// Keep reports whether a case is wanted. Nil keeps all.
	Keep func(result.Case) bool
	// Beside reports which other cases are measured in the cells that have a wanted case. Nil
	// means none.
	Beside func(result.Case) bool
	// Ops are the ops of the run. Empty means DefaultOps.
	Ops []result.Op
	// Size selects sizes by an unanchored regular expression, or is the key of a size that the
	// workload does not declare but can make. If it is empty, the workload's default sizes are
	// selected, or its quick sizes if Quick is set.
	Size  string
	Quick bool
	// Typical selects, if Size is empty, only the typical size of each workload that has one.
	Typical bool
	// More returns the modes in which a contender offers an op besides the modes that it
	// declares. Nil means none.
	More func(*contender.Contender, result.Op) []string
	// Larger is advice for a size that takes too much memory. If it is empty, tooLarge gives
	// general advice. Alone says that the command also measures streams and whole values and has
	// the flag --memory, so that general advice may name these.
	Larger string
	Alone  bool
	// Streams are the modes of streams and of whole values. Empty means a plain file and one
	// goroutine.
	Streams []string
	// Holds returns an error that says why a contender's format cannot hold a workload, or nil
	// if it can.
	Holds func(*contender.Contender, *workload.Workload) error
	// Memory is how much memory the values of one launch may take, in bytes. A size that needs
	// more is refused. 0 means DefaultMemory.
	Memory int64
}

// DefaultMemory is how much memory the values of one launch may take by default, in bytes.
const DefaultMemory = 2 << 30

// DefaultOps are the ops that are measured if none are asked for. They exclude convert: it
// measures how the libraries' types differ, not how the formats do.
var DefaultOps = []result.Op{result.Encode, result.Decode, result.Open, result.Scan}

// A Selection is the set of cases that a run will measure.
type Selection struct {
	// Cases are in the order of workloads, sizes, ops, contenders, modes. They include the
	// cases that Outcomes rules out, because every case that was asked for has a row.
	Cases []result.Case
	// Outcomes say why some of the cases cannot be measured. TooLarge are the cases among them
	// whose size takes too much memory.
	Outcomes []result.Outcome
	TooLarge []result.Case
	// Workloads and Contenders are those of the cases that can be measured.
	Workloads  []*workload.Workload
	Contenders []*contender.Contender
}

// Live returns the cases that no outcome rules out.
func (s Selection) Live() []result.Case {
	return Without(s.Cases, s.Outcomes)
}

// Without returns the cases that no outcome rules out.
func Without(cases []result.Case, outcomes []result.Outcome) []result.Case {
	out := map[result.Case]bool{}
	for _, o := range outcomes {
		out[o.Case] = true
	}
	return slices.DeleteFunc(slices.Clone(cases), func(c result.Case) bool { return out[c] })
}

// Select returns the cases that the options ask for. It is an error if there are none.
func Select(o Options) (Selection, error) {
	var sel Selection
	for _, w := range o.Workloads {
		sizes, err := o.sizes(w)
		if err != nil {
			return Selection{}, err
		}
		for _, size := range sizes {
			o.add(&sel, w, size)
		}
	}
	if len(sel.Cases) == 0 {
		return Selection{}, fmt.Errorf("nothing is selected: no case of %s matches the filters", workloadNames(o.Workloads))
	}
	live := sel.Live()
	for _, w := range o.Workloads {
		if slices.ContainsFunc(live, func(c result.Case) bool { return c.Workload == w.Name }) {
			sel.Workloads = append(sel.Workloads, w)
		}
	}
	for _, c := range o.Contenders {
		if slices.ContainsFunc(live, func(x result.Case) bool { return x.Contender == c.Name }) {
			sel.Contenders = append(sel.Contenders, c)
		}
	}
	return sel, nil
}

func workloadNames(all []*workload.Workload) string {
	names := make([]string, len(all))
	for i, w := range all {
		names[i] = w.Name
	}
	return strings.Join(names, ", ")
}

// sizes returns the sizes of a workload that the options ask for.
func (o Options) sizes(w *workload.Workload) ([]workload.Size, error) {
	var sizes []workload.Size
	if o.Size == "" {
		if i := slices.IndexFunc(w.Sizes, func(s workload.Size) bool { return s.Typical }); o.Typical && i >= 0 {
			return w.Sizes[i : i+1], nil
		}
		for _, s := range w.Sizes {
			if o.Quick && s.Quick || !o.Quick && s.Default {
				sizes = append(sizes, s)
			}
		}
		return sizes, nil
	}
	for _, s := range w.Sizes {
		if s.Key == o.Size {
			return []workload.Size{s}, nil
		}
	}
	// A size given in full means that size, even if a pattern would match others: txs=500 is a
	// part of txs=5000.
	if w.Custom != nil {
		if s, err := w.Custom(o.Size); err == nil {
			return []workload.Size{s}, nil
		}
	}
	re, err := regexp.Compile(o.Size)
	if err != nil {
		return nil, fmt.Errorf("--size: %w", err)
	}
	for _, s := range w.Sizes {
		if re.MatchString(s.Key) {
			sizes = append(sizes, s)
		}
	}
	return sizes, nil
}

// add appends the cases of one workload at one size.
func (o Options) add(sel *Selection, w *workload.Workload, size workload.Size) {
	ops := o.Ops
	if len(ops) == 0 {
		ops = DefaultOps
	}
	first := len(sel.Cases)
	wanted := map[*contender.Contender]bool{}
	for _, op := range result.Ops {
		if !slices.Contains(ops, op) {
			continue
		}
		before, some := len(sel.Cases), false
		for _, c := range o.Contenders {
			for _, mode := range o.modes(c, op) {
				one := result.Case{Workload: w.Name, Size: size.Key, Contender: c.Name, Mode: mode, Op: op}
				keep := o.Keep == nil || o.Keep(one)
				if keep || o.Beside != nil && o.Beside(one) {
					sel.Cases = append(sel.Cases, one)
					some = some || keep
				}
			}
		}
		if !some {
			sel.Cases = sel.Cases[:before]
		}
	}
	added := sel.Cases[first:]
	for _, c := range o.Contenders {
		if slices.ContainsFunc(added, func(x result.Case) bool { return x.Contender == c.Name }) {
			wanted[c] = true
		}
	}
	if reason := o.tooLarge(w, size, len(wanted)); reason != "" {
		sel.TooLarge = append(sel.TooLarge, added...)
		for _, c := range added {
			sel.Outcomes = append(sel.Outcomes, result.Outcome{Case: c, Status: result.Unsupported, Reason: reason})
		}
		return
	}
	for c := range wanted {
		err := error(nil)
		if o.Holds != nil {
			err = o.Holds(c, w)
		}
		for _, one := range added {
			if one.Contender != c.Name {
				continue
			}
			if why := cmp.Or(err, refused(c.Mode(one.Mode), w)); why != nil {
				sel.Outcomes = append(sel.Outcomes, result.Outcome{Case: one, Status: result.Unsupported, Reason: why.Error()})
			}
		}
	}
	slices.SortFunc(sel.Outcomes, func(a, b result.Outcome) int { return cmp.Compare(a.Case.String(), b.Case.String()) })
}

// refused returns why a mode cannot hold a workload's schema, if the contender can.
func refused(m *contender.Mode, w *workload.Workload) error {
	if m == nil || m.Refuses == nil || w.Schema == nil {
		return nil
	}
	if no := m.Refuses(w.Schema); no != nil {
		return no
	}
	return nil
}

// modes returns the modes in which a contender offers an op, the default mode
// first.
func (o Options) modes(c *contender.Contender, op result.Op) []string {
	var keys []string
	if slices.Contains(c.Ops, op) {
		keys = append(keys, "")
		for _, m := range c.Modes {
			if slices.Contains(m.Ops, op) {
				keys = append(keys, m.Key)
			}
		}
	}
	if o.More != nil {
		keys = append(keys, o.More(c, op)...)
	}
	return keys
}

// memoryTimes is about how much memory each contender of a launch takes, as a multiple of the size of
// the values: its own copy of them, their encoded bytes, and the garbage of one operation.
const memoryTimes = 3

// tooLarge returns why a size cannot be measured with that many contenders in one process, or
// an empty string if it can.
func (o Options) tooLarge(w *workload.Workload, size workload.Size, contenders int) string {
	limit := o.Memory
	if limit == 0 {
		limit = DefaultMemory
	}
	need := size.Bytes * int64(size.Inputs()) * int64(1+memoryTimes*contenders)
	if need <= limit {
		return ""
	}
	most := (limit/(size.Bytes*int64(size.Inputs())) - 1) / memoryTimes
	one := Bytes(size.Bytes * int64(size.Inputs()) * int64(1+memoryTimes))
	hint := fmt.Sprintf("no single contender fits (one takes about %s): select a smaller size", one)
	if o.Alone {
		hint = fmt.Sprintf("no single contender fits: allow more with --memory (one contender takes about %s)", one)
		if w.Generate != nil {
			hint += ", or measure each contender in a process of its own with -m whole"
		}
		if w.Stream != nil {
			hint += ", or as a stream with -m stream"
		}
	}
	if most >= 1 {
		hint = fmt.Sprintf("select at most %s with -c", phrase.Count(int(most), "contender"))
		if o.Alone {
			hint += ", or allow more with --memory"
		}
	}
	return fmt.Sprintf("%s takes about %s for %s in one process, more than the %s allowed; %s",
		size.Key, Bytes(need), phrase.Count(contenders, "contender"), Bytes(limit), cmp.Or(o.Larger, hint))
}

// Bytes returns a number of bytes in a form for people to read.
func Bytes(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%d B", n)
}

// Prime reports whether the size of a case is the first one to be measured of its workload,
// among the cases of a plan: the typical size or, if no case has it, the first size.
func Prime(workloads []*workload.Workload, cases []result.Case, c result.Case) bool {
	first := ""
	i := slices.IndexFunc(workloads, func(w *workload.Workload) bool { return w.Name == c.Workload })
	for _, x := range cases {
		if x.Workload != c.Workload {
			continue
		}
		if first == "" {
			first = x.Size
		}
		if i >= 0 && slices.ContainsFunc(workloads[i].Sizes, func(s workload.Size) bool { return s.Typical && s.Key == x.Size }) {
			first = x.Size
			break
		}
	}
	return c.Size == first
}

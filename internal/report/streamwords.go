package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"assay/internal/analysis"
	"assay/internal/phrase"
	"assay/result"
)

// StreamWords says what a run of streams and whole values found at the largest size of each
// workload, in one sentence each: the fastest contender, the smallest file, and the least memory
// to write and to read. Contenders with overlapping bounds are named together.
func StreamWords(r *analysis.Results) []string {
	type group struct {
		workload string
		whole    bool
	}
	order, of := groupStreams(r, func(c result.Cell, whole bool) group { return group{c.Workload, whole} })
	var lines []string
	for _, g := range order {
		if text := streamSentence(largest(of[g], g.whole), g.whole); text != "" {
			lines = append(lines, text)
		}
	}
	return lines
}

// groupStreams returns the tables of streams and of whole values by group, and the groups in the
// order of the tables.
func groupStreams[G comparable](r *analysis.Results, group func(c result.Cell, whole bool) G) (order []G, of map[G][]*analysis.Table) {
	of = map[G][]*analysis.Table{}
	for i := range r.Tables {
		t := &r.Tables[i]
		for _, whole := range kindsOf(t) {
			g := group(t.Cell, whole)
			if of[g] == nil {
				order = append(order, g)
			}
			of[g] = append(of[g], t)
		}
	}
	return order, of
}

// largest returns the tables of the largest size, by op. The largest size is the one where some
// contender's messages take the most bytes.
func largest(tables []*analysis.Table, whole bool) map[result.Op]*analysis.Table {
	last := slices.MaxFunc(tables, bySize(whole))
	of := map[result.Op]*analysis.Table{}
	for _, t := range tables {
		if t.Cell.Size == last.Cell.Size {
			of[t.Cell.Op] = t
		}
	}
	return of
}

// bySize compares the sizes of two tables.
func bySize(whole bool) func(a, b *analysis.Table) int {
	return func(a, b *analysis.Table) int { return cmp.Compare(mostBytes(a, whole), mostBytes(b, whole)) }
}

// mostBytes returns the size in bytes of the largest stream or whole value of a table; 0 if none
// has a number.
func mostBytes(t *analysis.Table, whole bool) float64 {
	most := 0.0
	for _, c := range t.ByStreamTime(whole) {
		if row, ok := t.Row(c, analysis.StreamBytes); ok && row.Number != nil {
			most = max(most, row.Number.Value)
		}
	}
	return most
}

// streamSentence returns what the tables of both ops of one size show, in one sentence.
func streamSentence(of map[result.Op]*analysis.Table, whole bool) string {
	write, read := of[result.Encode], of[result.Decode]
	at := write
	if at == nil {
		at = read
	}
	how, best := "as a stream", []string{
		leader(write, whole, analysis.StreamTime, "fastest to write"), leader(read, whole, analysis.StreamTime, "fastest to read"),
		leader(at, whole, analysis.StreamBytes, "smallest"), leastMemory(write, read, whole),
	}
	if whole {
		how = "whole in memory"
	}
	var said []string
	for _, text := range best {
		if text != "" {
			said = append(said, text)
		}
	}
	if len(said) == 0 {
		return ""
	}
	return fmt.Sprintf("%s %s, %s: %s", at.Cell.Workload, at.Cell.Size, how, strings.Join(said, "; "))
}

// leastMemory names the contenders that take the least memory to write and to read. It is empty
// if neither is known.
func leastMemory(write, read *analysis.Table, whole bool) string {
	text := leader(write, whole, analysis.StreamPeak, "least memory to write")
	if text == "" {
		return leader(read, whole, analysis.StreamPeak, "least memory to read")
	}
	if reading := leader(read, whole, analysis.StreamPeak, "to read"); reading != "" {
		text += ", " + reading
	}
	return text
}

// mostLeaders is how many contenders that are not told apart a sentence names.
const mostLeaders = 3

// alike is the largest size of a file, relative to the smallest, that is named with the smallest.
const alike = 1.01

// leader names the contenders with the least of a metric, with those whose bounds overlap, and
// the least value: "fastest to write protobuf (912 ns a message)". It is empty if fewer than two
// contenders have a value. It is also empty for a time if the fastest contender has only one
// process, because the next process may take twice as long.
func leader(t *analysis.Table, whole bool, metric, word string) string {
	if t == nil {
		return ""
	}
	type entry struct {
		who   string
		value analysis.Interval
	}
	var all []entry
	least := 0
	for _, c := range t.ByStreamTime(whole) {
		row, ok := t.Row(c, metric)
		if !ok || row.Number == nil {
			continue
		}
		if all = append(all, entry{streamSubject(c).String(), *row.Number}); row.Number.Value < all[least].value.Value {
			least = len(all) - 1
		}
	}
	if len(all) < 2 {
		return ""
	}
	first := all[least]
	reach := first.value.Hi
	switch {
	case metric == analysis.StreamTime && first.value.Lo == first.value.Hi:
		return ""
	case metric == analysis.StreamBytes:
		reach *= alike
	}
	names := []string{first.who}
	for i, e := range all {
		if i != least && e.value.Lo <= reach {
			names = append(names, e.who)
		}
	}
	if extra := len(names) - mostLeaders; extra > 0 {
		names = append(names[:mostLeaders], fmt.Sprintf("%d more", extra))
	}
	value := BytesText(first.value.Value)
	if metric == analysis.StreamTime {
		value = phrase.Nanoseconds(first.value.Value)
		if !whole {
			value += " a message"
		}
	}
	return word + " " + phrase.List(names, "or") + " (" + value + ")"
}

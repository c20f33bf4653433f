package report

import (
	"fmt"
	"strings"

	"assay/internal/analysis"
	"assay/internal/phrase"
	"assay/result"
)

// StreamWords say what a run of streams and whole values found at the largest size of each
// workload, a sentence each: who is fastest, whose file is smallest, and who takes
// least memory. Contenders whose bounds overlap are named together.
func StreamWords(r *analysis.Results) []string {
	type group struct {
		workload string
		whole    bool
	}
	largest := map[group]map[result.Op]*analysis.Table{}
	var order []group
	for i := range r.Tables {
		t := &r.Tables[i]
		for _, whole := range kindsOf(t) {
			g := group{t.Cell.Workload, whole}
			if largest[g] == nil {
				largest[g] = map[result.Op]*analysis.Table{}
				order = append(order, g)
			}
			largest[g][t.Cell.Op] = t
		}
	}
	var lines []string
	for _, g := range order {
		if text := streamSentence(largest[g], g.whole); text != "" {
			lines = append(lines, text)
		}
	}
	return lines
}

// streamSentence is what the tables of both ops of one size say.
func streamSentence(of map[result.Op]*analysis.Table, whole bool) string {
	write, read := of[result.Encode], of[result.Decode]
	at := write
	if at == nil {
		at = read
	}
	how, best := "as a stream", []string{
		leader(write, whole, analysis.StreamTime, "fastest to write"), leader(read, whole, analysis.StreamTime, "fastest to read"),
		leader(at, whole, analysis.StreamBytes, "smallest"), leader(at, whole, analysis.StreamPeak, "least memory"),
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

// mostLeaders is how many contenders are named that are not told apart.
const mostLeaders = 3

// leader names who has the least of a metric, with those whose bounds reach that, and the
// value of the first: "fastest to write protobuf (912 ns a message)". It is empty where
// fewer than two have a value.
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
	names := []string{first.who}
	for i, e := range all {
		if i != least && e.value.Lo <= first.value.Hi {
			names = append(names, e.who)
		}
	}
	if extra := len(names) - mostLeaders; extra > 0 {
		names = append(names[:mostLeaders], fmt.Sprintf("%d more", extra))
	}
	value := bytes(first.value.Value)
	if metric == analysis.StreamTime {
		text, unit := duration(first.value.Value)
		value = text + " " + unit + " a message"
		if whole {
			value = text + " " + unit
		}
	}
	return word + " " + phrase.List(names, "or") + " (" + value + ")"
}

package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay/contender"
	"assay/internal/phrase"
	"assay/internal/plan"
	"assay/internal/texttab"
	"assay/result"
)

// A Planned is what a run in launches would measure.
type Planned struct {
	Plan      result.Plan
	Selection plan.Selection
	// Phases says how long each phase takes.
	Phases string
}

// PlannedText writes the cells of a plan, the time of its phases, and the contenders that are
// ruled out.
func PlannedText(w io.Writer, p *Planned, opts Options) error {
	opts = opts.orDefaults()
	live := p.Selection.Live()
	cells := map[result.Cell]int{}
	var order []result.Cell
	for _, c := range live {
		if cells[c.Cell()] == 0 {
			order = append(order, c.Cell())
		}
		cells[c.Cell()]++
	}
	var lines []string
	if len(live) > 0 {
		t := &texttab.Headed{}
		t.Limit = opts.Width
		t.Head("workload", "size", "op", ">cases")
		for _, c := range order {
			t.Line(c.Workload, c.Size, string(c.Op), fmt.Sprint(cells[c]))
		}
		if err := t.Format(w, opts.Color); err != nil {
			return err
		}
		limit := "within " + plan.Brief(p.Plan.Budget) + " after the build"
		if p.Plan.Rounds > 0 {
			limit = phrase.Count(p.Plan.Rounds, "round") + " each, however long that takes"
		}
		if _, err := fmt.Fprintln(w); err != nil {
			return err
		}
		lines = append(lines, fmt.Sprintf("%s in %s, each launched in up to %s and the ordinary one, %s", phrase.Count(len(live), "case"),
			phrase.Count(len(order), "cell"), phrase.Count(len(p.Plan.Layouts)-1, "random layout"), limit))
		if p.Phases != "" {
			lines = append(lines, p.Phases)
		}
	}
	return footnotes(w, append(lines, leftOut(p.Selection)...), nil, opts.Width)
}

// mostRuled is how many contenders a line names that are ruled out for the same reason.
const mostRuled = 6

// RuledOut returns a line for each reason, with the contenders that it rules out: "canada bson,
// capnp: ...". If the reason begins with the size, it applies to all contenders, so the line
// names none.
func RuledOut(outcomes []result.Outcome) []string {
	type key struct{ workload, reason string }
	var order []key
	cases := map[key][]result.Case{}
	for _, o := range outcomes {
		k := key{o.Case.Workload, o.Reason}
		if cases[k] == nil {
			order = append(order, k)
		}
		cases[k] = append(cases[k], o.Case)
	}
	var lines []string
	for _, k := range order {
		if strings.HasPrefix(k.reason, cases[k][0].Size) {
			lines = append(lines, k.workload+" "+k.reason)
			continue
		}
		modes := !slices.ContainsFunc(cases[k], func(c result.Case) bool { return c.Mode == "" })
		var who []string
		for _, c := range cases[k] {
			name := c.Contender
			if modes { // the contender itself is measured
				name = c.Subject().String()
			}
			if !slices.Contains(who, name) {
				who = append(who, name)
			}
		}
		lines = append(lines, fmt.Sprintf("%s %s: %s", k.workload, phrase.Some(who, mostRuled), k.reason))
	}
	return lines
}

// A Demand says how much time, memory and disk space the streams and whole values of an order
// need.
type Demand struct {
	plan.StreamNeed
	// Limit is the memory that a process may take, and Room the free disk space; 0 if it is not
	// known. Both are in bytes.
	Limit, Room int64
}

// String describes the demand.
func (d Demand) String() string {
	var counts, largest []string
	if d.Streams > 0 {
		counts = append(counts, phrase.Count(d.Streams, "stream"))
		largest = append(largest, fmt.Sprintf("the largest has %s of values in messages of %s", plan.Bytes(d.Values), plan.Bytes(d.Message)))
	}
	if d.Wholes > 0 {
		counts = append(counts, phrase.Count(d.Wholes, "whole value"))
		largest = append(largest, fmt.Sprintf("the largest whole value has %s and may need %s of memory", plan.Bytes(d.Whole), plan.Bytes(d.Memory())))
	}
	text := fmt.Sprintf("%s one after the other, about %s; %s",
		strings.Join(counts, " and "), plan.Brief(max(time.Second, d.Time.Round(time.Second))), strings.Join(largest, ", "))
	if d.Room > 0 {
		text += fmt.Sprintf(", and there is room for a file of %s", plan.Bytes(d.Room))
	}
	return text + fmt.Sprintf("; a process may take %s of memory", plan.Bytes(d.Limit))
}

// StreamsText writes what a run of streams and whole values would measure, and the contenders that
// are ruled out.
func StreamsText(w io.Writer, s plan.Selection, d Demand, opts Options) error {
	opts = opts.orDefaults()
	var lines []string
	if live := s.Live(); len(live) > 0 {
		t := &texttab.Headed{}
		t.Limit = opts.Width
		t.Head("workload", "size", "contender", "op", ">messages", ">about")
		for _, c := range live {
			took, err := plan.StreamTime(s, c)
			if err != nil {
				return err
			}
			messages := plan.StreamMessages(s.Workloads, c)
			who := c.Contender
			if contender.Whole(c.Mode) {
				who = c.Subject().String()
			}
			t.Line(c.Workload, c.Size, who, string(c.Op), strconv.FormatInt(messages, 10), plan.Brief(max(time.Second, took.Round(time.Second))))
		}
		if err := t.Format(w, opts.Color); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(w); err != nil {
			return err
		}
		lines = append(lines, d.String())
	}
	return footnotes(w, append(lines, leftOut(s)...), nil, opts.Width)
}

// leftOut returns a line for each reason why cases of a selection are left out.
func leftOut(s plan.Selection) (lines []string) {
	for _, line := range RuledOut(s.Outcomes) {
		lines = append(lines, "left out: "+line)
	}
	return lines
}

package probes

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"assay/contender"
	"assay/result"
)

// A Fate is what a library does to a probe's values.
type Fate string

// The fates.
const (
	Survives      Fate = "survives"       // the value comes back unchanged
	Changes       Fate = "changes"        // another value comes back, without an error
	EncodeRefuses Fate = "encode-refuses" // encode returns an error
	DecodeRefuses Fate = "decode-refuses" // encode succeeds and decode returns an error
	Dies          Fate = "dies"           // the process ends
)

// Fates lists all fates, best first.
var Fates = []Fate{Survives, Changes, EncodeRefuses, DecodeRefuses, Dies}

// An Answer is the result of one probe of a subject.
type Answer struct {
	Fate Fate `json:"fate"`
	// Words say what changed, from what to what, or quote the library's error.
	Words string `json:"words,omitempty"`
}

// A Row holds the results of all probes of one contender in one mode, with no loss forgiven.
type Row struct {
	Contender string `json:"contender"`
	Mode      string `json:"mode"`
	// Encoded is the size of the base event in bytes.
	Encoded int `json:"encoded"`
	// Varies says that encoding equal values gave different bytes.
	Varies bool `json:"varies"`
	// Aliases are the kinds of data in a decoded value that point into the message: strings,
	// bytes.
	Aliases []string `json:"aliases"`
	// Answers holds the answers by name of the probe. Rows leaves out probes that were not
	// verified; Parse fills in an answer to every probe.
	Answers map[string]Answer `json:"answers"`
}

// Rows returns the results of verifications of the workload's sizes. The verifications must
// report habits and forgive no loss. There is one row for each subject, in the order of the
// subjects' first verifications.
func Rows(verifications []result.Verification) []Row {
	var rows []Row
	at := map[result.Subject]int{}
	for _, v := range verifications {
		name, ok := strings.CutPrefix(v.Size, "probe=")
		if v.Workload != Workload.Name || !ok || v.From != nil {
			continue
		}
		i, ok := at[v.Subject]
		if !ok {
			i = len(rows)
			at[v.Subject] = i
			rows = append(rows, Row{Contender: v.Contender, Mode: v.Mode, Aliases: []string{}, Answers: map[string]Answer{}})
		}
		rows[i].add(name, v)
	}
	return rows
}

func (r *Row) add(name string, v result.Verification) {
	r.Answers[name] = answer(v)
	if v.Habits == nil {
		return
	}
	r.Varies = r.Varies || v.Habits.Varies
	if name == Base {
		r.Encoded = v.Habits.Encoded
	}
	for _, what := range v.Habits.Aliases {
		if !slices.Contains(r.Aliases, what) {
			r.Aliases = append(r.Aliases, what)
		}
	}
	slices.Sort(r.Aliases)
}

func answer(v result.Verification) Answer {
	words := tidy(v.Contender, v.Reason)
	switch {
	case v.OK:
		return Answer{Fate: Survives}
	case v.Changed:
		return Answer{Changes, words}
	case v.Op == result.Encode:
		return Answer{EncodeRefuses, words}
	case v.Op != "":
		return Answer{DecodeRefuses, words}
	}
	return Answer{Dies, words}
}

// prefix matches the beginning of a reason that tidy removes: the number of the input, the op
// and the contender.
var prefix = regexp.MustCompile(`^(input \d+: |bytes of .*? read by .*?: |decode of inputs in turn: |(encode|decode|open|scan|convert): )+`)

// most is the approximate number of characters that tidy keeps of a library's words.
const most = 160

// tidy returns the first line of a reason without its prefix. It replaces words that change
// from process to process: some libraries write no-break spaces, and go-json-experiment
// writes "unable to" for "cannot" in every other process, so that nobody relies on its words.
// It keeps both ends of a long reason, because some libraries begin with the path to the
// value and end with the error.
func tidy(contender, reason string) string {
	reason = strings.ReplaceAll(reason, "\u00a0", " ")
	reason = strings.ReplaceAll(reason, "json: unable to ", "json: cannot ")
	for before := ""; reason != before; {
		before = reason
		reason = prefix.ReplaceAllString(reason, "")
		reason = strings.TrimPrefix(reason, contender+" "+string(result.Encode)+": ")
	}
	reason, _, _ = strings.Cut(strings.TrimSpace(reason), "\n")
	if r := []rune(reason); len(r) > most {
		reason = string(r[:most/2]) + " … " + string(r[len(r)-most/2:])
	}
	return reason
}

// Misdeclared lists the contradictions between a contender's declaration and its rows:
// answers that no declared loss explains, losses that no answer shows, and habits that its
// traits and modes exclude. An empty result means that there are none.
func Misdeclared(c *contender.Contender, rows []Row) []string {
	var wrong []string
	for _, r := range rows {
		ops, own := c.Ops, c.Losses
		if r.Mode != "" {
			m := c.Mode(r.Mode)
			if m == nil {
				wrong = append(wrong, fmt.Sprintf("mode %q is not declared", r.Mode))
				continue
			}
			// A mode need not show the losses of the contender, only its own.
			ops, own = m.Ops, m.Losses
		}
		complain := func(format string, args ...any) {
			wrong = append(wrong, fmt.Sprintf("mode %q: ", r.Mode)+fmt.Sprintf(format, args...))
		}
		lost := unexplained(r, c.LossesIn(r.Mode))
		if len(lost) > 0 && lost[0].Name == Base {
			a := r.Answers[Base]
			complain("probe %s (%s) %s: %s: every library must give it back, and the other probes say nothing before that. "+
				"emit.Style says how the library's types differ from the model's; a schema that it cannot hold is a *contender.Unsupported",
				Base, lost[0].Text, a.Fate, a.Words)
			lost, own = nil, nil
		}
		for _, p := range lost {
			loss := "every library must give it back"
			if len(p.Losses) > 0 {
				loss = fmt.Sprintf("that is the loss %s, which is not declared", p.Losses[0])
			}
			a := r.Answers[p.Name]
			complain("probe %s (%s) %s: %s: %s", p.Name, p.Text, a.Fate, a.Words, loss)
		}
		for _, l := range unshown(r, own) {
			complain("the loss %s is declared, and probe %s does not show it", l, strings.Join(showing(l), " or "))
		}
		encodes, decodes := slices.Contains(ops, result.Encode), slices.Contains(ops, result.Decode)
		if encodes && axis(r.Mode, "order=sorted") && r.Varies {
			complain("equal values have unequal bytes, which order=sorted excludes")
		}
		switch deterministic := slices.Contains(c.Traits, contender.Deterministic); {
		case deterministic && c.SpacesVary:
			complain("another build writes other bytes, which the trait %s excludes", contender.Deterministic)
		case r.Mode != "" || !encodes || c.SpacesVary || r.Varies != deterministic:
		case deterministic:
			complain("equal values have unequal bytes, which the trait %s excludes", contender.Deterministic)
		default:
			complain("equal values have equal bytes, and the trait %s is not declared", contender.Deterministic)
		}
		switch alias := axis(r.Mode, "strings=alias"); {
		case !decodes || alias == (len(r.Aliases) > 0):
		case alias:
			complain("nothing of the decoded value changes with the message, which strings=alias says")
		default:
			complain("%s of the decoded value change with the message, which is strings=alias", strings.Join(r.Aliases, " and "))
		}
	}
	return wrong
}

// axis reports whether a mode contains value, a pair such as strings=alias.
func axis(mode, value string) bool { return slices.Contains(strings.Split(mode, ","), value) }

// unexplained returns the probes whose answer is not Survives and is not explained by one of
// the losses.
func unexplained(r Row, losses []contender.Loss) []Probe {
	var out []Probe
	for _, p := range All {
		a, ok := r.Answers[p.Name]
		explains := func(l contender.Loss) bool { return slices.Contains(losses, l) }
		if ok && a.Fate != Survives && !slices.ContainsFunc(p.Losses, explains) {
			out = append(out, p)
		}
	}
	return out
}

// unshown returns the losses that no answer of a row shows.
func unshown(r Row, losses []contender.Loss) []contender.Loss {
	var out []contender.Loss
	for _, l := range losses {
		lost := func(name string) bool {
			a, ok := r.Answers[name]
			return ok && a.Fate != Survives
		}
		if !slices.ContainsFunc(showing(l), lost) {
			out = append(out, l)
		}
	}
	return out
}

// showing returns the names of the probes that show a loss.
func showing(l contender.Loss) []string {
	var names []string
	for _, p := range All {
		if len(p.Losses) > 0 && p.Losses[0] == l {
			names = append(names, p.Name)
		}
	}
	return names
}

// Differs returns the names of the probes for which the rows have answers with different
// fates. It ignores probes that only one row answers.
func Differs(a, b Row) []string {
	var names []string
	for _, p := range All {
		x, ok := a.Answers[p.Name]
		y, also := b.Answers[p.Name]
		if ok && also && x.Fate != y.Fate {
			names = append(names, p.Name)
		}
	}
	return names
}

// File is the path of the rows of a contender, relative to the contender's directory.
const File = "testdata/probes.json"

// Format encodes the rows of a contender. It leaves out answers that are equal to those of
// the first row, and answers of the first row that are Survives.
func Format(rows []Row) ([]byte, error) {
	var out []Row
	for i, r := range rows {
		kept := map[string]Answer{}
		for name, a := range r.Answers {
			if i == 0 && a.Fate != Survives || i > 0 && a != rows[0].Answers[name] {
				kept[name] = a
			}
		}
		r.Answers = kept
		out = append(out, r)
	}
	data, err := json.MarshalIndent(out, "", "\t")
	return append(data, '\n'), err
}

// Parse decodes the output of Format.
func Parse(data []byte) ([]Row, error) {
	var rows []Row
	if err := json.Unmarshal(data, &rows); err != nil {
		return nil, fmt.Errorf("rows of probes: %w", err)
	}
	for i := range rows {
		all := map[string]Answer{}
		for _, p := range All {
			all[p.Name] = Answer{Fate: Survives}
			if a, ok := rows[0].Answers[p.Name]; ok {
				all[p.Name] = a
			}
			if a, ok := rows[i].Answers[p.Name]; ok {
				all[p.Name] = a
			}
		}
		rows[i].Answers = all
	}
	return rows, nil
}

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

// A Fate is what becomes of a probe's values.
type Fate string

// The fates.
const (
	Survives      Fate = "survives"       // comes back as it was
	Changes       Fate = "changes"        // comes back as another value, without an error
	EncodeRefuses Fate = "encode-refuses" // is not written
	DecodeRefuses Fate = "decode-refuses" // is written and not read
	Dies          Fate = "dies"           // ends the process
)

// Fates are all fates, the best first.
var Fates = []Fate{Survives, Changes, EncodeRefuses, DecodeRefuses, Dies}

// An Answer is what a subject does with a probe.
type Answer struct {
	Fate Fate `json:"fate"`
	// Words say what changed, from what to what, or are the library's own.
	Words string `json:"words,omitempty"`
}

// A Row is what was found out of one contender in one mode, with no loss
// forgiven.
type Row struct {
	Contender string `json:"contender"`
	Mode      string `json:"mode"`
	// Encoded is the size of the base event in bytes.
	Encoded int `json:"encoded"`
	// Varies says that equal values have unequal bytes.
	Varies bool `json:"varies"`
	// Aliases are what of a decoded value points into the message: strings,
	// bytes.
	Aliases []string `json:"aliases"`
	// Answers are by the names of the probes. What a mode does not offer, it
	// has no answer to.
	Answers map[string]Answer `json:"answers"`
}

// Rows returns what verifications of the workload's sizes found, with habits
// asked for and no loss forgiven. There is a row for each subject, in the order
// in which they come first.
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

// prefix is what a reason says before the words that matter here: which input it
// was, and which op of whom.
var prefix = regexp.MustCompile(`^(input \d+: |bytes of .*? read by .*?: |decode of inputs in turn: |(encode|decode|open|scan|convert): )+`)

// most is about how many characters of a library's words are kept.
const most = 160

// tidy returns the first line of a reason, without what stands before the words
// that matter. Some libraries write spaces that are none, or go-json-experiment "unable to"
// for "cannot" in every other process, so that nobody relies on their words; some begin with the path to the value and end with what is
// wrong, so that of long words both ends are kept.
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

// Misdeclared describes where the rows of a contender are not what it declares:
// an answer that none of its losses explains, a loss that no answer shows, and
// habits that its traits and modes exclude. Nothing is wrong when it is empty.
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
			// That a mode is without what the others lose is no fault.
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

// axis reports whether a mode has an axis=value, such as strings=alias.
func axis(mode, value string) bool { return slices.Contains(strings.Split(mode, ","), value) }

// unexplained returns the probes that a row answers otherwise than by survival,
// with none of the losses to explain it.
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

// Differs returns the names of the probes that the rows answer with different
// fates, as far as both answer.
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

// File is where the rows of a contender are kept, within its directory.
const File = "testdata/probes.json"

// Format writes the rows of a contender. Answers that a mode has in common with
// the first row, and those that survive everywhere, are left out.
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

// Parse reads what Format wrote.
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

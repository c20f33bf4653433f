package report

import (
	"fmt"
	"io"
	"strings"

	"assay/internal/phrase"
	"assay/internal/texttab"
	"assay/result"
)

// A Verified is the result of a verification.
type Verified struct {
	Rows []VerifiedRow
}

// VerifiedFormats are all formats of a verification.
var VerifiedFormats = []FormatOf[*Verified]{
	{"text", "a table for a terminal", VerifiedText},
	{"json", "every subject at every size; a stable, versioned contract", plain(VerifiedJSON)},
}

// A VerifiedRow is the outcome of one subject at one size.
type VerifiedRow struct {
	Workload  string        `json:"workload"`
	Size      string        `json:"size"`
	Contender string        `json:"contender"`
	Mode      string        `json:"mode"`
	Status    result.Status `json:"status"`
	Reason    string        `json:"reason"`
	Stderr    string        `json:"stderr,omitempty"` // see result.Outcome
	Losses    []string      `json:"losses"`
	// Reads lists the contenders of the same format whose bytes the subject decoded.
	Reads []string `json:"reads"`
}

// VerifiedOf returns a row for each subject at each size of the cases, in their order, with what
// the outcomes and verifications say. A subject that they do not mention is not verified.
func VerifiedOf(cases []result.Case, outcomes []result.Outcome, verifications []result.Verification) *Verified {
	type key struct {
		workload, size string
		subject        result.Subject
	}
	var rows []VerifiedRow
	at := map[key]int{}
	for _, c := range cases {
		k := key{c.Workload, c.Size, c.Subject()}
		if _, ok := at[k]; !ok {
			at[k] = len(rows)
			rows = append(rows, VerifiedRow{
				Workload: c.Workload, Size: c.Size, Contender: c.Contender, Mode: c.Mode,
				Status: result.Timeout, Reason: "not verified", Losses: []string{}, Reads: []string{},
			})
		}
	}
	for _, v := range verifications {
		i, ok := at[key{v.Workload, v.Size, v.Subject}]
		switch {
		case !ok:
		case v.From == nil:
			rows[i].Losses = append([]string{}, v.Losses...)
			rows[i].Status, rows[i].Reason = result.OK, ""
			if !v.OK {
				rows[i].Status, rows[i].Reason = result.Unverified, v.Reason
			}
		case v.OK:
			rows[i].Reads = append(rows[i].Reads, v.From.Contender)
		}
	}
	for _, o := range outcomes {
		if i, ok := at[key{o.Case.Workload, o.Case.Size, o.Case.Subject()}]; ok {
			rows[i].Status, rows[i].Reason, rows[i].Stderr = o.Status, o.Reason, o.Stderr
		}
	}
	return &Verified{rows}
}

// VerifiedJSON writes every row as JSON.
func VerifiedJSON(w io.Writer, v *Verified) error {
	return indented(w, struct {
		Schema int           `json:"schema"`
		Rows   []VerifiedRow `json:"rows"`
	}{JSONSchema, v.Rows})
}

// VerifiedText writes a table with a row for each subject at each size.
func VerifiedText(w io.Writer, v *Verified, opts Options) error {
	opts = opts.orDefaults()
	t := &texttab.Headed{Table: texttab.Table{Limit: opts.Width}}
	t.Head("workload", "size", "contender", "mode", "status", "reads", "remarks")
	good := 0
	for _, r := range v.Rows {
		remarks := r.Reason
		if r.Status == result.OK {
			good++
			if len(r.Losses) > 0 {
				remarks = "loses, as declared: " + strings.Join(r.Losses, ", ")
			}
		}
		t.Line(r.Workload, r.Size, r.Contender, r.Mode, string(r.Status), strings.Join(r.Reads, ", "), remarks)
	}
	if err := t.Format(w, opts.Color); err != nil {
		return err
	}
	if err := lastWords(w, v.Rows); err != nil {
		return err
	}
	verb := "return what they are given"
	if len(v.Rows) == 1 {
		verb = "returns what it is given"
	}
	_, err := fmt.Fprintf(w, "\n%d of %s %s\n", good, phrase.Count(len(v.Rows), "subject"), verb)
	return err
}

// mostWords is how many lines of a dead program's output are shown. The first lines of a trace
// matter most.
const mostWords = 24

// lastWords writes what each program wrote before a contender ended it, once for each contender.
func lastWords(w io.Writer, rows []VerifiedRow) error {
	told := map[string]bool{}
	for _, r := range rows {
		if r.Stderr == "" || told[r.Contender] {
			continue
		}
		told[r.Contender] = true
		lines := strings.Split(strings.TrimRight(r.Stderr, "\n"), "\n")
		if left := len(lines) - mostWords; left > 0 {
			lines = append(lines[:mostWords], fmt.Sprintf("… and %s, which --format json shows", phrase.Count(left, "line")))
		}
		_, err := fmt.Fprintf(w, "\n%s ended its program, which wrote:\n    %s\n", r.Contender, strings.Join(lines, "\n    "))
		if err != nil {
			return err
		}
	}
	return nil
}

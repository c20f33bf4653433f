package page

import (
	"slices"
	"strings"

	"assay/contender"
	"assay/internal/analysis"
	"assay/internal/infer"
	"assay/internal/jsonsize"
	"assay/result"
)

// withoutRecords returns the source in a form that others may see, because people send pages. For
// a run on a user's own records it removes everything that can quote a record: some notes and
// warnings, and how a value changed in a round trip. File names and the schema stay.
func (s *Source) withoutRecords() *Source {
	out := *s
	out.Results = s.unquoted(s.Results)
	out.Beside = nil
	for _, r := range s.Beside {
		out.Beside = append(out.Beside, s.unquoted(r))
	}
	if c := s.Comparison; c != nil && (c.A.Run.Private() || c.B.Run.Private()) {
		changed := *c
		changed.Rows = slices.Clone(c.Rows)
		for i := range changed.Rows {
			row := &changed.Rows[i]
			if quotes(row.StatusA, row.A.Mode) || quotes(row.StatusB, row.B.Mode) {
				row.Reason = s.elsewhere()
			}
		}
		out.Comparison = &changed
	}
	if s.Try != nil {
		try := *s.Try
		try.Results = out.Results
		if try.Answer != nil {
			given := *try.Answer
			given.LeftOut = slices.Clone(given.LeftOut)
			for i := range given.LeftOut {
				if l := &given.LeftOut[i]; quotes(l.Status, l.Mode) {
					l.Reason = s.elsewhere()
				}
			}
			try.Answer = &given
		}
		try.Data.Notes = infer.WithoutValues(try.Data.Notes)
		out.Try = &try
	}
	return &out
}

// unquoted returns the results without reasons that can quote a record.
func (s *Source) unquoted(r *analysis.Results) *analysis.Results {
	if r == nil || !r.Run.Private() {
		return r
	}
	out := *r
	out.JSON = withoutKeys(r.JSON)
	out.Warnings = s.unquotedWarnings(r.Warnings)
	out.Tables = slices.Clone(r.Tables)
	for i := range out.Tables {
		t := &out.Tables[i]
		t.Warnings = s.unquotedWarnings(t.Warnings)
		t.Rows = slices.Clone(t.Rows)
		for k := range t.Rows {
			t.Rows[k].Warnings = s.unquotedWarnings(t.Rows[k].Warnings)
			if quotes(t.Rows[k].Status, t.Rows[k].Case.Mode) {
				t.Rows[k].Reason = s.elsewhere()
			}
		}
	}
	return &out
}

// withoutKeys returns the sizes of a user's JSON without the paths of omitted values, and of texts,
// which may be those of JSON values: keys that are not in the schema can be data.
func withoutKeys(j *analysis.JSONSize) *analysis.JSONSize {
	if j == nil {
		return nil
	}
	out := *j
	out.Changes = slices.Clone(j.Changes)
	for i := range out.Changes {
		c := &out.Changes[i]
		if cause := jsonsize.Cause(c.Cause); cause.Omits() || cause.InTexts() {
			c.Where = nil
		}
	}
	return &out
}

// unquotedWarnings returns the warnings without the parts that can quote a record: how a value
// was misread, and what a contender said during a pass.
func (s *Source) unquotedWarnings(all []analysis.Warning) []analysis.Warning {
	out := slices.Clone(all)
	for i := range out {
		w := &out[i]
		switch w.Kind {
		case analysis.Misreads: // "reads the bytes of X as another value: how"
			w.Text, _, _ = strings.Cut(w.Text, ": ")
		case analysis.RunNote:
			// Such a note is "CASE: no PASS: what was said". Or it says in parentheses what the
			// methods of a user's type do.
			kept, _, quoted := strings.Cut(w.Text, " (")
			if parts := strings.SplitN(kept, ": ", 3); len(parts) == 3 {
				kept, quoted = parts[0]+": "+parts[1], true
			}
			if quoted {
				w.Text = kept + "; " + s.elsewhere()
			}
		}
	}
	return out
}

// quotes reports whether the reason of a status in a mode can quote a value of a record. In streams and
// whole values, unsupported and oom may come with a library's own text. Otherwise they come from
// the schema and from limits.
func quotes(status result.Status, mode string) bool {
	switch status {
	case result.Unverified, result.Panic:
		return true
	case result.Unsupported, result.OOM:
		_, streamed := contender.StreamWayOf(mode)
		return streamed || contender.Whole(mode)
	}
	return false
}

// elsewhere replaces a reason that can quote a record, and says where to find the reason.
func (s *Source) elsewhere() string {
	if s.Again == "" {
		return "the reason can quote a record; the stored run has it"
	}
	return "the reason can quote a record; " + s.Again + " prints it"
}

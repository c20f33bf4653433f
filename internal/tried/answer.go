package tried

import (
	"cmp"
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

	"assay/contender"
	"assay/contenders"
	"assay/internal/analysis"
	"assay/internal/answer"
	"assay/internal/refusal"
	"assay/internal/report"
	"assay/result"
)

// Answer answers a question from the records of a run. others are contenders that are not built in.
func Answer(run *result.Run, records []result.Record, asked answer.Asked, others []*contender.Contender) (*analysis.Results, *answer.Answer) {
	results := analysis.Of(run, records, analysis.View{})
	q := answer.Question{
		Asked: asked, Results: results, Contenders: slices.Concat(contenders.All(), others),
		Bytes: map[result.Subject]int64{}, Pressed: map[result.Subject]float64{},
		Aliases: map[result.Subject][]string{}, Losses: map[result.Subject][]contender.Loss{},
	}
	if d := run.Plan.Data; d != nil {
		q.Records = d.Records
	}
	if len(run.Plan.Cases) > 0 {
		q.Cell = run.Plan.Cases[0].Cell()
	}
	for _, r := range records {
		if c := r.Compressed; c != nil && c.Case.Op == result.Encode && c.Messages > 0 {
			q.Pressed[c.Case.Subject()] = float64(c.Encoded) / float64(c.Messages)
		}
		v := r.Verification
		if v == nil || v.From != nil || !v.OK {
			continue
		}
		if v.Encoded > 0 {
			q.Bytes[v.Subject] = v.Encoded
		}
		for _, l := range v.Losses {
			q.Losses[v.Subject] = append(q.Losses[v.Subject], contender.Loss(l))
		}
		if v.Habits != nil && len(v.Habits.Aliases) > 0 {
			q.Aliases[v.Subject] = v.Habits.Aliases
		}
	}
	answers := answer.Of(q)
	if s := answers.Shortage; s != nil && results.Grade != nil && results.Grade.Letter != "C" {
		results.Grade.Lower("%s", s.Reason)
	}
	return results, answers
}

// Data reads the data that Keep wrote. Its error is a refusal: the run is from another command than
// assay try.
func Data(dir string, data *report.TryData) error {
	b, err := readFile(dir, DataFile)
	if err == nil {
		err = json.Unmarshal(b, data)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return refusal.Errorf("run %s has no %s: it is none of assay try, or ended before that was written; try the records again", filepath.Base(dir), DataFile)
	}
	if err != nil {
		return refusal.Errorf("run %s is none of assay try: %v", filepath.Base(dir), err)
	}
	return nil
}

// Again answers a question from the stored run in a directory. The question is that of the run, with
// the flags that q gives in place of the stored ones.
func Again(dir string, run *result.Run, records []result.Record, q *Asking) (*report.Try, error) {
	var data report.TryData
	if err := Data(dir, &data); err != nil {
		return nil, err
	}
	kept, err := Kept(dir, run)
	if err != nil {
		return nil, err
	}
	t := &report.Try{Data: data, Tables: true, Again: "assay show " + cmp.Or(run.Name, run.ID)}
	t.Results, t.Answer = Answer(run, records, q.Over(kept.Asked), kept.About())
	return t, nil
}

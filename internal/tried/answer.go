package tried

import (
	"encoding/json"
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

// Answer answers from the records of a run. Others are contenders besides those
// that are built in.
func Answer(run *result.Run, records []result.Record, asked answer.Asked, others []*contender.Contender) (*analysis.Results, *answer.Answer) {
	results := analysis.Of(run, records, analysis.View{})
	q := answer.Question{
		Asked: asked, Results: results, Contenders: slices.Concat(contenders.All(), others),
		Bytes: map[result.Subject]int64{}, Aliases: map[result.Subject][]string{},
	}
	if d := run.Plan.Data; d != nil {
		q.Records = d.Records
	}
	if len(run.Plan.Cases) > 0 {
		q.Cell = run.Plan.Cases[0].Cell()
	}
	for _, r := range records {
		v := r.Verification
		if v == nil || v.From != nil || !v.OK {
			continue
		}
		if v.Encoded > 0 {
			q.Bytes[v.Subject] = v.Encoded
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

// Data reads what Keep wrote of the records. The error is one of what was asked for: the
// run is another command's.
func Data(dir string, data *report.TryData) error {
	b, err := readFile(dir, DataFile)
	if err == nil {
		err = json.Unmarshal(b, data)
	}
	if err != nil {
		return refusal.Errorf("run %s is none of assay try: %v", filepath.Base(dir), err)
	}
	return nil
}

// Again answers again from the stored run in a directory: what was asked then, with what
// is asked now in its place. Command is what prints the answer once more.
func Again(dir string, run *result.Run, records []result.Record, q *Asking, command string) (*report.Try, error) {
	var data report.TryData
	if err := Data(dir, &data); err != nil {
		return nil, err
	}
	kept, err := Kept(dir, run)
	if err != nil {
		return nil, err
	}
	t := &report.Try{Data: data, Tables: true, Again: command}
	t.Results, t.Answer = Answer(run, records, q.Over(kept.Asked), kept.About())
	return t, nil
}

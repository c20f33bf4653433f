package tried

import (
	"slices"
	"testing"

	"assay/contender"
	"assay/internal/answer"
	"assay/result"
)

// stored returns the stored run of assay try, which has too few layouts for a winner.
func stored(t *testing.T) (*result.Run, []result.Record) {
	t.Helper()
	run, records, _, err := result.Read("../../cmd/assay/testdata/runs/try")
	if err != nil {
		t.Fatal(err)
	}
	return run, records
}

// What verification saw of a contender's own messages decides sizes, losses and aliases. What a failure saw,
// or one that read the messages of another contender, does not.
func TestAnswerOfVerification(t *testing.T) {
	subject := result.Subject{Contender: "encoding/json"}
	of := func(change func(v *result.Verification)) *answer.Answer {
		run, records := stored(t)
		records = slices.DeleteFunc(records, func(r result.Record) bool { return r.Verification != nil })
		v := &result.Verification{
			Workload: run.Plan.Cases[0].Workload, Size: run.Plan.Cases[0].Size, Subject: subject, OK: true,
			Encoded: 77 * run.Plan.Data.Records, Losses: []string{string(contender.NullAbsent)}, Habits: &result.Habits{Aliases: []string{"bytes"}},
		}
		change(v)
		_, a := Answer(run, append(records, result.Record{Verification: v}), Default(), nil)
		return a
	}
	if c := of(func(*result.Verification) {}).Candidate(subject); c.Size != 77 || !slices.Equal(c.Losses, []contender.Loss{contender.NullAbsent}) || !slices.Equal(c.Unsafe, []string{"bytes point into the message"}) {
		t.Errorf("%v B, loses %v, not safe because %q", c.Size, c.Losses, c.Unsafe)
	}
	read := of(func(v *result.Verification) { v.From = &result.Subject{Contender: "protobuf"} })
	if c := read.Candidate(subject); c.Size == 77 || len(c.Losses)+len(c.Unsafe) > 0 {
		t.Errorf("of another's messages: %v B, loses %v, not safe because %q", c.Size, c.Losses, c.Unsafe)
	}
	failed := of(func(v *result.Verification) { v.OK, v.Reason = false, "it came back otherwise" })
	i := slices.IndexFunc(failed.LeftOut, func(l answer.Left) bool { return l.Subject == subject })
	if i < 0 || failed.LeftOut[i].Size != 0 || failed.LeftOut[i].Reason != "it came back otherwise" || failed.Candidate(subject) != nil {
		t.Errorf("left out are %+v; want %s, of unknown size", failed.LeftOut, subject)
	}
}

// Compressed sizes are those of records as long as all are on average.
func TestAnswerOfLongerRecords(t *testing.T) {
	subject := result.Subject{Contender: "msgp"}
	packed := func(factor int64) float64 {
		run, records := stored(t)
		records = slices.DeleteFunc(records, func(r result.Record) bool { return r.Verification != nil || r.Compressed != nil })
		for _, c := range run.Plan.Cases {
			if c.Op == result.Encode {
				records = append(records, result.Record{Compressed: &result.Compressed{
					Case: c, Messages: 10, Encoded: 1000, Batch: 1000, Codecs: []result.CompressedSizes{{Codec: answer.Compressed, Bytes: 800, Batch: 300}},
				}}, result.Record{Verification: &result.Verification{
					Workload: c.Workload, Size: c.Size, Subject: c.Subject(), OK: true, Encoded: factor * 100 * run.Plan.Data.Records,
				}})
			}
		}
		_, a := Answer(run, records, Default(), nil)
		return a.Candidate(subject).Packed
	}
	if one, three := packed(1), packed(3); one != 30 || three != 90 {
		t.Errorf("a record in a batch takes %v B, of records three times as long %v B; want 30 and 90", one, three)
	}
}

// A run that measured too little for a winner has the worst grade, and says once why. Nothing is exported
// without a name then, and otherwise the first recommended contender with code.
func TestAnswerOfTooLittle(t *testing.T) {
	run, records := stored(t)
	results, a := Answer(run, records, Default(), nil)
	if a.Shortage == nil || results.Grade.Letter != "C" || slices.Contains(results.Grade.Reasons, a.Shortage.Reason) { // "only 2 layouts (4 are needed)" says it
		t.Fatalf("the shortage is %+v, the grade %+v", a.Shortage, results.Grade)
	}
	var e TakeAway
	if got := e.Recommend(nil, a); got != nil {
		t.Errorf("%s is recommended, though too little was measured", got[0].Name)
	}
	a.Shortage = nil
	own := &answer.Candidate{}
	own.Subject = result.Subject{Contender: "external"}
	a.Picks = []answer.Pick{{Key: "smallest", Reason: "none"}, {Key: "fastest", Best: []*answer.Candidate{own}}, {Key: "least-change", Best: []*answer.Candidate{own, a.Candidate(result.Subject{Contender: "msgp"})}}}
	if got := e.Recommend(nil, a); len(got) != 1 || got[0].Name != "msgp" {
		t.Errorf("%v is recommended, want msgp", got)
	}
	protobuf := e.Contenders()[slices.IndexFunc(e.Contenders(), func(c *contender.Contender) bool { return c.Name == "protobuf" })]
	if got := e.Recommend([]*contender.Contender{protobuf}, a); len(got) != 1 || got[0] != protobuf {
		t.Errorf("%v is recommended in place of what was chosen", got)
	}
}

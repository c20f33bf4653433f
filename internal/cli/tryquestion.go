package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay/contender"
	"assay/contenders"
	"assay/internal/analysis"
	"assay/internal/answer"
	"assay/internal/infer/gotype"
	ownproto "assay/internal/infer/protofile/own"
	"assay/internal/measure"
	"assay/internal/report"
	"assay/result"
)

// asking is the flags that say what somebody wants to know of a run on their own
// records. A stored run can be asked again with others.
type asking struct {
	answer.Asked
	given []string // the flags that were
}

// questionFlags are the names of the flags.
var questionFlags = []string{"have", "must", "rate", "retention", "price-core", "price-gb-network", "price-gb-month", "codec", "batch"}

func (q *asking) flags(cmd *cobra.Command) {
	q.Asked = answer.Asked{Have: measure.Reference, Prices: answer.DefaultPrices}
	f := cmd.Flags()
	f.StringVar(&q.Have, "have", measure.Reference, "compare with `CONTENDER`, which is in use now; with a .proto file the default is "+ownproto.Name+", with a Go type "+gotype.ExternalName)
	completeFlag(cmd, "have", func() []string { return measure.Names(measure.Known()) })
	f.StringSliceVar(&q.Must, "must", nil, "recommend only contenders that are `LIST`, of "+strings.Join(answer.MustNames(), ", "))
	completeFlag(cmd, "must", answer.MustNames)
	for _, x := range numbersOf(&q.Asked) {
		f.Float64Var(x.to, x.name, *x.to, x.text)
	}
	f.StringVar(&q.Codec, "codec", q.Codec, "cost: send and store records compressed with `CODEC`, of "+strings.Join(answer.Codecs(), ", "))
	completeFlag(cmd, "codec", answer.Codecs)
	f.BoolVar(&q.Batch, "batch", q.Batch, "cost: compress many records together; =false for each by itself")
}

// A numberFlag is a flag of a question that takes a number.
type numberFlag struct {
	name, text string
	to         *float64
}

// numbersOf are the numbers of a question.
func numbersOf(q *answer.Asked) []numberFlag {
	return []numberFlag{
		{"rate", "cost: `N` messages a second", &q.Rate},
		{"retention", "cost: store for `DAYS`", &q.Retention},
		{"price-core", "cost: `PRICE` of a core for an hour", &q.Core},
		{"price-gb-network", "cost: `PRICE` of a GB sent", &q.Network},
		{"price-gb-month", "cost: `PRICE` of a GB kept for a month", &q.Storage},
	}
}

// mostNumber is the greatest number of a question: what costs are computed of it
// stays finite.
const mostNumber = 1e15

// check checks the flags. Names are of the contenders that --have may be.
func (q *asking) check(cmd *cobra.Command, names []string) error {
	q.given = nil
	for _, name := range questionFlags {
		if cmd.Flags().Changed(name) {
			q.given = append(q.given, name)
		}
	}
	if !slices.Contains(names, q.Have) {
		return usagef("--have: there is no contender %q%s", q.Have, otherwise(q.Have, names))
	}
	return checkAsked(&q.Asked)
}

// checkAsked checks all of a question but what is in use, and removes conditions
// that it has twice.
func checkAsked(q *answer.Asked) error {
	var err error
	if q.Must, err = answer.CheckMust(q.Must, otherwise); err != nil {
		return usagef("--must: %v", err)
	}
	for _, x := range numbersOf(q) {
		if v := *x.to; !(v >= 0 && v <= mostNumber) {
			return usagef("--%s is %v; it must be a number from 0 to %v", x.name, v, mostNumber)
		}
	}
	if !slices.Contains(answer.Codecs(), q.Codec) {
		return usagef("--codec is %q%s", q.Codec, otherwise(q.Codec, answer.Codecs()))
	}
	return nil
}

// over returns what was asked before, with the flags that were given in its place.
func (q *asking) over(before answer.Asked) answer.Asked {
	out, now := before, q.Asked
	given := func(name string) bool { return slices.Contains(q.given, name) }
	to, from := numbersOf(&out), numbersOf(&now)
	for i := range to {
		if given(to[i].name) {
			*to[i].to = *from[i].to
		}
	}
	if given("have") {
		out.Have = now.Have
	}
	if given("must") {
		out.Must = now.Must
	}
	if given("codec") {
		out.Codec = now.Codec
	}
	if given("batch") {
		out.Batch = now.Batch
	}
	return out
}

// questionFile is the file of a run directory that keeps what was asked.
const questionFile = "question.json"

// A keptQuestion is what a run directory keeps of the question: what cannot be
// told from samples, or is not known of the contenders by then.
type keptQuestion struct {
	answer.Asked
	// Contenders describe those that are not built in.
	Contenders []keptContender `json:"contenders"`
}

// A keptContender is what an answer has to know of a contender.
type keptContender struct {
	Name   string            `json:"name"`
	Format string            `json:"format"`
	Title  string            `json:"title"`
	Traits []contender.Trait `json:"traits"`
}

// keepQuestion writes the question into the run directory.
func keepQuestion(dir string, asked answer.Asked, others []*contender.Contender) error {
	kept := keptQuestion{Asked: asked, Contenders: []keptContender{}}
	for _, c := range others {
		kept.Contenders = append(kept.Contenders, keptContender{c.Name, c.Format, c.Title, c.Traits})
	}
	data, err := json.MarshalIndent(kept, "", "  ")
	if err != nil {
		return err
	}
	// Prices and rates are the user's own.
	return os.WriteFile(filepath.Join(dir, questionFile), append(data, '\n'), 0o600)
}

// keptIn reads the question of a run directory. A run of before there was such a
// file asked what is asked by default.
func keptIn(dir string, run *result.Run) (keptQuestion, error) {
	kept := keptQuestion{Asked: answer.Asked{Have: measure.Reference, Prices: answer.DefaultPrices}}
	for _, g := range run.Plan.Externals {
		kept.Contenders = append(kept.Contenders, keptContender{Name: g.Name, Format: g.Format, Title: g.Title})
		if g.Name == gotype.ExternalName {
			kept.Have = g.Name
		}
	}
	file := filepath.Join(dir, questionFile)
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return kept, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &kept)
	}
	if err == nil {
		err = checkAsked(&kept.Asked)
	}
	if err != nil {
		return kept, fmt.Errorf("what was asked of run %s cannot be read from %s: %w", run.ID, file, err)
	}
	return kept, nil
}

// about describes the contenders that are not built in.
func (k keptQuestion) about() []*contender.Contender {
	var out []*contender.Contender
	for _, c := range k.Contenders {
		out = append(out, &contender.Contender{Name: c.Name, Format: c.Format, Title: c.Title, Traits: c.Traits})
	}
	return out
}

// answered answers from the records of a run. Others are contenders besides those
// that are built in.
func answered(run *result.Run, records []result.Record, asked answer.Asked, others []*contender.Contender) (*analysis.Results, *answer.Answer) {
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

// storedTry answers again from a stored run of a user's own records.
func (a *app) storedTry(dir string, run *result.Run, records []result.Record, q asking) (*report.Try, error) {
	var data report.TryData
	if err := readData(dir, &data); err != nil {
		return nil, err
	}
	kept, err := keptIn(dir, run)
	if err != nil {
		return nil, err
	}
	t := &report.Try{Data: data, Tables: true, Again: "assay show " + runName(dir)}
	t.Results, t.Answer = answered(run, records, q.over(kept.Asked), kept.about())
	return t, nil
}

// readData reads what remember wrote of the records.
func readData(dir string, data *report.TryData) error {
	b, err := os.ReadFile(filepath.Join(dir, dataFile))
	if err == nil {
		err = json.Unmarshal(b, data)
	}
	if err != nil {
		return usagef("run %s is none of assay try: %v", filepath.Base(dir), err)
	}
	return nil
}

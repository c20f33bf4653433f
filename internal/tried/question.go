package tried

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"assay/contender"
	"assay/internal/answer"
	"assay/internal/infer/gotype"
	"assay/internal/measure"
	"assay/internal/nearest"
	"assay/internal/outfile"
	"assay/internal/refusal"
	"assay/result"
)

// An Asking is a user's question about a run on their own records. A stored run can be asked other
// questions later.
type Asking struct {
	answer.Asked
	// Given has the flags of assay try that were given. The others have their defaults.
	Given []string
}

// Flags returns the names of the flags of a question.
func Flags() []string {
	return []string{"have", "must", "rate", "retention", "price-core", "price-gb-network", "price-gb-month", "codec", "batch"}
}

// Default returns the question if no flag is given.
func Default() answer.Asked {
	return answer.Asked{Have: measure.Reference, Prices: answer.DefaultPrices}
}

// Has reports whether a flag was given.
func (q *Asking) Has(flag string) bool { return slices.Contains(q.Given, flag) }

// Check checks a question, and removes duplicate conditions. names are the contenders that the user may
// have in use. Its error is a refusal.
func (q *Asking) Check(names []string) error {
	if !slices.Contains(names, q.Have) {
		return refusal.Errorf("--have: there is no contender %q%s", q.Have, nearest.OtherwiseListed("contenders", q.Have, names))
	}
	return checkAsked(&q.Asked)
}

// A Number is a flag of a question that takes a number: its name, its help text, and where its value
// is stored.
type Number struct {
	Name, Text string
	To         *float64
}

// Numbers returns the flags that take numbers. Their values are stored in q.
func Numbers(q *answer.Asked) []Number {
	return []Number{
		{"rate", "cost: send `N` messages a second", &q.Rate},
		{"retention", "cost: store for `DAYS`", &q.Retention},
		{"price-core", "cost: pay `PRICE` for a core for an hour", &q.Core},
		{"price-gb-network", "cost: pay `PRICE` for a GB sent", &q.Network},
		{"price-gb-month", "cost: pay `PRICE` for a GB kept for a month", &q.Storage},
	}
}

// mostNumber is the greatest number in a question. It keeps computed costs finite.
const mostNumber = 1e15

// checkAsked checks a question except for the contender in use, and removes duplicate conditions.
func checkAsked(q *answer.Asked) error {
	var err error
	if q.Must, err = answer.CheckMust(q.Must, nearest.Otherwise); err != nil {
		return refusal.Errorf("--must: %v", err)
	}
	for _, x := range Numbers(q) {
		if v := *x.To; !(v >= 0 && v <= mostNumber) {
			return refusal.Errorf("--%s is %v; it must be a number from 0 to %v", x.Name, v, mostNumber)
		}
	}
	if !slices.Contains(answer.Codecs(), q.Codec) {
		return refusal.Errorf("--codec is %q%s", q.Codec, nearest.Otherwise(q.Codec, answer.Codecs()))
	}
	return nil
}

// Over returns the question before, with the values of the flags that were given now.
func (q *Asking) Over(before answer.Asked) answer.Asked {
	out, now := before, q.Asked
	given := q.Has
	to, from := Numbers(&out), Numbers(&now)
	for i := range to {
		if given(to[i].Name) {
			*to[i].To = *from[i].To
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

// QuestionFile is the file of a run directory that has the question.
const QuestionFile = "question.json"

// A Question is the content of QuestionFile: what an answer needs and cannot get from the samples.
type Question struct {
	answer.Asked
	// Contenders describes the contenders that are not built in, because they may be unknown later.
	Contenders []keptContender `json:"contenders"`
}

// A keptContender has what an answer needs of a contender.
type keptContender struct {
	Name   string            `json:"name"`
	Format string            `json:"format"`
	Title  string            `json:"title"`
	Traits []contender.Trait `json:"traits"`
}

// KeepQuestion writes the question to the run directory. It replaces an earlier question.
func KeepQuestion(dir string, asked answer.Asked, others []*contender.Contender) error {
	kept := Question{Asked: asked, Contenders: []keptContender{}}
	for _, c := range others {
		kept.Contenders = append(kept.Contenders, keptContender{c.Name, c.Format, c.Title, c.Traits})
	}
	data, err := json.MarshalIndent(kept, "", "  ")
	if err != nil {
		return err
	}
	// The file is private, because prices and rates are the user's own.
	return outfile.ReplacePrivate(filepath.Join(dir, QuestionFile), append(data, '\n'), func(old []byte) bool {
		return json.Unmarshal(old, new(Question)) == nil
	})
}

// Kept reads the question of a run directory. If the directory has no such file, it returns the default
// question.
func Kept(dir string, run *result.Run) (Question, error) {
	kept := Question{Asked: Default()}
	for _, g := range run.Plan.Externals {
		kept.Contenders = append(kept.Contenders, keptContender{Name: g.Name, Format: g.Format, Title: g.Title})
		if g.Name == gotype.ExternalName {
			kept.Have = g.Name
		}
	}
	file := filepath.Join(dir, QuestionFile)
	data, err := readFile(dir, QuestionFile)
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

// About returns the contenders that are not built in.
func (k Question) About() []*contender.Contender {
	var out []*contender.Contender
	for _, c := range k.Contenders {
		out = append(out, &contender.Contender{Name: c.Name, Format: c.Format, Title: c.Title, Traits: c.Traits})
	}
	return out
}

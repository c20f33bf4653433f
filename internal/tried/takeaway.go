package tried

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"assay/contender"
	"assay/contenders"
	"assay/internal/answer"
	"assay/internal/cachedir"
	"assay/internal/export"
	ownproto "assay/internal/infer/protofile/own"
	"assay/internal/measure"
	"assay/internal/nearest"
	"assay/internal/phrase"
	"assay/internal/refusal"
	"assay/internal/report"
	"assay/internal/userdata"
)

// Chosen returns the contenders with the given names, each once. Its error is a refusal.
func Chosen(all []*contender.Contender, names []string) ([]*contender.Contender, error) {
	var chosen []*contender.Contender
	for _, name := range names {
		i := slices.IndexFunc(all, func(c *contender.Contender) bool { return c.Name == name })
		switch {
		case i < 0 && strings.HasPrefix(name, ownproto.Prefix) && slices.Contains(measure.Names(measure.Known()), name):
			return nil, refusal.Errorf("--contender: %s is for records of a .proto file, and these are of none", name)
		case i < 0 && strings.ContainsAny(name, `,|()^$*+?[]\`):
			return nil, refusal.Errorf("--contender: %q is no contender: -c takes a name here, not a regular expression; repeat it for each contender, as in -c protobuf -c msgp", name)
		case i < 0:
			return nil, refusal.Errorf("--contender: there is no contender %q%s", name, nearest.OtherwiseListed("contenders", name, measure.Names(all)))
		case !slices.Contains(chosen, all[i]):
			chosen = append(chosen, all[i])
		}
	}
	return chosen, nil
}

// A TakeAway is data whose schema and code a user exports.
type TakeAway struct {
	userdata.Source
	// Of says from what the schema was made.
	Of  string
	Run string // the directory of the run of assay try; empty: the data are not from a run
	// records, neutral, messages and protoJSON are as in export.Options.
	records             [][]byte
	neutral             bool
	messages, protoJSON [][]byte
	// why has the reasons for choosing contenders, by their names.
	why map[string][]string
}

// Contenders returns the contenders for which code can be exported.
func (e *TakeAway) Contenders() []*contender.Contender {
	return slices.Concat(contenders.All(), e.Own)
}

// Some adds some of the records to the export.
func (e *TakeAway) Some(d *userdata.Data) error {
	all, err := d.Originals()
	if err != nil {
		return err
	}
	if e.Spelled && len(all) > 0 {
		e.records = all
		return nil
	}
	if e.Proto != nil {
		for _, raw := range all {
			data, inJSON, err := e.Proto.Binary(raw)
			if err != nil {
				return err
			}
			e.messages = append(e.messages, data)
			if inJSON {
				e.protoJSON = append(e.protoJSON, raw)
			}
		}
	}
	e.neutral = true
	e.records, err = someRecords(d)
	return err
}

// Made says from what a schema was made. goType is the user's Go type, or "".
func Made(s userdata.Source, goType string) string {
	switch {
	case s.Proto != nil:
		return "made of the message " + s.Proto.Message + " of " + strings.Join(s.Proto.Named(), ", ")
	case goType != "":
		return "made of the Go type " + goType
	case !s.Spelled: // from a stored run, which does not have the name of the type
		return "made of a Go type"
	}
	var names []string
	for _, f := range s.Files {
		names = append(names, filepath.Base(f))
	}
	return fmt.Sprintf("inferred from %s of %s", phrase.Count(int(s.Total), "record"), strings.Join(names, ", "))
}

// someRecords returns records in the neutral form that are spread evenly over all records.
func someRecords(d *userdata.Data) ([][]byte, error) {
	file, err := d.Few(userdata.Shown)
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var records [][]byte
	lines := bufio.NewReader(bytes.NewReader(data))
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			records = append(records, line)
		}
		if err != nil {
			return records, nil
		}
	}
}

// Recommend returns the chosen contenders. If there are none, it returns the first recommended contender
// for which code can be exported, if there is one. It stores the reasons why each was chosen.
func (e *TakeAway) Recommend(chosen []*contender.Contender, a *answer.Answer) []*contender.Contender {
	if first := e.firstPick(a); len(chosen) == 0 && first != nil {
		chosen = []*contender.Contender{first}
	}
	e.why = map[string][]string{}
	for _, c := range chosen {
		e.why[c.Name] = report.Why(a, c.Name)
	}
	return chosen
}

// firstPick returns the first recommended contender for which code can be exported; nil: there is none.
func (e *TakeAway) firstPick(a *answer.Answer) *contender.Contender {
	if a.Shortage != nil {
		return nil
	}
	all := e.Contenders()
	for _, p := range a.Picks {
		for _, c := range p.Best {
			if i := slices.IndexFunc(all, func(x *contender.Contender) bool { return x.Name == c.Contender }); i >= 0 {
				return all[i]
			}
		}
	}
	return nil
}

// Options returns the options for package export: the code of the chosen contenders in a module with
// the given path. If the path is empty, the schema's name gives it. tool is this program's version.
func (e *TakeAway) Options(chosen []*contender.Contender, module, tool string) export.Options {
	about := export.About{Tool: tool, Of: e.Of, Why: e.why, Guesses: e.Guesses, Notes: e.Notes}
	if e.Run != "" {
		about.Run = filepath.Base(e.Run)
	}
	return export.Options{
		Schema: userdata.Named(e.Schema), Root: e.Root, Spelling: e.Spelling, Proto: e.Proto, Contenders: chosen, Module: module,
		Records: e.records, Neutral: e.neutral, Messages: e.messages, ProtoJSON: e.protoJSON, About: about,
	}
}

// FromRun returns the data of a stored run. If withRecords is set, they include some of the records,
// from the cache.
func FromRun(ctx context.Context, cache cachedir.Dir, dir string, withRecords bool) (TakeAway, error) {
	e := TakeAway{Run: dir}
	var data report.TryData
	if withRecords {
		d, err := Recall(ctx, cache, dir, &data)
		if err != nil {
			return e, err
		}
		e.Source, e.Of = d.Source, Made(d.Source, "")
		return e, e.Some(d)
	}
	if err := Data(dir, &data); err != nil {
		return e, err
	}
	var err error
	e.Source, err = Source(ctx, dir, data)
	e.Of = Made(e.Source, "")
	return e, err
}

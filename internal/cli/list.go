package cli

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"assay/contender"
	"assay/contenders"
	"assay/internal/analysis"
	"assay/internal/measure"
	"assay/internal/plan"
	"assay/internal/runlock"
	"assay/result"
	"assay/workload"
	"assay/workload/builtin"
)

// lists are the kinds of thing that assay list shows.
var lists = []string{"contenders", "workloads", "sizes", "modes", "ops", "metrics", "claims", "runs"}

func (a *app) listCommand() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "list [" + strings.Join(lists, "|") + "]",
		Short: "list contenders, workloads, sizes, modes, metrics, claims, runs",
		Long: `List shows one kind of thing at a time, contenders by default. To learn what a
name means, use assay explain.`,
		Example:   "  assay list\n  assay list sizes\n  assay list contenders --format json",
		Args:      argsAtMost(1),
		ValidArgs: lists,
		RunE: func(_ *cobra.Command, args []string) error {
			what := "contenders"
			if len(args) > 0 {
				what = args[0]
			}
			if !slices.Contains(textOrJSON(), format) {
				return usagef("--format is %q; assay list prints text or json", format)
			}
			return a.list(what, format == "json")
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "print as `FORMAT`: text, json")
	completeFlag(cmd, "format", textOrJSON)
	return cmd
}

// textOrJSON are the formats of what is no table of measurements.
func textOrJSON() []string { return []string{"text", "json"} }

func (a *app) list(what string, asJSON bool) error {
	switch what {
	case "contenders":
		return a.listContenders(asJSON)
	case "workloads":
		return a.listWorkloads(asJSON)
	case "sizes":
		return a.listSizes(asJSON)
	case "modes":
		return a.listModes(asJSON)
	case "ops":
		return a.listNamed(what, asJSON, opRows())
	case "metrics":
		return a.listNamed(what, asJSON, metricRows())
	case "claims":
		return a.listClaims(asJSON)
	case "runs":
		return a.listRuns(asJSON)
	}
	return usagef("there is no list of %q%s", what, otherwise(what, lists))
}

// A contenderRow is a contender in the stable JSON contract.
type contenderRow struct {
	Name    string   `json:"name"`
	Title   string   `json:"title"`
	Format  string   `json:"format"`
	Module  string   `json:"module"`
	Version string   `json:"version"`
	License string   `json:"license"`
	Traits  []string `json:"traits"`
	Ops     []string `json:"ops"`
	// Modes are those besides the default one, which every contender has.
	Modes  []string `json:"modes"`
	Losses []string `json:"losses"`
	// Default says that it is measured when no contender is named.
	Default bool `json:"default"`
}

func contenderRows() ([]contenderRow, error) {
	versions, err := versions()
	if err != nil {
		return nil, err
	}
	var rows []contenderRow
	for _, c := range contenders.All() {
		r := contenderRow{
			Name: c.Name, Title: c.Title, Format: c.Format, Module: c.Module, Version: versions(c), License: c.License,
			Traits: names(c.Traits), Ops: names(c.Ops), Modes: []string{}, Losses: names(c.Losses), Default: c.Group == "",
		}
		for _, m := range c.Modes {
			r.Modes = append(r.Modes, m.Key)
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// names returns a list of strings, never nil, because JSON readers expect [].
func names[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = string(v)
	}
	return out
}

// versions returns the function that tells a contender's version: that of its
// module in go.mod, or of Go for the standard library.
func versions() (func(*contender.Contender) string, error) {
	modules, err := measure.ModuleVersions()
	if err != nil {
		return nil, err
	}
	return func(c *contender.Contender) string {
		if c.Module == "" {
			return goVersion()
		}
		return modules[c.Module]
	}, nil
}

func (a *app) listContenders(asJSON bool) error {
	rows, err := contenderRows()
	if err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(struct {
			Schema     int            `json:"schema"`
			Contenders []contenderRow `json:"contenders"`
		}{1, rows})
	}
	t := newTable()
	t.head("contender", "format", "version", "license", ">modes", "what it is")
	for _, r := range rows {
		t.row(r.Name, r.Format, r.Version, r.License, strconv.Itoa(1+len(r.Modes)), r.Title)
	}
	return t.print(a)
}

func (a *app) listWorkloads(asJSON bool) error {
	type row struct {
		Name   string   `json:"name"`
		Title  string   `json:"title"`
		Source string   `json:"source"`
		Sizes  []string `json:"sizes"`
	}
	var rows []row
	for _, w := range builtin.All() {
		r := row{w.Name, w.Title, w.Source, []string{}}
		for _, s := range w.Sizes {
			r.Sizes = append(r.Sizes, s.Key)
		}
		rows = append(rows, r)
	}
	if asJSON {
		return a.printJSON(struct {
			Schema    int   `json:"schema"`
			Workloads []row `json:"workloads"`
		}{1, rows})
	}
	t := newTable()
	t.head("workload", ">sizes", "what it is")
	for _, r := range rows {
		t.row(r.Name, strconv.Itoa(len(r.Sizes)), r.Title)
	}
	return t.print(a)
}

func (a *app) listSizes(asJSON bool) error {
	type row struct {
		Workload string `json:"workload"`
		Size     string `json:"size"`
		Root     string `json:"root"`
		Bytes    int64  `json:"bytes"`
		Inputs   int    `json:"inputs"`
		In       string `json:"in"`
		Text     string `json:"text"`
	}
	var rows []row
	for _, w := range builtin.All() {
		for _, s := range w.Sizes {
			rows = append(rows, row{w.Name, s.Key, s.Root, s.Bytes, s.Inputs(), sizeSet(s), s.Text})
		}
	}
	if asJSON {
		return a.printJSON(struct {
			Schema int   `json:"schema"`
			Sizes  []row `json:"sizes"`
		}{1, rows})
	}
	t := newTable()
	t.head("workload", "size", ">memory", ">values", "in", "what it is")
	for _, r := range rows {
		t.row(r.Workload, r.Size, plan.Bytes(r.Bytes), strconv.Itoa(r.Inputs), r.In, r.Text)
	}
	return t.print(a)
}

// sizeSet says what selects a size.
func sizeSet(s workload.Size) string {
	switch {
	case s.Typical:
		return "run"
	case s.Default:
		return "run --full"
	}
	return "--size"
}

// A named is a name with what it means.
type named struct {
	Name string `json:"name"`
	Unit string `json:"unit,omitempty"`
	Text string `json:"text"`
}

func (a *app) listNamed(what string, asJSON bool, rows []named) error {
	if asJSON {
		return a.printJSON(map[string]any{"schema": 1, what: rows})
	}
	t := newTable()
	t.head(strings.TrimSuffix(what, "s"), "what it is")
	for _, r := range rows {
		name := r.Name
		if r.Unit != "" {
			name += " (" + r.Unit + ")"
		}
		t.row(name, r.Text)
	}
	return t.print(a)
}

// A modeRow is a mode and the contenders that have it.
type modeRow struct {
	Name       string   `json:"name"`
	Text       string   `json:"text"`
	Contenders []string `json:"contenders"`
}

func modeRows() []modeRow {
	rows := []modeRow{{analysis.DefaultMode, "every call makes what it returns anew", contenderNames()}}
	for _, key := range modeNames()[1:] {
		var texts []string
		for _, axis := range strings.Split(key, ",") {
			texts = append(texts, contender.AxisOf(axis).Text) // what is given up, explain tells
		}
		row := modeRow{Name: key, Text: strings.Join(texts, "; ")}
		codec, packed := measure.CodecOf(key)
		if packed {
			row.Text = measure.CodecText(codec)
		}
		for _, c := range contenders.All() {
			if packed && len(measure.CodecModes(c, result.Compress)) > 0 {
				row.Contenders = append(row.Contenders, c.Name)
			}
			for _, m := range c.Modes {
				if m.Key == key {
					row.Contenders = append(row.Contenders, c.Name)
				}
			}
		}
		rows = append(rows, row)
	}
	return rows
}

func (a *app) listModes(asJSON bool) error {
	rows := modeRows()
	if asJSON {
		return a.printJSON(struct {
			Schema int       `json:"schema"`
			Modes  []modeRow `json:"modes"`
		}{1, rows})
	}
	t := newTable()
	t.head("mode", ">contenders", "what it is")
	for _, r := range rows {
		t.row(r.Name, strconv.Itoa(len(r.Contenders)), r.Text)
	}
	return t.print(a)
}

func opRows() []named {
	var rows []named
	for _, op := range result.Ops {
		rows = append(rows, named{Name: string(op), Text: opText[op]})
	}
	return rows
}

// opText says what each op is.
var opText = map[result.Op]string{
	result.Encode:  "from the library's own value to bytes",
	result.Decode:  "from bytes to the library's own value, with every field in memory",
	result.Open:    "get the root of encoded bytes and read nothing; only formats that can be read in place",
	result.Scan:    "from bytes, read every leaf once: in place where the format can, else after decoding",
	result.Convert: "from the neutral model to the library's own type and back",

	result.Compress:   "from an encoded message to a compressed one; only modes that name a codec (-m codec=zstd)",
	result.Decompress: "from a compressed message back to the encoded one; only modes that name a codec",
}

func metricRows() []named {
	var rows []named
	for _, m := range analysis.Metrics {
		rows = append(rows, named{m.Name, m.Unit, m.Title})
	}
	return rows
}

// lines are the texts of the errors that were joined to one.
func lines(err error) []string {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []string{err.Error()}
	}
	var texts []string
	for _, e := range joined.Unwrap() {
		texts = append(texts, e.Error())
	}
	return texts
}

// A runRow is a stored run in the stable JSON contract.
type runRow struct {
	ID       string   `json:"id"`
	Started  string   `json:"started"`
	Complete bool     `json:"complete"`
	Cases    int      `json:"cases"`
	Args     []string `json:"args"`
}

// state says what became of the run.
func (r runRow) state(results string) string {
	switch {
	case r.Complete:
		return "complete"
	case runlock.Holder(filepath.Join(results, r.ID)) != nil:
		return "running"
	}
	return "cut short"
}

func (a *app) listRuns(asJSON bool) error {
	runs, err := result.List(a.results)
	if err != nil {
		if len(runs) == 0 {
			return err
		}
		several(lines(err), func(line string) { a.warn("%s", line) })
	}
	rows := []runRow{}
	for _, r := range runs {
		rows = append(rows, runRow{r.ID, r.Started.Format("2006-01-02 15:04:05"), !r.Finished.IsZero(), len(r.Plan.Cases), r.Args})
	}
	if asJSON {
		return a.printJSON(struct {
			Schema int      `json:"schema"`
			Runs   []runRow `json:"runs"`
		}{1, rows})
	}
	if len(rows) == 0 {
		a.hint("there is no run in %s yet; assay run makes one", a.results)
		return nil
	}
	t := newTable()
	t.head("run", "started", "state", ">cases", "command")
	for _, r := range rows {
		t.row(r.ID, r.Started, r.state(a.results), strconv.Itoa(r.Cases), shellLine(append([]string{"assay"}, r.Args...)...))
	}
	return t.print(a)
}

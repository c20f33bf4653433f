package catalog

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"assay/contender"
	"assay/contenders"
	"assay/internal/analysis"
	"assay/internal/measure"
	"assay/internal/phrase"
	"assay/internal/plan"
	"assay/internal/runlock"
	"assay/internal/texttab"
	"assay/published/claims"
	"assay/result"
	"assay/workload"
	"assay/workload/builtin"
)

// kinds are the kinds of things that List lists, and how it lists each.
var kinds = []struct {
	name string
	list func(source fs.FS) (*Listing, error)
}{
	{"contenders", func(fs.FS) (*Listing, error) { return listContenders() }},
	{"workloads", func(fs.FS) (*Listing, error) { return listWorkloads() }},
	{"sizes", func(fs.FS) (*Listing, error) { return listSizes() }},
	{"modes", func(fs.FS) (*Listing, error) { return listModes() }},
	{"axes", func(fs.FS) (*Listing, error) { return listAxes() }},
	{"ops", func(fs.FS) (*Listing, error) { return listNamed("ops", opRows()) }},
	{"metrics", func(fs.FS) (*Listing, error) { return listNamed("metrics", metricRows()) }},
	{"claims", listClaims},
}

// Kinds returns the kinds of things that List lists. Stored runs are not among them.
func Kinds() (names []string) {
	for _, k := range kinds {
		names = append(names, k.name)
	}
	return names
}

// A Listing is a list of all things of one kind.
type Listing struct {
	Table *texttab.Headed
	// Contract is the same list for programs: a value to write as JSON, with the version of its
	// schema.
	Contract any
}

// List lists the things of a kind, which is one of Kinds. It reads claims from source. It returns
// nil if there is no such kind.
func List(kind string, source fs.FS) (*Listing, error) {
	for _, k := range kinds {
		if k.name == kind {
			return k.list(source)
		}
	}
	return nil, nil
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
	// Modes has the modes other than the default mode, which every contender has.
	Modes  []string `json:"modes"`
	Losses []string `json:"losses"`
	// Default says that the contender is measured if no contender is named.
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

// versions returns a function that returns the version of a contender: the version of its module
// in go.mod, or of Go for the standard library.
func versions() (func(*contender.Contender) string, error) {
	modules, err := measure.ModuleVersions()
	if err != nil {
		return nil, err
	}
	return func(c *contender.Contender) string {
		if c.Module == "" {
			return runtime.Version()
		}
		return modules[c.Module]
	}, nil
}

func listContenders() (*Listing, error) {
	rows, err := contenderRows()
	if err != nil {
		return nil, err
	}
	contract := struct {
		Schema     int            `json:"schema"`
		Contenders []contenderRow `json:"contenders"`
	}{1, rows}
	t := &texttab.Headed{}
	t.Head("contender", "format", "?version", "?license", ">modes", "what it is")
	for _, r := range rows {
		t.Line(r.Name, r.Format, r.Version, r.License, strconv.Itoa(1+len(r.Modes)), r.Title)
	}
	return &Listing{t, contract}, nil
}

func listWorkloads() (*Listing, error) {
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
	contract := struct {
		Schema    int   `json:"schema"`
		Workloads []row `json:"workloads"`
	}{1, rows}
	t := &texttab.Headed{}
	t.Head("workload", ">sizes", "what it is")
	for _, r := range rows {
		t.Line(r.Name, strconv.Itoa(len(r.Sizes)), r.Title)
	}
	return &Listing{t, contract}, nil
}

func listSizes() (*Listing, error) {
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
	contract := struct {
		Schema int   `json:"schema"`
		Sizes  []row `json:"sizes"`
	}{1, rows}
	t := &texttab.Headed{}
	t.Head("workload", "size", ">memory", ">values", "in", "what it is")
	for _, r := range rows {
		t.Line(r.Workload, r.Size, plan.Bytes(r.Bytes), strconv.Itoa(r.Inputs), r.In, r.Text)
	}
	return &Listing{t, contract}, nil
}

// sizeSet returns the command or flag that selects a size.
func sizeSet(s workload.Size) string {
	switch {
	case s.Typical:
		return "run"
	case s.Default:
		return "run --full"
	}
	return "--size"
}

// A named is a name with its meaning.
type named struct {
	Name string `json:"name"`
	Unit string `json:"unit,omitempty"`
	Text string `json:"text"`
}

func listNamed(what string, rows []named) (*Listing, error) {
	contract := map[string]any{"schema": 1, what: rows}
	t := &texttab.Headed{}
	t.Head(strings.TrimSuffix(what, "s"), "what it is")
	for _, r := range rows {
		name := r.Name
		if r.Unit != "" {
			name += " (" + r.Unit + ")"
		}
		t.Line(name, r.Text)
	}
	return &Listing{t, contract}, nil
}

// A modeRow is a mode with the contenders that have it.
type modeRow struct {
	Name       string   `json:"name"`
	Text       string   `json:"text"`
	Contenders []string `json:"contenders"`
}

func modeRows() []modeRow {
	rows := []modeRow{{analysis.DefaultMode, "every call returns new results", ContenderNames()}}
	for _, key := range ModeNames()[1:] {
		var texts []string
		for _, axis := range strings.Split(key, ",") {
			texts = append(texts, contender.AxisOf(axis).Text) // assay explain says what the mode gives up
		}
		row := modeRow{Name: key, Text: strings.Join(texts, "; ")}
		codec, packed := measure.CodecOf(key)
		way, streams := contender.StreamWayOf(key)
		switch {
		case packed:
			row.Text = measure.CodecText(codec)
		case streams && way.Codec != "":
			row.Text = contender.AxisOf(contender.StreamMode).Text + "; " + codecOfStreams
		}
		for _, c := range contenders.All() {
			if streams && c.Stream != "" || contender.Whole(key) && c.HasWhole() || packed && len(measure.CodecModes(c, result.Compress)) > 0 {
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

func listModes() (*Listing, error) {
	rows := modeRows()
	contract := struct {
		Schema int       `json:"schema"`
		Modes  []modeRow `json:"modes"`
	}{1, rows}
	t := &texttab.Headed{}
	t.Head("mode", ">contenders", "what it is")
	for _, r := range rows {
		t.Line(r.Name, strconv.Itoa(len(r.Contenders)), r.Text)
	}
	return &Listing{t, contract}, nil
}

func opRows() []named {
	var rows []named
	for _, op := range result.Ops {
		rows = append(rows, named{Name: string(op), Text: opText[op]})
	}
	return rows
}

// opText maps each op to its description.
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

// A runRow is a stored run in the stable JSON contract.
type runRow struct {
	ID       string   `json:"id"`
	Started  string   `json:"started"`
	Complete bool     `json:"complete"`
	State    string   `json:"state"` // complete, running or cut short
	Cases    int      `json:"cases"`
	Args     []string `json:"args"`
}

// stateOf says whether a run in the directory results is complete, running or cut short. A run that
// ended after r was read is complete.
func stateOf(r *result.Run, results string) string {
	if r.Complete() {
		return "complete"
	}
	dir := filepath.Join(results, r.ID)
	if runlock.Holder(dir) != nil {
		return "running"
	}
	if now, err := result.ReadRun(dir); err == nil && now.Complete() {
		return "complete"
	}
	return "cut short"
}

// listClaims lists the embedded claims.
func listClaims(source fs.FS) (*Listing, error) {
	l, err := claims.Embedded(source)
	if err != nil {
		return nil, err
	}
	type row struct {
		ID        string `json:"id"`
		Source    string `json:"source"`
		Statement string `json:"statement"`
	}
	rows := []row{}
	for _, c := range l.Claims {
		rows = append(rows, row{c.ID, c.Source, c.Statement})
	}
	contract := struct {
		Schema int   `json:"schema"`
		Claims []row `json:"claims"`
	}{1, rows}
	t := &texttab.Headed{}
	t.Head("claim", "statement")
	for _, r := range rows {
		t.Line(r.ID, r.Statement)
	}
	return &Listing{t, contract}, nil
}

// Runs lists the given runs, which are stored in the directory results.
func Runs(results string, runs []*result.Run) *Listing {
	rows := []runRow{}
	for _, r := range runs {
		state := stateOf(r, results)
		rows = append(rows, runRow{r.ID, r.Started.Format("2006-01-02 15:04:05"), state == "complete", state, len(r.Plan.Cases), r.Args})
	}
	t := &texttab.Headed{}
	t.Head("run", "started", "state", ">cases", "command")
	for _, r := range rows {
		t.Line(r.ID, r.Started, r.State, strconv.Itoa(r.Cases), phrase.ShellLine(append([]string{"assay"}, r.Args...)...))
	}
	return &Listing{t, struct {
		Schema int      `json:"schema"`
		Runs   []runRow `json:"runs"`
	}{1, rows}}
}

// Runners returns the table of the runners in a cache, and their size in bytes.
func Runners(kept []measure.KeptRunner) (t *texttab.Headed, size int64) {
	t = &texttab.Headed{}
	t.Head("runner", ">layouts", ">size", "used", "for")
	for _, r := range kept {
		size += r.Size
		what := r.Variant
		if r.Own {
			what = strings.TrimPrefix(what+", your own data", ", ")
		}
		t.Line(fmt.Sprintf("%.12s", r.Key), strconv.Itoa(r.Layouts), plan.Bytes(r.Size), r.Used.Format("2006-01-02 15:04"), what)
	}
	return t, size
}

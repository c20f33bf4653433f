package gotype

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"assay/contender"
	"assay/internal/cachedir"
	"assay/internal/external"
)

// ExternalOptions say what to build a runner of the user's own type from.
type ExternalOptions struct {
	// Source is the source of the module from which runners are built.
	Source fs.FS
	// Files has the packages that were generated for the schema, by their names within the
	// module. Only those of the workload are used.
	Files []contender.File
	// Workload is the workload's name: the schema's name, or a name made from it.
	Workload string
	// Like is the contender encoding/json. The runner has its format, traits and losses.
	Like *contender.Contender
}

// ExternalName is the name of the user's own type in tables.
const ExternalName = "own/encoding/json"

// External makes a runner in which encoding/json encodes and decodes the user's own type, including
// the type's own methods. dir becomes the directory of an external contender for a run. It may be
// renamed. The runner measures the type as it was when External was called.
//
// The overlay compiles everything that the runner links into the user's module, even package bench.
// The versions of all modules are therefore the same as in the user's own programs.
func (r *Result) External(ctx context.Context, dir *cachedir.Temp, o ExternalOptions) error {
	files, err := ours("program/program.go", "program/read.go", "program/value.go", "own/own.go", "own/first/first.go")
	if err != nil {
		return err
	}
	for _, p := range []string{"bench", "contender", "result", "schema", "schema/neutral", "workload"} {
		if err := packageFiles(files, o.Source, p); err != nil {
			return err
		}
	}
	home := "workload/" + o.Workload
	for _, f := range o.Files {
		if strings.HasPrefix(f.Name, home+"/") {
			files[f.Name] = f.Data
		}
	}
	e, err := r.serving(home)
	if err != nil {
		return err
	}
	tmp, err := os.MkdirTemp("", "assay-own-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	exe, err := r.target.build(ctx, r.options, tmp, files, e)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(exe)
	if err != nil {
		return err
	}
	built, err := buildinfo.Read(bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("reading which Go compiled the program with %s: %w", r.target, err)
	}
	program := executable("runner")
	return dir.Fill(func(w *cachedir.Writer) error {
		return errors.Join(w.WriteProgram(program, data), w.WriteFile(external.File, r.runnerFile(o, "./"+program, built.GoVersion)))
	})
}

// serving returns the entry of the program that is a runner.
func (r *Result) serving(home string) (entry, error) {
	plan, err := json.Marshal(r.plan)
	if err != nil {
		return entry{}, err
	}
	return entry{
		imports: []string{here + "own", home}, first: here + "own/first",
		call: func(q string) string {
			return fmt.Sprintf("zzown.Main(%s, %q, %s, %s.Workload)", r.target.typed(q), ExternalName, strconv.Quote(string(plan)), alias(home))
		},
	}, nil
}

// typed returns an expression for the type of the records. It uses the name that the user gave. That
// is the name of a type, which may be an alias, or of a function, whose result may have a type that
// cannot be named where the function is called.
func (t *target) typed(qualifier string) string {
	name := qualifier + t.object.Name()
	if !t.isFunc {
		return "zzown.Type[" + name + "]{}"
	}
	function := "Slice"
	if t.pointers {
		function = "Pointers"
	}
	if t.fails {
		function += "Or"
	}
	return "zzown." + function + "(" + name + ")"
}

// runnerFile returns the file that describes the runner, which goVersion compiled, as an external
// contender.
func (r *Result) runnerFile(o ExternalOptions, program, goVersion string) []byte {
	var b strings.Builder
	list := func(key string, values []string) {
		quoted := make([]string, len(values))
		for i, v := range values {
			quoted[i] = strconv.Quote(v)
		}
		fmt.Fprintf(&b, "%s = [%s]\n", key, strings.Join(quoted, ", "))
	}
	fmt.Fprintf(&b, "name = %q\nformat = %q\n", ExternalName, o.Like.Format)
	fmt.Fprintf(&b, "title = %q\n", "your own "+r.target.named.Obj().Name()+" with encoding/json")
	text := "The type as it is in your module, with json.Marshal and json.Unmarshal; in other modes with an Encoder and a Decoder that are kept, and with Unmarshal into one value, which is set to zero before each call."
	var asked []string
	for _, m := range r.Methods {
		for _, name := range m.Names {
			if strings.HasSuffix(name, "JSON") || strings.HasSuffix(name, "Text") && name != "AppendText" {
				asked = append(asked, name+" of "+m.Type)
			}
		}
	}
	if len(asked) > 0 {
		text += " It asks " + some(asked) + "."
	}
	fmt.Fprintf(&b, "text = %q\nversion = %q\n", text, goVersion)
	list("command", []string{program})
	var traits, losses []string
	for _, t := range o.Like.Traits {
		traits = append(traits, string(t))
	}
	for _, l := range o.Like.Losses {
		losses = append(losses, string(l))
	}
	list("traits", traits)
	list("losses", losses)
	return []byte(b.String())
}

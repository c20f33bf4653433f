package export

import (
	"bytes"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"assay/contender"
	"assay/internal/build"
	"assay/internal/guess"
	"assay/internal/infer"
	ownproto "assay/internal/infer/protofile/own"
	"assay/internal/phrase"
	"assay/internal/plaintext"
)

// About is what a README says about the data and the choice of contenders.
type About struct {
	// Tool is the version of assay.
	Tool string
	// Of says what the schema was made from, as in "inferred from 500 records of orders.ndjson".
	Of string
	// Run names the run that recommends the contenders; empty if there is none. Show is the
	// command that shows the run.
	Run, Show string
	// Why maps a contender's name to the reasons why it was chosen, in one sentence each.
	Why map[string][]string
	// Guesses are the guesses about the schema. Notes are further facts for the reader.
	Guesses []guess.Guess
	Notes   []string
}

// readme returns the content of README.md.
func (m *Module) readme(o Options) []byte {
	r := readme{module: m, Options: o}
	r.p("# %s\n", o.Root)
	r.p("%s\n", r.head())
	r.contents()
	r.chosen()
	r.build()
	r.reading()
	r.guessed()
	return r.Bytes()
}

// A readme is a README.md under construction.
type readme struct {
	Options
	bytes.Buffer
	module *Module
}

func (r *readme) p(format string, args ...any) { fmt.Fprintf(r, format+"\n", args...) }

// head says what the module is.
func (r *readme) head() string {
	text := fmt.Sprintf("The schema of `%s` in several languages", r.Root)
	if len(r.module.Packages) > 0 {
		text += ", and Go code that encodes and decodes it"
	}
	text += ", written by assay"
	if r.About.Tool != "" {
		text += " " + r.About.Tool
	}
	if r.About.Of != "" {
		text += ". The schema was " + plaintext.Markdown(r.About.Of)
	}
	return text + ". Nothing here needs assay."
}

// contents lists the files and directories.
func (r *readme) contents() {
	r.p("| here | is |\n|---|---|")
	if r.Proto != nil {
		r.p("| `%s/` | your .proto files, as they are |", protoDir)
	}
	var files []string
	for _, f := range r.module.Files {
		if strings.HasPrefix(f.Name, "schema/") {
			files = append(files, "`"+f.Name+"`")
		}
	}
	r.p("| %s | the schema; the `.toml` is what `assay try --schema` takes |", strings.Join(files, ", "))
	r.p("| `model/` | plain Go types |")
	for _, p := range r.module.Packages {
		what, by := p.Contender.Format, p.Contender.Name
		if own(p.Contender) {
			by = strings.TrimPrefix(by, ownproto.Prefix)
			what = strings.TrimPrefix(what, ownproto.Prefix) + " of your .proto files"
		}
		r.p("| `%s/` | %s, by %s%s |", p.Dir, what, by, r.module.version(r.Options, p.Contender))
	}
	if r.module.Tested() {
		r.p("| `" + testdata + "` | what the tests read |")
	}
	for _, l := range r.module.LeftOut {
		r.p("\nLeft out: `%s`, because %s.", l.Name, plaintext.Markdown(l.Reason))
	}
	r.p("")
}

// version returns a space and the version of a contender's library that go.mod requires.
func (m *Module) version(o Options, c *contender.Contender) string {
	mod, err := fs.ReadFile(o.Build.Source, "go.mod")
	if err != nil || c.Module == "" {
		return ""
	}
	versions, err := build.ModuleVersions(mod)
	if err != nil || versions[c.Module] == "" {
		return ""
	}
	return " " + versions[c.Module]
}

// chosen says why each contender was chosen.
func (r *readme) chosen() {
	if len(r.module.Packages) == 0 {
		return
	}
	r.p("## What was chosen\n")
	for _, p := range r.module.Packages {
		why := r.About.Why[p.Contender.Name]
		if len(why) == 0 {
			why = []string{"asked for by name"}
		}
		r.p("- `%s`: %s. Choose it %s.", p.Contender.Name, strings.Join(why, "; "), p.Contender.Choose)
		for _, l := range p.Contender.Losses {
			r.p("  - loses: %s", l.In().Text)
		}
	}
	if r.About.Run != "" {
		r.p("\nThe figures are of run %s on one machine: see %s there.", r.About.Run, plaintext.Code(r.About.Show))
	}
	r.p("")
}

// build says how to build and test the code, and how to write it again.
func (r *readme) build() {
	r.p("## Build\n")
	switch {
	case r.module.written(modelTestFile):
		r.p("`go test ./...` builds the Go types and reads records of yours into them, which are in `testdata`.\n")
	case len(r.module.Packages) == 0:
		r.p("`go build ./...` builds the Go types.\n")
	default:
		r.p("`go test ./...` builds and tests all of it. `go.mod` requires the versions that were measured; rename its module and\nthe imports to what you like, or copy one package and `model` into a module of yours.\n")
		r.p("%s\n", r.tested())
	}
	r.again()
	r.generators()
}

// again prints the command that writes the module again after a change of what the schema comes from.
// Only this command also renews the conversions between the model and generated types.
func (r *readme) again() {
	file := "schema/" + r.Schema.Name + ".toml"
	changed, words, note := "the schema, `"+file+"`", []string{"assay", "data", "export"}, ""
	if r.Proto != nil {
		changed = "your .proto files"
		for _, name := range r.Proto.Named() {
			words = append(words, protoDir+"/"+name)
		}
		words = append(words, "--message", r.Proto.Message)
	} else {
		words = append(words, "--schema", file)
		if r.Spelling.Loose || len(r.Spelling.Keys) > 0 {
			words = append(words, "FILE")
			note = "FILE is a file of your records, with the flags for reading it: the schema does not say how they spell all keys\nand values.\n"
		}
	}
	words = append(words, "--out", "DIR")
	if r.Module != "example.com/"+r.Schema.Name {
		words = append(words, "--module", r.Module)
	}
	for _, p := range r.module.Packages {
		words = append(words, "-c", p.Contender.Name)
	}
	more := ""
	if len(r.module.Packages) == 0 {
		words, more = append(words, "-c", "CONTENDER"), ";\n`-c` adds the code of a contender"
	}
	r.p("After a change of %s, write the module again, to a new directory%s:\n\n```\n%s\n```\n", changed, more, phrase.ShellLine(words...))
	if note != "" {
		r.p("%s", note)
	}
}

// generators prints the commands of the schema languages.
func (r *readme) generators() {
	name := "schema/" + r.Schema.Name
	var commands []string
	for _, l := range []struct{ ext, command string }{
		{".proto", r.protoc(name + ".proto")},
		{".fbs", "flatc --go -o DIR " + name + ".fbs"},
		{".capnp", "capnp compile -I" + r.goCapnp() + " --src-prefix=schema -ogo:DIR " + name + ".capnp"},
	} {
		if l.command != "" && r.module.written(name+l.ext) {
			commands = append(commands, l.command)
		}
	}
	if len(commands) == 0 {
		return
	}
	r.p("The other schemas are for the generators of their languages, which write to a directory that exists:\n\n```\n%s\n```\n", strings.Join(commands, "\n"))
	if r.module.written(name+".capnp") && r.goCapnp() == unknownCapnp {
		r.p("STD is the directory `std` of the Go module `%s`. It has `go.capnp`, which the .capnp file imports.\n", capnpModule)
	}
}

// capnpModule is the Go module with the file go.capnp, which .capnp files for Go import.
const capnpModule = "capnproto.org/go/capnp/v3"

// unknownCapnp stands for the directory of go.capnp.
const unknownCapnp = "STD"

// goCapnp returns the directory of go.capnp for a shell. It is known where go.mod requires its module.
func (r *readme) goCapnp() string {
	if r.module.has("capnp") == nil {
		return unknownCapnp
	}
	return `"$(go list -m -f '{{.Dir}}' ` + capnpModule + `)/std"`
}

// protoc returns the command that generates the Go code of the .proto file; empty if the package that
// the file belongs to has no code of protoc-gen-go.
func (r *readme) protoc(file string) string {
	command := "protoc --go_out=DIR --go_opt=module=" + r.Module
	switch c := r.module.protobuf(); {
	case c == nil:
	case !c.GoogleTypes:
		return ""
	case c.Name == "protobuf-opaque":
		command += ",default_api_level=API_OPAQUE"
	case c.Name == "vtprotobuf":
		command += " --go-vtproto_out=DIR --go-vtproto_opt=module=" + r.Module + ",features=marshal+unmarshal+unmarshal_unsafe+size"
	}
	return command + " " + file
}

// ownPackage reports whether a package is for the user's .proto files.
func (m *Module) ownPackage() bool {
	return slices.ContainsFunc(m.Packages, func(p Package) bool { return own(p.Contender) })
}

// ownJSON reports whether the test of such a package reads messages in protobuf's JSON, as those of
// libraries with protobuf-go's types do.
func (m *Module) ownJSON() bool {
	return slices.ContainsFunc(m.Packages, func(p Package) bool { return own(p.Contender) && methods[p.Contender.Name] == "" })
}

// tested says which of the user's records the tests read.
func (r *readme) tested() string {
	text := "The tests encode and decode records of yours, which are in `testdata`."
	for _, name := range []string{sampleFile, messagesFile, protoFile} {
		if r.module.written(testdata + name) {
			return text
		}
	}
	text = ""
	if r.module.written(testdata + exampleFile) {
		text = "The tests encode and decode a made-up record, and records of yours once you write some to `" + testdata + sampleFile + "`,\neach a line of JSON."
	}
	if r.module.ownPackage() {
		text += " Those of the packages `own…` encode and decode messages of yours once you write some to\n`" + testdata + messagesFile + "`, in binary form with the length of each before it as a varint"
		if r.module.ownJSON() {
			text += ", or to\n`" + testdata + protoFile + "`, in protobuf's JSON, each a line"
		}
		text += "."
	}
	return strings.TrimSpace(text)
}

// written reports whether the module has a file with that name.
func (m *Module) written(name string) bool {
	for _, f := range m.Files {
		if f.Name == name {
			return true
		}
	}
	return false
}

// reading says how to read the user's own data.
func (r *readme) reading() {
	r.p("## Your data\n")
	if r.Proto != nil {
		r.p("Your data are messages `%s`.", r.Proto.Message)
		if r.module.ownPackage() {
			r.p("The packages `own…` have types that are generated from your files as they are, and read and write what your\nprograms do. In a program of yours use the types that its own build generates: `codec.go` shows the calls.")
		}
		if c := r.module.protobuf(); c != nil {
			r.p("`%s` does not read them: its types are made of a schema that lacks what the comments in\n`schema/%s.proto` name.", c.Dir(), r.Schema.Name)
		}
		r.p("")
		return
	}
	r.p("```go\nvar v model.%s\nerr := json.Unmarshal(record, &v) // a record of yours\n```\n", r.Root)
	if !r.Spelling.Plain(r.Schema) {
		r.p("The types have methods UnmarshalJSON, because encoding/json alone cannot read some values of the records%s.\nThey have no MarshalJSON: `json.Marshal` writes the fields as they are, which is not your JSON again. The types in the package of a\nJSON library write it, as near as the library can (`assay data export -c encoding/json`).\n", r.special())
	}
	if c := r.module.protobuf(); c != nil {
		if !c.GoogleTypes {
			r.p("protojson does not read the records into the types of `%s`, which are not Google's. Convert from the model.\n", c.Dir())
		} else if r.byProtojson(c) {
			r.p("`protojson.UnmarshalOptions{DiscardUnknown: true}` reads a record into the types of `%s`: the .proto file names the\nfields in JSON as your records do.\n", c.Dir())
		} else {
			r.p("protojson does not read the records: some of their keys or values do not exist in protobuf's JSON. Convert from the model.\n")
		}
	}
}

// special lists the special features of the user's JSON.
func (r *readme) special() string {
	var what []string
	add := func(is bool, text string) {
		if is {
			what = append(what, text)
		}
	}
	rows, texts, wraps, spelled, unions, kinds, alone := len(r.Spelling.Rows) > 0, false, false, false, false, false, false
	for _, m := range r.Schema.Messages {
		rows = rows || m.Row
		wraps = wraps || m.Wraps
		unions = unions || m.ByContent()
		kinds = kinds || m.ByKind()
		for _, f := range m.Fields {
			texts = texts || f.JSONText
			spelled = spelled || f.As != ""
			alone = alone || f.OneOrMany
		}
	}
	add(rows, "lists that are structs by place")
	add(len(r.Spelling.Keys) > 0, "keys that no struct tag can hold")
	add(texts, "values of any kind, which are kept as the text of their JSON")
	add(spelled, "ids, times or numbers that are spelled as you said")
	add(wraps, "nulls in lists, or records that are no objects")
	add(alone, "lists without brackets when they have one element")
	add(kinds, "values of several kinds, for each of which there is a field")
	add(unions, "objects of several kinds, for each of which there is a type")
	add(r.Spelling.Loose, "values of another kind than the schema has, or keys that are left out and differ from a field's in case only")
	if len(what) == 0 {
		return ""
	}
	return ": " + strings.Join(what, "; ")
}

// guessed lists the guesses about the schema, and the notes. It leaves out reasons and some
// notes, because they show values of records and users commit README.md.
func (r *readme) guessed() {
	if len(r.About.Guesses) > 0 {
		r.p("## What was guessed of the schema\n")
		for _, g := range r.About.Guesses {
			otherwise := ""
			if g.Overrule != "" {
				otherwise = "; otherwise " + plaintext.Code(g.Overrule)
			}
			r.p("- %s is %s%s", plaintext.Code(g.Path), plaintext.Markdown(g.Decision), otherwise)
		}
		r.p("\nThe reasons show values of your records: %s prints them.\n", r.reasons())
	}
	if notes := infer.WithoutValues(r.About.Notes); len(notes) > 0 {
		r.p("## Notes\n")
		for _, n := range notes {
			r.p("- %s", plaintext.MarkdownParagraph(n))
		}
		r.p("")
	}
}

// reasons returns the command that prints the reasons of guesses.
func (r *readme) reasons() string {
	if r.About.Run != "" {
		return plaintext.Code(r.About.Show)
	}
	return "`assay data infer FILE --details`"
}

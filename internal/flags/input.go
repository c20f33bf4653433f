package flags

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"assay/internal/intake"
	"assay/internal/tried"
	"assay/internal/userdata"
)

// Input has the flags that say how samples are read.
type Input struct{ intake.Options }

// Add adds the flags to a command.
func (i *Input) Add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&i.Records, "records", "", "take the records at `PATH` in each document, as in 'statuses[]' (default: the elements of an array of objects, otherwise whole documents)")
	f.StringVar(&i.Name, "name", "", "call the schema `NAME` (default: the name of the first file)")
	f.StringVar(&i.SchemaFile, "schema", "", "take the schema from `FILE`, as a run keeps it, and guess nothing")
	f.Var(saying{flag: "map", to: &i.Said}, "map", "treat the objects at `PATH` as maps, whose keys are data (may be repeated)")
	f.Var(saying{flag: "struct", to: &i.Said}, "struct", "treat the objects at `PATH` as a struct with its own type, whose keys are fields (may be repeated)")
	f.Var(saying{flag: "union", to: &i.Said}, "union", "treat the objects at `PATH` as a union: several kinds, each with its own fields (may be repeated)")
	f.StringArrayVar(&i.Only, "only", nil, "take only the records of JSON with a value, given as `PATH=VALUE`, as in type=order, or with any value at PATH (may be repeated; all must be true)")
	f.Var(saying{flag: "type", to: &i.Said}, "type", "make a value another type, given as `PATH=TYPE`, as in user.id=string, id=uuid or price=decimal:2 (assay explain spelling lists more); omitempty, omitzero and null say how an absent value is written (may be repeated). Without =: take the records as your Go type PKG.NAME, as in ./internal/model.Order")
	f.StringArrayVar(&i.Samples, "sample", nil, "read the records of a .proto file or of a Go type from `FILE` (may be repeated)")
	protoFlags(cmd, &i.Proto)
	f.BoolVar(&i.SkipBad, "skip-bad", false, "leave out records that cannot be read or do not fit, and say how many and the first")
	f.Int64Var(&i.MaxRecords, "max-records", intake.MaxRecords, "read at most `N` records")
	f.Var((*Size)(&i.MaxBytes), "max-bytes", "read at most `SIZE` of records, as in 100MB (default 1 GiB)")
	f.Var((*Size)(&i.MaxRecord), "max-record", "refuse a record larger than `SIZE` (default 16 MiB)")
}

// InputGiven returns the name of an input flag that the command line has, other than those in
// besides, or "" if it has none.
func InputGiven(cmd *cobra.Command, besides ...string) string {
	var in Input
	all := &cobra.Command{}
	in.Add(all)
	var names []string
	all.Flags().VisitAll(func(f *pflag.Flag) {
		if !slices.Contains(besides, f.Name) {
			names = append(names, f.Name)
		}
	})
	return FirstGiven(cmd, names...)
}

// protoFlags adds the flags for records that are protobuf messages.
func protoFlags(cmd *cobra.Command, p *intake.Proto) {
	f := cmd.Flags()
	f.StringVar(&p.Message, "message", "", "with a .proto file: take the records as messages `NAME`, as in pkg.Order (default: the only one that no other holds)")
	f.StringArrayVarP(&p.Imports, "proto-path", "I", nil, "with a .proto file: look for imports in `DIR`, or PREFIX=DIR (may be repeated; default: beside the file and above it, then in the modules of its go.mod)")
	f.StringVar(&p.Form, "proto-form", "", "with a .proto file: read samples in `FORM`, one of "+strings.Join(intake.Forms(), ", ")+" (default: by their names, then by what is in them)")
	Values(cmd, "proto-form", intake.Forms)
}

// Made says what the schema was made from.
func (i *Input) Made(s userdata.Source) string {
	if i.SchemaFile != "" {
		return "given as " + filepath.Base(i.SchemaFile)
	}
	goType, _ := i.GoType() // Kind already checked it
	return tried.Made(s, goType)
}

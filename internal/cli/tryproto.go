package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"assay/internal/infer"
	"assay/internal/infer/gotype"
	"assay/internal/infer/protofile"
	"assay/internal/outfile"
	"assay/internal/report"
	"assay/internal/userdata"
)

// protoInput is the flags of records that are protobuf messages.
type protoInput struct {
	message string
	imports []string
	form    string
}

var protoForms = []string{string(protofile.Binary), string(protofile.Delimited), string(protofile.JSON), string(protofile.Text)}

func (p *protoInput) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&p.message, "message", "", "with a .proto file: the records are messages `NAME`, as in pkg.Order (default: the only one that no other holds)")
	f.StringArrayVarP(&p.imports, "proto-path", "I", nil, "with a .proto file: look for imports in `DIR`, or PREFIX=DIR (may be repeated; default: beside the file and above it, then in the modules of its go.mod)")
	f.StringVar(&p.form, "proto-form", "", "with a .proto file: samples are of `FORM`, "+strings.Join(protoForms, ", ")+" (default: by their names, then by what is in them)")
	completeFlag(cmd, "proto-form", func() []string { return protoForms })
}

// given names a flag that was given, or nothing.
func (p *protoInput) given() string {
	switch {
	case p.message != "":
		return "--message"
	case len(p.imports) > 0:
		return "--proto-path"
	case p.form != "":
		return "--proto-form"
	}
	return ""
}

func (p *protoInput) check() error {
	if p.form == "" {
		return nil
	}
	if _, err := protofile.ParseForm(p.form); err != nil {
		return usagef("--proto-form: %v", err)
	}
	return nil
}

// isProto says whether a file is a .proto file, by its name.
func isProto(name string) bool { return strings.HasSuffix(name, ".proto") }

// messages reads samples of protobuf messages.
func (in *input) messages(ctx context.Context, samples []infer.Source, files []string) (userdata.Source, error) {
	r, err := protofile.Read(ctx, in.protoOptions(files, samples))
	if err != nil {
		return userdata.Source{}, wrongInput(ctx, err)
	}
	s := userdata.Messages(in.samples, r)
	s.Notes = append([]string{fmt.Sprintf("the records are messages %s of %s", r.Message, strings.Join(files, ", "))}, s.Notes...)
	return s, nil
}

// copyProto copies the .proto files of a result into a directory, under the names
// that imports have, where storedProto finds them.
func copyProto(dir string, r *protofile.Result) error {
	for _, f := range r.Sources() {
		data, err := os.ReadFile(f.Path)
		if err != nil {
			return fmt.Errorf("keeping a copy of the .proto files: %w", err)
		}
		if !filepath.IsLocal(filepath.FromSlash(f.Name)) {
			return fmt.Errorf("keeping a copy of the .proto files: %s is not below a directory of imports; name that with -I", f.Name)
		}
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			return err
		}
		if err := outfile.WriteNew(name, data, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// storedProto compiles the copies in the directory of a run.
func storedProto(ctx context.Context, run string, p report.TryProto) (*protofile.Result, error) {
	dir := filepath.Join(run, protoDir)
	o := protofile.Options{ImportDirs: []string{dir}, Message: p.Message}
	for _, name := range p.Files {
		o.Files = append(o.Files, filepath.Join(dir, filepath.FromSlash(name)))
	}
	r, err := protofile.Compile(ctx, o)
	if err != nil {
		return nil, usagef("the copies of the .proto files of run %s cannot be used: %v", run, err)
	}
	return r, nil
}

// wrongInput gives an error the exit code of wrong input, unless it is about
// what happened: the command was interrupted, or the user's module does not
// compile.
func wrongInput(ctx context.Context, err error) error {
	if ctx.Err() != nil || errors.As(err, new(*gotype.ProgramError)) {
		return err
	}
	return &exitError{exitUsage, err}
}

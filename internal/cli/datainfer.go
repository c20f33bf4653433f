package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"assay/internal/infer"
	"assay/internal/infer/gotype"
	"assay/internal/infer/protofile"
	"assay/internal/userdata"
	"assay/schema/text"
)

func (a *app) inferCommand() *cobra.Command {
	var in input
	cmd := &cobra.Command{
		Use:   "infer [FILE...]",
		Short: "print the schema of samples, a .proto file or a Go type",
		Long: `Infer prints the schema that assay try would measure, in its text form: for
samples of JSON or NDJSON; for a message in .proto files; or, with --type, for a
Go type in your module, or the result of a function there. You can edit the
schema and pass it to assay try --schema with samples of JSON. With --sample, it
also reads the records of a .proto file or of a Go type, and checks them.
On standard error it lists each guess with the flag that decides otherwise, and
what a schema cannot say. Objects of one shape are one type; --struct PATH gives
one of them a type of its own. Ids, times and amounts that are texts or numbers
in your JSON stay so until you ask for more, with --type id=uuid, hex, 0x, date,
local, unix-ms, decimal:2 and others: assay explain spelling.`,
		Example: `  assay data infer orders.ndjson > orders.toml
  assay data infer events.ndjson --only type=order
  assay data infer api.proto --message pkg.Order -I proto
  assay data infer api.proto --message pkg.Order --sample orders.bin
  assay data infer --type ./internal/model.Order`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := in.check(); err != nil {
				return err
			}
			s, err := a.inferred(cmd.Context(), cmd.InOrStdin(), in, args)
			if err != nil {
				return interrupted(cmd.Context(), err, "")
			}
			for _, g := range s.Guesses {
				otherwise := ""
				if g.Overrule != "" {
					otherwise = "; otherwise " + g.Overrule
				}
				a.hint("guessed   %s is %s: %s%s", g.Path, g.Decision, g.Reason, otherwise)
			}
			for _, n := range s.Notes {
				a.hint("note      %s", n)
			}
			_, err = a.stdout.Write(text.Format(s.Schema))
			return err
		},
	}
	in.flags(cmd)
	return cmd
}

// inferred returns the schema of samples, a .proto file or a Go type, of which
// records are read where there are some.
func (a *app) inferred(ctx context.Context, stdin io.Reader, in input, files []string) (userdata.Source, error) {
	goType, err := in.kind(files)
	switch {
	case err != nil:
		return userdata.Source{}, err
	case len(files) == 0 && goType == "":
		return userdata.Source{}, usagef("there is nothing to read; name a file of JSON or NDJSON, - for standard input, a .proto file, or a Go type with --type")
	case len(in.samples) > 0 || goType == "" && !isProto(files[0]):
		s, typed, done, err := a.readSamples(ctx, stdin, in, files)
		defer done()
		if typed != nil {
			err = errors.Join(err, typed.Close())
		}
		return s, err
	case goType != "":
		r, err := gotype.Shape(ctx, gotype.Options{Type: goType, Name: in.name, Go: a.measuring().ToolGo()})
		if err != nil {
			return userdata.Source{}, wrongInput(ctx, err)
		}
		notes := append([]string{"no record was read: give some with --sample to have what records decide"}, r.Notes...)
		return userdata.Source{Schema: r.Schema, Root: r.Root, Guesses: r.Guesses, Notes: notes}, nil
	}
	return in.declared(ctx, files)
}

// declared returns the schema of a .proto file's message, of which no records are
// read.
func (in *input) declared(ctx context.Context, files []string) (userdata.Source, error) {
	r, err := protofile.Compile(ctx, in.protoOptions(files, nil))
	if err != nil {
		return userdata.Source{}, wrongInput(ctx, err)
	}
	s := userdata.Source{Schema: r.Schema, Root: r.Root, Guesses: r.Guesses}
	s.Notes = append([]string{fmt.Sprintf("the schema is of the message %s of %s", r.Message, strings.Join(files, ", "))}, r.Notes...)
	return s.WithProto(r), nil
}

// protoOptions are how .proto files and their messages are read.
func (in *input) protoOptions(files []string, samples []infer.Source) protofile.Options {
	return protofile.Options{
		Files: files, ImportDirs: in.proto.imports, Message: in.proto.message, Form: protofile.Form(in.proto.form), Name: in.name, Samples: samples,
		SkipBad: in.skipBad, MaxRecords: in.maxRecords, MaxBytes: int64(in.maxBytes), MaxRecord: int64(in.maxRecord),
	}
}

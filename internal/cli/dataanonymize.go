package cli

import (
	"errors"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"assay/internal/anonymize"
	"assay/internal/infer"
)

// anonymizeCommand makes samples that can be shared.
func (a *app) anonymizeCommand() *cobra.Command {
	var in input
	var out, seed string
	cmd := &cobra.Command{
		Use:   "anonymize FILE...",
		Short: "make a sample of the same shape that can be shared",
		Long: `Anonymize reads samples of JSON or NDJSON as assay try does and writes NDJSON
with one record for each of theirs, of as many bytes and of the same schema, in
which every value is replaced by another that looks alike. What is kept goes to
standard error as well:

` + bullets(anonymize.Kept) + `
Values are permuted by a key that is drawn anew each time and kept nowhere. With
--seed the key is made of TEXT, and the same records give the same sample again;
who knows or guesses TEXT can turn values back, so choose it as a password.`,
		Example: `  assay data anonymize orders.ndjson --out shareable.ndjson
  assay data anonymize twitter.json --records 'statuses[]' | head`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("there is nothing to read; name a file of JSON or NDJSON, or - for standard input")
			}
			if cmd.Flags().Changed("seed") && seed == "" {
				return usagef("--seed is empty; leave it out for a key that is random")
			}
			if err := in.check(); err != nil {
				return err
			}
			o, err := in.options(cmd.Context())
			if err != nil {
				return err
			}
			if err := notRead(out, args); err != nil {
				return err
			}
			sources, done, err := infer.Files(cmd.Context(), args, cmd.InOrStdin(), o)
			defer done()
			if err != nil {
				return &exitError{exitUsage, err}
			}
			s, err := anonymize.Make(sources, o, seed)
			if err != nil {
				return wrongInput(cmd.Context(), err)
			}
			if err := writeTo(out, a.stdout, s.Write); err != nil {
				return err
			}
			a.explainSample(s)
			return nil
		},
	}
	in.flags(cmd)
	cmd.Flags().StringVar(&out, "out", "", "write to `FILE` instead of standard output")
	cmd.Flags().StringVar(&seed, "seed", "", "make the key of `TEXT`, which must stay secret (default: a random key)")
	return cmd
}

// explainSample says what was made, and what it has of the original.
func (a *app) explainSample(s *anonymize.Sample) {
	for _, n := range s.Of.Notes {
		a.hint("note      %s", n)
	}
	a.hint("written   %s, whose shape is that of the original\n\n%s", count(int(s.Of.Records), "record"), bullets(anonymize.Kept))
	if !s.Same {
		a.hint("note      inferred again, the schema of the sample differs from that of the original: share the\n" +
			"          schema with it, as assay data infer prints it, for assay try --schema")
	}
}

// bullets is a list of paragraphs, each wrapped and with a sign before it.
func bullets(paragraphs []string) string {
	const width = 78
	var b strings.Builder
	for _, p := range paragraphs {
		line := "-"
		for _, word := range strings.Fields(p) {
			if len(line)+1+len(word) > width {
				b.WriteString(line + "\n")
				line = " "
			}
			line += " " + word
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

// notRead returns an error when a file is to be written that is read.
func notRead(out string, files []string) error {
	to, err := os.Stat(out)
	if err != nil {
		return nil // it is not there yet, or says so when it is written
	}
	for _, f := range files {
		if from, err := os.Stat(f); err == nil && os.SameFile(from, to) {
			return usagef("--out is %s, which is read; name another file", out)
		}
	}
	if to.IsDir() {
		return usagef("--out is %s, a directory; name a file", out)
	}
	return nil
}

// writeTo writes a file, which is there only when all of it is, or w when it has
// no name. What is no regular file is written as it is.
func writeTo(name string, w io.Writer, write func(io.Writer) error) (err error) {
	if name == "" {
		return write(w)
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(write(f), f.Close())
	}
	f, err := os.OpenFile(name+".partial", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	if err := errors.Join(write(f), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

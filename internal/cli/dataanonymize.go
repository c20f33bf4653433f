package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay/internal/anonymize"
	"assay/internal/flags"
	"assay/internal/intake"
	"assay/internal/outfile"
	"assay/internal/phrase"
	"assay/internal/refusal"
	"assay/internal/userfile"
)

// anonymizeCommand returns assay data anonymize, which makes samples that users can share.
func (a *app) anonymizeCommand() *cobra.Command {
	var in flags.Input
	var out, seed string
	cmd := &cobra.Command{
		Use:   "anonymize FILE...",
		Short: "make a sample of the same shape that you can share",
		Long: `Anonymize reads samples of JSON or NDJSON as assay try does. For each record it
writes one record of NDJSON with the same schema and, apart from white space
between values, as many bytes. It replaces every value by another one that looks
alike. It also prints on standard error what it keeps:

` + phrase.Bullets(anonymize.Kept) + `
A random key permutes the values; it is new each time and stored nowhere. With
--seed the key comes from TEXT, and the same records give the same sample again.
Whoever knows or guesses TEXT can turn values back: choose it like a password.
Other users of the machine can read TEXT in the list of processes; with --seed
@FILE assay reads it from FILE.`,
		Example: `  assay data anonymize orders.ndjson --out shareable.ndjson
  assay data anonymize twitter.json --records 'statuses[]' | head`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return refusal.Errorf("there is nothing to read; name a file of JSON or NDJSON, or - for standard input")
			}
			if err := in.JSONAlone(args); err != nil {
				return err
			}
			if err := in.Check(); err != nil {
				return err
			}
			o, err := in.Options.Infer(cmd.Context())
			if err != nil {
				return err
			}
			if err := unwritten(out, args); err != nil {
				return err
			}
			if seed, err = secret(cmd.Context(), seed); err != nil {
				return err
			}
			sources, done, err := a.reading(&in).Files(cmd.Context(), args, cmd.InOrStdin())
			defer done()
			if err != nil {
				return refusal.Of(err)
			}
			s, err := anonymize.Make(sources, o, seed)
			a.progress().Clear()
			if err != nil {
				return intake.Wrong(cmd.Context(), err)
			}
			if out == "" {
				err = s.Write(a.Exact())
			} else {
				err = outfile.Write(out, s.Write)
			}
			if err != nil {
				return err
			}
			a.explainSample(s)
			return nil
		},
	}
	in.Add(cmd)
	cmd.Flags().StringVar(&out, "out", "", "write to the new `FILE` instead of standard output")
	cmd.Flags().StringVar(&seed, "seed", "", "make the key from `TEXT`, which must stay secret, or from the file @TEXT (default: a random key)")
	return cmd
}

// secret returns the text of --seed: itself or, after @, that of a file without the end of its last line.
func secret(ctx context.Context, seed string) (string, error) {
	name, ok := strings.CutPrefix(seed, "@")
	if !ok {
		return seed, nil
	}
	data, err := userfile.Read(ctx, name)
	if err != nil {
		return "", refusal.Errorf("--seed: %w", err)
	}
	seed = strings.TrimRight(string(data), "\r\n")
	if seed == "" {
		return "", refusal.Errorf("--seed: %s has no text", name)
	}
	return seed, nil
}

// explainSample says what was written, and what the sample keeps of the original.
func (a *app) explainSample(s *anonymize.Sample) {
	for _, n := range s.Of.Notes {
		a.Hint("note      %s", n)
	}
	a.Hint("written   %s, whose shape is that of the original\n\n%s", phrase.Count(int(s.Of.Records), "record"), phrase.Bullets(anonymize.Kept))
	switch {
	case s.Same:
	case s.Of.NamesData():
		a.Hint("note      inferred again, the schema of the sample differs from that of the original, which has texts that\n" +
			"          are replaced: to share both, anonymize with --schema FILE and what assay data infer prints")
	default:
		a.Hint("note      inferred again, the schema of the sample differs from that of the original: share the\n" +
			"          schema with it, as assay data infer prints it, for assay try --schema")
	}
}

// unwritten returns an error if the file cannot be written, or if it is one of the files that are
// read.
func unwritten(out string, files []string) error {
	if out == "" {
		return nil
	}
	if slices.ContainsFunc(files, func(f string) bool { return outfile.Same(out, f) }) {
		return refusal.Errorf("--out is %s, which is read; name another file", out)
	}
	if err := outfile.Check(out); err != nil {
		return refusal.Errorf("--out: %w", err)
	}
	return nil
}

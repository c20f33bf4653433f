package flags

import (
	"strings"

	"github.com/spf13/cobra"

	"assay/internal/answer"
	"assay/internal/infer/gotype"
	ownproto "assay/internal/infer/protofile/own"
	"assay/internal/measure"
	"assay/internal/tried"
)

// Asking has the flags that say what users want to know about a run on their own records.
type Asking struct{ tried.Asking }

// Add adds the flags to a command that measures.
func (q *Asking) Add(cmd *cobra.Command) {
	q.Asked = tried.Default()
	f := cmd.Flags()
	f.StringVar(&q.Have, "have", measure.Reference, "compare with `CONTENDER`, which is in use now; with a .proto file the default is "+ownproto.Name+", with a Go type "+gotype.ExternalName)
	Values(cmd, "have", func() []string { return measure.Names(measure.Known()) })
	f.StringSliceVar(&q.Must, "must", nil, "recommend only contenders that are `LIST`, of "+strings.Join(answer.MustNames(), ", "))
	Values(cmd, "must", answer.MustNames)
	for _, x := range tried.Numbers(&q.Asked) {
		f.Float64Var(x.To, x.Name, *x.To, x.Text)
	}
	f.StringVar(&q.Codec, "codec", q.Codec, "cost: send and store records compressed with `CODEC`, of "+strings.Join(answer.Codecs(), ", "))
	Values(cmd, "codec", answer.Codecs)
	f.BoolVar(&q.Batch, "batch", q.Batch, "cost: compress many records together; =false for each by itself")
}

// AddAgain adds the flags to a command that answers a stored question. Their defaults are the values
// of that question.
func (q *Asking) AddAgain(cmd *cobra.Command) {
	q.Add(cmd)
	none := map[string]string{"string": "", "stringSlice": "[]", "float64": "0", "bool": "false"} // help does not show these
	for _, name := range tried.Flags() {
		f := cmd.Flags().Lookup(name)
		f.DefValue = none[f.Value.Type()]
		f.Usage, _, _ = strings.Cut(f.Usage, "; with ")
		f.Usage += " (default: as the run was asked)"
	}
}

// Complete checks the flags, and notes which are given. names are the contenders that --have may
// name.
func (q *Asking) Complete(cmd *cobra.Command, names []string) error {
	q.Given = nil
	for _, name := range tried.Flags() {
		if cmd.Flags().Changed(name) {
			q.Given = append(q.Given, name)
		}
	}
	return q.Check(names)
}

package measure

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"assay/contender"
	"assay/contenders"
	"assay/internal/build"
	"assay/internal/codegen"
	"assay/internal/plan"
	"assay/internal/userdata"
	"assay/internal/verify"
	"assay/result"
	"assay/workload"
)

// Records are a user's records as an input: one workload of one size. Contenders whose
// code is made of the user's own .proto file, and more of them, come after the others.
func Records(d *userdata.Data, more ...*contender.Contender) Input {
	return &records{Data: d, load: d.Workload(), more: more}
}

type records struct {
	*userdata.Data
	load *workload.Workload
	more []*contender.Contender
	// packages and sample, the file of the records that are timed, are set by
	// prepare.
	packages *userdata.Packages
	sample   string
}

const (
	// packBytes is about how many bytes of records, in neutral form, are
	// compressed; and quickPackBytes in a quick run.
	packBytes, quickPackBytes = 8 << 20, 2 << 20
	// blockBytes is how many are verified in one process, with everything that the
	// contenders make of them. Larger samples are verified in blocks, of which there are
	// leastBlocks at least, so that those that there is time for come from everywhere.
	blockBytes  = 4 << 20
	leastBlocks = 16
)

func (r *records) Contenders() []*contender.Contender {
	return slices.Concat(contenders.All(), r.Own, r.more)
}

func (r *records) Workloads() []*workload.Workload { return []*workload.Workload{r.load} }

func (r *records) Holds(c *contender.Contender, _ *workload.Workload) error { return r.Data.Holds(c) }

func (r *records) LeftOut(name string) (codegen.Reason, bool) {
	why, ok := r.packages.LeftOut[name]
	return why, ok
}

func (r *records) Keeps(command string) bool { return command == "try" }

func (r *records) data() *result.Data { return r.Plan() }

// link links the contenders that were selected: the code of others would have to be
// generated and compiled first.
func (r *records) link(ctx context.Context, o build.Options, group string, among []*contender.Contender, cases []result.Case, layouts []uint64) (*build.Runner, error) {
	_, packed := cutCodecs(group)
	s := build.Spec{Workloads: []string{r.load.Name}, Codecs: packed, Streams: Streams(cases)}
	for _, c := range within(among, group) {
		if one, ok := r.packages.Contender(c.Name); ok {
			s.Contenders = append(s.Contenders, one)
		}
	}
	o.Generated, o.Extra = r.packages.Files, r.packages.Extra
	return build.Make(ctx, o, s, layouts)
}

func (r *records) timed() func(workload, size string) string { return at(r.sample) }

func (r *records) streamed() string { return r.All() }

func at(file string) func(workload, size string) string {
	return func(string, string) string { return file }
}

func (r *records) packed(quick bool) (func(workload, size string) string, error) {
	file, _, err := r.Spread(compressedBytes(quick))
	return at(file), err
}

// compressedBytes is about how many bytes of records are compressed.
func compressedBytes(quick bool) int64 {
	if quick {
		return quickPackBytes
	}
	return packBytes
}

// trips verifies all records in every mode, each read by all contenders of its format,
// where one process has room for them. Otherwise those that are timed are verified
// so, and all go through each contender's default mode, a block at a time.
func (r *records) trips(cfg *verify.Config) bool {
	cfg.Habits = true
	if r.Neutral() > blockBytes && r.Data.Records != 1 {
		return false
	}
	cfg.Sizes, cfg.Runner.Data = true, at(r.All())
	return true
}

func (r *records) blocks() []userdata.Block {
	return r.Blocks(min(blockBytes, r.Neutral()/leastBlocks))
}

func (r *records) block(b userdata.Block, do func(file string) error) error { return r.Block(b, do) }

func (r *records) prepare(ctx context.Context, cfg *Config, sel *plan.Selection, wanted []*contender.Contender) error {
	streams := Streams(sel.Cases)
	for _, c := range contenders.All() {
		if !streams && common(c.Name) && !slices.Contains(wanted, c) {
			wanted = append(wanted, c)
		}
	}
	cfg.begin(PhaseBegan{Phase: Generating, Total: len(wanted)})
	var err error
	if r.sample, err = r.Sample(); err != nil {
		return err
	}
	if r.packages, err = r.Generate(ctx, cfg.Tools(), wanted, streams); err != nil {
		return err
	}
	cfg.tell(Generated{len(r.packages.Contenders), time.Since(cfg.began)})
	cfg.end()
	var first error
	for _, c := range sel.Live() {
		if why, ok := r.packages.LeftOut[c.Contender]; ok {
			sel.Outcomes = append(sel.Outcomes, result.Outcome{Case: c, Status: why.Status, Reason: why.Text})
			first = errors.New(c.Contender + ": " + why.Text)
		}
	}
	sel.Contenders = slices.DeleteFunc(sel.Contenders, func(c *contender.Contender) bool {
		_, left := r.packages.LeftOut[c.Name]
		return left
	})
	if len(sel.Live()) == 0 {
		return fmt.Errorf("no contender could be generated for these records; %w", first)
	}
	return nil
}

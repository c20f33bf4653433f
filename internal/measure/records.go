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

// Records returns a user's records as an Input of one workload and one size. The contenders
// generated from the user's own .proto file, and more, come after the contenders of the
// repository.
func Records(d *userdata.Data, more ...*contender.Contender) Input {
	return &records{Data: d, load: d.Workload(), more: more}
}

type records struct {
	*userdata.Data
	load *workload.Workload
	more []*contender.Contender
	// prepare sets packages and sample, which is the file of the records that are timed.
	packages *userdata.Packages
	sample   string
}

const (
	// packBytes is about how many bytes of records, in neutral form, are compressed, and
	// quickPackBytes is the same for a quick run.
	packBytes, quickPackBytes = 8 << 20, 2 << 20
	// blockBytes is the largest number of bytes that are verified in one process, together with
	// all that the contenders make of them. Larger samples are verified in at least leastBlocks
	// blocks, so that the blocks for which there is time are spread over the sample.
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

// link links only the selected contenders, because the code of others would first have to be
// generated and compiled.
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

// compressedBytes returns about how many bytes of records are compressed.
func compressedBytes(quick bool) int64 {
	if quick {
		return quickPackBytes
	}
	return packBytes
}

// trips verifies all records in every mode, with the contenders of each format reading each
// other's messages, if one process has room for all records. Otherwise it verifies only the timed
// records like that, and the caller verifies all records in the default modes, block by block.
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

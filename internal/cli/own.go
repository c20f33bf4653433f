package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"assay/contender"
	"assay/contenders"
	"assay/internal/build"
	"assay/internal/plan"
	"assay/internal/userdata"
	"assay/internal/verify"
	"assay/result"
	"assay/workload"
	"assay/workload/builtin"
)

// own are a user's records as the workload of a run. Its methods may be called
// on nil, which is a run of the built-in workloads.
type own struct {
	data *userdata.Data
	load *workload.Workload
	// packages and sample, the file of the records that are timed, are set by
	// generate.
	packages *userdata.Packages
	sample   string
}

func newOwn(d *userdata.Data) *own { return &own{data: d, load: d.Workload()} }

// contenders are those that can be measured: those whose code is made of the
// user's own .proto file come after the others.
func (o *own) contenders() []*contender.Contender {
	if o == nil {
		return contenders.All()
	}
	return slices.Concat(contenders.All(), o.data.Own)
}

// workloads are those that can be measured.
func (o *own) workloads() []*workload.Workload {
	if o == nil {
		return builtin.All()
	}
	return []*workload.Workload{o.load}
}

// holds reports why a contender's format cannot hold the records.
func (o *own) holds(c *contender.Contender, _ *workload.Workload) error { return o.data.Holds(c) }

// extra is what was generated for runners.
func (o *own) extra() []contender.File {
	if o == nil {
		return nil
	}
	return o.packages.Files
}

// timed returns where runners find the values that are timed, for drive.Runner.
func (o *own) timed() func(workload, size string) string {
	if o == nil {
		return nil
	}
	return at(o.sample)
}

func at(file string) func(workload, size string) string {
	return func(string, string) string { return file }
}

// packed returns where runners find the values whose messages are compressed.
func (o *own) packed(quick bool) (func(workload, size string) string, error) {
	bytes := int64(packBytes)
	if quick {
		bytes = quickPackBytes
	}
	file, _, err := o.data.Spread(bytes)
	return at(file), err
}

const (
	// packBytes is about how many bytes of records, in neutral form, are
	// compressed; and quickPackBytes in a quick run.
	packBytes, quickPackBytes = 8 << 20, 2 << 20
	// blockBytes is how many are verified in one process, with everything that the
	// contenders make of them.
	blockBytes = 4 << 20
)

// spec returns what the runner of a party links. That depends on what was
// selected, unlike in a run of the built-in workloads: the code of contenders
// that nobody asked for would have to be generated and compiled first.
func (o *own) spec(party string) build.Spec {
	group, packed := cutCodecs(party)
	s := build.Spec{Workloads: []string{o.load.Name}, Codecs: packed}
	for _, c := range o.contenders() {
		if c.Group != group && !common(c.Name) {
			continue
		}
		if one, ok := o.packages.Contender(c.Name); ok {
			s.Contenders = append(s.Contenders, one)
		}
	}
	return s
}

// generate has the code of the selected contenders written, and adds outcomes of
// those that have none. The guests among them bring their own.
func (a *app) generate(ctx context.Context, sel *plan.Selection, guests visitors, p *progress) error {
	wanted := guests.ours(*sel).Contenders
	for _, c := range contenders.All() {
		if common(c.Name) && !slices.Contains(wanted, c) {
			wanted = append(wanted, c)
		}
	}
	start := time.Now()
	p.status("generate  code of %s", count(len(wanted), "contender"))
	o := a.own
	var err error
	if o.sample, err = o.data.Sample(); err != nil {
		return err
	}
	if o.packages, err = o.data.Generate(ctx, build.Options{Source: a.source, Cache: a.cacheDir(), Go: a.toolGo(), Progress: p.build}, wanted); err != nil {
		p.clear()
		return err
	}
	p.line("generated code of %s in %s", count(len(o.packages.Contenders), "contender"), seconds(time.Since(start)))
	p.stage("generate", time.Since(start))
	var first error
	for _, c := range sel.Live() {
		if why, ok := o.packages.LeftOut[c.Contender]; ok {
			sel.Outcomes = append(sel.Outcomes, result.Outcome{Case: c, Status: why.Status, Reason: why.Text})
			first = errors.New(c.Contender + ": " + why.Text)
		}
	}
	sel.Contenders = slices.DeleteFunc(sel.Contenders, func(c *contender.Contender) bool {
		_, left := o.packages.LeftOut[c.Name]
		return left
	})
	if len(sel.Live()) == 0 {
		return fmt.Errorf("no contender could be generated for these records; %w", first)
	}
	return nil
}

// verifyOwn verifies a user's records, every one of them. Those that are timed
// go through every mode, and are read by all contenders of a format; where the
// others are too many for one process, they go through each contender's default
// mode, a block at a time.
func (m *measurement) verifyOwn(ctx context.Context, live []result.Case) ([]result.Case, error) {
	data := m.app.own.data
	cfg := verify.Config{
		Runner: m.drive(), Cases: live, Losses: losses(), ModeLosses: modeLosses(), Formats: formats(m.app.own.contenders()), Habits: true,
	}
	whole := data.Neutral() <= blockBytes || data.Records == 1
	if whole {
		cfg.Sizes = true
		cfg.Runner.Data = at(data.All())
	}
	res, err := verify.Run(ctx, cfg, m.sink, m.progress.event)
	if err != nil || whole {
		return res.Cases, err
	}
	return m.verifyBlocks(ctx, cfg, res.Cases)
}

// verifyBlocks verifies all records in the default modes of the cases. A
// contender that fails loses its cases.
func (m *measurement) verifyBlocks(ctx context.Context, cfg verify.Config, live []result.Case) ([]result.Case, error) {
	data := m.app.own.data
	cfg.Habits, cfg.Sizes, cfg.Formats, cfg.Brief = false, true, nil, true
	all := map[result.Subject]*result.Verification{} // of all blocks together
	m.progress.ended()
	start := time.Now()
	err := data.Blocks(blockBytes, func(file string, first, n int64) error {
		cfg.Runner.Data = at(file)
		cfg.Cases = slices.DeleteFunc(slices.Clone(live), func(c result.Case) bool { return c.Mode != "" })
		if len(cfg.Cases) == 0 {
			return nil
		}
		m.progress.status("verifying records %d to %d of %d", first+1, first+n, data.Records)
		res, err := verify.Run(ctx, cfg, func(r result.Record) error {
			if v := r.Verification; v != nil {
				merge(all, v, first, n)
			}
			return nil
		}, m.progress.quietly)
		if err != nil {
			return err
		}
		live, err = m.lost(live, res.Outcomes, first, n)
		return err
	})
	if err != nil {
		return nil, err
	}
	m.progress.line("verified  all %d records in %s", data.Records, seconds(time.Since(start)))
	m.progress.stage(passes["verify"].name, time.Since(start))
	for _, c := range cfg.Cases {
		if v := all[c.Subject()]; v != nil {
			delete(all, c.Subject())
			if err := m.sink(result.Record{Verification: v}); err != nil {
				return nil, err
			}
		}
	}
	return live, nil
}

// lost stores that contenders fail in a block of records, and returns the cases
// of the others.
func (m *measurement) lost(live []result.Case, outcomes []result.Outcome, first, n int64) ([]result.Case, error) {
	for _, o := range outcomes {
		reason := fmt.Sprintf("in records %d to %d: %s", first+1, first+n, o.Reason)
		var lost []result.Outcome
		for _, c := range live {
			if c.Contender == o.Case.Contender {
				lost = append(lost, result.Outcome{Case: c, Status: o.Status, Reason: reason})
			}
		}
		if _, err := m.outcome(lost); err != nil {
			return nil, err
		}
		live = plan.Without(live, lost)
	}
	return live, nil
}

// merge adds what was found out of one block.
func merge(all map[result.Subject]*result.Verification, v *result.Verification, first, n int64) {
	sum := all[v.Subject]
	if sum == nil {
		sum = &result.Verification{Workload: v.Workload, Size: v.Size, Subject: v.Subject, OK: true}
		all[v.Subject] = sum
	}
	for _, l := range v.Losses {
		if !slices.Contains(sum.Losses, l) {
			sum.Losses = append(sum.Losses, l)
		}
	}
	sum.Encoded += v.Encoded
	if !v.OK && sum.OK {
		sum.OK, sum.Op, sum.Changed = false, v.Op, v.Changed
		sum.Reason = fmt.Sprintf("in records %d to %d: %s", first+1, first+n, v.Reason)
	}
}

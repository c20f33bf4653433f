package measure

import (
	"context"
	"slices"

	"assay"
	"assay/bench/compress"
	"assay/internal/build"
	"assay/internal/drive"
	"assay/result"
)

// compressible is the largest number of message bytes that a runner hands over for one case.
const compressible = 64 << 20

// compressed measures the size of messages after compression. It does so for the cases of op
// encode or, if a workload's size has none, of op decode, which reads the same messages. Cases of
// the ops of package compress are always included. Like the exact counts, this pass has no part
// of the budget.
func (m *Measurement) compressed(ctx context.Context, live []result.Case) (drive.Tally, error) {
	return m.compressedIn(ctx, m.drive(), live)
}

// compressedIn is compressed with another runner.
func (m *Measurement) compressedIn(ctx context.Context, from drive.Runner, live []result.Case) (drive.Tally, error) {
	libraries, err := compressors()
	if err != nil {
		return drive.Tally{}, err
	}
	done := m.done(func(r result.Record) (result.Case, bool) {
		if r.Compressed == nil {
			return result.Case{}, false
		}
		return r.Compressed.Case, true
	})
	var cases []result.Case
	if slices.Contains(m.Run.Plan.Also, AlsoCompressed) {
		cases = slices.DeleteFunc(working(live, done), func(c result.Case) bool {
			return c.Op != result.Encode && slices.ContainsFunc(live, func(other result.Case) bool {
				return other.Op == result.Encode && other.Workload == c.Workload && other.Size == c.Size
			})
		})
	}
	for _, c := range live {
		if compresses(c.Op) && !done[c] {
			cases = append(cases, c)
		}
	}
	packed, err := m.cfg.Input.packed(m.Run.Plan.Quick)
	if err != nil {
		return drive.Tally{}, err
	}
	from.Data = packed
	outcomes, err := drive.Compress(ctx, drive.CompressConfig{
		Runner: from, Cases: cases, Bytes: compressible,
		Codecs: compress.Codecs, Libraries: libraries,
	}, m.sink, m.event)
	return drive.Tally{Outcomes: outcomes}, err
}

// compressors returns the modules that compress. This program and runners link the versions of
// go.mod.
func compressors() ([]result.Module, error) {
	versions, err := ModuleVersions()
	if err != nil {
		return nil, err
	}
	var all []result.Module
	for _, path := range compress.Modules {
		all = append(all, result.Module{Path: path, Version: versions[path]})
	}
	return all, nil
}

// ModuleVersions returns the versions that runners link by default, by module path.
func ModuleVersions() (map[string]string, error) {
	gomod, err := assay.Source.ReadFile("go.mod")
	if err != nil {
		return nil, err
	}
	return build.ModuleVersions(gomod)
}

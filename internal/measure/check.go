package measure

import (
	"context"
	"os"
	"slices"
	"time"

	"assay/internal/analysis"
	"assay/internal/drive"
	"assay/internal/plan"
	"assay/internal/verify"
	"assay/result"
)

// Verified is the result of round trips without timing.
type Verified struct {
	Outcomes      []result.Outcome // of the cases that failed or are not supported
	Verifications []result.Verification
}

// Verify makes every selected contender round-trip the values of a seed, and makes the contenders
// of each format read each other's messages. It times and stores nothing.
func (cfg *Config) Verify(ctx context.Context, sel plan.Selection, xs Externals, seed uint64) (Verified, error) {
	defer cfg.end()
	runners, err := cfg.make(ctx, xs.ours(sel), Layouts(0), Variant{Go: cfg.Go}, false)
	if err != nil {
		return Verified{}, err
	}
	out := Verified{Outcomes: append(sel.Outcomes, runners.failed(sel.Live())...)}
	live := plan.Without(sel.Cases, out.Outcomes)
	for _, r := range runners {
		res, err := verify.Run(ctx, verify.Config{
			Runner: r.drive(seed), Cases: runners.cases(live, r.group),
			Losses: losses(), ModeLosses: modeLosses(), Formats: formats(cfg.Input.Contenders()),
			Width: drive.Width(),
		}, nowhere, cfg.driving)
		if err != nil {
			return out, err
		}
		out.add(res)
	}
	return out, cfg.verifyExternals(ctx, xs, runners, live, seed, &out)
}

func nowhere(result.Record) error { return nil }

func (v *Verified) add(res verify.Result) {
	v.Outcomes = append(v.Outcomes, res.Outcomes...)
	v.Verifications = append(v.Verifications, res.Verifications...)
}

// verifyExternals verifies the cases of external contenders, each together with our first runner.
func (cfg *Config) verifyExternals(ctx context.Context, xs Externals, runners runners, live []result.Case, seed uint64, out *Verified) error {
	if len(xs) == 0 {
		return nil
	}
	at, err := newExchange()
	if err != nil {
		return err
	}
	defer os.RemoveAll(string(at))
	sink := func(r result.Record) error {
		if r.Note != nil {
			cfg.warn("%s", r.Note.Text)
		}
		return nil
	}
	for _, x := range xs {
		cases := runners.cases(live, x.About.Group)
		res, err := x.verified(ctx, runners[0].drive(seed), runners[0].group, cases, at, sink, cfg.driving)
		if err != nil {
			return err
		}
		out.add(res.Result)
	}
	return nil
}

// Probe runs the selected contenders on probes, with no loss forgiven. A refusal of a contender
// is an answer here, and is not reported as an excluded case.
func (cfg *Config) Probe(ctx context.Context, sel plan.Selection) (Verified, error) {
	defer cfg.end()
	out, live := Verified{Outcomes: sel.Outcomes}, sel.Live()
	if len(live) == 0 {
		return out, nil
	}
	runners, err := cfg.make(ctx, sel, Layouts(0), Variant{Go: cfg.Go}, false)
	if err != nil {
		return out, err
	}
	out.Outcomes = append(out.Outcomes, runners.failed(live)...)
	live = plan.Without(live, out.Outcomes)
	quiet := func(e drive.Event) {
		if _, excluded := e.(drive.CaseExcluded); !excluded {
			cfg.driving(e)
		}
	}
	for _, r := range runners {
		res, err := verify.Run(ctx, verify.Config{Runner: r.drive(1), Cases: runners.cases(live, r.group), Habits: true, Brief: true, Width: drive.Width()}, nowhere, quiet)
		if err != nil {
			return out, err
		}
		out.Verifications = append(out.Verifications, res.Verifications...)
		out.Outcomes = append(out.Outcomes, unanswered(res)...)
	}
	return out, nil
}

// unanswered returns the outcomes of cases without a verification, which gave no answer.
func unanswered(res verify.Result) []result.Outcome {
	answered := map[result.Case]bool{} // without their ops
	for _, v := range res.Verifications {
		answered[result.Cell{Workload: v.Workload, Size: v.Size}.Case(v.Subject)] = true
	}
	return slices.DeleteFunc(slices.Clone(res.Outcomes), func(o result.Outcome) bool {
		o.Case.Op = ""
		return answered[o.Case]
	})
}

// Itself measures how well this machine measures: it runs a few contenders on the smallest
// workload, for about the budget of a plan, and stores nothing.
func (cfg *Config) Itself(ctx context.Context, p result.Plan, sel plan.Selection) (*analysis.Results, error) {
	defer cfg.end()
	m := &Measurement{cfg: cfg, sel: sel}
	if err := m.build(ctx, p.Layouts, Variant{Go: cfg.Go}); err != nil {
		return nil, err
	}
	m.Run = cfg.newRun(p, 1, m.runners.built())
	m.at = m.runners[0]
	live, err := m.verify(ctx, sel.Live())
	if err != nil {
		return nil, err
	}
	calibrations, live, err := m.calibrate(ctx, live)
	if err != nil {
		return nil, err
	}
	if err := m.launch(ctx, live, calibrations); err != nil {
		return nil, err
	}
	m.remember()
	m.Run.Finished = time.Now()
	return analysis.Of(m.Run, m.Records, analysis.View{}), nil
}

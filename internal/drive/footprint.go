package drive

import (
	"context"
	"slices"
	"time"

	"assay/bench"
	"assay/result"
)

// FootprintConfig configures Footprint.
type FootprintConfig struct {
	Runner
	// Layouts are the layouts of the processes. Each layout gets one process.
	Layouts []uint64
	Cases   []result.Case // verified cases
	// Sizes are the footprints: the number of bytes that may be allocated before the garbage
	// collector runs.
	Sizes []int64
	// N returns the number of operations of a batch, Batch the time of a batch, and Allocated the
	// number of bytes that a batch allocates.
	N         func(result.Case) int
	Batch     func(result.Case) time.Duration
	Allocated func(result.Case) int64
	// Visits is how often each footprint is measured in each process.
	Visits int
	// Budget is divided among the cases. A case that has used up its share ends after the current
	// round of visits. 0: no budget.
	Budget time.Duration
	// Together stores all records of a case or none of them; nil: the records go to the sink one
	// by one.
	Together func(...result.Record) error
}

// These constants bound the number of batches of a visit. The warm-up allocates the bytes of the
// footprint once, so that no memory is new to the process. A case that cannot allocate so much
// within longestWarm is measured in the memory that it has reached by then.
const (
	leastKept, mostKept = 20, 200
	leastWarm           = 10
	longestWarm         = 300 * time.Millisecond
)

// Footprint times batches of each case alone, while the garbage collector runs each time that so
// many bytes were allocated. It measures all footprints of a case in the same processes, in
// random order. It treats failures as Cold does. The sink gets the records of a case when the
// case is done: one for each layout and footprint.
func Footprint(ctx context.Context, cfg FootprintConfig, sink func(result.Record) error, event func(Event)) (Tally, error) {
	f := &footprint{FootprintConfig: cfg, ledger: &ledger{sink: sink, all: cfg.Together, event: event}}
	var end func(error) error
	f.now, end = f.budgeted()
	f.event(PassStarted{"footprint", len(f.Cases)})
	var err error
	for _, cases := range cells(f.Cases) {
		if err = f.cell(ctx, cases); err != nil {
			break
		}
	}
	return Tally{f.outcomes, f.missed}, end(err)
}

type footprint struct {
	FootprintConfig
	*ledger
	now    func() time.Duration
	done   int // cases that are done or missed
	missed []result.Case
}

// cell measures the cases of one cell in the same processes.
func (f *footprint) cell(ctx context.Context, cases []result.Case) error {
	workers := make([]*worker, len(f.Layouts))
	for k, layout := range f.Layouts {
		workers[k] = f.worker(layout, cases[0].Cell(), f.event)
		defer workers[k].session.Close()
	}
	for _, c := range cases {
		share, ok := shareOf(f.Budget, f.now(), len(f.Cases)-f.done)
		f.done++
		if !ok {
			f.missed = append(f.missed, c)
			continue
		}
		if err := f.measure(ctx, c, workers, share); err != nil {
			return err
		}
		f.event(StepDone{Pass: "footprint", Case: c, Done: f.done, Total: len(f.Cases)})
	}
	return nil
}

// measure measures one case.
func (f *footprint) measure(ctx context.Context, c result.Case, workers []*worker, share time.Duration) error {
	records := make([][]*result.Footprint, len(workers)) // by layout, then by footprint
	for k := range workers {
		for _, size := range f.Sizes {
			records[k] = append(records[k], &result.Footprint{Case: c, Bytes: size, Layout: f.Layouts[k], N: f.N(c)})
		}
	}
	order := newShuffle(orderSeed(f.Seed, c.Cell(), 0), 3)
	begin := f.now()
	for visit := range f.Visits {
		if visit > 0 && share > 0 && f.now() >= begin+share {
			break
		}
		for k, w := range workers {
			for _, i := range order.next(len(f.Sizes)) {
				a, _, failure, err := w.ask(ctx, c.Subject(), bench.Command{Cmd: "rounds", Rounds: f.rounds(c, f.Sizes[i])})
				if err != nil {
					return err
				}
				if failure != nil {
					_, err := f.spare("footprint", c, failure)
					return err
				}
				s := a.Measured.Series[0]
				r := records[k][i]
				r.Wall, r.CPU = append(r.Wall, s.Wall...), append(r.CPU, s.CPU...)
			}
		}
	}
	var all []result.Record
	for _, r := range slices.Concat(records...) {
		all = append(all, result.Record{Time: time.Now(), Footprint: r})
	}
	return f.together(all)
}

// rounds returns the rounds command of one visit of a case, with one footprint.
func (f *footprint) rounds(c result.Case, size int64) *bench.Rounds {
	fills := leastWarm
	if a := f.Allocated(c); a > 0 {
		most := longestWarm / max(1, f.Batch(c))
		fills = max(leastWarm, int(min(int64(most), size/a+1)))
	}
	return &bench.Rounds{
		Cases:  []bench.CaseSpec{{Subject: c.Subject(), Op: c.Op, N: f.N(c)}},
		Warmup: fills, Rounds: min(max(leastKept, fills), mostKept),
		Garbage: size,
	}
}

// Package verify finds out which cases may be timed. The round trip of such a case gives back
// the value that went in, apart from the losses that its contender declares, and the other
// contenders of its format read its bytes alike.
package verify

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"assay/bench"
	"assay/internal/drive"
	"assay/result"
)

// Config is the configuration of Run.
type Config struct {
	drive.Runner
	Layout uint64
	Cases  []result.Case
	// Losses are the declared losses of each contender.
	Losses map[string][]string
	// ModeLosses are the additional losses of subjects whose modes lose more.
	ModeLosses map[result.Subject][]string
	// Habits requests each subject's habits as well, and Sizes requests the bytes of all
	// messages.
	Habits, Sizes bool
	// Brief leaves out the long verification of each op, and the reading in another process.
	// Only our runners support these.
	Brief bool
	// Formats names the format of each contender. If a contender has no format, no other
	// contender reads its bytes.
	Formats map[string]string
	// Width is the number of processes that make round trips at a time; 0 means one.
	Width int
	// Memory has the results of earlier runs. Nil: Run neither recalls nor keeps results.
	Memory Memory
}

// Result is the result of Run.
type Result struct {
	// Cases are the cases that may be timed, in the order of the configuration.
	Cases []result.Case
	// Outcomes are the outcomes of the other cases.
	Outcomes []result.Outcome
	// Verifications are all verifications, with the observed losses.
	Verifications []result.Verification
}

// Run verifies every subject of the cases at every size. First, each subject makes its own
// round trip, and another process, in which nobody encodes, decodes messages that the subject
// wrote. Then each contender decodes, in its default mode, what the other contenders of its
// format wrote in theirs, with the losses of both forgiven. Modes that cannot be read message
// by message do not take part. The default mode takes part even if it is not among the cases,
// because the other modes of its contender depend on it.
//
// A subject that fails its own round trip loses its cases of that size. If two contenders
// disagree, both repeat their own round trips, in new processes with fresh values. If that does
// not settle it, the contender that disagrees with more of the others is at fault. If the
// numbers are equal, as with only two contenders, both are at fault, because a result of either
// might be for wrong bytes. A contender at fault loses its cases of that size. So does a
// contender whose code ends the process twice during such a reading. The mark names that
// contender; without a mark it is the reader.
//
// If the Memory knows that every round trip of a workload and size was right, Run does not
// verify them again. The sink then gets the remembered round trips with their times.
//
// The sink gets every verification and outcome. The error is the context's, the sink's, or that
// of a runner that cannot be started.
func Run(ctx context.Context, cfg Config, sink func(result.Record) error, event func(drive.Event)) (Result, error) {
	v := &verifier{Config: cfg, sink: sink, event: drive.Serial(event), lost: map[result.Case]bool{}}
	err := v.run(ctx)
	for _, c := range cfg.Cases {
		if !v.lost[c] {
			v.out.Cases = append(v.out.Cases, c)
		}
	}
	return v.out, err
}

type verifier struct {
	Config
	sink  func(result.Record) error
	event func(drive.Event)
	out   Result
	lost  map[result.Case]bool
	done  int
	total int
}

// A Place is a workload and a size.
type Place struct{ Workload, Size string }

// in reports whether the case belongs to the place.
func (p Place) in(c result.Case) bool { return c.Workload == p.Workload && c.Size == p.Size }

func (v *verifier) run(ctx context.Context) error {
	var places []Place
	seen := map[Place]bool{}
	subjects := map[result.Case]bool{}
	for _, c := range v.Cases {
		if p := (Place{c.Workload, c.Size}); !seen[p] {
			seen[p] = true
			places = append(places, p)
		}
		c.Op = ""
		subjects[c] = true
	}
	v.total = len(subjects)
	v.event(drive.PassStarted{Pass: "verify", Total: v.total})
	for _, p := range places {
		if err := v.known(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// place verifies one workload at one size.
func (v *verifier) place(ctx context.Context, p Place) error {
	at := &site{verifier: v, Place: p, verified: map[result.Subject]bool{}}
	for range max(1, v.Width) {
		session := v.Session(v.Layout, p.Workload, p.Size, v.event)
		defer session.Close()
		at.sessions = append(at.sessions, session)
	}
	at.session = at.sessions[0]
	at.apart = v.Session(v.Layout, p.Workload, p.Size, v.event)
	defer at.apart.Close()
	if err := at.ownTrips(ctx); err != nil || at.closed.Load() {
		return err
	}
	return at.crossReading(ctx)
}

// A site is the verification at one place.
type site struct {
	*verifier
	Place
	session  *drive.Session
	sessions []*drive.Session        // for the subjects' own round trips; the first one is session
	apart    *drive.Session          // nobody encodes in its process
	verified map[result.Subject]bool // subjects that passed their own round trip
	closed   atomic.Bool             // the values cannot be generated, so nothing more can be done
}

// subjects returns the subjects with cases at this place, in the order of the cases.
func (s *site) subjects() []result.Subject { return s.subjectsAt(s.Place) }

// subjectsAt returns the subjects with cases at a place, in the order of the cases.
func (v *verifier) subjectsAt(p Place) []result.Subject {
	var out []result.Subject
	seen := map[result.Subject]bool{}
	for _, c := range v.Cases {
		if w := c.Subject(); p.in(c) && !seen[w] {
			seen[w] = true
			out = append(out, w)
		}
	}
	return out
}

// ownTrips makes every subject do its own round trip, several at a time.
func (s *site) ownTrips(ctx context.Context) error {
	all := s.subjects()
	return drive.Abreast(len(s.sessions), len(all), func(worker, i int, emit func(heard) bool) {
		if s.closed.Load() {
			emit(heard{asked: s.trip(all[i])})
			return
		}
		start := time.Now()
		h := s.tripIn(ctx, s.sessions[worker], all[i])
		h.took = time.Since(start) / time.Duration(len(s.sessions))
		emit(h)
	}, func(h heard) error {
		if !s.closed.Load() {
			if err := s.judge(ctx, h); err != nil {
				return err
			}
		}
		s.step(s.Place, h.asked.Subject, h.took, false)
		return nil
	})
}

// step reports that a subject's own round trip is done, or was known.
func (v *verifier) step(p Place, who result.Subject, took time.Duration, known bool) {
	v.done++
	v.event(drive.StepDone{
		Pass: "verify", Done: v.done, Total: v.total, Took: took, Known: known,
		Case: result.Case{Workload: p.Workload, Size: p.Size, Contender: who.Contender, Mode: who.Mode},
	})
}

// trip returns the command for a subject's own round trip.
func (s *site) trip(w result.Subject) bench.Verify {
	return bench.Verify{
		Subject: w, Losses: slices.Concat(s.Losses[w.Contender], s.ModeLosses[w]), Habits: s.Habits, Sizes: s.Sizes,
		Long: !s.Brief,
	}
}

func (s *site) ownTrip(ctx context.Context, w result.Subject) error {
	return s.judge(ctx, s.tripIn(ctx, s.session, w))
}

// tripIn makes a subject do its own round trip in the session's process.
func (s *site) tripIn(ctx context.Context, session *drive.Session, w result.Subject) heard {
	h := s.hear(ctx, session, s.trip(w))
	if h.err != nil {
		return h
	}
	if !h.answer.Verified.OK {
		session.Close() // what the subject left behind must not affect the next ones
		return h
	}
	return s.handOver(ctx, session, h)
}

// judge records the result of a subject's own round trip.
func (s *site) judge(ctx context.Context, h heard) error {
	h = s.readApart(ctx, h)
	got, f, err := s.record(h)
	switch {
	case err != nil:
		return err
	case f == nil && got.OK:
		s.verified[h.asked.Subject] = true
		return nil
	case f == nil:
		f = &drive.Failure{Status: result.Unverified, Reason: got.Reason, Stderr: h.stderr}
	}
	return s.exclude(f, func(c result.Case) bool { return c.Subject() == h.asked.Subject })
}

// A heard is the result of a verify command.
type heard struct {
	asked  bench.Verify
	answer bench.Answer
	first  [][]byte // messages of the first inputs, for another process
	stderr string   // what the other process wrote to standard error before it ended
	took   time.Duration
	err    error
}

// hear sends a verify command.
func (s *site) hear(ctx context.Context, session *drive.Session, cmd bench.Verify) heard {
	answer, err := session.Ask(ctx, bench.Command{Cmd: "verify", Verify: &cmd})
	return heard{asked: cmd, answer: answer, err: err}
}

// ask sends one verify command and records its result. The Verified is nil if there is a
// failure or an error.
func (s *site) ask(ctx context.Context, cmd bench.Verify) (*bench.Verified, *drive.Failure, error) {
	return s.record(s.hear(ctx, s.session, cmd))
}

// asked drops from an answer what was not asked for or has no meaning, such as an op that there is not: a
// runner in another language may answer anything, and a stored run would not be read with it.
func asked(v *bench.Verified, cmd bench.Verify) {
	if !slices.Contains(result.Ops, v.Op) {
		v.Op = ""
	}
	v.Losses = slices.DeleteFunc(v.Losses, func(l string) bool { return !slices.Contains(cmd.Losses, l) })
	if !cmd.Habits {
		v.Habits = nil
	}
	if v.Encoded < 0 || !cmd.Sizes {
		v.Encoded = 0
	}
}

// record records the result of a verify command. The Verified is nil if there is a failure or
// an error.
func (s *site) record(h heard) (*bench.Verified, *drive.Failure, error) {
	cmd, answer, err := h.asked, h.answer, h.err
	r := result.Verification{Workload: s.Workload, Size: s.Size, Subject: cmd.Subject, From: cmd.From}
	var f *drive.Failure
	switch {
	case errors.As(err, &f):
		r.Reason = f.Reason
	case err != nil:
		return nil, nil, err
	default:
		got := answer.Verified
		asked(got, cmd)
		r.OK, r.Losses, r.Op, r.Changed, r.Habits = got.OK, got.Losses, got.Op, got.Changed, got.Habits
		r.Encoded, r.Traces = got.Encoded, got.Traces
		if !got.OK {
			r.Reason = got.Reason
			if op := string(got.Op); !strings.Contains(r.Reason, op) {
				r.Reason = op + ": " + r.Reason
			}
			answer.Verified.Reason = r.Reason
		}
	}
	s.out.Verifications = append(s.out.Verifications, r)
	return answer.Verified, f, s.sink(result.Record{Time: time.Now(), Verification: &r})
}

// exclude charges a failure to the cases at the place for which of reports true, unless they are
// lost already. If the values cannot be generated, it charges all cases of the place.
func (s *site) exclude(f *drive.Failure, of func(result.Case) bool) error {
	if f.Loading {
		s.closed.Store(true)
	}
	for _, c := range s.Cases {
		if !s.in(c) || s.lost[c] || !f.Loading && !of(c) {
			continue
		}
		s.lost[c] = true
		o := f.Outcome(c)
		s.out.Outcomes = append(s.out.Outcomes, o)
		s.event(drive.CaseExcluded{Outcome: o})
		if err := s.sink(result.Record{Time: time.Now(), Outcome: &o}); err != nil {
			return err
		}
	}
	return nil
}

// crossReading makes the contenders of each format read one another's bytes.
func (s *site) crossReading(ctx context.Context) error {
	var formats []string
	of := map[string][]string{}
	for _, w := range s.subjects() {
		format := s.Formats[w.Contender]
		if format == "" || !s.live(w.Contender) || slices.Contains(of[format], w.Contender) {
			continue
		}
		if of[format] == nil {
			formats = append(formats, format)
		}
		of[format] = append(of[format], w.Contender)
	}
	for _, format := range formats {
		if len(of[format]) < 2 || s.closed.Load() {
			continue
		}
		names, err := s.readable(ctx, of[format])
		if err != nil {
			return err
		}
		if err := s.readOneAnother(ctx, names); err != nil {
			return err
		}
	}
	return nil
}

// live reports whether the contender has a case left at this place that writes or reads
// messages. Compress and decompress do not count: they follow the contender's own work.
func (s *site) live(contender string) bool {
	return slices.ContainsFunc(s.Cases, func(c result.Case) bool {
		return s.in(c) && c.Contender == contender && !s.lost[c] && c.Op != result.Compress && c.Op != result.Decompress
	})
}

// readable returns the contenders whose default mode both encodes and decodes, and passes its
// own round trip.
func (s *site) readable(ctx context.Context, contenders []string) ([]string, error) {
	answer, err := s.session.Ask(ctx, bench.Command{Cmd: "describe"})
	var f *drive.Failure
	if errors.As(err, &f) {
		return nil, s.exclude(f, func(c result.Case) bool { return slices.Contains(contenders, c.Contender) })
	}
	if err != nil {
		return nil, err
	}
	offers := func(contender string, op result.Op) bool {
		return slices.ContainsFunc(answer.Described.Bindings, func(b bench.BindingInfo) bool {
			return b.Contender == contender && b.Workload == s.Workload && b.Mode == "" && slices.Contains(b.Ops, op)
		})
	}
	selected := s.subjects()
	var out []string
	for _, name := range contenders {
		if !offers(name, result.Encode) || !offers(name, result.Decode) {
			continue
		}
		w := result.Subject{Contender: name}
		if !s.verified[w] && !slices.Contains(selected, w) {
			if err := s.ownTrip(ctx, w); err != nil {
				return nil, err
			}
		}
		if s.verified[w] {
			out = append(out, name)
		}
	}
	return out, nil
}

// readOneAnother makes each of the contenders decode what every other one wrote, and charges
// the contenders at fault.
func (s *site) readOneAnother(ctx context.Context, names []string) error {
	quarrels := make(quarrels)
	dead := map[string]bool{}
	for _, writer := range names {
		for _, reader := range names {
			if reader == writer || dead[reader] || dead[writer] || s.closed.Load() {
				continue
			}
			got, f, err := s.ask(ctx, bench.Verify{
				Subject: result.Subject{Contender: reader},
				Losses:  s.bothLosses(reader, writer),
				From:    &result.Subject{Contender: writer},
			})
			switch {
			case err != nil:
				return err
			case f != nil:
				culprit := reader
				if f.Case != nil && f.Case.Contender == writer {
					culprit = writer
				}
				dead[culprit] = true
				charged := *f
				charged.Reason = "as " + reader + " read the bytes of " + writer + ": " + f.Reason
				if err := s.excludeContender(culprit, &charged); err != nil {
					return err
				}
			case !got.OK:
				quarrels.add(reader, writer, got.Reason)
			}
		}
	}
	if err := s.settle(ctx, names, quarrels, dead); err != nil {
		return err
	}
	names = slices.DeleteFunc(slices.Clone(names), func(n string) bool { return dead[n] })
	for _, b := range quarrels.blame(names) {
		if err := s.excludeContender(b.name, &drive.Failure{Status: result.Unverified, Reason: b.reason}); err != nil {
			return err
		}
	}
	return nil
}

// settle makes every contender that quarrels repeat its own round trip in a new process. A
// comparison with the original values decides before any majority does.
func (s *site) settle(ctx context.Context, names []string, q quarrels, dead map[string]bool) error {
	for _, name := range names {
		if dead[name] || s.closed.Load() || len(q.with(name, names)) == 0 {
			continue
		}
		s.session.Close()
		got, f, err := s.ask(ctx, bench.Verify{Subject: result.Subject{Contender: name}, Losses: s.Losses[name], Long: !s.Brief})
		if err != nil {
			return err
		}
		if f == nil && !got.OK {
			f = &drive.Failure{Status: result.Unverified, Reason: got.Reason}
		}
		if f == nil {
			continue
		}
		dead[name] = true
		if err := s.excludeContender(name, f); err != nil {
			return err
		}
	}
	return nil
}

func (s *site) excludeContender(name string, f *drive.Failure) error {
	return s.exclude(f, func(c result.Case) bool { return c.Contender == name })
}

// bothLosses returns the declared losses of two contenders.
func (s *site) bothLosses(a, b string) []string {
	out := slices.Concat(s.Losses[a], s.Losses[b])
	slices.Sort(out)
	return slices.Compact(out)
}

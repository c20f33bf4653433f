// Package verify finds out which cases may be timed: those whose round trip
// gives back the value that went in, but for the losses that their contender
// declares, and whose bytes the other contenders of their format read alike.
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

// Config is what Run needs.
type Config struct {
	drive.Runner
	Layout uint64
	Cases  []result.Case
	// Losses are the declared losses of each contender.
	Losses map[string][]string
	// ModeLosses are what subjects lose besides, in modes that lose more.
	ModeLosses map[result.Subject][]string
	// Habits asks for each subject's habits as well, and Sizes for the bytes of all
	// messages.
	Habits, Sizes bool
	// Brief leaves out the long verification of each op and the other process, which
	// runners of ours alone know.
	Brief bool
	// Formats names the format of each contender. One without a format is read
	// by nobody else.
	Formats map[string]string
	// Width is how many processes make round trips at a time; 0: one.
	Width int
	// Memory is what earlier runs found; nil: nothing is known, and nothing is kept.
	Memory Memory
}

// Result is what Run found out.
type Result struct {
	// Cases are those that may be timed, in the order of the configuration.
	Cases []result.Case
	// Outcomes are those of the other cases.
	Outcomes []result.Outcome
	// Verifications are all that were made, with the losses that were suffered.
	Verifications []result.Verification
}

// Run verifies every subject of the cases at every size. First each does its
// own round trip, and messages that it wrote are decoded in another process, in which
// nobody encodes. Then, in its default mode, each contender decodes what the
// others of its format wrote in theirs, with the losses of both forgiven. Modes
// that cannot be read message by message do not take part in that, and the
// default mode is asked also where it is not among the cases, since the other
// modes of its contender lean on it.
//
// A subject that fails its own round trip loses its cases of that size. Where
// two contenders do not agree, both do their own once more, in new processes with
// values that nobody touched. If that does not settle it, the one that disagrees with more of the others
// is at fault; when that does not settle it, as when there are only two, both
// are, because a number for either might be one for wrong bytes. A contender at
// fault loses its cases of that size. So does one whose code ends the process
// twice while it reads what another wrote; without a mark, the reader is taken
// to be the one.
//
// A workload and size of which the Memory knows that every round trip was right are not
// verified again. The sink gets the round trips with the time when they were made.
//
// The sink gets every verification and outcome. The error is the context's, the
// sink's, or that of a runner that cannot be started.
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

// in reports whether the case is of the place.
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

// A site is the work at one place.
type site struct {
	*verifier
	Place
	session  *drive.Session
	sessions []*drive.Session        // those of own round trips, session among them
	apart    *drive.Session          // in its process nobody encodes
	verified map[result.Subject]bool // by a round trip of their own
	closed   atomic.Bool             // the values cannot be made: nothing more to do
}

// subjects returns those with cases at this place, in the order of the cases.
func (s *site) subjects() []result.Subject { return s.subjectsAt(s.Place) }

// subjectsAt returns those with cases at a place, in the order of the cases.
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

// ownTrips asks every subject for its own round trip, several at a time.
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

// step tells that a subject's own round trip is over, or was known.
func (v *verifier) step(p Place, who result.Subject, took time.Duration, known bool) {
	v.done++
	v.event(drive.StepDone{
		Pass: "verify", Done: v.done, Total: v.total, Took: took, Known: known,
		Case: result.Case{Workload: p.Workload, Size: p.Size, Contender: who.Contender, Mode: who.Mode},
	})
}

// trip is the command for a subject's own round trip.
func (s *site) trip(w result.Subject) bench.Verify {
	return bench.Verify{
		Subject: w, Losses: slices.Concat(s.Losses[w.Contender], s.ModeLosses[w]), Habits: s.Habits, Sizes: s.Sizes,
		Long: !s.Brief,
	}
}

func (s *site) ownTrip(ctx context.Context, w result.Subject) error {
	return s.judge(ctx, s.tripIn(ctx, s.session, w))
}

// tripIn has a subject do its own round trip in the session's process.
func (s *site) tripIn(ctx context.Context, session *drive.Session, w result.Subject) heard {
	h := s.hear(ctx, session, s.trip(w))
	if h.err != nil {
		return h
	}
	if !h.answer.Verified.OK {
		session.Close() // whatever it left behind is not for those that come next
		return h
	}
	return s.handOver(ctx, session, h)
}

// judge records what came of a subject's own round trip.
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

// A heard is what came of a verify command.
type heard struct {
	asked  bench.Verify
	answer bench.Answer
	first  [][]byte // messages of the first inputs, for another process
	stderr string   // what that process wrote before it ended
	took   time.Duration
	err    error
}

// hear sends a verify command.
func (s *site) hear(ctx context.Context, session *drive.Session, cmd bench.Verify) heard {
	answer, err := session.Ask(ctx, bench.Command{Cmd: "verify", Verify: &cmd})
	return heard{asked: cmd, answer: answer, err: err}
}

// ask sends one verify command and records what came of it. The Verified is
// nil when there is a failure or an error.
func (s *site) ask(ctx context.Context, cmd bench.Verify) (*bench.Verified, *drive.Failure, error) {
	return s.record(s.hear(ctx, s.session, cmd))
}

// record records what came of a verify command. The Verified is nil when there is a
// failure or an error.
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

// exclude charges a failure to those of the place's cases that are not lost
// already or, when the values cannot be made, to all of them.
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

// crossReading has the contenders of each format read one another's bytes.
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

// live reports whether the contender has a case left at this place that writes
// messages or reads them; what is done to them afterwards is nobody else's.
func (s *site) live(contender string) bool {
	return slices.ContainsFunc(s.Cases, func(c result.Case) bool {
		return s.in(c) && c.Contender == contender && !s.lost[c] && c.Op != result.Compress && c.Op != result.Decompress
	})
}

// readable returns those contenders whose default mode both encodes and
// decodes, and does so rightly by itself.
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

// readOneAnother has each of the contenders decode what each other one wrote,
// and charges those at fault.
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

// settle has everybody who quarrels do the own round trip once more, each in a process
// where nobody came before: what the values were made as decides before any majority
// does.
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

// bothLosses are the declared losses of two contenders.
func (s *site) bothLosses(a, b string) []string {
	out := slices.Concat(s.Losses[a], s.Losses[b])
	slices.Sort(out)
	return slices.Compact(out)
}

package verify

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"assay/bench"
	"assay/internal/drive"
	"assay/result"
)

// ExternalConfig is what External needs.
type ExternalConfig struct {
	// Ours is a runner that makes the workloads' values, and Theirs the external contender's,
	// whose Data names the files that ours writes them to.
	Ours, Theirs drive.Runner
	// External is the contender of the external contender's runner, and Cases are its.
	External string
	Cases    []result.Case
	// Offers says whether the external contender's runner has an op in a mode, for a workload
	// and size.
	Offers func(result.Case) bool
	// Losses are the declared losses of each contender, the external contender among them.
	Losses map[string][]string
	// Peers are contenders of the external contender's format that Ours links.
	Peers []string
	// Own says that the external contender's values are of the user's own types, whose methods
	// may write what no peer reads. That is no failure then, and Apart says it.
	Own bool
	// Files is a directory for what the two runners exchange besides.
	Files string
}

// ExternalResult is what External found out.
type ExternalResult struct {
	Result
	// Sizes are the messages of each case that may be timed, and their bytes.
	Sizes map[result.Case]Size
	// Alone says that there was nobody to read the external contender's bytes at some place.
	Alone bool
	// Apart is how the bytes of an external contender that is the user's own differ from those of
	// its peer; empty: they read one another's.
	Apart string
}

// A Size is how many messages there are and how many bytes they have together.
type Size struct {
	Messages int
	Encoded  int64
}

// mostBytes is how many bytes the messages of a case may have together to be
// handed from one runner to another.
const mostBytes = 128 << 20

// External verifies a contender that brings a runner of its own, whose word is not
// taken for anything that can be seen from outside. It must decode its own bytes
// to values that it exports, and those are compared with the inputs by a runner
// of ours. A contender of ours that speaks the same format must decode its bytes
// to the inputs, and it must decode that contender's, which is seen in what it
// exports again. It is also asked to verify itself, which it does for every op.
//
// A subject that fails loses its cases of that size; an external contender that does not agree
// with its peer loses all of them, because the peer has passed its own round
// trip and those of the others of its format.
func External(ctx context.Context, cfg ExternalConfig, sink func(result.Record) error, event func(drive.Event)) (ExternalResult, error) {
	v := &visit{ExternalConfig: cfg}
	v.verifier = &verifier{
		Config: Config{Runner: cfg.Theirs, Cases: cfg.Cases, Losses: cfg.Losses, Brief: true},
		sink:   sink, event: event, lost: map[result.Case]bool{},
	}
	v.out.Sizes = map[result.Case]Size{}
	err := v.run(ctx)
	v.out.Result = v.verifier.out
	for _, c := range cfg.Cases {
		if !v.lost[c] {
			v.out.Cases = append(v.out.Cases, c)
		}
	}
	return v.out, err
}

// A visit is the verification of one external contender.
type visit struct {
	ExternalConfig
	*verifier
	out ExternalResult
}

func (v *visit) run(ctx context.Context) error {
	var places []Place
	for _, c := range v.Cases {
		if p := (Place{c.Workload, c.Size}); !slices.Contains(places, p) {
			places = append(places, p)
		}
	}
	v.event(drive.PassStarted{Pass: "verify", Total: len(places)})
	for i, p := range places {
		if err := v.place(ctx, p); err != nil {
			return err
		}
		v.event(drive.StepDone{Pass: "verify", Done: i + 1, Total: len(places), Case: result.Case{
			Workload: p.Workload, Size: p.Size, Contender: v.External,
		}})
	}
	return nil
}

// An encounter is the work at one place: the external contender's session is the site's.
type encounter struct {
	*site
	visit *visit
	ours  *drive.Session
	// inputs is how many values there are, and written are the messages of each
	// subject.
	inputs  int
	written map[result.Subject][][]byte
}

func (v *visit) place(ctx context.Context, p Place) error {
	e := &encounter{
		visit: v, written: map[result.Subject][][]byte{},
		ours: v.Ours.Session(0, p.Workload, p.Size, v.event),
		site: &site{
			verifier: v.verifier, Place: p, verified: map[result.Subject]bool{},
			session: v.Theirs.Session(0, p.Workload, p.Size, v.event),
		},
	}
	defer e.ours.Close()
	defer e.session.Close()
	answer, f, err := e.tell(ctx, e.ours, bench.Command{Cmd: "export", Export: &bench.Export{File: v.Theirs.Data(p.Workload, p.Size)}})
	if err != nil {
		return err
	}
	if f != nil {
		f.Status, f.Reason = result.Unsupported, "its values cannot be handed over: "+f.Reason
		return e.exclude(f, func(result.Case) bool { return true })
	}
	e.inputs = answer.Exported.Inputs
	for _, w := range e.subjects() {
		if err := e.trip(ctx, w); err != nil || e.closed.Load() {
			return err
		}
	}
	return e.meet(ctx)
}

// tell sends a command and sorts what came of it.
func (e *encounter) tell(ctx context.Context, to *drive.Session, cmd bench.Command) (bench.Answer, *drive.Failure, error) {
	answer, err := to.Ask(ctx, cmd)
	var f *drive.Failure
	if errors.As(err, &f) {
		return answer, f, nil
	}
	return answer, nil, err
}

// offers says whether the external contender does op in the subject's mode here.
func (e *encounter) offers(w result.Subject, op result.Op) bool {
	return e.visit.Offers(result.Case{Workload: e.Workload, Size: e.Size, Contender: w.Contender, Mode: w.Mode, Op: op})
}

// partner is who does op for a subject: itself, or its default mode.
func (e *encounter) partner(w result.Subject, op result.Op) (result.Subject, bool) {
	if e.offers(w, op) {
		return w, true
	}
	w.Mode = ""
	return w, e.offers(w, op)
}

// trip verifies one subject by itself and through what it exports.
func (e *encounter) trip(ctx context.Context, w result.Subject) error {
	// What is seen of it comes after its own word in the records, and counts; of its word
	// stays what it left behind.
	got, f, err := e.ask(ctx, bench.Verify{Subject: w, Losses: e.visit.Losses[w.Contender], Long: true})
	if err != nil {
		return err
	}
	if f == nil && got.OK {
		f, err = e.seen(ctx, w, got.Traces)
	} else if f == nil {
		f = &drive.Failure{Status: result.Unverified, Reason: got.Reason}
	}
	if err != nil {
		return err
	}
	if f != nil {
		return e.exclude(f, func(c result.Case) bool { return c.Subject() == w })
	}
	e.verified[w] = true
	for _, c := range e.visit.Cases {
		if e.in(c) && c.Subject() == w {
			e.visit.out.Sizes[c] = sizeOf(e.written[w])
		}
	}
	return nil
}

func sizeOf(messages [][]byte) Size {
	s := Size{Messages: len(messages)}
	for _, m := range messages {
		s.Encoded += int64(len(m))
	}
	return s
}

// seen has a subject write its messages and export what is decoded from them,
// and records what our runner makes of that.
func (e *encounter) seen(ctx context.Context, w result.Subject, traces []string) (*drive.Failure, error) {
	writer, ok := e.partner(w, result.Encode)
	if !ok {
		return nil, nil // it reads only: what it reads is seen when it meets its peer
	}
	messages, f, err := e.messages(ctx, e.session, writer)
	if f != nil || err != nil {
		return f, err
	}
	e.written[w] = messages
	reader, ok := e.partner(w, result.Decode)
	if !ok {
		return nil, nil
	}
	r := result.Verification{Workload: e.Workload, Size: e.Size, Subject: w, Traces: traces}
	return e.decoded(ctx, r, reader, messages, e.visit.Losses[w.Contender])
}

// messages asks for the bytes of every input.
func (e *encounter) messages(ctx context.Context, of *drive.Session, w result.Subject) ([][]byte, *drive.Failure, error) {
	answer, f, err := e.tell(ctx, of, bench.Command{Cmd: "write", Write: &bench.Write{Subject: w, Bytes: mostBytes}})
	if f != nil || err != nil {
		return nil, f, err
	}
	if n := len(answer.Written.Messages); n != e.inputs && e.inputs != anyInputs {
		return nil, &drive.Failure{Status: result.Unverified, Reason: fmt.Sprintf("wrote %d messages for %d inputs", n, e.inputs)}, nil
	}
	return answer.Written.Messages, nil, nil
}

// decoded has the external contender decode messages in a mode that reads and export the
// values, and our runner compare them. What comes of that completes the record r.
func (e *encounter) decoded(ctx context.Context, r result.Verification, reader result.Subject, messages [][]byte, losses []string) (*drive.Failure, error) {
	file := filepath.Join(e.visit.Files, "decoded.jsonl")
	var f *drive.Failure
	var err error
	// What an earlier subject left there must not pass for this one's.
	if left := os.Remove(file); left != nil && !errors.Is(left, fs.ErrNotExist) {
		if f = irregular(file); f == nil {
			return nil, left
		}
	}
	if f == nil {
		_, f, err = e.tell(ctx, e.session, bench.Command{Cmd: "export", Export: &bench.Export{
			File: file, Contender: reader.Contender, Mode: reader.Mode, Messages: messages,
		}})
	}
	if f == nil && err == nil {
		f = irregular(file)
	}
	var got *bench.Verified
	if f == nil && err == nil {
		var answer bench.Answer
		answer, f, err = e.tell(ctx, e.ours, bench.Command{Cmd: "compare", Compare: &bench.Compare{File: file, Losses: losses}})
		got = answer.Verified
	}
	if err != nil {
		return nil, err
	}
	if f == nil && !got.OK {
		f = &drive.Failure{Status: result.Unverified, Reason: "decode: " + got.Reason}
	}
	if r.OK = f == nil; f != nil {
		r.Reason = f.Reason
	} else {
		r.Losses = got.Losses
	}
	return f, e.record(r)
}

// irregular is the failure of a contender that exported to something else than a file:
// our runner would wait for a pipe, and read a device without end.
func irregular(file string) *drive.Failure {
	info, err := os.Stat(file)
	if err != nil || info.Mode().IsRegular() {
		return nil // whoever reads it says what is wrong
	}
	return &drive.Failure{Status: result.Unverified, Reason: "export: what it made is no regular file"}
}

// record keeps a verification.
func (e *encounter) record(r result.Verification) error {
	e.verifier.out.Verifications = append(e.verifier.out.Verifications, r)
	return e.sink(result.Record{Time: time.Now(), Verification: &r})
}

// meet has the external contender and a peer of ours read each other's bytes.
func (e *encounter) meet(ctx context.Context) error {
	w := result.Subject{Contender: e.visit.External}
	if e.closed.Load() || !e.live(e.visit.External) {
		return nil
	}
	peer, err := e.peer(ctx)
	if err != nil {
		return err
	}
	if peer == "" {
		e.visit.out.Alone = true
		return nil
	}
	f, err := e.readBy(ctx, w, peer)
	if f == nil && err == nil {
		f, err = e.reads(ctx, w, peer)
	}
	if f == nil || err != nil {
		return err
	}
	if e.visit.Own && !e.closed.Load() {
		e.visit.out.Apart = f.Reason
		return nil
	}
	return e.excludeContender(e.visit.External, f)
}

// peer returns the first of the peers that passes its own round trip here.
func (e *encounter) peer(ctx context.Context) (string, error) {
	about, f, err := e.tell(ctx, e.ours, bench.Command{Cmd: "describe"})
	if f != nil || err != nil {
		return "", err
	}
	for _, name := range e.visit.Peers {
		if !e.linked(about.Described, name) {
			continue
		}
		answer, f, err := e.tell(ctx, e.ours, bench.Command{Cmd: "verify", Verify: &bench.Verify{
			Subject: result.Subject{Contender: name}, Losses: e.visit.Losses[name],
		}})
		if err != nil {
			return "", err
		}
		if f == nil && answer.Verified.OK {
			return name, nil
		}
	}
	return "", nil
}

// linked says whether our runner has a contender that reads and writes here.
func (e *encounter) linked(d *bench.Described, name string) bool {
	return slices.ContainsFunc(d.Bindings, func(b bench.BindingInfo) bool {
		return b.Contender == name && b.Workload == e.Workload && b.Mode == "" &&
			slices.Contains(b.Ops, result.Encode) && slices.Contains(b.Ops, result.Decode)
	})
}

// readBy has the peer decode what the external contender wrote.
func (e *encounter) readBy(ctx context.Context, w result.Subject, peer string) (*drive.Failure, error) {
	messages := e.written[w]
	if messages == nil {
		if !e.offers(w, result.Encode) {
			return nil, nil
		}
		var f *drive.Failure
		var err error
		if messages, f, err = e.messages(ctx, e.session, w); f != nil || err != nil {
			return f, err
		}
	}
	by := result.Subject{Contender: peer}
	answer, f, err := e.tell(ctx, e.ours, bench.Command{Cmd: "verify", Verify: &bench.Verify{
		Subject: by, Losses: e.bothLosses(w.Contender, peer), Messages: messages,
	}})
	if err != nil {
		return nil, err
	}
	r := result.Verification{Workload: e.Workload, Size: e.Size, Subject: by, From: &w, OK: f == nil && answer.Verified.OK}
	switch {
	case f != nil:
		f = &drive.Failure{Status: result.Unverified, Reason: peer + " cannot read its bytes: " + f.Reason}
		r.Reason = f.Reason
	case !r.OK:
		r.Reason = answer.Verified.Reason
		f = &drive.Failure{Status: result.Unverified, Reason: peer + " reads its bytes as another value: " + r.Reason}
	default:
		r.Losses = answer.Verified.Losses
	}
	// That the peer is not to blame is settled: no warning belongs to its row.
	if !r.OK {
		return f, nil
	}
	return nil, e.record(r)
}

// reads has the external contender decode what the peer wrote.
func (e *encounter) reads(ctx context.Context, w result.Subject, peer string) (*drive.Failure, error) {
	if !e.offers(w, result.Decode) {
		return nil, nil
	}
	from := result.Subject{Contender: peer}
	messages, f, err := e.messages(ctx, e.ours, from)
	if f != nil || err != nil {
		return f, err
	}
	r := result.Verification{Workload: e.Workload, Size: e.Size, Subject: w, From: &from}
	if f, err = e.decoded(ctx, r, w, messages, e.bothLosses(w.Contender, peer)); f != nil {
		charged := *f
		charged.Reason = "as it read the bytes of " + peer + ": " + f.Reason
		f = &charged
	}
	return f, err
}

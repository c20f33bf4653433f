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

// ExternalConfig is the configuration of External.
type ExternalConfig struct {
	// Ours is a runner that generates the workloads' values. Theirs is the external contender's
	// runner. Theirs.Data names the files that Ours writes the values to.
	Ours, Theirs drive.Runner
	// External is the name of the external contender, and Cases are its cases.
	External string
	Cases    []result.Case
	// Offers says whether the external contender's runner has the case's op in its mode, for
	// the case's workload and size.
	Offers func(result.Case) bool
	// Losses are the declared losses of each contender, including the external contender.
	Losses map[string][]string
	// Peers are the contenders linked by Ours that have the external contender's format.
	Peers []string
	// Own says that the external contender's values are of the user's own types. Methods of
	// these types may write what no peer can read. External then reports the difference in
	// Apart and not as a failure.
	Own bool
	// Files is a directory for the other files that the two runners exchange.
	Files string
}

// ExternalResult is the result of External.
type ExternalResult struct {
	Result
	// Sizes are the number and the bytes of the messages of each case that may be timed.
	Sizes map[result.Case]Size
	// Alone says that at some place no peer could read the external contender's bytes.
	Alone bool
	// Apart says how the bytes of a contender with Own differ from those of its peer. Empty:
	// they read each other's bytes.
	Apart string
}

// A Size is the number of messages and their bytes together.
type Size struct {
	Messages int
	Encoded  int64
}

// mostBytes is the largest number of bytes that the messages of a case may have together to be
// passed from one runner to another.
const mostBytes = 128 << 20

// External verifies a contender that has its own runner. It does not trust that runner's word
// for anything that can be observed from outside. The contender must decode its own bytes and
// export the values, which our runner compares with the inputs. A peer, a contender of ours
// with the same format, must decode its bytes to the inputs. It must decode the peer's bytes
// too, which its exported values show. External also asks it to verify itself, for every op.
//
// A subject that fails loses its cases of that size. An external contender that does not agree
// with its peer loses all of them, because the peer has passed its own round trip and reads the
// bytes of the other contenders of its format.
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
	out  ExternalResult
	said bool // that it has no default mode
}

// modal notes once that a contender has no default mode.
func (v *visit) modal(sink func(result.Record) error) error {
	if v.said {
		return nil
	}
	v.said = true
	return sink(result.Record{Note: &result.Note{Text: v.External + ": it has no default mode, the only one whose bytes others read: it was verified by its own round trip only"}})
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

// An encounter is the verification at one place. The site's session is the external
// contender's.
type encounter struct {
	*site
	visit *visit
	ours  *drive.Session
	// inputs is the number of values. written are the messages of each subject.
	inputs  int
	written map[result.Subject][][]byte
	// once says that the external contender's first failure counts (drive.Session.AskOnce).
	once bool
}

func (v *visit) place(ctx context.Context, p Place) error {
	e := &encounter{
		visit: v, written: map[result.Subject][][]byte{},
		ours: v.Ours.Session(0, p.Workload, p.Size, v.event),
		site: &site{
			verifier: v.verifier, Place: p,
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

// tell sends a command and separates failures of the runner from errors.
func (e *encounter) tell(ctx context.Context, to *drive.Session, cmd bench.Command) (bench.Answer, *drive.Failure, error) {
	ask := to.Ask
	if e.once && to == e.session {
		ask = to.AskOnce
	}
	answer, err := ask(ctx, cmd)
	var f *drive.Failure
	if errors.As(err, &f) {
		return answer, f, nil
	}
	return answer, nil, err
}

// offers says whether the external contender does op in the subject's mode at this place.
func (e *encounter) offers(w result.Subject, op result.Op) bool {
	return e.visit.Offers(result.Case{Workload: e.Workload, Size: e.Size, Contender: w.Contender, Mode: w.Mode, Op: op})
}

// partner returns the subject that does op for w: w itself, or its default mode.
func (e *encounter) partner(w result.Subject, op result.Op) (result.Subject, bool) {
	if e.offers(w, op) {
		return w, true
	}
	w.Mode = ""
	return w, e.offers(w, op)
}

// trip verifies one subject, first by its own word and then by the values that it exports.
func (e *encounter) trip(ctx context.Context, w result.Subject) error {
	// The observed result follows the subject's own word in the records and takes precedence.
	// From the subject's own word only the traces are kept.
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

// seen makes a subject write its messages and export the decoded values. It records the result
// of our runner's comparison.
func (e *encounter) seen(ctx context.Context, w result.Subject, traces []string) (*drive.Failure, error) {
	writer, ok := e.partner(w, result.Encode)
	if !ok {
		return nil, nil // it only decodes: meet checks what it decodes
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

// messages returns the encoded bytes of every input.
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

// decoded makes the external contender decode messages as reader and export the values, and our
// runner compare them. It completes the record r with the result.
func (e *encounter) decoded(ctx context.Context, r result.Verification, reader result.Subject, messages [][]byte, losses []string) (*drive.Failure, error) {
	by := turnOf(reader, len(messages))
	got, f, err := e.compared(ctx, reader, messages, by, losses)
	if by > 0 && f != nil && f.Status == result.Unverified && err == nil && !(e.once && f.Answered) {
		// In the order of the inputs, the reason has the number of the input. After an error that
		// counts at once, that would ask a new process.
		inTurn := f
		if got, f, err = e.compared(ctx, reader, messages, 0, losses); f == nil && err == nil {
			f = &drive.Failure{Status: result.Unverified, Reason: inTurn.Reason + "; it decodes the messages in the order of the values, and in no other"}
		}
	}
	if err != nil {
		return nil, err
	}
	if r.OK = f == nil; f != nil {
		r.Reason = f.Reason
	} else {
		r.Losses = got.Losses
	}
	return f, e.record(r)
}

// compared makes the external contender decode messages, turned by some places, and our runner
// compare the values. f describes a difference too.
func (e *encounter) compared(ctx context.Context, reader result.Subject, messages [][]byte, by int, losses []string) (*bench.Verified, *drive.Failure, error) {
	file := filepath.Join(e.visit.Files, "decoded.jsonl")
	// A file of an earlier subject must not pass for this subject's file.
	if left := os.Remove(file); left != nil && !errors.Is(left, fs.ErrNotExist) {
		if f := irregular(file); f != nil {
			return nil, f, nil
		}
		return nil, nil, left
	}
	_, f, err := e.tell(ctx, e.session, bench.Command{Cmd: "export", Export: &bench.Export{
		File: file, Contender: reader.Contender, Mode: reader.Mode, Messages: turned(messages, by),
	}})
	if f == nil && err == nil {
		f = irregular(file)
	}
	if f == nil && err == nil && by > 0 {
		err = turnBack(file, len(messages), by)
	}
	if f != nil || err != nil {
		return nil, f, err
	}
	answer, f, err := e.tell(ctx, e.ours, bench.Command{Cmd: "compare", Compare: &bench.Compare{File: file, Losses: losses}})
	if f == nil && err == nil && !answer.Verified.OK {
		f = &drive.Failure{Status: result.Unverified, Reason: "decode: " + answer.Verified.Reason}
	}
	return answer.Verified, f, err
}

// irregular returns a failure if a contender exported to something other than a regular file:
// our runner would wait for a pipe, and read a device without end.
func irregular(file string) *drive.Failure {
	info, err := os.Stat(file)
	if err != nil || info.Mode().IsRegular() {
		return nil // the reader of the file reports the error
	}
	return &drive.Failure{Status: result.Unverified, Reason: "export: what it made is no regular file"}
}

// record keeps a verification.
func (e *encounter) record(r result.Verification) error {
	e.verifier.out.Verifications = append(e.verifier.out.Verifications, r)
	return e.sink(result.Record{Time: time.Now(), Verification: &r})
}

// meet makes the external contender and a peer of ours read each other's bytes.
func (e *encounter) meet(ctx context.Context) error {
	w := result.Subject{Contender: e.visit.External}
	if e.closed.Load() || !e.live(e.visit.External) {
		return nil
	}
	peer, err := e.peer(ctx)
	if err != nil {
		return err
	}
	// Only its default mode meets a peer, timed or not: other modes may change the format.
	if !e.offers(w, result.Encode) && !e.offers(w, result.Decode) {
		return e.visit.modal(e.sink)
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

// peer returns the first peer that passes its own round trip at this place, or "".
func (e *encounter) peer(ctx context.Context) (string, error) {
	about, f, err := e.tell(ctx, e.ours, bench.Command{Cmd: "describe"})
	if err == nil && f != nil { // timing the contender without a peer would hide this
		err = fmt.Errorf("our own runner, which reads the bytes of %s: %s", e.visit.External, f.Reason)
	}
	if err != nil {
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

// linked says whether our runner has a contender that encodes and decodes the workload.
func (e *encounter) linked(d *bench.Described, name string) bool {
	return slices.ContainsFunc(d.Bindings, func(b bench.BindingInfo) bool {
		return b.Contender == name && b.Workload == e.Workload && b.Mode == "" &&
			slices.Contains(b.Ops, result.Encode) && slices.Contains(b.Ops, result.Decode)
	})
}

// readBy makes the peer decode what the external contender wrote.
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
	// The external contender is at fault, so the peer's row gets no warning.
	if !r.OK {
		return f, nil
	}
	return nil, e.record(r)
}

// reads makes the external contender decode what the peer wrote.
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

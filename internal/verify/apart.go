package verify

import (
	"context"
	"errors"

	"assay/bench"
	"assay/internal/drive"
	"assay/result"
)

// firstInputs is the largest number of messages that another process reads. Already the first
// message shows whether the bytes hold the value.
const firstInputs = 16

// handOver makes a subject that passed its own round trip write messages for another process.
func (s *site) handOver(ctx context.Context, session *drive.Session, h heard) heard {
	if s.Brief {
		return h
	}
	answer, err := session.Ask(ctx, bench.Command{Cmd: "write", Write: &bench.Write{
		Subject: h.asked.Subject, Bytes: mostBytes, First: firstInputs,
	}})
	var f *drive.Failure
	switch {
	case errors.As(err, &f) && !f.Loading:
		charged := *f
		charged.Reason = "as it wrote for another process: " + f.Reason
		h.err = &charged
	case err != nil:
		h.err = err
	default:
		h.first = answer.Written.Messages
	}
	return h
}

// readApart decodes the messages of handOver in a process in which nobody encodes. A contender
// fails there if its messages refer to a value in the memory of the process that wrote them,
// and do not hold the value.
func (s *site) readApart(ctx context.Context, h heard) heard {
	if h.err != nil || len(h.first) == 0 {
		return h
	}
	answer, err := s.apart.Ask(ctx, bench.Command{Cmd: "verify", Verify: &bench.Verify{
		Subject: h.asked.Subject, Losses: h.asked.Losses, Messages: h.first, First: true,
	}})
	var f *drive.Failure
	var reason string
	switch got := answer.Verified; {
	case errors.As(err, &f) && !f.Loading:
		reason, h.stderr = f.Reason, f.Stderr
	case err != nil:
		h.err = err
		return h
	case got.OK:
		return h
	default:
		reason = got.Reason
	}
	s.apart.Close() // what the subject left behind must not affect the next ones
	h.answer.Verified = &bench.Verified{
		Op: result.Decode, Reason: "its bytes cannot be read in another process: " + reason,
		Changed: f == nil && answer.Verified.Changed, Habits: h.answer.Verified.Habits,
	}
	return h
}

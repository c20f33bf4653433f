package verify

import (
	"context"
	"errors"

	"assay/bench"
	"assay/internal/drive"
	"assay/result"
)

// firstInputs is how many messages another process reads at most. What matters is that
// bytes are all that it has, and the first message shows that.
const firstInputs = 16

// handOver has a subject that did its own round trip write messages for another process.
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

// readApart has the messages that were handed over decoded in a process in which nobody
// encodes. A contender whose messages say where the value is in the memory of the process
// that wrote them, and not what it is, fails there.
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
	s.apart.Close() // whatever it left behind is not for those that come next
	h.answer.Verified = &bench.Verified{
		Op: result.Decode, Reason: "its bytes cannot be read in another process: " + reason,
		Changed: f == nil && answer.Verified.Changed, Habits: h.answer.Verified.Habits,
	}
	return h
}

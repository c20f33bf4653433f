package verify

import (
	"context"

	"assay/internal/drive"
	"assay/result"
)

// anyInputs says that messages does not check the number of messages. The comparison of their
// values does.
const anyInputs = -1

// Again verifies an external contender after it was timed. The contender writes and decodes its
// messages once more in the process theirs, which was just timed, and our runner compares the
// values. Nobody else checks what that process did, so a failure in it is not tried again in another
// process. The failure is nil if the values are right, or if the subject does not both write and
// decode.
func Again(ctx context.Context, cfg ExternalConfig, cell result.Cell, who result.Subject, ours, theirs *drive.Session) (*drive.Failure, error) {
	nowhere := func(result.Record) error { return nil }
	v := &visit{ExternalConfig: cfg, verifier: &verifier{
		Config: Config{Cases: cfg.Cases, Losses: cfg.Losses}, sink: nowhere, event: func(drive.Event) {}, lost: map[result.Case]bool{},
	}}
	e := &encounter{
		visit: v, written: map[result.Subject][][]byte{}, ours: ours, inputs: anyInputs, once: true,
		site: &site{verifier: v.verifier, Place: Place{cell.Workload, cell.Size}, session: theirs},
	}
	f, err := e.seen(ctx, who, nil)
	if f != nil {
		f.Reason = "after it was timed: " + f.Reason
	}
	return f, err
}

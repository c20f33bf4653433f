package verify

import (
	"context"

	"assay/internal/drive"
	"assay/result"
)

// anyInputs says that the number of messages is left to the comparison of their values.
const anyInputs = -1

// Again has an external contender write and decode once more, in the process that was timed just now,
// and a runner of ours compare the values. What it did while it was timed nobody
// else sees. The failure is nil when all is well, and where the subject does not do both.
func Again(ctx context.Context, cfg ExternalConfig, cell result.Cell, who result.Subject, ours, theirs *drive.Session) (*drive.Failure, error) {
	nowhere := func(result.Record) error { return nil }
	v := &visit{ExternalConfig: cfg, verifier: &verifier{
		Config: Config{Cases: cfg.Cases, Losses: cfg.Losses}, sink: nowhere, event: func(drive.Event) {}, lost: map[result.Case]bool{},
	}}
	e := &encounter{
		visit: v, written: map[result.Subject][][]byte{}, ours: ours, inputs: anyInputs,
		site: &site{verifier: v.verifier, Place: Place{cell.Workload, cell.Size}, session: theirs, verified: map[result.Subject]bool{}},
	}
	f, err := e.seen(ctx, who, nil)
	if f != nil {
		f.Reason = "after it was timed: " + f.Reason
	}
	return f, err
}

package cli

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"assay"
	"assay/internal/flags"
	"assay/internal/gate"
	"assay/internal/refusal"
	"assay/result"
)

// After a measurement, a format that has nothing to hold of it is no wrong usage: the gate says what
// happened. For a stored run it is.
func TestUnexportable(t *testing.T) {
	c := result.Case{Workload: "movie", Size: "record=one", Contender: "xml", Op: result.Encode}
	run := &result.Run{ID: "x", Plan: result.Plan{Cases: []result.Case{c}}}
	records := []result.Record{{Outcome: &result.Outcome{Case: c, Status: result.Panic, Reason: "boom"}}}
	var out bytes.Buffer
	a := newApp(nil, &out, &out, assay.Source)
	a.Color = "never"
	results, unexportable := a.print(run, records, flags.Output{Format: exportFormat}, flags.Selection{})
	var refused *refusal.Error
	if results == nil || !errors.As(unexportable, &refused) || exitCode(unexportable) != ExitUsage {
		t.Fatalf("%v, %v", results, unexportable)
	}
	err := a.judged(gate.Measured(results, true), unexportable)
	if want := "nothing was measured: movie/record=one/xml/encode: panic: boom"; exitCode(err) != ExitFailed || !strings.Contains(err.Error(), want) {
		t.Errorf("exit code %d, %v; want %q", exitCode(err), err, want)
	}
	if err := a.judged(&gate.Gate{}, unexportable); exitCode(err) != ExitFailed {
		t.Errorf("what the gate lets pass: exit code %d, %v", exitCode(err), err)
	}
	if err := a.judged(&gate.Gate{}, nil); err != nil {
		t.Error(err)
	}
}

package build

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Pieces links one layout at a time, each once. After stop nothing is being linked, and need
// returns with its layout linked.
func TestPieces(t *testing.T) {
	var at, began atomic.Int32
	var linked []uint64
	second, free := make(chan struct{}), make(chan struct{})
	p := &pieces{left: []uint64{1, 2, 3, 4}, link: func(_ context.Context, layout uint64) error {
		if at.Add(1) != 1 {
			t.Error("two layouts are linked at a time")
		}
		defer at.Add(-1)
		began.Add(1)
		if layout == 2 {
			close(second)
			<-free
		}
		linked = append(linked, layout)
		return nil
	}}
	stop := p.ahead(t.Context())
	<-second
	// Meanwhile processes of linked layouts can start.
	there := make(chan error, 1)
	go func() {
		r := &Runner{later: p}
		if r.Unlinked() != 3 {
			t.Errorf("%d layouts are not linked, want 3", r.Unlinked())
		}
		there <- errors.Join(r.Linked(t.Context(), 0), r.Linked(t.Context(), 1))
	}()
	select {
	case err := <-there:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Error("a layout that is there waits for another that is being linked")
	}
	stopped := make(chan struct{})
	go func() {
		stop()
		close(stopped)
	}()
	select {
	case <-stopped:
		t.Fatal("stop did not wait for the layout that was being linked")
	case <-time.After(10 * time.Millisecond):
	}
	close(free)
	<-stopped
	if n := at.Load(); n != 0 {
		t.Fatalf("%d layouts are being linked after the stop, %d began", n, began.Load())
	}
	for _, layout := range []uint64{4, 4, 2, 0} {
		if err := p.need(t.Context(), layout); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Contains(linked, 4) || len(linked) != len(slices.Compact(slices.Sorted(slices.Values(linked)))) {
		t.Errorf("linked %v", linked)
	}
	p.ahead(t.Context())()
	stop()
}

// need reports that a layout cannot be linked, for the layout that the caller needs.
func TestPiecesThatFail(t *testing.T) {
	p := &pieces{left: []uint64{1, 2}, link: func(context.Context, uint64) error { return errors.New("no space") }}
	stop := p.ahead(t.Context())
	stop()
	if err := p.need(t.Context(), 2); err == nil || err.Error() != "linking layout 2: no space" {
		t.Errorf("error %v", err)
	}
}

// With Lazy, Make returns when the first layout is linked. The others are linked when needed,
// or ahead, and are the same programs as without Lazy.
func TestMakeLazily(t *testing.T) {
	builds(t)
	o, steps := options(t)
	o.Lazy = true
	spec := Spec{Contenders: contenders("good:tick")}
	r, err := Make(t.Context(), o, spec, []uint64{0, 7, 8})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Step{Copying, Compiling}, steps()); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
	there := func(layout uint64) bool { _, err := os.Stat(r.Path(layout)); return err == nil }
	if r.Unlinked() != 2 || !there(0) || there(7) || there(8) {
		t.Errorf("%d layouts are not linked", r.Unlinked())
	}
	if err := r.Linked(t.Context(), 8); err != nil || !there(8) {
		t.Fatalf("layout 8 is not linked: %v", err)
	}
	r.LinkAhead(t.Context())()
	if err := r.Linked(t.Context(), 7); err != nil || !there(7) || r.Unlinked() != 0 {
		t.Fatalf("layout 7 is not linked: %v", err)
	}
	if where := output(t, r, 7, "where"); where == output(t, r, 0, "where") || !strings.Contains(output(t, r, 8), "good tick") {
		t.Error("layout 7 has its functions where layout 0 has them")
	}
	again, err := Make(t.Context(), o, spec, []uint64{0, 7, 8})
	if err != nil || again.Unlinked() != 0 || again.Linked(t.Context(), 7) != nil {
		t.Errorf("of a runner that is all there %d layouts are not linked, %v", again.Unlinked(), err)
	}
	steps()
	// If only one layout is missing from the cache, Make leaves it for Linked to link.
	if err := os.Remove(r.Path(7)); err != nil {
		t.Fatal(err)
	}
	if again, err = Make(t.Context(), o, spec, []uint64{0, 7, 8}); err != nil || again.Unlinked() != 1 {
		t.Fatalf("%d layouts are not linked, %v", again.Unlinked(), err)
	}
	if err := again.Linked(t.Context(), 7); err != nil || !there(7) {
		t.Errorf("layout 7 is not linked again: %v", err)
	}
}

// With Lazy, Make finds a contender that does not compile before it returns, and leaves the
// other layouts for later.
func TestMakeLazilyWithoutOne(t *testing.T) {
	builds(t)
	o, _ := options(t)
	o.Lazy = true
	r, err := Make(t.Context(), o, Spec{Contenders: contenders("good:tick", "bad:tick")}, []uint64{0, 7})
	if err != nil {
		t.Fatal(err)
	}
	if r.Failed["bad"].Reason == "" || r.Unlinked() != 1 || r.Linked(t.Context(), 7) != nil {
		t.Errorf("failed %v, %d layouts are not linked", r.Failed, r.Unlinked())
	}
}

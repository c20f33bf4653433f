package build

import (
	"context"
	"fmt"
	"slices"
	"sync"
)

// Pieces are the layouts of a runner that are linked after Make has returned. One is
// linked at a time.
type pieces struct {
	link func(ctx context.Context, layout uint64) error
	// linking is held while a layout is linked: whoever needs one that is there takes only
	// mu, which guards left, the layouts that are not linked yet.
	linking, mu sync.Mutex
	left        []uint64
}

// need links a layout unless that was done. It first waits for the one that is being
// linked.
func (p *pieces) need(ctx context.Context, layout uint64) error {
	if !p.lacks(layout) {
		return nil
	}
	p.linking.Lock()
	defer p.linking.Unlock()
	if !p.lacks(layout) {
		return nil
	}
	if err := p.link(ctx, layout); err != nil {
		return fmt.Errorf("linking layout %d: %w", layout, err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.left = slices.DeleteFunc(p.left, func(l uint64) bool { return l == layout })
	return nil
}

// lacks says whether a layout is not linked yet.
func (p *pieces) lacks(layout uint64) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Contains(p.left, layout)
}

// next is a layout that is not linked yet.
func (p *pieces) next() (layout uint64, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.left) == 0 {
		return 0, false
	}
	return p.left[0], true
}

// ahead links what is left, one layout after the other, until stop is called, which
// waits for the one that is being linked. A layout that cannot be linked ends it: need
// tells why.
func (p *pieces) ahead(ctx context.Context) (stop func()) {
	halt, over := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(over)
		for layout, ok := p.next(); ok; layout, ok = p.next() {
			select {
			case <-halt:
				return
			default:
			}
			if p.need(ctx, layout) != nil {
				return
			}
		}
	}()
	return sync.OnceFunc(func() {
		close(halt)
		<-over
	})
}

// Linked has a layout linked if that was left for later, and waits until it is. The
// layout must be one that Make was asked for.
func (r *Runner) Linked(ctx context.Context, layout uint64) error {
	if r.later == nil {
		return nil
	}
	return r.later.need(ctx, layout)
}

// Unlinked says whether layouts were left for later and are not linked yet, and how many.
func (r *Runner) Unlinked() int {
	if r.later == nil {
		return 0
	}
	r.later.mu.Lock()
	defer r.later.mu.Unlock()
	return len(r.later.left)
}

// LinkAhead links what was left for later while other things are done, with little
// claim to the CPUs, until stop is called or the context ends. When stop returns,
// nothing is being linked, so that something can be timed.
func (r *Runner) LinkAhead(ctx context.Context) (stop func()) {
	if r.later == nil {
		return func() {}
	}
	return r.later.ahead(ctx)
}

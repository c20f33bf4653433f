package build

import (
	"context"
	"fmt"
	"slices"
	"sync"
)

// pieces are the layouts of a runner that are linked after Make has returned. They are linked
// one at a time.
type pieces struct {
	link func(ctx context.Context, layout uint64) error
	// linking is held while a layout is linked. mu guards left, the layouts that are not linked
	// yet. Whoever needs a linked layout takes only mu, and so does not wait for another link.
	linking, mu sync.Mutex
	left        []uint64
}

// need links a layout unless it is linked. If another layout is being linked, need waits for it
// first.
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

// next returns a layout that is not linked yet.
func (p *pieces) next() (layout uint64, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.left) == 0 {
		return 0, false
	}
	return p.left[0], true
}

// ahead links the layouts in left, one after the other, until stop is called. Stop waits for
// the layout that is being linked. If a layout cannot be linked, ahead ends, and need reports
// the error.
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

// Linked links a layout if it is not linked yet, and returns when it is. The layout must be one
// of those that Make was called with.
func (r *Runner) Linked(ctx context.Context, layout uint64) error {
	if r.later == nil {
		return nil
	}
	return r.later.need(ctx, layout)
}

// Unlinked returns the number of layouts that are not linked yet.
func (r *Runner) Unlinked() int {
	if r.later == nil {
		return 0
	}
	r.later.mu.Lock()
	defer r.later.mu.Unlock()
	return len(r.later.left)
}

// LinkAhead links the remaining layouts in the background, at low priority, until stop is
// called or the context ends. When stop returns, nothing is being linked, so that the caller
// can time something.
func (r *Runner) LinkAhead(ctx context.Context) (stop func()) {
	if r.later == nil {
		return func() {}
	}
	return r.later.ahead(ctx)
}

package bench

import (
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/result"
)

// TestRebound: calibrate finds a codec that caches messages by the addresses of values, if its
// values cannot be changed in place. It accepts a codec that does its work.
func TestRebound(t *testing.T) {
	runtime.LockOSThread() // for the thread's clock
	defer runtime.UnlockOSThread()
	work := func(f *fake) func(v *item) ([]byte, error) {
		encode := f.encode
		return func(v *item) (b []byte, err error) {
			for range 8 {
				b, err = encode(v)
			}
			return b, err
		}
	}
	p := program()
	p.Bindings = nil
	for name, change := range map[string]func(f *fake){
		"sound": func(f *fake) { f.encode = work(f) },
		"keeps": func(f *fake) {
			kept := map[*item][]byte{}
			encode := work(f)
			f.encode = func(v *item) (b []byte, err error) {
				if kept[v] == nil {
					kept[v], err = encode(v)
				}
				return slices.Clone(kept[v]), err
			}
		},
	} {
		p.Bindings = append(p.Bindings, Binding{
			Contender: name, Workload: "items", Root: "Item", Ops: []result.Op{result.Encode, result.Decode},
			New: func(values any) (*Codec, error) {
				f := newFake(values)
				change(f)
				return f.codec(), nil
			},
		})
	}
	s := &session{program: p}
	if _, err := s.load(Load{Workload: "items", Size: "n=1", Seed: 1, Inputs: 64}); err != nil {
		t.Fatal(err)
	}
	for name, found := range map[string]string{"sound": "", "keeps": "keeps encode: it keeps the messages of values: encode takes "} {
		who := result.Subject{Contender: name}
		if got, err := s.verify(Verify{Subject: who}); err != nil || !got.OK {
			t.Fatalf("verify %s: %+v, %v", name, got, err)
		}
		_, err := s.calibrate(Calibrate{Cases: []CaseSpec{{Subject: who, Op: result.Encode}}, BatchNS: int64(2 * time.Millisecond)})
		if (err == nil) != (found == "") || err != nil && !strings.HasPrefix(err.Error(), found) {
			t.Errorf("calibrate %s: %v, want %q", name, err, found)
		}
	}
}

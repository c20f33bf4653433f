package compress

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"assay/bench"
	"assay/result"
	"assay/workload"
)

// samples are messages of many kinds: an empty one, one byte, messages that compress well or
// badly, and one that is larger than a block.
func samples() [][]byte {
	random := make([]byte, 70_000)
	rand.NewChaCha8([32]byte{}).Read(random)
	return [][]byte{
		{}, {7}, []byte("hello, hello, hello"), bytes.Repeat([]byte("abcdefgh"), 1000), random,
		bytes.Repeat(random, 80), make([]byte, 100_000),
	}
}

// TestRoundTrip: decompression restores every message, with buffers that hold earlier results.
// The same message always gives the same bytes.
func TestRoundTrip(t *testing.T) {
	for _, c := range Codecs {
		t.Run(c.Name, func(t *testing.T) {
			if found, ok := Named(c.Name); !ok || found.Text != c.Text {
				t.Errorf("Named(%q) = %+v, %v", c.Name, found, ok)
			}
			coder, err := c.New()
			if err != nil {
				t.Fatal(err)
			}
			var out, back []byte
			first := map[int][]byte{}
			for pass := range 2 {
				for i, m := range samples() {
					kept := slices.Clone(m)
					if out, err = coder.Compress(out, m); err != nil {
						t.Fatal(err)
					}
					if !bytes.Equal(m, kept) {
						t.Fatalf("message %d was changed", i)
					}
					if pass == 0 {
						first[i] = slices.Clone(out)
					} else if !bytes.Equal(out, first[i]) {
						t.Errorf("message %d: %d bytes, and %d the first time", i, len(out), len(first[i]))
					}
					if back, err = coder.Decompress(back, out); err != nil {
						t.Fatalf("message %d: %v", i, err)
					}
					if !bytes.Equal(back, m) {
						t.Errorf("message %d of %d bytes came back as %d others", i, len(m), len(back))
					}
				}
			}
			if n := len(first[3]); n > 500 {
				t.Errorf("a thousand times the same has %d bytes", n)
			}
			// After damaged data, a coder still decompresses the next message.
			for _, bad := range [][]byte{{}, []byte("no such format"), first[4][:len(first[4])/2]} {
				if got, err := coder.Decompress(nil, bad); err == nil && len(got) > 0 {
					t.Errorf("%d damaged bytes were taken for a message of %d", len(bad), len(got))
				}
			}
			if back, err = coder.Decompress(back, first[2]); err != nil || string(back) != "hello, hello, hello" {
				t.Errorf("after damaged data: %q, %v", back, err)
			}
		})
	}
	if _, ok := Named("lzw"); ok {
		t.Error("there is a codec lzw")
	}
}

func TestBatch(t *testing.T) {
	messages := samples()
	b := Batch(messages)
	for i, m := range messages {
		n, size := binary.Uvarint(b)
		if size <= 0 || n != uint64(len(m)) || !bytes.Equal(b[size:size+len(m)], m) {
			t.Fatalf("message %d is not in the batch", i)
		}
		b = b[size+len(m):]
	}
	if len(b) != 0 {
		t.Errorf("%d bytes are left", len(b))
	}
}

type item struct {
	ID   int
	Name string
}

func (v *item) LeafSum() uint64 { return uint64(v.ID) }

// program has a contender with a default mode and another mode, and a contender that fails to
// encode.
func program() bench.Program {
	items := &workload.Workload{
		Name: "items", Sizes: []workload.Size{{Key: "n=1", Root: "Item", Bytes: 40}},
		Generate: func(_ workload.Size, _ uint64, n int) (any, error) {
			out := make([]item, n)
			for i := range out {
				out[i] = item{i, strings.Repeat("name", i%5)}
			}
			return out, nil
		},
	}
	p := bench.Program{Workloads: []*workload.Workload{items}}
	for _, x := range []struct{ name, mode string }{{"json", ""}, {"json", "output=reuse"}, {"mute", ""}} {
		p.Bindings = append(p.Bindings, bench.Binding{
			Contender: x.name, Workload: "items", Root: "Item", Mode: x.mode, Ops: []result.Op{result.Encode},
			New: func(values any) (*bench.Codec, error) {
				all, next, last := values.([]item), 0, []byte(nil)
				return &bench.Codec{
					Encode: func(n int) (sum uint64, err error) {
						for range n {
							if x.name == "mute" {
								return 0, fmt.Errorf("cannot write")
							}
							last, err = json.Marshal(all[next%len(all)])
							next++
							sum += uint64(len(last))
						}
						return sum, err
					},
					Encoded: func() []byte { return last },
					Seek:    func(i int) { next = i },
				}, nil
			},
		})
	}
	return p
}

func serve(t *testing.T, p bench.Program, commands ...bench.Command) []bench.Answer {
	t.Helper()
	var in, out bytes.Buffer
	e := json.NewEncoder(&in)
	for _, c := range append([]bench.Command{{Cmd: "load", Load: &bench.Load{Workload: "items", Size: "n=1", Seed: 1, Inputs: 9}}}, commands...) {
		if err := e.Encode(c); err != nil {
			t.Fatal(err)
		}
	}
	if err := bench.Serve(p, &in, &out); err != nil {
		t.Fatal(err)
	}
	var answers []bench.Answer
	for d := json.NewDecoder(&out); d.More(); {
		var a bench.Answer
		if err := d.Decode(&a); err != nil {
			t.Fatal(err)
		}
		answers = append(answers, a)
	}
	return answers[1:]
}

// TestProgram: the modes of Program are verified, timed and counted like any other mode.
func TestProgram(t *testing.T) {
	p := Program(program())
	if len(p.Bindings) != 3+2*len(Codecs) {
		t.Fatalf("%d bindings", len(p.Bindings))
	}
	for _, mode := range Modes() {
		who := result.Subject{Contender: "json", Mode: mode}
		var cases []bench.CaseSpec
		for _, op := range Ops {
			cases = append(cases, bench.CaseSpec{Subject: who, Op: op, N: 20})
		}
		answers := serve(t, p,
			bench.Command{Cmd: "verify", Verify: &bench.Verify{Subject: who}},
			bench.Command{Cmd: "rounds", Rounds: &bench.Rounds{Cases: cases, Rounds: 2}},
			bench.Command{Cmd: "memory", Memory: &bench.Memory{Subject: who, Op: result.Decompress, Ops: 1}},
			bench.Command{Cmd: "parallel", Parallel: &bench.Parallel{Subject: who, Op: result.Decompress, Goroutines: 2, N: 10, Rounds: 1}},
			bench.Command{Cmd: "write", Write: &bench.Write{Subject: who, Bytes: 1000}},
		)
		if v := answers[0].Verified; v == nil || !v.OK {
			t.Errorf("%s: verify: %+v, %s", mode, v, answers[0].Error)
		}
		if m := answers[1].Measured; m == nil || len(m.Series) != 2 || len(m.Varying) != 0 {
			t.Errorf("%s: rounds: %+v, %s", mode, m, answers[1].Error)
		}
		if c := answers[2].Counted; c == nil || c.Encoded == 0 || c.Messages != 9 {
			t.Errorf("%s: memory: %+v, %s", mode, c, answers[2].Error)
		}
		if answers[3].Paralleled == nil {
			t.Errorf("%s: parallel: %s", mode, answers[3].Error)
		}
		if w := answers[4].Written; w == nil || string(w.Messages[1]) != `{"ID":1,"Name":"name"}` {
			t.Errorf("%s: write: %+v, %s", mode, w, answers[4].Error)
		}
	}
	a := serve(t, p, bench.Command{Cmd: "verify", Verify: &bench.Verify{Subject: result.Subject{Contender: "mute", Mode: "codec=s2"}}})[0]
	if a.Verified == nil || a.Verified.OK || !strings.Contains(a.Verified.Reason, "cannot write") {
		t.Errorf("a contender that cannot write: %+v", a)
	}
}

// TestWrongCodec: verification fails for a codec that does not restore the messages.
func TestWrongCodec(t *testing.T) {
	good := Codecs[0].New
	for name, change := range map[string]func(*Coder){
		"flips": func(c *Coder) {
			decompress := c.Decompress
			c.Decompress = func(dst, src []byte) ([]byte, error) {
				out, err := decompress(dst, src)
				out[len(out)-1] ^= 1
				return out, err
			}
		},
		"cuts": func(c *Coder) {
			decompress := c.Decompress
			c.Decompress = func(dst, src []byte) ([]byte, error) {
				out, err := decompress(dst, src)
				return out[1:], err
			}
		},
	} {
		p := program()
		b := p.Bindings[0]
		broken := Codec{Name: name, New: func() (*Coder, error) {
			c, err := good()
			change(c)
			return c, err
		}}
		p.Bindings = append(p.Bindings, bench.Binding{
			Contender: "json", Workload: "items", Root: "Item", Mode: "codec=" + name, Ops: Ops,
			New: func(values any) (*bench.Codec, error) { return bind(b, &rack{Codec: broken}, values) },
		})
		a := serve(t, p, bench.Command{Cmd: "verify", Verify: &bench.Verify{Subject: result.Subject{Contender: "json", Mode: "codec=" + name}}})[0]
		if a.Verified == nil || a.Verified.OK || a.Verified.Op != result.Decompress {
			t.Errorf("%s: %+v", name, a)
		}
	}
}

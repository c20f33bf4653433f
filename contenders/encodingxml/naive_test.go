//go:build generated

package encodingxml_test

import (
	"context"
	"encoding/xml"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"assay/bench"
	"assay/contenders/encodingxml"
	sizesgen "assay/contenders/encodingxml/gen/sizes"
	"assay/internal/drive"
	"assay/internal/verify"
	"assay/result"
	"assay/workload"
	"assay/workload/sizes"
)

// The published XML benchmark marshals a slice directly. That writes one root element for each
// element, which is not a valid document. Unmarshal into a slice reads only the first of them
// and returns no error, so the published decode times are those of one element. naiveBinding
// binds that codec.

const naive = "naive xml"

type naiveTiny struct {
	TinyID  int64  `xml:"tiny_id"`
	SomeStr string `xml:"some_str"`
}

var naiveBinding = bench.Binding{
	Contender: naive, Workload: "sizes", Root: "TinySlice",
	Ops: []result.Op{result.Encode, result.Decode},
	New: func(values any) (*bench.Codec, error) {
		models, ok := values.([]sizes.TinySlice)
		if !ok {
			return nil, fmt.Errorf("values are %T", values)
		}
		c := &naiveCodec{}
		for _, m := range models {
			var own []naiveTiny
			for _, v := range m {
				own = append(own, naiveTiny{v.TinyId, v.SomeStr})
			}
			c.in = append(c.in, own)
		}
		return &bench.Codec{
			Seek:    func(i int) { c.at = i },
			Encode:  c.encode,
			Encoded: func() []byte { return c.out },
			Use:     func(messages [][]byte) { c.messages = messages },
			Decode:  c.decode,
			Decoded: c.decoded,
		}, nil
	},
}

type naiveCodec struct {
	at       int
	in       [][]naiveTiny
	out      []byte
	messages [][]byte
	v        []naiveTiny
}

func (c *naiveCodec) encode(n int) (sum uint64, err error) {
	for range n {
		if c.out, err = xml.Marshal(c.in[c.at]); err != nil {
			return sum, err
		}
		sum += uint64(len(c.out))
		c.at = (c.at + 1) % len(c.in)
	}
	return sum, nil
}

func (c *naiveCodec) decode(n int) (uint64, error) {
	for range n {
		c.v = nil
		if err := xml.Unmarshal(c.messages[c.at], &c.v); err != nil {
			return 0, err
		}
		c.at = (c.at + 1) % len(c.messages)
	}
	return uint64(n), nil
}

func (c *naiveCodec) decoded() any {
	var m sizes.TinySlice
	for _, v := range c.v {
		m = append(m, sizes.Tiny{TinyId: v.TinyID, SomeStr: v.SomeStr})
	}
	return &m
}

// runnerEnv makes the test binary a runner.
const runnerEnv = "ENCODINGXML_TEST_RUNNER"

func TestMain(m *testing.M) {
	if os.Getenv(runnerEnv) != "" {
		bench.Main(bench.Program{
			Workloads: []*workload.Workload{sizes.Workload},
			Bindings:  append([]bench.Binding{naiveBinding}, sizesgen.Bindings...),
		})
		return
	}
	os.Exit(m.Run())
}

// TestNaive verifies the naive codec and ours as before every measurement. The naive codec must
// not be timed, and the reason must say what is wrong with it.
func TestNaive(t *testing.T) {
	const size = "shape=slice,struct=tiny"
	var cases []result.Case
	for _, name := range []string{naive, encodingxml.Contender.Name} {
		for _, op := range []result.Op{result.Encode, result.Decode} {
			cases = append(cases, result.Case{Workload: "sizes", Size: size, Contender: name, Op: op})
		}
	}
	got, err := verify.Run(context.Background(), verify.Config{
		Runner: drive.Runner{
			Binary: func(uint64) drive.Binary { return drive.Binary{Path: os.Args[0], Env: []string{runnerEnv + "=1"}} },
			Limits: drive.Limits{Answer: time.Minute},
		},
		Cases: cases,
	}, func(result.Record) error { return nil }, func(drive.Event) {})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Cases) != 2 || got.Cases[0].Contender != encodingxml.Contender.Name || got.Cases[1].Contender != encodingxml.Contender.Name {
		t.Errorf("cases that may be timed: %v, want those of %s alone", got.Cases, encodingxml.Contender.Name)
	}
	if len(got.Outcomes) != 2 {
		t.Fatalf("outcomes: %v, want two", got.Outcomes)
	}
	for _, o := range got.Outcomes {
		if o.Case.Contender != naive || o.Status != result.Unverified || !strings.Contains(o.Reason, "5 elements became 1 element") {
			t.Errorf("outcome %+v, want %s to be unverified because 5 elements became 1", o, naive)
		}
	}
}

package protobuf_test

import (
	"bufio"
	"encoding/json"
	"io"
	"slices"
	"testing"

	"assay/bench"
	gogochain "assay/contenders/gogoprotobuf/gen/chain"
	gogocustomer "assay/contenders/gogoprotobuf/gen/customer"
	gogomovie "assay/contenders/gogoprotobuf/gen/movie"
	gogosizes "assay/contenders/gogoprotobuf/gen/sizes"
	gogotick "assay/contenders/gogoprotobuf/gen/tick"
	pbchain "assay/contenders/protobuf/gen/chain"
	pbcustomer "assay/contenders/protobuf/gen/customer"
	pbmovie "assay/contenders/protobuf/gen/movie"
	pbsizes "assay/contenders/protobuf/gen/sizes"
	pbtick "assay/contenders/protobuf/gen/tick"
	jsonchain "assay/contenders/protojson/gen/chain"
	jsoncustomer "assay/contenders/protojson/gen/customer"
	jsonmovie "assay/contenders/protojson/gen/movie"
	jsonsizes "assay/contenders/protojson/gen/sizes"
	jsontick "assay/contenders/protojson/gen/tick"
	vtchain "assay/contenders/vtprotobuf/gen/chain"
	vtcustomer "assay/contenders/vtprotobuf/gen/customer"
	vtmovie "assay/contenders/vtprotobuf/gen/movie"
	vtsizes "assay/contenders/vtprotobuf/gen/sizes"
	vttick "assay/contenders/vtprotobuf/gen/tick"
	"assay/workload"
	"assay/workload/builtin"
)

var program = bench.Program{
	Workloads: builtin.All(),
	Bindings: slices.Concat(
		gogochain.Bindings, gogocustomer.Bindings, gogomovie.Bindings, gogosizes.Bindings, gogotick.Bindings,
		pbchain.Bindings, pbcustomer.Bindings, pbmovie.Bindings, pbsizes.Bindings, pbtick.Bindings,
		jsonchain.Bindings, jsoncustomer.Bindings, jsonmovie.Bindings, jsonsizes.Bindings, jsontick.Bindings,
		vtchain.Bindings, vtcustomer.Bindings, vtmovie.Bindings, vtsizes.Bindings, vttick.Bindings,
	),
}

// TestWorkloads verifies the family on every built-in workload, as a runner
// does, and that those of one format read one another's bytes.
func TestWorkloads(t *testing.T) {
	r := serve(t, program)
	for _, w := range builtin.All() {
		for _, size := range w.Sizes {
			if !size.Quick || testing.Short() && size.Bytes > 1<<20 {
				continue
			}
			r.do(t, bench.Command{Cmd: "load", Load: &bench.Load{Workload: w.Name, Size: size.Key, Inputs: 3}})
			for _, c := range family {
				r.check(t, w.Name+" "+size.Key, c, nil, c.Losses, "")
				for _, from := range family {
					if from != c && from.Format == c.Format {
						r.check(t, w.Name+" "+size.Key, c, from, c.Losses, "")
					}
				}
			}
		}
	}
}

// TestSizes holds the encoded sizes against the published ones.
func TestSizes(t *testing.T) {
	for _, c := range []struct {
		workload, size string
		binary         int
		json           []int // compact, and with a space after each comma; nil: not published
	}{
		{"tick", "payload=published", 559, []int{1158, 1364}},
		{"movie", "record=one", 65, nil},
	} {
		i := slices.IndexFunc(program.Workloads, func(w *workload.Workload) bool { return w.Name == c.workload })
		w := program.Workloads[i]
		size, err := w.Size(c.size)
		if err != nil {
			t.Fatal(err)
		}
		values, err := w.Generate(size, 1, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range program.Bindings {
			if b.Workload != c.workload {
				continue
			}
			codec, err := b.New(values)
			if err != nil {
				t.Fatal(err)
			}
			got, err := codec.Encode(1)
			if err != nil {
				t.Fatal(err)
			}
			want := []int{c.binary}
			if b.Contender == "protojson" {
				want = c.json
			}
			if want != nil && !slices.Contains(want, int(got)) {
				t.Errorf("%s %s %s: %d bytes, want one of %v", c.workload, b.Contender, b.Mode, got, want)
			}
		}
	}
}

// serve starts a runner in this process.
func serve(t *testing.T, p bench.Program) *runner {
	commands, in := io.Pipe()
	out, answers := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := bench.Serve(p, commands, answers)
		answers.CloseWithError(io.ErrUnexpectedEOF)
		done <- err
	}()
	t.Cleanup(func() {
		in.Close()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return &runner{json.NewEncoder(in), bufio.NewReader(out)}
}

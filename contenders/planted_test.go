//go:build !generated

package contenders_test

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/bench"
	"assay/contender/contendertest"
	"assay/contenders/encodingjson"
	text "assay/contenders/encodingjson/gen/customer"
	"assay/workload/customer"
)

// faults are unrecoverable faults of a contender's decode, and what the test process says about
// each.
var faults = map[string]struct {
	decode func(int) (uint64, error)
	want   []string
}{
	"overflow": {func(n int) (uint64, error) { return uint64(deeper(n)), nil }, []string{"fatal error: stack overflow"}},
	"allocate": {func(int) (uint64, error) { return uint64(len(more(nil))), nil }, []string{"fatal error: the process has more than 512 MiB of memory in use"}},
	"panic":    {func(int) (uint64, error) { panic("planted") }, []string{"panic: planted"}},
	// The message names the operation and the place.
	"hang": {func(int) (uint64, error) { return endless(), nil }, []string{
		"fatal error: encoding/json: decode of input 0 of customer level=1 has not ended after 1s", "contenders_test.endless("}},
}

//go:noinline
func endless() uint64 {
	for range time.Tick(time.Hour) {
	}
	return 0
}

//lint:ignore SA5007 that it never ends is what is tested
func deeper(n int) int { return deeper(n+1) + 1 }

func more(all [][]byte) [][]byte {
	for {
		one := make([]byte, 1<<20)
		for i := range one {
			one[i] = 1
		}
		all = append(all, one)
	}
}

// An unrecoverable fault of a contender ends its test process with a message that names the
// fault.
func TestPlanted(t *testing.T) {
	const env = "ASSAY_TEST_PLANTED"
	if fault, ok := faults[os.Getenv(env)]; ok {
		contendertest.Limit(512 << 20)
		if os.Getenv(env) == "hang" {
			contendertest.Patience = time.Second
		}
		planted := slices.Clone(text.Bindings)
		for i, b := range planted {
			planted[i].New = func(values any) (*bench.Codec, error) {
				codec, err := b.New(values)
				if err == nil && codec.Decode != nil {
					codec.Decode = fault.decode
				}
				return codec, err
			}
		}
		contendertest.Check(t, encodingjson.Contender, planted, customer.Workload)
		return
	}
	if testing.Short() {
		t.Skip("waits for faults that hang and fill memory")
	}
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command(os.Args[0], "-test.run=^TestPlanted$", "-test.short", "-test.v")
			cmd.Env = append(os.Environ(), env+"="+name)
			err := limited(t, cmd)
			for _, want := range fault.want {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("error %v, want one with %q", err, want)
				}
			}
		})
	}
}

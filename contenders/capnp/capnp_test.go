//go:build generated

package capnp_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/bench"
	"assay/contender/contendertest"
	customergen "assay/contenders/capnp/gen/customer"
	moviegen "assay/contenders/capnp/gen/movie"
	"assay/internal/oracle"
	"assay/workload"
	"assay/workload/customer"
	"assay/workload/movie"
)

// TestCapnp makes the capnp tool of the C++ implementation decode the output of every mode,
// with the .capnp file that users see.
func TestCapnp(t *testing.T) {
	program := oracle.Path(t, "capnp")
	module, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "capnproto.org/go/capnp/v3").Output()
	if err != nil {
		t.Fatal(err)
	}
	std := filepath.Join(strings.TrimSpace(string(module)), "std")
	for _, test := range []struct {
		workload *workload.Workload
		bindings []bench.Binding
		size     string
		want     string
	}{
		{movie.Workload, moviegen.Bindings, "record=one", `( id = "12345",
  title = "The Movie 2",
  description = "Sequel of the legendary The Movie",
  director = "Foo Bars" )
`},
		{customer.Workload, customergen.Bindings, "level=1", `( firstName = "Common First Name",
  lastName = "Common Last Name",
  age = 999,
  balance = 9.99948590590125e22,
  debt = 450505050.91395193,
  addresses = [
    ( key = "my Common address # 1",
      value = (
        address = "street # 1 NY city",
        latitude = 40.6895541,
        longitude = -74.0446034,
        active = true ) ) ],
  preferences = (
    darkMode = true,
    language = "en_us",
    notification = (sms = true, push = true, email = true) ) )
`},
	} {
		size, err := test.workload.Size(test.size)
		if err != nil {
			t.Fatal(err)
		}
		values, err := test.workload.Generate(size, 1, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range test.bindings {
			codec, err := b.New(values)
			if err != nil {
				t.Fatal(err)
			}
			if codec.Encode == nil {
				continue
			}
			codec.Seek(0)
			if _, err := codec.Encode(1); err != nil {
				t.Fatal(err)
			}
			args := []string{"decode", "-I" + std}
			if strings.Contains(b.Mode, "packing=packed") {
				args = append(args, "--packed")
			}
			text, err := contendertest.Generated(filepath.Join("gen", b.Workload, b.Workload+".capnp"))
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(program, append(args, text, b.Root)...)
			cmd.Stdin = bytes.NewReader(slices.Clone(codec.Encoded()))
			cmd.Stderr = os.Stderr
			out, err := cmd.Output()
			if err != nil {
				t.Errorf("%s in mode %q: %v", b.Workload, b.Mode, err)
				continue
			}
			if diff := cmp.Diff(test.want, string(out)); diff != "" {
				t.Errorf("%s in mode %q as capnp reads it (-want +got):\n%s", b.Workload, b.Mode, diff)
			}
		}
	}
}

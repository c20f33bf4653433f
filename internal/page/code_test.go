package page

import (
	"bytes"
	"strings"
	"testing"
	"testing/fstest"

	"assay"
	"assay/contender"
	"assay/contenders"
	"assay/result"
)

// timed finds code for every contender. It has exactly one kind of loop for each op of encode and
// decode that the contender has.
func TestTimed(t *testing.T) {
	for _, c := range contenders.All() {
		code, file := timed(assay.Source, c)
		if !strings.HasPrefix(file, "contenders/"+c.Dir()+"/gen/") {
			t.Errorf("%s: the code is from %q", c.Name, file)
		}
		for _, op := range []result.Op{result.Encode, result.Decode} {
			has := strings.Contains(code, ") "+string(op)+"(n int) (sum uint64, err error) {\n")
			want := false
			for _, o := range c.Ops {
				want = want || o == op
			}
			if has != want {
				t.Errorf("%s: there is a loop of %s: %t, want %t:\n%s", c.Name, op, has, want, code)
			}
		}
	}
}

func TestTimedOfNone(t *testing.T) {
	c := &contender.Contender{Name: "none", Ops: []result.Op{result.Encode}, Emit: func(contender.Request) (contender.Output, error) { return contender.Output{}, nil }}
	source := fstest.MapFS{"contenders/none/gen/customer/bind.go": {Data: []byte("package customer\n")}}
	if code, file := timed(source, c); code != "" || file != "" {
		t.Errorf("a file without loops has %q from %q", code, file)
	}
	if code, _ := timed(nil, c); code != "" {
		t.Errorf("without source there is %q", code)
	}
}

// The page shows the timed code and links to the authors' advice.
func TestPageShowsCode(t *testing.T) {
	s := renamed(t, "protobuf")
	s.Contenders, s.Code = contenders.All(), assay.Source
	var b bytes.Buffer
	if err := Write(&b, s); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"The code that is timed", "contenders/protobuf/gen/customer/bind.go", "proto.Marshal(in[i])", `href="https://pkg.go.dev/google.golang.org/protobuf/proto"`, `href="https://go.dev/blog/json"`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the page does not have %s", want)
		}
	}
	if n := b.Len(); n > 1<<20 {
		t.Errorf("the page has %d bytes", n)
	}
}

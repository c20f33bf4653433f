package anonymize

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"assay/internal/infer"
)

// A file may get values outside of the ranges that were seen, while it is read. More records are an
// error; other values are replaced as any.
func TestChangingFile(t *testing.T) {
	const (
		before = `{"latency":120,"debt":-120,"ratio":1.25,"at":"2024-03-05T00:00:00Z","day":"2024-03-05","far":"0500-01-01T00:00:00Z"}
{"latency":900,"debt":-900,"ratio":9.25,"at":"2024-03-07T00:00:00Z","day":"2024-03-07","far":"3000-01-01T00:00:00Z"}
`
		early = `{"latency":110,"debt":-999,"ratio":1.15,"at":"2023-03-05T00:00:00Z","day":"2023-03-05","far":"0400-01-01T00:00:00Z"}
`
		late = `{"latency":990,"debt":-100,"ratio":9.75,"at":"2025-03-05T00:00:00Z","day":"2025-03-05","far":"3100-01-01T00:00:00Z"}
`
	)
	for _, test := range []struct{ after, want string }{
		{before + early, "the sample has more than 2 records now and had 2 before; it must not change while it is read"},
		{early + before, "the sample has more than 2 records now and had 2 before; it must not change while it is read"},
		{early, "the sample has 1 records now and had 2 before; it must not change while it is read"},
		{early + late, ""},
	} {
		now := before
		source := infer.Source{Name: "f.ndjson", Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(now)), nil }}
		s, err := Make([]infer.Source{source}, infer.Options{}, "test")
		if err != nil {
			t.Fatal(err)
		}
		now = test.after
		var out bytes.Buffer
		ended := make(chan error)
		go func() { ended <- s.Write(&out) }()
		select {
		case err = <-ended:
		case <-time.After(5 * time.Minute):
			t.Fatalf("of %q no sample is made", test.after)
		}
		if got := fmt.Sprint(err); err != nil && got != test.want || err == nil && test.want != "" {
			t.Errorf("%q: got %v, want %s", test.after, err, test.want)
		}
		if err == nil && (len(out.String()) != len(test.after) || strings.Contains(out.String(), "110") || strings.Contains(out.String(), "2023-03-05T00")) {
			t.Errorf("%q became %q", test.after, out.String())
		}
	}
}

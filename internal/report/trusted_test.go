package report

import (
	"io"
	"strings"
	"testing"

	"assay/internal/plaintext"
)

// Colours reach a terminal through a writer that escapes what it does not trust. Control characters
// of names do not.
func TestColoursAreTrusted(t *testing.T) {
	hostile := claimed()
	hostile.Ledger.Sources[0].Title = "a\x1b[2Jb"
	for name, write := range map[string]func(io.Writer) error{
		"claims": func(w io.Writer) error { return ClaimsText(w, hostile, Options{Color: true, Width: 60}) },
		"tables": func(w io.Writer) error {
			return ReproduceText(w, reproducedSources(false), Options{Color: true, Width: 200, Details: true})
		},
		"ratios": func(w io.Writer) error {
			return ReproduceText(w, reproducedSources(false), Options{Color: true, Width: 200})
		},
		"an answer": func(w io.Writer) error { return TryText(w, tried(), Options{Color: true, Width: 100}) },
	} {
		var safe, plain strings.Builder
		w := plaintext.NewWriter(&safe)
		if err := write(w); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if err := write(&plain); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(plain.String(), "\x1b[") || safe.String() != plain.String() {
			t.Errorf("%s: a terminal gets\n%s\ninstead of\n%s", name, &safe, &plain)
		}
		if strings.Contains(safe.String(), "\x1b[2J") {
			t.Errorf("%s: a name clears the terminal:\n%q", name, &safe)
		}
	}
}

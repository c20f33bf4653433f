package oracle

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// told is a test that records how it ended.
type told struct {
	testing.TB
	end string
}

func (t *told) Helper() {}
func (t *told) Fatalf(format string, args ...any) {
	t.end = "failed"
	runtime.Goexit()
}
func (t *told) Skipf(format string, args ...any) {
	t.end = "skipped"
	runtime.Goexit()
}

func TestPath(t *testing.T) {
	dir := t.TempDir()
	present := filepath.Join(dir, "flatc")
	if runtime.GOOS == "windows" {
		present += ".exe"
	}
	if err := os.WriteFile(present, nil, 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	for _, test := range []struct{ program, required, path, end string }{
		{"flatc", "", present, ""},
		{"flatc", "1", present, ""},
		{"protoc", "", "", "skipped"},
		{"protoc", "0", "", "skipped"},
		{"protoc", "1", "", "failed"},
	} {
		t.Setenv(Required, test.required)
		fake := &told{TB: t}
		path := make(chan string, 1)
		go func() {
			defer close(path)
			path <- Path(fake, test.program)
		}()
		got := <-path
		if fake.end != test.end || !strings.EqualFold(got, test.path) {
			t.Errorf("%s with %s=%q: %q, %q; want %q, %q", test.program, Required, test.required, got, fake.end, test.path, test.end)
		}
	}
}

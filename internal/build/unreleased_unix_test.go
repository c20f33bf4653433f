//go:build unix

package build

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Two unreleased Gos that report the same version have different keys if their roots or their
// files differ. A release is identified by its version alone.
func TestUnreleased(t *testing.T) {
	dir := t.TempDir()
	goAt := func(root, version string) gocmd {
		path := filepath.Join(dir, "go")
		put(t, path, "#!/bin/sh\necho '{\"GOVERSION\": \""+version+"\", \"GOROOT\": \""+root+"\", \"GOTOOLDIR\": \""+root+"/pkg/tool/x\"}'\n")
		if err := os.Chmod(path, 0o700); err != nil {
			t.Fatal(err)
		}
		return gocmd{path: path, dir: dir}
	}
	read := func(root, version string) goEnv {
		t.Helper()
		env, err := goAt(root, version).readEnv(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return env
	}
	roots := []string{filepath.Join(dir, "a"), filepath.Join(dir, "b")}
	for _, root := range roots {
		for _, name := range []string{"pkg/tool/x/compile", "pkg/tool/x/link", "src/fmt/print.go"} {
			put(t, filepath.Join(root, name), "1")
		}
	}
	// Some systems keep the source elsewhere, behind a link.
	src := filepath.Join(roots[0], "src")
	if err := errors.Join(os.Rename(src, filepath.Join(dir, "share")), os.Symlink(filepath.Join(dir, "share"), src)); err != nil {
		t.Fatal(err)
	}
	for version, same := range map[string]bool{
		"go1.26": true, "go1.26.3": true, "go1.27rc1": true, "go1.26.3 X:nodwarf5": true, "go1.26.3-X:jsonv2": true,
		"devel go1.27-abcdef": false, "go1.26.3-mine": false,
	} {
		if got := maps.Equal(read(roots[0], version), read(roots[1], version)); got != same {
			t.Errorf("%s at two places: the same %t, want %t", version, got, same)
		}
	}
	const devel = "devel go1.27-abcdef"
	for _, name := range []string{"pkg/tool/x/compile", "pkg/tool/x/link", "src/fmt/print.go"} {
		before := read(roots[0], devel)
		if !maps.Equal(before, read(roots[0], devel)) {
			t.Error("the same Go has two keys")
		}
		file := filepath.Join(roots[0], name)
		if err := os.Chtimes(file, time.Time{}, time.Unix(1e9, 0)); err != nil {
			t.Fatal(err)
		}
		if maps.Equal(before, read(roots[0], devel)) {
			t.Errorf("%s is another and the key is not", name)
		}
		put(t, file, "10")
		if err := os.Chtimes(file, time.Time{}, time.Unix(1e9, 0)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.RemoveAll(filepath.Join(roots[1], "pkg")); err != nil {
		t.Fatal(err)
	}
	read(roots[1], "go1.26.3")
}

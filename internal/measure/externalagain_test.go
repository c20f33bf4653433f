package measure

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/internal/external"
	"assay/result"
)

func TestAnother(t *testing.T) {
	module := func(version string) []result.Module { return []result.Module{{Path: "json", Version: version}} }
	of := func(version string, modules []result.Module) result.External {
		return result.External{Name: "py", Format: "json", Version: version, Modules: modules, Command: []string{"python3", "runner.py"}}
	}
	then := of("3.11", module("1"))
	for _, test := range []struct {
		name string
		now  result.External
		want bool
	}{
		{"the same", of("3.11", module("1")), false},
		{"another version", of("3.12", module("1")), true},
		{"another module", of("3.11", module("2")), true},
		{"a module more", of("3.11", append(module("1"), module("2")...)), true},
		{"one that says nothing", of("", nil), false},
		{"another name", result.External{Name: "other", Format: "json", Command: then.Command}, true},
		{"another format", result.External{Name: "py", Format: "yaml", Command: then.Command}, true},
		{"another command", result.External{Name: "py", Format: "json", Command: []string{"python3"}}, true},
	} {
		if got := another(then, test.now); got != test.want {
			t.Errorf("%s is another: %v", test.name, got)
		}
	}
}

// The named directories replace those of the run for the contenders that they have.
func TestMovedTo(t *testing.T) {
	base := t.TempDir()
	in := func(dir, name string) string {
		dir = filepath.Join(base, dir)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		text := "name = \"" + name + "\"\nformat = \"json\"\ntitle = \"x\"\ncommand = [\"x\"]\n"
		if err := os.WriteFile(filepath.Join(dir, external.File), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	one, again, other := in("one", "py"), in("again", "py"), in("other", "js")
	run := &result.Run{ID: "r", Plan: result.Plan{Externals: []result.External{{Name: "rb", Dir: "rb"}, {Name: "py", Dir: "py"}}}}
	got, err := movedTo(run, []string{one})
	if diff := cmp.Diff(map[string]string{"py": one}, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	for want, dirs := range map[string][]string{
		`run r has no external contender "js", and --resume adds none`: {other},
		`both have the contender "py"; name one of them`:               {one, again},
		"there is no directory ":                                       {filepath.Join(base, "none")},
	} {
		if _, err := movedTo(run, dirs); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: error %v, want %q", dirs, err, want)
		}
	}
	for dir, want := range map[string]string{"py": "relative to where it began: go on from there", filepath.Join(base, "none"): "there is no such directory: name it with --runner DIR"} {
		if err := found(run, dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", dir, err, want)
		}
	}
	if err := found(run, one); err != nil {
		t.Error(err)
	}
}

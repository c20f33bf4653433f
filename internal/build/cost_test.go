package build

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"assay/result"
)

// costs returns Costs whose base is the stub's good contender. It adds a bind.go to the stub's
// generated packages, which have none.
func costs(t *testing.T) *Costs {
	t.Helper()
	builds(t)
	o, _ := options(t)
	return costsIn(t, o)
}

// costsIn is costs with the cache of the options.
func costsIn(t *testing.T, o Options) *Costs {
	t.Helper()
	source := o.Source.(fstest.MapFS)
	for _, dir := range []string{"good", "half", "bad", "absent"} {
		source["contenders/"+dir+"/gen/tick/bind.go"] = &fstest.MapFile{Data: []byte("package tick\n\nvar _ = 1\n")}
	}
	// Only half links a package of the standard library, text/template.
	source["contenders/half/gen/tick/more.go"] = &fstest.MapFile{Data: []byte("package tick\n\nimport \"text/template\"\n\nvar T = template.Must(template.New(\"\").Parse(\"{{.}}\"))\n")}
	c, err := NewCosts(t.Context(), o, Contender{Name: "good", Dir: "good"}, "tick")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func TestCosts(t *testing.T) {
	c := costs(t)
	t.Run("builds", func(t *testing.T) { testCosts(t, c) })
	t.Run("what does not build", func(t *testing.T) { testFailingCosts(t, c) })
	t.Run("again", func(t *testing.T) { testCostsAgain(t, c) })
}

// A second Costs finds the base and the standard library compiled, and nothing of a contender.
func testCostsAgain(t *testing.T, c *Costs) {
	o, _ := options(t)
	o.Cache = c.cache
	again := costsIn(t, o)
	list := []string{"list", "-f", "{{.ImportPath}} {{.Stale}}", "assay/contenders/good/gen/tick", "assay/contenders/half/gen/tick", "text/template"}
	out, err := again.run(t.Context(), nil, buildCache(again.ordinary.Path()), slices.Insert(list, 1, buildFlags(0)...)...)
	if err != nil {
		t.Fatal(err)
	}
	want := "assay/contenders/good/gen/tick false\nassay/contenders/half/gen/tick true\ntext/template false\n"
	if string(out) != want {
		t.Errorf("to be compiled:\n%swant:\n%s", out, want)
	}
}

func testCosts(t *testing.T, c *Costs) {
	if b := c.Built(); b.Go == "" || b.Key == "" {
		t.Errorf("built with %+v", b)
	}
	got, err := c.Of(t.Context(), Contender{Name: "half", Dir: "half"}, 2)
	if err != nil || got.Status != "" {
		t.Fatalf("%+v, %v", got, err)
	}
	if got.Base != "good" || got.Bytes < got.BaseBytes+100_000 || len(got.Modules) != 0 {
		t.Errorf("a program with text/template: %+v", got)
	}
	text, _ := os.ReadFile(filepath.Join("testdata", "stub", "contenders", "half", "gen", "tick", "tick.go"))
	if want := strings.Count(string(text), "\n") + 5; got.Lines != want { // bind.go is not counted
		t.Errorf("%d lines, want %d", got.Lines, want)
	}
	for _, builds := range [][]result.BuildTime{got.Cold, got.Warm} {
		if len(builds) != 2 || builds[0].Wall <= 0 || builds[1].Wall <= 0 {
			t.Errorf("builds %+v, want two", builds)
		}
	}
	// The copy of the build cache is removed after a measurement, so that the next one starts
	// cold.
	if entries, err := os.ReadDir(c.tmp.Path(".")); err != nil || len(entries) == 0 {
		t.Errorf("%d entries, %v", len(entries), err)
	} else {
		for _, e := range entries {
			if e.Name() == "copy" {
				t.Error("the build cache of a measurement was kept")
			}
		}
	}
}

func testFailingCosts(t *testing.T, c *Costs) {
	for dir, want := range map[string]string{
		"bad":    "contenders/bad/gen/tick/tick.go:8:10: cannot use",
		"absent": "module example.com/absent@v1.2.3 is not in the module cache and could not be fetched",
	} {
		got, err := c.Of(t.Context(), Contender{Name: dir, Dir: dir}, 1)
		if err != nil || got.Status != result.BuildFailed || !strings.Contains(got.Reason, want) || got.Bytes != 0 || got.Cold != nil {
			t.Errorf("%s: %+v, %v", dir, got, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Of(ctx, Contender{Name: "half", Dir: "half"}, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestNewCostsErrors(t *testing.T) {
	builds(t)
	o, _ := options(t)
	_, err := NewCosts(t.Context(), o, Contender{Name: "absent", Dir: "absent"}, "tick")
	if err == nil || !strings.Contains(err.Error(), "building a runner with nothing but absent: ") {
		t.Errorf("a base that does not build: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(o.Cache.Path(), "new", "*")); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestGeneratedLines(t *testing.T) {
	source := fstest.MapFS{
		"gen/a/types.go":    {Data: []byte("1\n2\n")},
		"gen/a/bind.go":     {Data: []byte("1\n2\n3\n")},
		"gen/a/convert.go":  {Data: []byte("1\n")},
		"gen/a/sub/more.go": {Data: []byte("1\n")},
		"gen/a/schema.txt":  {Data: []byte("1\n")},
		"gen/b/types.go":    {Data: []byte("1\n")},
	}
	if n, err := generatedLines(source, "gen/a"); n != 3 || err != nil {
		t.Errorf("%d lines, %v; want 3", n, err)
	}
	if _, err := generatedLines(source, "gen/c"); err == nil || !strings.Contains(err.Error(), "there is no generated code in gen/c") {
		t.Errorf("no directory: %v", err)
	}
}

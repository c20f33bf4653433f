// Package browsertest opens pages in Chromium. It is a module of its own, so that the tool does
// not depend on it. The script .ci/run makes the pages and runs these tests.
package browsertest

import (
	"context"
	_ "embed"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

//go:embed testdata/axe.min.js
var axe string

// pages returns the directory of the pages, which ASSAY_PAGES names; see .ci/run.
func pages(t *testing.T) string {
	dir := os.Getenv("ASSAY_PAGES")
	if dir == "" {
		t.Fatal("ASSAY_PAGES names no directory of pages; .ci/run says how they are made")
	}
	return dir
}

// names returns the paths of all pages.
func names(t *testing.T) []string {
	files, err := filepath.Glob(filepath.Join(pages(t), "*.html"))
	if err != nil || len(files) < 4 {
		t.Fatalf("%d pages in %s: %v", len(files), pages(t), err)
	}
	return files
}

// A tab is an open page. wrong collects the faults of the page.
type tab struct {
	*testing.T
	in    context.Context
	mu    sync.Mutex
	wrong []string
}

// browser starts a Chromium for the test.
func browser(t *testing.T) context.Context {
	program := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			program = path
			break
		}
	}
	if program == "" {
		t.Fatal("there is no chromium on PATH; install Debian's chromium")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.UserDataDir(profile(t)), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.WSURLReadTimeout(90*time.Second),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-background-networking", true))
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	if err := chromedp.Run(ctx); err != nil {
		t.Fatalf("chromium does not start: %v", err)
	}
	return ctx
}

// profile returns a directory for the browser's profile. Its removal is retried, because the
// browser may still write there while it ends.
func profile(t *testing.T) string {
	dir, err := os.MkdirTemp("", "assay-browser-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for range 50 {
			if os.RemoveAll(dir) == nil {
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
	})
	return dir
}

// open opens a file in a new tab. Any request other than for the file, any error, and any line on
// the console is a fault.
func open(t *testing.T, in context.Context, file string, before ...chromedp.Action) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(in)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 10*time.Minute)
	t.Cleanup(cancel)
	x := &tab{T: t, in: ctx}
	fault := func(format string, args ...any) {
		x.mu.Lock()
		defer x.mu.Unlock()
		x.wrong = append(x.wrong, fmt.Sprintf(format, args...))
	}
	chromedp.ListenTarget(ctx, func(event any) {
		switch e := event.(type) {
		case *network.EventRequestWillBeSent:
			if u := e.Request.URL; !strings.HasPrefix(u, "file://") && !strings.HasPrefix(u, "blob:") && !strings.HasPrefix(u, "data:") {
				fault("a request: %s", u)
			}
		case *runtime.EventExceptionThrown:
			fault("an exception: %s", e.ExceptionDetails.Error())
		case *runtime.EventConsoleAPICalled:
			fault("a line of the console: %s", e.Type)
		case *page.EventJavascriptDialogOpening:
			fault("a dialog: %s", e.Message)
		}
	})
	actions := append([]chromedp.Action{network.Enable()}, before...)
	x.run(append(actions, chromedp.Navigate("file://"+(&url.URL{Path: file}).EscapedPath()))...)
	if !withoutScript(before) {
		x.ready()
	}
	t.Cleanup(func() {
		x.mu.Lock()
		defer x.mu.Unlock()
		for _, w := range x.wrong {
			t.Error(w)
		}
	})
	return x
}

// withoutScript reports whether the actions switch off the page's script.
func withoutScript(actions []chromedp.Action) bool {
	for _, a := range actions {
		if s, ok := a.(*emulation.SetScriptExecutionDisabledParams); ok && s.Value {
			return true
		}
	}
	return false
}

// ready waits until the page's script has unpacked its data and shown it.
func (x *tab) ready() {
	x.Helper()
	if !eval[bool](x, `(async () => { for (let i = 0; i < 1500 && document.documentElement.dataset.ready !== "1"; i++) await new Promise((r) => setTimeout(r, 20)); return document.documentElement.dataset.ready === "1"; })()`) {
		x.Fatal("the page's script does not end")
	}
}

func (x *tab) run(actions ...chromedp.Action) {
	x.Helper()
	if err := chromedp.Run(x.in, actions...); err != nil {
		x.Fatal(err)
	}
}

// eval evaluates an expression, which may be a promise.
func eval[T any](x *tab, expression string) (v T) {
	x.Helper()
	wait := func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }
	if err := chromedp.Run(x.in, chromedp.Evaluate(expression, &v, wait)); err != nil {
		x.Fatalf("%s: %v", expression, err)
	}
	return v
}

// is fails if the expression does not have the wanted value.
func is[T comparable](x *tab, expression string, want T) {
	x.Helper()
	if got := eval[T](x, expression); got != want {
		x.Errorf("%s is %v, want %v", expression, got, want)
	}
}

// choose sets a control as a user does.
func (x *tab) choose(id, value string) {
	x.Helper()
	eval[bool](x, fmt.Sprintf(`(() => { const e = document.getElementById(%q); e.value = %q; e.dispatchEvent(new Event(e.tagName === "INPUT" ? "input" : "change", {bubbles: true})); return true; })()`, id, value))
}

const (
	rows   = `document.querySelectorAll(".view:not(.off) tbody tr:not(.filtered)").length`
	points = `document.querySelectorAll(".picture:not(.off) .point:not(.filtered)").length`
	first  = `document.querySelector(".view:not(.off) tbody tr:not(.filtered) th").firstChild.textContent.trim()`
	dot    = `document.querySelector(".view:not(.off) tbody tr .dots circle").getAttribute("cx")`
)

// Every page opens without a request, an error or a line on the console, in light and dark, and
// its script runs to the end.
func TestOpens(t *testing.T) {
	b := browser(t)
	for _, file := range names(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			for _, scheme := range []string{"light", "dark"} {
				x := open(t, b, file, emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}))
				is(x, `document.documentElement.dataset.ready`, "1")
				is(x, `getComputedStyle(document.body).backgroundColor`, map[string]string{"light": "rgb(255, 255, 255)", "dark": "rgb(20, 23, 26)"}[scheme])
				is(x, `document.title === "run"`, false) // a hostile name would set it
			}
		})
	}
}

// The policy stops every script and request that is not the page's own, even if the page itself
// adds it.
func TestPolicyHolds(t *testing.T) {
	x := open(t, browser(t), filepath.Join(pages(t), "readme.html"))
	is(x, `new Promise((done) => { addEventListener("securitypolicyviolation", () => done(true), {once: true}); const s = document.createElement("script"); s.textContent = "document.title = 'run'"; document.body.append(s); setTimeout(() => done(false), 3000); })`, true)
	is(x, `fetch("file:///etc/hostname").then(() => "read", () => "stopped")`, "stopped")
	is(x, `document.title === "run"`, false)
}

// Without JavaScript the page shows its tables and charts.
func TestWithoutScript(t *testing.T) {
	b := browser(t)
	for _, file := range names(t) {
		x := open(t, b, file, emulation.SetScriptExecutionDisabled(true))
		// The policy does not apply to expressions that the debugger evaluates.
		is(x, `document.documentElement.dataset.ready === undefined`, true)
		is(x, `document.querySelectorAll("table").length > 0`, true)
		is(x, `Array.from(document.querySelectorAll("table.rank")).every((t) => t.getBoundingClientRect().height > 0)`, true)
		is(x, `Array.from(document.querySelectorAll("button, select, input")).every((e) => e.getBoundingClientRect().height === 0 || e.closest("form") !== null)`, true)
		is(x, `document.querySelectorAll(".picture").length === 0 || document.querySelector(".picture svg").getBoundingClientRect().width > 100`, true)
	}
}

func TestFilter(t *testing.T) {
	x := open(t, browser(t), filepath.Join(pages(t), "readme.html"))
	all := eval[int](x, rows)
	if all < 20 {
		t.Fatalf("%d rows", all)
	}
	x.choose("c-text", "^msgp$|cbor")
	is(x, rows, 2)
	is(x, points, 2)
	is(x, `document.getElementById("shown").textContent`, fmt.Sprintf("2 of %d rows", all))
	x.choose("c-text", "(")
	is(x, `document.getElementById("c-text").getAttribute("aria-invalid")`, "true")
	x.run(chromedp.Click("#c-reset", chromedp.ByQuery))
	is(x, rows, all)
	const chip = `.chip[data-trait="codegen"]`
	x.run(chromedp.Click(chip, chromedp.ByQuery))
	with := eval[int](x, rows)
	x.run(chromedp.Click(chip, chromedp.ByQuery))
	if without := eval[int](x, rows); with == 0 || without == 0 || with+without != all {
		t.Errorf("%d rows with codegen and %d without, of %d", with, without, all)
	}
	is(x, `document.querySelector('.chip[data-trait="codegen"]').getAttribute("aria-pressed")`, "mixed")
	x.run(chromedp.Click("#c-reset", chromedp.ByQuery))
	hidden := eval[string](x, first)
	x.run(chromedp.Click(".view:not(.off) tbody tr .hide", chromedp.ByQuery))
	is(x, rows, all-1)
	if again := eval[string](x, first); again == hidden {
		t.Errorf("%s is still there", hidden)
	}
}

func TestSort(t *testing.T) {
	x := open(t, browser(t), filepath.Join(pages(t), "readme.html"))
	before := eval[string](x, first)
	x.run(chromedp.Click(`.view:not(.off) th[data-sort="text"] button`, chromedp.ByQuery))
	is(x, first, "bson")
	is(x, `document.querySelector('.view:not(.off) th[data-sort="text"]').getAttribute("aria-sort")`, "ascending")
	x.run(chromedp.Click(`.view:not(.off) th[data-sort="text"] button`, chromedp.ByQuery))
	is(x, first, "yaml/v4")
	x.run(chromedp.Click(`.view:not(.off) th[data-sort="text"] button`, chromedp.ByQuery))
	is(x, first, before)
	x.run(chromedp.Click(`.view:not(.off) th[data-sort="size"] button`, chromedp.ByQuery))
	is(x, `(() => { const v = Array.from(document.querySelectorAll(".view:not(.off) tbody tr")).map((r) => parseFloat(r.children[4].textContent)); return v.length > 5 && v.every((s, i) => !i || v[i-1] <= s); })()`, true)
}

// Shown rows that are neighbours have the same band if, and only if, they share a rank, whatever rows are hidden. Sorted by
// something else than the rank, there are no bands, and the caption does not name them.
func TestBands(t *testing.T) {
	x := open(t, browser(t), filepath.Join(pages(t), "readme.html"))
	const (
		fit = `(() => {
			const r = Array.from(document.querySelectorAll(".view:not(.off) tbody tr:not(.filtered)"));
			const rank = (e) => e.cells[0].textContent, band = (e) => e.classList.contains("b1");
			return r.length > 2 && r.every((e, i) => !i || (band(e) === band(r[i - 1])) === (rank(e) !== "" && rank(e) === rank(r[i - 1])));
		})()`
		hideSecond = `(() => {
			const rank = (e) => e.cells[0].textContent, r = Array.from(document.querySelectorAll(".view:not(.off) tbody tr:not(.filtered)"));
			const second = rank(r.find((e) => rank(e) !== rank(r[0])));
			for (const e of r) if (rank(e) === second) e.querySelector(".hide").click();
			return second !== "";
		})()`
		named  = `document.querySelector(".view:not(.off) .scroll").getAttribute("aria-label").includes("share a rank")`
		shown  = `document.querySelector(".view:not(.off) .bands").getBoundingClientRect().height > 0`
		banded = `document.querySelectorAll(".view:not(.off) tr.b1").length > 0`
		byName = `.view:not(.off) th[data-sort="text"] button`
	)
	for i, data := range eval[[]string](x, `Array.from(document.getElementById("c-data").options).map((o) => o.value)`) {
		x.choose("c-data", data)
		for _, op := range eval[[]string](x, `Array.from(document.getElementById("c-op").options).map((o) => o.value)`) {
			x.choose("c-op", op)
			is(x, fit, true)
			is(x, hideSecond, true)
			is(x, fit, true)
			x.run(chromedp.Click("#c-reset", chromedp.ByQuery))
			is(x, fit, true)
		}
		if i > 0 {
			continue
		}
		for _, sorted := range []bool{true, true, false} { // up, down, and by rank again
			x.run(chromedp.Click(byName, chromedp.ByQuery))
			for _, expression := range []string{named, shown, banded} {
				is(x, expression, !sorted)
			}
		}
		is(x, fit, true)
	}
}

// A choice changes the page, is stored in the hash, and is restored from it.
func TestStateIsInTheHash(t *testing.T) {
	b := browser(t)
	file := filepath.Join(pages(t), "readme.html")
	x := open(t, b, file)
	was := eval[string](x, dot)
	x.choose("c-metric", "size")
	if now := eval[string](x, dot); now == was {
		t.Error("another metric draws the same")
	}
	x.choose("c-metric", "time")
	is(x, dot, was)
	x.choose("c-scale", "linear")
	if now := eval[string](x, dot); now == was {
		t.Error("another scale draws the same")
	}
	base := eval[string](x, `document.getElementById("c-base").options[3].value`)
	name := eval[string](x, `document.getElementById("c-base").options[3].textContent`)
	text := eval[string](x, `document.querySelector(".view:not(.off) tbody td.dots + td").textContent`)
	x.choose("c-base", base)
	if now := eval[string](x, `document.querySelector(".view:not(.off) tbody td.dots + td").textContent`); now == text {
		t.Errorf("against %s it is %s, as against the reference", name, now)
	}
	is(x, `document.querySelector(".view:not(.off) .ref").textContent`, name)
	is(x, fmt.Sprintf(`document.querySelector(".view:not(.off) .scroll").getAttribute("aria-label").startsWith("Times as fast as " + %q + ", ")`, name), true)
	const caption = `document.querySelector(".view:not(.off) caption .cap").textContent`
	if text := eval[string](x, caption); !strings.Contains(text, "with the intervals that decide.") || !strings.HasSuffix(text, " Still against encoding/json: size, allocs.") {
		t.Errorf("against %s the caption says %q", name, text)
	}
	x.choose("c-metric", "size") // only times have another baseline
	if text := eval[string](x, caption); !strings.HasPrefix(text, "Times as fast as encoding/json, with 95% intervals.") || strings.Contains(text, "Still") {
		t.Errorf("sizes have the caption %q", text)
	}
	x.choose("c-metric", "time")
	x.choose("c-text", "a")
	x.choose("c-data", "d1")
	x.choose("c-base", base)
	hash := eval[string](x, `location.hash`)
	for _, part := range []string{"data=d1", "scale=linear", "text=a", "base=" + base} {
		if !strings.Contains(hash, part) {
			t.Errorf("the hash %s lacks %s", hash, part)
		}
	}
	n, title := eval[int](x, rows), eval[string](x, `document.querySelector(".view:not(.off) h2").textContent`)
	y := open(t, b, file)
	y.run(chromedp.Navigate("about:blank"), chromedp.Navigate("file://"+file+hash))
	y.ready()
	is(y, rows, n)
	is(y, `document.querySelector(".view:not(.off) h2").textContent`, title)
	is(y, `document.getElementById("c-scale").value`, "linear")
	is(y, `document.getElementById("c-text").value`, "a")
	is(y, `document.querySelector(".view:not(.off) .ref").textContent`, name)
	z := open(t, b, file) // a hash that the page never writes
	z.run(chromedp.Navigate("about:blank"), chromedp.Navigate("file://"+file+`#data=nothing&metric=%3Cimg%20src%3Dx%3E&sort=x.y&hide=abc&base=99&__proto__=x`))
	z.ready()
	is(z, `document.querySelectorAll(".view:not(.off)").length`, 1)
	is(z, `document.querySelectorAll("img").length`, 0)
}

func TestCopies(t *testing.T) {
	x := open(t, browser(t), filepath.Join(pages(t), "readme.html"))
	press := func(text string) string {
		return eval[string](x, fmt.Sprintf(`(() => { Array.from(document.querySelectorAll(".view:not(.off) .tools button")).find((b) => b.textContent === %q).click(); return window.copied; })()`, text))
	}
	if md := press("Copy as Markdown"); !strings.Contains(md, " | gogo/protobuf ● | ") || !strings.Contains(md, "|---|") || strings.Contains(md, "✕") {
		t.Errorf("Markdown: %s", md)
	}
	eval[bool](x, `(() => { document.querySelector(".view:not(.off) tbody tr th").firstChild.textContent = "~~a&lt;b~~"; return true; })()`)
	if md, want := press("Copy as Markdown"), `| \~\~a\&lt;b\~\~`; !strings.Contains(md, want) {
		t.Errorf("no %s in the Markdown: %s", want, md)
	}
	if csv := press("CSV"); !strings.HasPrefix(csv, "rank,contender,times as fast,") {
		t.Errorf("CSV: %s", csv)
	}
	if command := press("command"); !strings.HasPrefix(command, "assay show ") {
		t.Errorf("command: %s", command)
	}
}

// Markdown has the marks of a table and the remarks below it. CSV has neither.
func TestCopiesRemarks(t *testing.T) {
	x := open(t, browser(t), filepath.Join(pages(t), "readme.html"))
	const of = `Array.from(document.querySelectorAll(".view")).find((v) => v.querySelector("ol.below") && v.querySelector("tbody sup"))`
	if !eval[bool](x, `Boolean(`+of+`)`) {
		t.Fatal("no ranking of the page has a remark")
	}
	press := func(text string) string {
		return eval[string](x, fmt.Sprintf(`(() => { Array.from(%s.querySelectorAll(".tools button")).find((b) => b.textContent === %q).click(); return window.copied; })()`, of, text))
	}
	marked := eval[string](x, `(() => { const r = `+of+`.querySelector("tbody sup").closest("th"); return r.firstChild.textContent.trim() + Array.from(r.querySelectorAll("sup")).map((s) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[s.textContent]).join(" "); })()`)
	remarks := eval[int](x, of+`.querySelectorAll(".below li").length`)
	first := eval[string](x, of+`.querySelector("ol.below li").textContent.split(" ")[0]`)
	md := press("Copy as Markdown")
	if !strings.Contains(md, "| "+marked+" ") || !strings.Contains(md, "|\n\n- ¹ "+first) || strings.Count(md, "\n- ") != remarks {
		t.Errorf("Markdown does not have %s, or not %d remarks, of which the first begins with %s: %s", marked, remarks, first, md)
	}
	if csv := press("CSV"); strings.ContainsAny(csv, "¹²³") {
		t.Errorf("CSV has marks: %s", csv)
	}
}

// The page draws every sample, and the calculator computes the same costs as Go does from the
// same numbers.
func TestSamplesAndCalculator(t *testing.T) {
	b := browser(t)
	x := open(t, b, filepath.Join(pages(t), "try.html"))
	eval[bool](x, `(async () => { const d = document.getElementById("every-sample"); d.open = true; for (let i = 0; i < 3000 && !d.querySelector("option"); i++) await new Promise((r) => setTimeout(r, 20)); return true; })()`)
	is(x, `/^\d+ samples in \d+ launches/.test(document.querySelector("#every-sample p").textContent)`, true)
	is(x, `document.querySelectorAll("#every-sample path")[1].getAttribute("d").split("M").length - 1 === Number(document.querySelector("#every-sample p").textContent.split(" ")[0])`, true)
	x = open(t, b, filepath.Join(pages(t), "reproduction-run.html"))
	is(x, `document.querySelectorAll("#calc-table tbody tr").length > 1`, true)
	// With the prices that Go used, each cost looks as in the table that Go wrote.
	is(x, `(() => {
		const title = document.querySelector('[data-calc="data"]').selectedOptions[0].textContent;
		const part = Array.from(document.querySelectorAll("#calculator details")).find((d) => d.querySelector("summary").textContent === title) ?? document.getElementById("calculator");
		const own = new Map(Array.from(part.querySelectorAll("table:not(#calc-table) tbody tr")).map((r) => [r.querySelector("th").textContent, Array.from(r.children).map((c) => c.textContent)]));
		const rows = Array.from(document.querySelectorAll("#calc-table tbody tr")).filter((r) => own.has(r.querySelector("th").textContent));
		return rows.length > 0 && rows.every((r) => own.get(r.querySelector("th").textContent).includes(r.children[4].textContent.split(" ")[0]));
	})()`, true)
	is(x, `(() => { const input = document.querySelector('[data-calc="rate"]'); const cost = () => document.querySelector("#calc-table tbody td:nth-child(5)").textContent; const was = cost(); input.value = "1000000"; input.dispatchEvent(new Event("input", {bubbles: true})); return was !== cost(); })()`, true)
}

// The samples of two versions are apart.
func TestSamplesOfVersions(t *testing.T) {
	x := open(t, browser(t), filepath.Join(pages(t), "versions.html"))
	eval[bool](x, `(async () => { const d = document.getElementById("every-sample"); d.open = true; for (let i = 0; i < 3000 && !d.querySelector("option"); i++) await new Promise((r) => setTimeout(r, 20)); return true; })()`)
	is(x, `new Set(Array.from(document.querySelectorAll("#every-sample option")).map((o) => o.textContent.split(" · ")[0])).size`, 2)
}

// brief removes each row, picture and table for which three earlier ones have the same kinds of
// elements, and so the same colours. It saves time: the contrast rule takes axe-core several
// times as long as all its other rules.
const brief = `(() => {
	for (const part of ["tbody tr", "figure", ".view", "details"]) {
		const seen = new Map();
		for (const e of document.querySelectorAll(part)) {
			const kinds = new Set([e, ...e.querySelectorAll("*")].map((e) => [e.tagName, e.getAttribute("class"), e.getAttribute("style")].join(" ")));
			const kind = Array.from(kinds).sort().join();
			const n = seen.get(kind) ?? 0;
			seen.set(kind, n + 1);
			if (n >= 3) e.remove();
		}
	}
	return true;
})()`

// axe-core finds no serious fault. The rules about colours run in light and dark, on the parts
// that can differ; the other rules run once, on the whole page.
func TestAccessible(t *testing.T) {
	const colours = `["color-contrast", "link-in-text-block"]`
	b := browser(t)
	for _, file := range names(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			for _, scheme := range []string{"light", "dark"} {
				x := open(t, b, file, page.SetBypassCSP(true), emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}))
				eval[bool](x, `document.querySelectorAll("details").forEach((d) => { if (document.querySelectorAll("tr").length < 2000) d.open = true; }), true`)
				eval[bool](x, axe+"\n;true")
				if scheme == "light" {
					x.accessible(scheme, `rules: Object.fromEntries(`+colours+`.map((rule) => [rule, {enabled: false}]))`)
				}
				eval[bool](x, brief)
				x.accessible(scheme, `runOnly: {type: "rule", values: `+colours+`}`)
			}
		})
	}
}

// accessible reports each serious fault that the rules of the option find.
func (x *tab) accessible(scheme, option string) {
	x.Helper()
	for _, fault := range eval[[]string](x, `axe.run(document, {resultTypes: ["violations"], `+option+`}).then((r) => r.violations.filter((v) => v.impact === "serious" || v.impact === "critical").map((v) => v.id + ": " + v.help + ": " + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 200) + " " + n.any.map((a) => a.message).join(";").slice(0, 200)).join(" | ")))`) {
		x.Errorf("%s: %s", scheme, fault)
	}
}

// Nothing is cut off or wider than the screen, at two screen widths.
func TestFits(t *testing.T) {
	b := browser(t)
	for _, file := range names(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			for _, width := range []int64{1400, 390} {
				x := open(t, b, file, chromedp.EmulateViewport(width, 1000))
				is(x, `document.documentElement.scrollWidth <= innerWidth`, true)
				is(x, `Array.from(document.querySelectorAll(".picture:not(.off) svg.scatter")).flatMap((s) => { const b = s.closest("figure").getBoundingClientRect(); return Array.from(s.querySelectorAll("text")).filter((t) => { const r = t.getBoundingClientRect(); return r.width > 0 && (r.left < b.left - 3 || r.right > b.right + 3 || r.top < b.top - 6 || r.bottom > b.bottom + 3); }).map((t) => t.textContent); }).join(", ")`, "")
				is(x, `(() => { const n = Array.from(document.querySelectorAll(".picture:not(.off) .name")).map((t) => t.getBoundingClientRect()).filter((r) => r.width); return n.every((a, i) => n.slice(i + 1).every((b) => a.right <= b.left + 2 || b.right <= a.left + 2 || a.bottom <= b.top + 3 || b.bottom <= a.top + 3)); })()`, true)
			}
		})
	}
}

package browsertest

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// A dropped file is compared with the page's run: a page, or the JSON of a run.
func TestDrop(t *testing.T) {
	b := browser(t)
	for _, other := range []string{"quick.html", "quick.json"} {
		t.Run(other, func(t *testing.T) {
			x := open(t, b, filepath.Join(pages(t), "readme.html"))
			data, err := os.ReadFile(filepath.Join(pages(t), other))
			if err != nil {
				t.Fatal(err)
			}
			x.drop(other, string(data))
			x.choose("c-data", eval[string](x, `Array.from(document.getElementById("c-data").options).find((o) => o.textContent.startsWith("movie")).value`))
			is(x, `Array.from(document.querySelectorAll(".view:not(.off) td.beside")).some((c) => /^\d.*(apart|overlaps)$/.test(c.textContent))`, true)
			is(x, `document.querySelectorAll(".view:not(.off) .dots .other").length > 0`, true)
			x.choose("c-beside", "")
			is(x, `document.querySelectorAll(".beside").length`, 0)
		})
	}
	for name, text := range map[string]string{
		"empty": "", "no JSON": "{", "another JSON": `{"schema":1}`, "a page": "<html><script>document.title='run'</script></html>",
		"hostile":        `{"schema":1,"run":{"id":"<img src=x onerror=alert(1)>"},"rows":[{"workload":"<b>","size":"","contender":"<img src=x>","mode":"","op":"decode","metric":"time","ratio":"x","value":null}]}`,
		"not compressed": `<script type="text/plain" id="island">{"schema":1}</script>`,
		"endless":        `<script type="text/plain" id="island">` + endless(t) + `</script>`,
		"damaged":        `<script type="application/json" id="island">{"schema":1,"subjects":[],"views":[{"key":1,"rows":[{"s":5}]}]}</script>`,
	} {
		t.Run(name, func(t *testing.T) {
			x := open(t, b, filepath.Join(pages(t), "readme.html"))
			x.drop("x.html", text)
			is(x, `document.querySelectorAll("img").length`, 0)
			is(x, `document.getElementById("toast").textContent.length > 0`, true)
			is(x, rows+" > 20", true)
			is(x, `document.title.startsWith("run")`, false)
		})
	}
}

// A single sample of another run has no interval, so it is not told apart. Counts look as they do
// in a terminal.
func TestDropSingleSample(t *testing.T) {
	x := open(t, browser(t), filepath.Join(pages(t), "readme.html"))
	const of = `"workload":"movie","size":"record=one","op":"decode","contender":"protobuf","mode":""`
	x.drop("one.json", `{"schema":1,"run":{"id":"one"},"rows":[{`+of+`,"metric":"time","value":9,"ratio":0.5,"ratio_lo":null,"ratio_hi":null},{`+of+`,"metric":"allocs","value":3}]}`)
	x.choose("c-data", eval[string](x, `Array.from(document.getElementById("c-data").options).find((o) => o.textContent.startsWith("movie")).value`))
	x.choose("c-op", "decode")
	const beside = `Array.from(document.querySelectorAll(".view:not(.off) td.beside")).map((c) => c.textContent).filter((c) => c !== "—").join()`
	is(x, beside, "2.00×")
	x.choose("c-metric", "allocs")
	is(x, `/^3(, the same)?$/.test(`+beside+`)`, true)
}

// Ratios to different references, means over different workloads, and bounds that are open are never
// told apart.
func TestDropIncomparable(t *testing.T) {
	x := open(t, browser(t), filepath.Join(pages(t), "readme.html"))
	x.choose("c-data", eval[string](x, `Array.from(document.getElementById("c-data").options).find((o) => o.textContent.startsWith("movie")).value`))
	x.choose("c-op", "decode")
	const beside = `Array.from(document.querySelectorAll(".view:not(.off) td.beside")).map((c) => c.textContent).filter((c) => c !== "—").join()`
	row := func(reference string) string {
		const of = `{"workload":"movie","size":"record=one","op":"decode","contender":"protobuf","mode":"","reference":`
		return `{"schema":1,"run":{"id":"one"},"rows":[` + of + `"` + reference + `","metric":"time","value":9,"ratio":0.01,"ratio_lo":0.009,"ratio_hi":0.011},` +
			of + `"` + reference + `","metric":"allocs","value":3}]}`
	}
	const (
		hollow = `document.querySelectorAll(".view:not(.off) .dots .other").length`
		note   = `document.getElementById("compare-note").textContent`
	)
	was := eval[string](x, dot)
	x.drop("same.json", row("encoding/json"))
	is(x, `/, apart$/.test(`+beside+`)`, true)
	is(x, hollow, 1)
	is(x, note, "Hollow: same.json one. Both against encoding/json of their own run; assay compare gives the interval of the change.")
	x.drop("other.json", row("msgp"))
	is(x, `/^\d[^,]*\)$/.test(`+beside+`)`, true)
	is(x, note, "other.json one. There, numbers are relative to msgp, and here to encoding/json: they cannot be compared.")
	// What cannot be compared is not drawn, and the scale does not make room for it.
	is(x, hollow, 0)
	is(x, dot, was)
	// With the other run's reference as the baseline, both are relative to the same. Intervals still have different confidences.
	msgp := eval[string](x, `Array.from(document.getElementById("c-base").options).find((o) => o.textContent === "msgp").value`)
	x.choose("c-base", msgp)
	is(x, hollow, 1)
	is(x, `/^\d[^,]*\)$/.test(`+beside+`)`, true)
	is(x, note, "Hollow: other.json one. Both against msgp of their own run; assay compare gives the interval of the change.")
	x.choose("c-beside", "0")
	is(x, hollow, 0)
	is(x, note, "same.json one. There, numbers are relative to encoding/json, and here to msgp: they cannot be compared.")
	x.choose("c-base", "")
	// Counts are relative to nothing.
	x.choose("c-beside", "1")
	x.choose("c-metric", "allocs")
	is(x, hollow, 1)
	is(x, note, "Hollow: other.json one.")
	x.choose("c-metric", "time")
	x.drop("open.html", `<script type="text/plain" id="island">`+packed(t, `{"schema":1,"run":"two","title":"two","subjects":[{"contender":"protobuf","mode":""}],"views":[{"id":"a","key":"movie|record=one|decode","reference":"encoding/json","rows":[{"s":0,"time":"100× (<90…110)"}]}]}`)+`</script>`)
	is(x, beside, "100× (<90…110)")
}

// The JSON of a comparison has rows too. It is not taken for that of a run.
func TestDropComparison(t *testing.T) {
	x := open(t, browser(t), filepath.Join(pages(t), "readme.html"))
	x.drop("compare.json", `{"schema":1,"kind":"runs","a":{"label":"one","run":"one"},"b":{"label":"two","run":"two"},"rows":[{"workload":"movie","size":"record=one","op":"decode","contender":"msgp","mode":"","metric":"time","a":1,"b":2,"change":1}]}`)
	is(x, `document.getElementById("toast").textContent.startsWith("Cannot read compare.json: it is not the JSON of a run")`, true)
	is(x, `document.getElementById("c-beside").options.length`, 1)
}

// A machine whose CPU has no name is known by its system, as on the page itself.
func TestDropUnnamedCPU(t *testing.T) {
	x := open(t, browser(t), filepath.Join(pages(t), "readme.html"))
	x.choose("c-data", eval[string](x, `Array.from(document.getElementById("c-data").options).find((o) => o.textContent.startsWith("movie")).value`))
	x.choose("c-op", "decode")
	x.drop("one.json", `{"schema":1,"run":{"id":"one","host":{"os":"windows","arch":"arm64","cpus":3}},"rows":[{"workload":"movie","size":"record=one","op":"decode","contender":"protobuf","mode":"","metric":"time","value":9,"ratio":0.5,"reference":"encoding/json"}]}`)
	is(x, `document.getElementById("compare-note").textContent.includes("of another machine (windows/arm64, 3 CPUs)")`, true)
}

// endless returns an island that is small but unpacks to 80 MiB.
func endless(t *testing.T) string { return packed(t, strings.Repeat(" ", 80<<20)) }

// packed returns the text of an island that has the given JSON.
func packed(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := io.WriteString(z, text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return base64.RawURLEncoding.EncodeToString(b.Bytes())
}

// drop drops a file on the page.
func (x *tab) drop(name, text string) {
	x.Helper()
	var done bool
	x.run(chromedp.Evaluate(fmt.Sprintf(`(async () => { const d = new DataTransfer(); d.items.add(new File([%q], %q)); document.getElementById("toast").textContent = "";
		dispatchEvent(new DragEvent("drop", {dataTransfer: d, bubbles: true, cancelable: true})); for (let i = 0; i < 3000 && !document.getElementById("toast").textContent; i++) await new Promise((r) => setTimeout(r, 20)); return true; })()`, text, name),
		&done, func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
}

package page

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"assay/contender"
	"assay/internal/analysis"
	"assay/internal/answer"
	"assay/internal/infer"
	"assay/internal/jsonsize"
	"assay/internal/report"
	"assay/published/claims"
	"assay/result"
)

var abouts = []*contender.Contender{
	{Name: "encoding/json", Format: "json", Traits: []contender.Trait{contender.HumanReadable, contender.SchemaFree, contender.Standard}},
	{Name: "protobuf", Format: "protobuf", Module: "google.golang.org/protobuf", License: "BSD-3-Clause", Traits: []contender.Trait{contender.Codegen}},
	{Name: "msgp", Format: "msgpack", Module: "github.com/tinylib/msgp", Traits: []contender.Trait{contender.Codegen, contender.SchemaFree}},
}

// source returns a stored run as the source of a page.
func source(t *testing.T, dir string) *Source {
	t.Helper()
	run, records, _, err := result.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	s := &Source{Results: analysis.Of(run, records, analysis.View{}), Records: records, Contenders: abouts, Command: "assay run -w 'movie'", Again: "assay show " + run.ID}
	if run.Plan.Data != nil {
		try := &report.Try{Results: s.Results, Tables: true, Again: s.Again}
		data, err := os.ReadFile(filepath.Join(dir, "data.json"))
		if err == nil {
			err = json.Unmarshal(data, &try.Data)
		}
		if err != nil {
			t.Fatal(err)
		}
		try.Answer = answer.Of(answer.Question{
			Asked: answer.Asked{Have: "encoding/json", Prices: answer.DefaultPrices}, Results: s.Results,
			Cell: run.Plan.Cases[0].Cell(), Contenders: abouts, Records: try.Data.Records, Bytes: map[result.Subject]int64{},
		})
		s.Try = try
	}
	return s
}

// The memory of a machine is stored in MiB. The page shows it in the same units as other sizes.
func TestMemory(t *testing.T) {
	s := source(t, runs+"passes")
	s.Results.Run.Host.MemoryMB = 16 << 10
	if !strings.Contains(write(t, s), ">memory<td>17.2 GB\n") {
		t.Error("16384 MiB are not 17.2 GB of memory")
	}
}

// People send pages to others, so the page of a run on a user's own records must not quote any
// record.
func TestQuotesNoRecord(t *testing.T) {
	const secret = "4915123456789"
	s := source(t, runs+"try")
	s.Try.Data.Guesses[0].Reason = "3 texts a number in quotes, such as " + secret
	s.Try.Data.Notes = append(s.Try.Data.Notes, infer.BadNote(1, &infer.Error{File: "a.ndjson", Reason: "phone is " + secret}))
	row := timeOf(s.Results, "protobuf")
	row.Status, row.Number, row.Ratio, row.Reason = result.Unverified, nil, nil, "phone: "+secret+" came back as 0"
	s.Try.Answer.LeftOut = append(s.Try.Answer.LeftOut, answer.Left{Subject: row.Case.Subject(), Status: row.Status, Reason: row.Reason})
	s.Results.Warnings = append(s.Results.Warnings,
		analysis.Warning{Kind: analysis.RunNote, Text: "x y: no memory: phone is " + secret},
		analysis.Warning{Kind: analysis.RunNote, Text: "own: the methods of your types make of them what no other contender reads (phone: " + secret + " became 0): it was verified"})
	s.Results.JSON = &analysis.JSONSize{Compact: 100, Written: 90, Compared: 100, Changes: []result.JSONChange{
		{Cause: string(jsonsize.LeftOut), Bytes: -8, Count: 7, Where: []string{secret}, Places: 2},
		{Cause: string(jsonsize.Escapes), Bytes: -2, Count: 1, Where: []string{"extra." + secret}, Places: 1},
		{Cause: string(jsonsize.Numbers), Bytes: -2, Count: 1, Where: []string{"price"}, Places: 1},
	}}
	other := timeOf(s.Results, "encoding/json")
	other.Warnings = append(other.Warnings, analysis.Warning{Kind: analysis.Misreads, Text: "reads the bytes of protobuf as another value: phone: " + secret + " became 0"})
	s.Results.Tables[0].Warnings = append(s.Results.Tables[0].Warnings, other.Warnings...)
	if page := write(t, s); strings.Contains(page, secret) {
		t.Errorf("the page has it: %.200s", page[strings.Index(page, secret)-100:])
	} else if !strings.Contains(page, "x y: no memory; the reason can quote a record") || !strings.Contains(page, "reads the bytes of protobuf as another value") {
		t.Error("the page does not have what the warnings say")
	} else if !strings.Contains(page, "7 in 2 places") || !strings.Contains(page, "1 in price") {
		t.Error("the page does not have what the JSON lost")
	} else if !strings.Contains(page, "the reason can quote a record; "+s.Again+" prints it") {
		t.Error("the page does not say where the reason is")
	}
	if !strings.Contains(row.Reason, secret) {
		t.Error("the run has lost the reason")
	}
	// The same holds for the page of a comparison and for a run beside another one.
	s = source(t, runs+"try")
	row = timeOf(s.Results, "protobuf")
	row.Status, row.Number, row.Reason = result.Unverified, nil, secret
	changed := &analysis.Comparison{
		A: &analysis.Side{Run: s.Results.Run}, B: &analysis.Side{Run: s.Results.Run},
		Rows: []analysis.Change{{A: row.Case, B: row.Case, Metric: analysis.Time, StatusB: result.Unverified, Reason: secret}},
	}
	if page := write(t, &Source{Results: source(t, runs+"try").Results, Beside: []*analysis.Results{s.Results}, Comparison: changed}); strings.Contains(page, secret) {
		t.Errorf("the page has it: %.200s", page[strings.Index(page, secret)-100:])
	}
}

// timeOf returns the row of time of a contender's first case.
func timeOf(r *analysis.Results, contender string) *analysis.Row {
	rows := r.Tables[0].Rows
	return &rows[slices.IndexFunc(rows, func(row analysis.Row) bool { return row.Case.Contender == contender && row.Metric == analysis.Time })]
}

func write(t *testing.T, s *Source) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, s); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

const runs = "../../cmd/assay/testdata/runs/"

var stored = []string{runs + "passes", runs + "try", runs + "versions", runs + "buildcost", runs + "reproduce", "../../docs/evidence/readme-run", "../../docs/evidence/claims-run"}

// The page of a run for claims has the verdict on them, and none on the workloads. It has no comparison
// over all workloads if only the reference was measured in all of them.
func TestClaimsFirst(t *testing.T) {
	s := source(t, "../../docs/evidence/claims-run")
	s.Claims = &report.Claims{
		Ledger: &claims.Ledger{}, Results: s.Results,
		Rulings: []claims.Ruling{{Claim: &claims.Claim{ID: "a"}, Verdict: claims.Holds}, {Claim: &claims.Claim{ID: "b"}, Verdict: claims.Refuted}},
	}
	page := write(t, s)
	if !strings.Contains(page, "2 claims as published: holds 1 · refuted 1") || strings.Count(page, ">Verdict: ") != 1 {
		t.Errorf("the verdicts are %q; want that on the claims", regexp.MustCompile(`>Verdict: [^<]*`).FindAllString(page, -1))
	}
	if s.Claims = nil; !strings.Contains(write(t, s), ">Verdict: chain") {
		t.Error("without claims, no workload has a verdict")
	}
	one, other := analysis.OverviewRow{Overall: &analysis.Interval{Value: 1, Lo: 1, Hi: 1}}, analysis.OverviewRow{Subject: result.Subject{Contender: "x"}}
	o := &analysis.Overview{Rows: []analysis.OverviewRow{one, other}}
	if compares(o) {
		t.Error("the reference is compared with itself over all workloads")
	}
	if o.Rows[1].Overall = one.Overall; !compares(o) {
		t.Error("what was measured in all workloads is not compared")
	}
	page = write(t, source(t, "../../docs/evidence/readme-run"))
	if strings.Contains(page, "Verdict: the claims") || !strings.Contains(page, "Verdict: both workloads") {
		t.Error("a run of workloads does not begin with the verdict over all of them")
	}
	if !strings.Contains(page, "overall: their geometric mean; below 1 is slower") {
		t.Error("the ranking over all workloads has no notes")
	}
}

// A page loads nothing, and its script and style match the hashes in its policy.
func TestPolicy(t *testing.T) {
	for _, dir := range stored {
		t.Run(filepath.Base(dir), func(t *testing.T) { checkPolicy(t, write(t, source(t, dir))) })
	}
}

var (
	policyTag = regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="([^"]*)">`)
	scriptTag = regexp.MustCompile(`(?s)<script([^>]*)>(.*?)</script>`)
	styleTag  = regexp.MustCompile(`(?s)<style>(.*?)</style>`)
	anyTag    = regexp.MustCompile(`(?s)<[a-zA-Z][^>]*>`)
	loads     = regexp.MustCompile(`(?i)\s(src|srcset|style|background|poster|data|action|formaction|ping|xlink:href|on[a-z]+)\s*=`)
)

func checkPolicy(t *testing.T, page string) {
	t.Helper()
	policy := policyTag.FindStringSubmatch(page)
	if policy == nil {
		t.Fatal("the page has no policy")
	}
	want := html.UnescapeString(policy[1])
	if !strings.HasPrefix(want, "default-src 'none';") || strings.Contains(want, "unsafe") || strings.Contains(want, "*") || strings.Contains(want, "http") {
		t.Errorf("the policy is %s", want)
	}
	scripts := scriptTag.FindAllStringSubmatch(page, -1)
	run := 0
	for _, s := range scripts {
		if strings.Contains(s[1], `type="application/json"`) || strings.Contains(s[1], `type="text/plain"`) {
			continue
		}
		run++
		checkHash(t, want, "script", s[2])
	}
	if run != 1 || strings.Count(page, "<script") != len(scripts) {
		t.Errorf("%d scripts run, and %d of %d are well formed; 1 is to run", run, len(scripts), strings.Count(page, "<script"))
	}
	styles := styleTag.FindAllStringSubmatch(page, -1)
	if len(styles) != 1 {
		t.Fatalf("%d styles", len(styles))
	}
	checkHash(t, want, "style", styles[0][1])
	markup := styleTag.ReplaceAllString(scriptTag.ReplaceAllString(page, ""), "")
	for _, tag := range anyTag.FindAllString(markup, -1) {
		bare := regexp.MustCompile(`"[^"]*"`).ReplaceAllString(tag, `""`)
		if loads.MatchString(bare) || strings.HasPrefix(bare, "<link") || strings.HasPrefix(bare, "<img") || strings.HasPrefix(bare, "<iframe") || strings.HasPrefix(bare, "<base") {
			t.Errorf("a tag that loads or runs something: %.200s", tag)
		}
	}
}

func checkHash(t *testing.T, policy, kind, text string) {
	t.Helper()
	sum := sha256.Sum256([]byte(text))
	if hash := "sha256-" + base64.StdEncoding.EncodeToString(sum[:]); !strings.Contains(policy, kind+"-src '"+hash+"'") {
		t.Errorf("the policy does not allow the page's own %s", kind)
	}
}

// Without JavaScript, each subject with a time still has its row, with the texts of package
// report.
func TestReadsWithoutScript(t *testing.T) {
	for _, dir := range stored {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			s := source(t, dir)
			page := scriptTag.ReplaceAllString(write(t, s), "")
			seen := 0
			for _, table := range s.Results.Tables {
				for _, row := range table.Rows {
					if row.Metric != analysis.Time || row.Number == nil {
						continue
					}
					seen++
					for _, text := range []string{row.Case.Contender, report.MeasureText(*row.Number)} {
						if !strings.Contains(page, html.EscapeString(text)) {
							t.Errorf("%s: the page does not have %q", row.Case, text)
						}
					}
				}
			}
			if g := s.Results.Grade; g != nil && !strings.Contains(page, "grade "+g.Letter) {
				t.Error("the page does not have the grade")
			}
			if seen == 0 && filepath.Base(dir) != "buildcost" {
				t.Error("no row was looked for")
			}
		})
	}
}

// The page of a try says the same as its text and Markdown.
func TestVerdictIsThatOfTheText(t *testing.T) {
	s := source(t, runs+"try")
	page := scriptTag.ReplaceAllString(write(t, s), "")
	lead, points := s.Try.Verdict()
	texts := lead
	for _, p := range points {
		texts = append(append(texts, p.Title, p.Text), p.Below...)
	}
	for _, g := range s.Try.Data.Guesses {
		texts = append(texts, g.Decision, g.Overrule)
	}
	if len(texts) < 5 {
		t.Fatalf("the answer says %q only", texts)
	}
	for _, text := range texts {
		if !strings.Contains(page, strings.ReplaceAll(html.EscapeString(clean(text)), "+", "&#43;")) {
			t.Errorf("the page does not say %q", text)
		}
	}
}

// The ticks of an axis are plain decimals even if they are large.
func TestTicks(t *testing.T) {
	var texts []string
	for _, tick := range newScale(0.04, 1, 30_000).ticks() {
		texts = append(texts, tick.Text)
	}
	if got := strings.Join(texts, " "); strings.Contains(got, "e+") || !strings.Contains(got, " 1000×") {
		t.Errorf("ticks %s", got)
	}
	for want, got := range map[string]string{
		"100×": timeTick(100, false), "0.3×": sizeTick(0.1+0.2, false), "2500 GB": sizeTick(2.5e12, true), "200 µs": timeTick(2e5, true), "1.2 ns": timeTick(1.2, true),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A command on the page selects the workload by its exact name, quoted for a shell.
func TestCommand(t *testing.T) {
	p := &builder{Source: &Source{Again: "assay show r"}}
	for name, want := range map[string]string{
		"movie":        `assay show r -w '^movie$' -o encode --tables`,
		"orders (1).x": `assay show r -w '^orders \(1\)\.x$' -o encode --tables`,
		"it's":         `assay show r -w '^it'\''s$' -o encode --tables`,
		"":             `assay show r -o encode --tables`,
	} {
		if got := p.command(result.Cell{Workload: name}, "encode"); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
}

// The index shows no number for an unknown fact about a run.
func TestIndexOfUnknown(t *testing.T) {
	for want, got := range map[string]string{
		"":            verifiedOf(&analysis.Results{}),
		"3 of 4":      verifiedOf(&analysis.Results{Verified: 3, Trips: 4}),
		"X, 1 CPU":    machineOf(&result.Run{Host: result.Host{CPU: "X", CPUs: 1}}),
		"linux/amd64": machineOf(&result.Run{Host: result.Host{OS: "linux", Arch: "amd64"}}),
		"2 CPUs":      machineOf(&result.Run{Host: result.Host{CPUs: 2}}),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A warning about a cell is beside its rankings.
func TestCellWarnings(t *testing.T) {
	s := source(t, runs+"passes")
	table := &s.Results.Tables[0]
	const warning = "encoding/json differs from itself, which only this test says"
	table.Warnings = append(table.Warnings, analysis.Warning{Kind: analysis.Control, Text: warning})
	p := &builder{Source: s}
	p.prepare()
	said := map[string]bool{}
	for _, v := range p.views {
		for _, text := range v.Below {
			if strings.Contains(text, warning) {
				said[v.Op] = true
			}
		}
	}
	if op := string(table.Cell.Op); !said[op] || len(said) > 2 {
		t.Errorf("the rankings of %v say it; want that of %s", said, op)
	}
	if !strings.Contains(write(t, s), warning) {
		t.Error("the page does not say it")
	}
}

// What a grade means is on the page as a whole.
func TestGradeIsExplained(t *testing.T) {
	s := source(t, runs+"passes")
	s.Results.Warnings = append(s.Results.Warnings, analysis.Warning{Kind: analysis.RunNote, Text: "which only this test says"})
	page := html.UnescapeString(write(t, s))
	at := strings.Index(page, "<p>"+analysis.GradeText+"</p>")
	if at < 0 {
		t.Error("the page does not explain the grade, or not all of it")
	}
	if why, warned := strings.Index(page, "<p>not A: "), strings.Index(page, "<p>which only this test says</p>"); !(0 < why && why < at && at < warned) {
		t.Errorf("the reasons are at %d, the explanation at %d, the warnings at %d", why, at, warned)
	} else if !strings.Contains(page[at:warned], "</details>") {
		t.Error("the warnings are folded away with the explanation of the grade")
	}
}

// The warnings about a run are on its page, also if the run has no grade, as one of build costs.
func TestWarningsWithoutGrade(t *testing.T) {
	s := source(t, runs+"buildcost")
	const warning = "the machine had other work when these were built"
	s.Results.Warnings = append(s.Results.Warnings, analysis.Warning{Kind: analysis.RunNote, Text: warning})
	if page := write(t, s); strings.Count(page, warning) != 1 || strings.Contains(page, `class="trust"`) {
		t.Errorf("the page says %d times that %s", strings.Count(page, warning), warning)
	}
}

// A page states the method of its own run: of launches, of streams and whole values, or of build costs.
func TestMethod(t *testing.T) {
	const (
		launches = "share a process and take turns"
		streams  = "Each op of a contender has a process of its own, with the garbage collector on."
	)
	for dir, want := range map[string]string{
		runs + "passes": launches, runs + "try": launches, runs + "buildcost": "",
		"../../docs/evidence/stream-run": streams, "../../docs/evidence/whole-run": streams, "../../docs/evidence/pipeline-run": streams,
	} {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			page := html.UnescapeString(write(t, source(t, dir)))
			for _, kind := range []string{launches, streams} {
				if got := strings.Contains(page, kind); got != (kind == want) {
					t.Errorf("the page says %q: %v", kind, got)
				}
			}
			for _, text := range []string{"linked many times", "Every case was verified before it was timed", "Intervals in columns have 95%"} {
				if got := strings.Contains(page, text); got != (want == launches) {
					t.Errorf("the page says %q: %v", text, got)
				}
			}
			for _, text := range []string{"One machine and one set of values", "those of streams, whole values and build times are the smallest and the largest"} {
				if !strings.Contains(page, text) {
					t.Errorf("the page does not say %q", text)
				}
			}
		})
	}
}

// Rows of one rank have one band, and rows without a rank have none in common.
func TestBands(t *testing.T) {
	v := view{}
	for _, rank := range []string{"1", "2=", "2=", "4", "", ""} {
		v.Rows = append(v.Rows, viewRow{Rank: rank})
	}
	(&builder{Source: &Source{}}).finish(&v)
	var got []int
	for _, row := range v.Rows {
		got = append(got, row.Band)
	}
	if want := []int{1, 0, 0, 1, 0, 1}; !slices.Equal(got, want) {
		t.Errorf("bands %v, want %v", got, want)
	}
}

// A table has no command if none prints what it says: the machine of a run is not that of the reader, and
// no command prints launches.
func TestWithoutCommand(t *testing.T) {
	p := &builder{Source: source(t, runs+"passes")}
	p.prepare()
	seen := map[string]bool{}
	for _, s := range []section{p.noise(), p.machine()} {
		for _, b := range s.Blocks {
			if b.Table == nil {
				continue
			}
			seen[s.ID] = true
			if b.Table.Command != "" {
				t.Errorf("%s: %s", b.Table.Title, b.Table.Command)
			}
			if strings.Contains(b.Table.Title, "colour") {
				t.Errorf("the table draws one kind of launches, and its title is %q", b.Table.Title)
			}
		}
	}
	if len(seen) != 2 {
		t.Errorf("tables of %v only", seen)
	}
}

// The picture of the sentinel reaches its slowest launch, and says how far that is.
func TestSentinel(t *testing.T) {
	for name, test := range map[string]struct {
		walks []int64
		edge  string
		want  string // the heights of the launches: the lower edge is at 82, the upper one at 8
	}{
		"quiet": {[]int64{100, 110}, "2.00", "82 71.8"},
		"busy":  {[]int64{100, 200, 400}, "4.00", "82 45 8"},
	} {
		t.Run(name, func(t *testing.T) {
			s := &Source{Results: &analysis.Results{Run: &result.Run{}}}
			for _, ns := range test.walks {
				s.Records = append(s.Records, result.Record{Launch: &result.Launch{Sentinel: []int64{ns, ns, ns}}})
			}
			blocks := (&builder{Source: s}).sentinel()
			if len(blocks) != 2 || !strings.HasSuffix(blocks[0].Text, "the upper edge is "+test.edge+" times its best.") {
				t.Fatalf("it says %+v", blocks)
			}
			var heights []string
			for _, m := range regexp.MustCompile(`M[0-9.]+ ([0-9.]+)h0`).FindAllStringSubmatch(string(blocks[1].SVG), -1) {
				heights = append(heights, m[1])
			}
			if got := strings.Join(heights, " "); got != test.want {
				t.Errorf("launches at %s, want %s", got, test.want)
			}
		})
	}
	if blocks := (&builder{Source: &Source{Results: &analysis.Results{Run: &result.Run{}}}}).sentinel(); blocks != nil {
		t.Errorf("without launches it says %+v", blocks)
	}
}

// The colours of cells mean the same in light and in dark, so the page names no shade.
func TestHeat(t *testing.T) {
	if page := write(t, source(t, "../../docs/evidence/readme-run")); !strings.Contains(page, "A stronger colour is further from 1: blue is faster, orange slower.") || strings.Contains(page, "darker") {
		t.Error("the page does not say what its colours mean")
	}
}

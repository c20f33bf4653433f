// Package page writes what was measured as one HTML file that people send each other:
// the verdict, a picture, the ranking, and below them all that these rest on, down to
// every sample.
//
// The file makes no request. It reads without JavaScript: every table is in the HTML and
// every chart is SVG, drawn here. Its script, whose hash is all that its
// Content-Security-Policy lets run, filters, sorts and switches what is there. Numbers are
// formatted by package report, so they read as they do in a terminal. All text is data:
// html/template escapes it, and control and bidirectional characters are shown as
// what they are.
package page

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"slices"
	"strings"
	"unicode/utf8"

	"assay/contender"
	"assay/internal/analysis"
	"assay/internal/answer"
	"assay/internal/plaintext"
	"assay/internal/report"
	"assay/published/reproduce"
	"assay/result"
)

// A Source is what a page shows. All but Results may be absent.
type Source struct {
	// Results are of the run that the page is about. A comparison or a ledger of claims
	// without a run has none.
	Results *analysis.Results
	// Records are the run's, for its samples.
	Records []result.Record
	// Try is the answer of a run on a user's own records.
	Try *report.Try
	// Claims, Comparison and Reproduction have sections of their own.
	Claims       *report.Claims
	Comparison   *analysis.Comparison
	Reproduction *reproduce.Reproduction
	// Beside are the results of other runs to compare this one with.
	Beside []*analysis.Results
	// Contenders describe the contenders of the run, and others.
	Contenders []*contender.Contender
	// Code is the module's source, for the code that was timed; nil: the page has none.
	Code fs.FS
	// Typical says which size of a workload stands for it; nil: the first.
	Typical func(result.Cell) bool
	// Command is the command line that measured the run, and Again the one that prints
	// its tables, both quoted for a shell; either may be empty.
	Command, Again string
	// Links are to the other pages of a site.
	Links []Link
}

// A Link is to another page of a site, by its relative path.
type Link struct{ Title, To string }

var (
	//go:embed page.html
	pageHTML string
	//go:embed page.css
	pageCSS string
	//go:embed state.js
	stateJS string
	//go:embed ranking.js
	rankingJS string
	//go:embed tools.js
	toolsJS string
)

// script is the one script of a page. Its files are functions and constants in one
// scope; the last one runs them.
func script() string { return strings.Join([]string{stateJS, rankingJS, toolsJS}, "\n") }

// Policy is the Content-Security-Policy of every page: nothing is loaded, nothing runs
// but the page's own script, and nothing is sent.
func Policy() string {
	return fmt.Sprintf("default-src 'none'; script-src '%s'; style-src '%s'; base-uri 'none'; form-action 'none'", hashOf(script()), hashOf(pageCSS))
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// content is what the template is given.
type content struct {
	Title, Policy string
	Style         template.CSS
	Script        template.JS
	// Island and Samples are compressed. The samples are of every Every-th launch.
	Island, Samples string
	Every           int
	Head            header
	Ruled           []string // the verdicts on the claims, counted; none: the page has no claims
	Datas           []dataset
	Views           []view
	Traits          []contender.Word
	Modes           []string
	Sections        []section
	Links           []Link
	Interactive     bool
}

// Write writes the page.
func Write(w io.Writer, s *Source) error {
	c, err := compose(s)
	if err != nil {
		return err
	}
	return c.write(w, s.Records)
}

// write fills in the template, once without samples, to see what room there is for those
// of the records, and once with them.
func (c *content) write(w io.Writer, records []result.Record) error {
	t, err := template.New("page").Funcs(template.FuncMap{"t": clean, "code": code, "inc": func(i int) int { return i + 1 }}).Parse(pageHTML)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, c); err != nil {
		return err
	}
	c.Samples, c.Every, err = packed(records, max(leastSamples, mostPage-b.Len()-1000))
	if err != nil {
		return err
	}
	if c.Samples != "" {
		b.Reset()
		if err := t.Execute(&b, c); err != nil {
			return err
		}
	}
	_, err = b.WriteTo(w)
	return err
}

// compose collects what the page shows.
func compose(s *Source) (*content, error) {
	p := &builder{Source: s.withoutRecords()}
	p.prepare()
	c := &content{
		Policy: Policy(), Style: template.CSS(pageCSS), Script: template.JS(script()), Links: s.Links,
		Datas: p.datas, Views: p.views, Modes: p.modes(), Traits: p.traits(), Interactive: len(p.views) > 0,
	}
	c.Head = p.header()
	c.Title = c.Head.Title
	if p.Claims != nil {
		c.Ruled = p.Claims.Tallied()
	}
	c.Sections = p.sections()
	var err error
	c.Island, err = compressed(p.island())
	return c, err
}

// mostText is how many characters of a text are shown: a name of a hundred kilobytes is
// no name.
const mostText = 1000

// clean makes a text safe to read on a page. The template escapes it besides.
func clean(text string) string {
	text = plaintext.Line(text)
	if len(text) <= mostText {
		return text
	}
	cut := mostText
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return fmt.Sprintf("%s… (%s in all)", text[:cut], report.BytesText(float64(len(text))))
}

// code is clean for a text of several lines.
func code(text string) string { return plaintext.Text(text) }

// mostName is the same of a name in a table or chart.
const mostName = 80

// short cuts a name for a place that has little room.
func short(name string) string {
	name = plaintext.Line(name)
	if utf8.RuneCountInString(name) <= mostName {
		return name
	}
	return string([]rune(name)[:mostName-1]) + "…"
}

// slug returns a name as part of an id: letters, digits and hyphens.
func slug(name string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			b.WriteRune(r)
		} else if n := b.Len(); n > 0 && b.String()[n-1] != '-' {
			b.WriteByte('-')
		}
		if b.Len() > 60 {
			break
		}
	}
	return strings.Trim(b.String(), "-")
}

// A builder makes the parts of one page.
type builder struct {
	*Source
	datas    []dataset
	views    []view
	subjects []result.Subject
	answers  map[string]*report.Try // by dataset id
}

// about describes a contender, or returns nil.
func (p *builder) about(name string) *contender.Contender {
	for _, c := range p.Contenders {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// answerOf answers for one workload and size of a built-in run: what is the fastest, the
// smallest and the least change for who uses the reference now.
func (p *builder) answerOf(cell result.Cell) *report.Try {
	q := answer.Question{
		Asked:   answer.Asked{Have: p.Results.Run.Plan.Reference, Prices: answer.DefaultPrices},
		Results: p.Results, Cell: cell, Contenders: p.Contenders,
		Aliases: map[result.Subject][]string{},
	}
	packed := func(r analysis.Row) bool {
		return r.Metric == analysis.CompressedSize(answer.Compressed, true) && r.Number != nil
	}
	if !slices.ContainsFunc(p.Results.Tables, func(t analysis.Table) bool {
		return t.Cell.Workload == cell.Workload && slices.ContainsFunc(t.Rows, packed)
	}) {
		q.Codec = answer.NoCodec // nothing was compressed
	}
	for _, r := range p.Records {
		v := r.Verification
		if v != nil && v.OK && v.From == nil && v.Habits != nil && v.Workload == cell.Workload && v.Size == cell.Size && len(v.Habits.Aliases) > 0 {
			q.Aliases[v.Subject] = v.Habits.Aliases
		}
	}
	return &report.Try{Results: p.Results, Answer: answer.Of(q), Tables: true, Again: p.Again}
}

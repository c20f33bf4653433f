// Package page writes the results of a run as one HTML file that people can send each other: the
// verdict, a picture, the ranking, and below them everything that they are based on, down to
// every sample.
//
// The file makes no request. It is readable without JavaScript: every table is in the HTML, and
// every chart is an SVG that this package draws. The script of the page filters, sorts and
// switches views. The Content-Security-Policy allows only that script, by its hash. Package
// report formats the numbers, so they look as they do in a terminal. All text is data:
// html/template escapes it, and control and bidirectional characters are shown as escapes.
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

// A Source is the content of a page. Every field may be absent.
type Source struct {
	// Results are the results of the page's run. They are nil for a comparison or a ledger of
	// claims without a run.
	Results *analysis.Results
	// Records are the records of the run; the page takes the samples from them.
	Records []result.Record
	// Try is the answer, for a run on a user's own records.
	Try *report.Try
	// Claims, Comparison and Reproduction each have a section.
	Claims       *report.Claims
	Comparison   *analysis.Comparison
	Reproduction *reproduce.Reproduction
	// Beside are the results of other runs, to compare this run with.
	Beside []*analysis.Results
	// Contenders describe the contenders of the run. Others may be among them.
	Contenders []*contender.Contender
	// Code is the module's source, for the code that was timed; without it the page shows no
	// code.
	Code fs.FS
	// Typical reports whether a size stands for its workload; if it is nil, the first size does.
	Typical func(result.Cell) bool
	// Command is the command line that measured the run. Again is the command line that prints
	// its tables. Both are quoted for a shell and may be empty.
	Command, Again string
	// Links lead to the other pages of a site.
	Links []Link
}

// A Link is a link to another page of a site, by its relative path.
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

// script returns the only script of a page. Its files share one scope. They declare functions and
// constants; the last file runs them.
func script() string { return strings.Join([]string{stateJS, rankingJS, toolsJS}, "\n") }

// Policy returns the Content-Security-Policy of every page. A page loads nothing, runs only its
// own script, and sends nothing.
func Policy() string {
	return fmt.Sprintf("default-src 'none'; script-src '%s'; style-src '%s'; base-uri 'none'; form-action 'none'", hashOf(script()), hashOf(pageCSS))
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// content is the data of the template.
type content struct {
	Title, Policy string
	Style         template.CSS
	Script        template.JS
	// Island and Samples are compressed. Samples has every Every-th launch.
	Island, Samples string
	Every           int
	Head            header
	Ruled           []string // the counted verdicts on the claims; nil if the page has no claims
	Datas           []dataset
	Views           []view
	Traits          []contender.Word
	Modes           []string
	Sections        []section
	Links           []Link
	Interactive     bool
}

// Write writes the page of the source.
func Write(w io.Writer, s *Source) error {
	c, err := compose(s)
	if err != nil {
		return err
	}
	return c.write(w, s.Records)
}

// write executes the template without samples, to learn how much room they have, and then once
// more with the samples of the records.
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

// compose collects the data of the page.
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

// mostText is how many bytes of a text the page shows. It keeps an endless name from filling the
// page.
const mostText = 1000

// clean makes a text safe to read on a page. The template escapes it in addition.
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

// code does what clean does, for a text of several lines. It does not shorten the text.
func code(text string) string { return plaintext.Text(text) }

// mostName is how many characters of a name a table or chart shows.
const mostName = 80

// short shortens a name for places with little room.
func short(name string) string {
	name = plaintext.Line(name)
	if utf8.RuneCountInString(name) <= mostName {
		return name
	}
	return string([]rune(name)[:mostName-1]) + "…"
}

// slug converts a name to a part of an id: lower-case letters, digits and hyphens.
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

// about describes a contender. It returns nil for an unknown one.
func (p *builder) about(name string) *contender.Contender {
	for _, c := range p.Contenders {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// answerOf returns the answer for one workload and size of a run of built-in workloads. The
// reference stands for the contender in use.
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

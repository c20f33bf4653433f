package gotype

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"assay/internal/infer"
	"assay/internal/infer/gotype/program"
	"assay/internal/phrase"
	"assay/internal/process"
)

// maxBad is how many errors of bad records are kept for the user to see.
const maxBad = 100

// A pass is one reading of all records.
type pass struct {
	*Result
	write func(sample, line []byte) error

	seen, bytes int64 // records written and their bytes, without bad records
	bad         []*infer.Error
	badCount    int64
	said        []string // notes of the reading of the samples
	report      program.Report
}

// A running is a running program.
type running struct {
	*process.Process
	in     io.WriteCloser
	out    *bufio.Reader
	stderr beginning
}

// convert passes every record to write, as in the sample and in the neutral form. write may append to
// the neutral form.
func (r *Result) convert(ctx context.Context, write func(sample, line []byte) error) (*pass, error) {
	p := &pass{Result: r, write: write}
	c, err := r.start(ctx)
	if err != nil {
		return nil, err
	}
	err = p.records(c)
	if err == nil {
		err = p.rest(c)
	}
	if ended := c.end(); ended != nil && (err == nil || err == errSilent) {
		err = ended
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, err
	}
	switch {
	case p.seen > 0:
		return p, nil
	case p.badCount > 0:
		return nil, fmt.Errorf("there is no record that can be read; the first of %s: %w", phrase.Count(p.badCount, "bad one"), p.bad[0])
	}
	return nil, fmt.Errorf("%s: there are no records", r.origin())
}

// start starts the program and sends it the plan.
func (r *Result) start(ctx context.Context) (*running, error) {
	plan, err := json.Marshal(r.plan)
	if err != nil {
		return nil, err
	}
	c, cmd := &running{}, exec.Command(r.path)
	cmd.Dir = r.options.Dir
	cmd.Stderr = &c.stderr
	if c.in, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.out = bufio.NewReaderSize(out, 64<<10)
	if c.Process, err = process.Start(ctx, cmd); err != nil {
		return nil, fmt.Errorf("starting the program with %s: %w", r.Type, err)
	}
	if _, err := c.in.Write(append(plan, '\n')); err != nil {
		if ended := c.end(); ended != nil {
			return nil, ended
		}
		return nil, c.died(err)
	}
	return c, nil
}

// end waits for the program to end.
func (c *running) end() error {
	_ = c.in.Close() // it may be closed already
	_, _ = io.Copy(io.Discard, c.out)
	if err := c.Wait(); err != nil {
		return c.died(err)
	}
	return nil
}

// died returns an error that says how the program ended.
func (c *running) died(err error) error {
	if said := c.stderr.String(); said != "" {
		return programErrorf("the program with your type ended (%v) and said:\n%s", err, said)
	}
	return programErrorf("the program with your type ended: %w", err)
}

// answer returns the next answer. It skips what the user's own code prints.
func (c *running) answer() (kind byte, rest []byte, err error) {
	for {
		line, err := c.out.ReadBytes('\n')
		if i := bytes.Index(line, []byte(program.Mark)); i >= 0 && len(line) > i+2 {
			return line[i+1], bytes.TrimSuffix(line[i+2:], []byte{'\n'}), nil
		}
		if err != nil {
			return 0, nil, err
		}
	}
}

// records sends all records of the samples to the program and takes the answers.
func (p *pass) records(c *running) error {
	if p.target.isFunc {
		return nil
	}
	o := infer.Options{
		Records: p.options.Records, SkipBad: p.options.SkipBad,
		MaxRecords: p.options.MaxRecords, MaxBytes: p.options.MaxBytes, MaxRecord: p.options.MaxRecord,
	}
	var head []byte
	found, err := infer.Each(p.options.Samples, o, func(r infer.Record) error {
		head = append(strconv.AppendInt(head[:0], int64(len(r.Raw)), 10), '\n')
		if _, err := c.in.Write(head); err != nil {
			return p.broken(c, r)
		}
		if _, err := c.in.Write(r.Raw); err != nil {
			return p.broken(c, r)
		}
		kind, rest, err := c.answer()
		if err != nil {
			return p.broken(c, r)
		}
		return p.take(kind, r.Raw, rest, func(offset int64, why string) *infer.Error { return r.Errorf(offset, "%s", why) })
	})
	if err != nil {
		return err
	}
	p.bad, p.badCount, p.said = found.Bad, found.BadCount, found.Notes
	return nil
}

// broken returns an error that says at which record the program ended.
func (p *pass) broken(c *running, r infer.Record) error {
	return fmt.Errorf("%s:%d:%d: while this record is decoded, %w", r.Source, r.Line, r.Col, cmp.Or(c.end(), errSilent))
}

// errSilent says that the program ended of its own accord, as by os.Exit(0), before its last answer.
var errSilent = programErrorf("the program with your type ended before it answered")

// take processes the answer to a record. sample is nil if no record was sent.
func (p *pass) take(kind byte, sample, rest []byte, fail func(offset int64, why string) *infer.Error) error {
	head, body, _ := bytes.Cut(rest, []byte{' '})
	n, err := strconv.ParseInt(string(head), 10, 64)
	switch {
	case kind == program.Fail:
		why, _ := strconv.Unquote(string(rest))
		return errors.New(why)
	case err != nil || kind != program.Good && kind != program.Bad:
		return fmt.Errorf("the program with your type answers %.80q", rest)
	case kind == program.Bad:
		why, _ := strconv.Unquote(string(body))
		return fail(n, strings.TrimPrefix(why, "json: "))
	}
	p.seen++
	p.bytes += n
	return p.write(sample, body)
}

// rest takes the remaining answers, for records of a function, up to the report.
func (p *pass) rest(c *running) error {
	if err := c.in.Close(); err != nil {
		return err
	}
	for {
		kind, rest, err := c.answer()
		if err != nil {
			return errSilent // end returns the reason, if the program ended in an error
		}
		if kind == program.End {
			return json.Unmarshal(rest, &p.report)
		}
		err = p.take(kind, nil, rest, func(_ int64, why string) *infer.Error {
			return &infer.Error{File: p.options.Type, Reason: why}
		})
		if e := (*infer.Error)(nil); errors.As(err, &e) && p.options.SkipBad {
			p.badCount++
			if len(p.bad) < maxBad {
				p.bad = append(p.bad, e)
			}
			continue
		}
		if err != nil {
			return err
		}
	}
}

// notes returns notes on what was not read, and on keys that the type does not have.
func (p *pass) notes() []string {
	out := slices.Clone(p.said)
	if p.report.Cut {
		out = append(out, infer.OnlyFirst(int64(p.seen+p.badCount)))
	}
	var keys []string
	for key, n := range p.report.Unknown {
		keys = append(keys, fmt.Sprintf("%s (%d)", key, n))
	}
	slices.Sort(keys)
	if len(keys) > 0 {
		out = append(out, infer.UnknownNote(some(keys)))
	}
	return out
}

// A beginning is a writer that keeps the first 2000 bytes.
type beginning struct{ kept []byte }

func (t *beginning) Write(p []byte) (int, error) {
	const most = 2000
	t.kept = append(t.kept, p[:min(len(p), most-min(len(t.kept), most))]...)
	return len(p), nil
}

// String returns the first maxErrors lines.
func (t *beginning) String() string {
	lines := strings.Split(strings.TrimSpace(string(t.kept)), "\n")
	return strings.Join(lines[:min(len(lines), maxErrors)], "\n")
}

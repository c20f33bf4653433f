package bench

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"

	"assay/result"
	"assay/schema/neutral"
	"assay/workload"
)

// outsider stands for the contender of another runner that wrote the messages. No contender can
// have this name: names contain no space.
var outsider = result.Subject{Contender: "another runner"}

// fitting checks that a subject can decode messages from elsewhere, and that there is one
// message for each input.
func (s *session) fitting(who result.Subject, messages [][]byte) error {
	if !s.offers(who, result.Decode) {
		return fmt.Errorf("%s offers no decode", who)
	}
	if n := len(s.loaded.models); len(messages) != n {
		return fmt.Errorf("there are %d messages for %d inputs", len(messages), n)
	}
	return nil
}

// outside checks that the subject decodes messages from elsewhere.
func (v *verification) outside(messages [][]byte) error {
	c, err := v.bind(seat{Subject: v.who}, result.Decode)
	if err != nil {
		return err
	}
	c.use(messages, outsider)
	return v.decode(c)
}

// export writes values to a file in neutral form.
func (s *session) export(e Export) (*Exported, error) {
	v, err := s.need()
	if err != nil {
		return nil, err
	}
	if e.File == "" {
		return nil, errors.New("file is empty: it names the file to write")
	}
	form, err := neutral.Of(v.schema, v.root)
	if err != nil {
		return nil, err
	}
	models := v.models
	if e.Others {
		if _, models, err = v.others(); err != nil {
			return nil, err
		}
	}
	value := func(i int) (any, error) { return models[i], nil }
	if e.Contender != "" {
		if value, err = s.decoding(result.Subject{Contender: e.Contender, Mode: e.Mode}, e.Messages); err != nil {
			return nil, err
		}
	}
	// Values may be a user's own, so only this user may read the file.
	f, err := os.OpenFile(e.File, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	out := bufio.NewWriter(f)
	err = v.writeTo(out, form, value)
	return &Exported{len(v.models)}, errors.Join(err, out.Flush(), f.Close())
}

// decoding returns a function that decodes message i. The function must be called for each
// message in turn.
func (s *session) decoding(who result.Subject, messages [][]byte) (func(i int) (any, error), error) {
	var c *bound
	var err error
	if len(messages) == 0 {
		c, err = s.prepare(who, result.Decode)
	} else if err = s.fitting(who, messages); err == nil {
		if c, err = s.bind(seat{Subject: who}, result.Decode); err == nil {
			c.use(messages, outsider)
		}
	}
	if err != nil {
		return nil, err
	}
	c.restart(result.Decode)
	return func(int) (any, error) {
		if _, err := c.run(result.Decode, 1); err != nil {
			return nil, failed(who, result.Decode, err)
		}
		return c.codec.Decoded(), nil
	}, nil
}

// writeTo writes the header and each value on a line of its own.
func (v *values) writeTo(out io.Writer, form neutral.Form, value func(i int) (any, error)) error {
	line, err := json.Marshal(neutral.Header{
		Workload: v.workload, Size: v.load.Size, Seed: v.load.Seed, Root: v.root,
		Inputs: len(v.models), Schema: neutral.SchemaOf(v.schema),
	})
	for i := 0; err == nil; i++ {
		if _, err = out.Write(append(line, '\n')); err != nil || i == len(v.models) {
			return err
		}
		var one any
		if one, err = value(i); err == nil {
			line, err = form.Append(line[:0], one)
		}
		if err != nil {
			return input(i, err)
		}
	}
	return err
}

// compare compares the values of a file with the loaded values. It reports a wrong value or
// malformed text in the Verified.
func (s *session) compare(c Compare) (*Verified, error) {
	v, err := s.need()
	if err != nil {
		return nil, err
	}
	form, err := neutral.Of(v.schema, v.root)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(c.File)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	losses, err := v.readFrom(bufio.NewReader(f), form, c.Losses)
	if err != nil {
		return &Verified{Op: result.Decode, Reason: err.Error()}, nil
	}
	return &Verified{OK: true, Losses: losses}, nil
}

// readFrom reads values and returns the forgiven losses that they suffered, or an error that
// names the first value that differs.
func (v *values) readFrom(in *bufio.Reader, form neutral.Form, forgiven []string) ([]string, error) {
	forgive := set(forgiven)
	var losses []string
	for i := -1; ; i++ {
		line, err := in.ReadBytes('\n')
		if err != nil && (err != io.EOF || len(line) > 0) {
			return nil, fmt.Errorf("the exported values: line %d is cut short", i+2)
		}
		switch {
		case i == len(v.models):
			if len(line) > 0 {
				return nil, fmt.Errorf("there are more values than the %d inputs", len(v.models))
			}
			slices.Sort(losses)
			return slices.Compact(losses), nil
		case err == io.EOF:
			return nil, fmt.Errorf("%d inputs became %d values", len(v.models), max(i, 0))
		case i < 0:
			if !json.Valid(line) {
				return nil, errors.New("the exported values begin with no JSON: their first line is a header")
			}
			continue
		}
		got := reflect.New(reflect.TypeOf(v.models[i]).Elem())
		if err := form.Parse(line, got.Interface()); err != nil {
			return nil, input(i, fmt.Errorf("the exported value: %w", err))
		}
		diff, suffered := workload.Diff(v.models[i], got.Interface(), forgive)
		if diff != "" {
			return nil, input(i, errors.New(diff))
		}
		losses = append(losses, suffered...)
	}
}

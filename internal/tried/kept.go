// Package tried stores what a run on a user's own records needs besides its samples: the schema and its
// guesses, the question, and copies of .proto files. It answers questions from such runs, and prepares
// the schema and code that a user exports from them.
package tried

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"assay/internal/cachedir"
	"assay/internal/infer/protofile"
	"assay/internal/outfile"
	"assay/internal/refusal"
	"assay/internal/report"
	"assay/internal/userdata"
	"assay/internal/userfile"
	"assay/schema"
	"assay/schema/text"
)

// The files that this package adds to a run directory, and the directory for copies of .proto files.
const (
	SchemaFile = "schema.toml"
	DataFile   = "data.json"
	protoDir   = "proto"
)

// Keep writes the data about the records to a new run directory. If the records are messages, it also
// copies their .proto files.
func Keep(dir string, data report.TryData, proto *protofile.Result) error {
	if proto != nil {
		if err := copyProto(filepath.Join(dir, protoDir), proto); err != nil {
			return err
		}
	}
	if err := outfile.WriteNew(filepath.Join(dir, SchemaFile), []byte(data.Schema), 0o600); err != nil {
		return err
	}
	b, err := json.MarshalIndent(data, "", "  ")
	if err != nil {
		return err
	}
	return outfile.WriteNew(filepath.Join(dir, DataFile), append(b, '\n'), 0o600)
}

// mostFile is the largest size of a file of a run directory that is read: a stored run may come from
// somebody else.
const mostFile = 64 << 20

// readFile reads a regular file of a run directory. Other files, such as pipes, are errors, because
// reading them could block, and so is one larger than mostFile.
func readFile(dir, name string) ([]byte, error) {
	name = filepath.Join(dir, name)
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", name)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := userfile.All(f, mostFile)
	if errors.Is(err, userfile.ErrTooLarge) {
		err = fmt.Errorf("%s is larger than %d MiB, more than a run may have", name, mostFile>>20)
	}
	return data, err
}

// Recall reads the data that Keep wrote, and finds the records in the cache.
func Recall(ctx context.Context, cache cachedir.Dir, dir string, data *report.TryData) (*userdata.Data, error) {
	if err := Data(dir, data); err != nil {
		return nil, err
	}
	source, err := Source(ctx, dir, *data)
	if err != nil {
		return nil, err
	}
	d, err := userdata.Open(cache, source, data.Hash)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, refusal.Errorf("the records of run %s are not in the cache %s: name the cache that has them with --cache, or try %s again", filepath.Base(dir), cache.Path(), strings.Join(data.Files, " "))
	case err != nil:
		return nil, refusal.Errorf("%w: try %s again", err, strings.Join(data.Files, " "))
	}
	if data.MeasuredMean == 0 {
		d.Evenly()
	}
	return d, nil
}

// Source returns the source that a stored run's data describe. It cannot write the records.
func Source(ctx context.Context, dir string, data report.TryData) (userdata.Source, error) {
	s, err := text.Parse(filepath.Join(dir, SchemaFile), []byte(data.Schema))
	if err != nil {
		return userdata.Source{}, err
	}
	if s.Message(data.Root) == nil {
		return userdata.Source{}, refusal.Errorf("%s of run %s says that a record is the message %q, which its schema does not have", DataFile, filepath.Base(dir), data.Root)
	}
	source := userdata.Source{Files: data.Files, Schema: s, Root: data.Root, Guesses: data.Guesses, Notes: data.Notes, Bytes: data.Bytes, Total: data.Records}
	if data.Spelling != nil {
		source.Spelling, source.Spelled = *data.Spelling, true
	}
	if data.Proto == nil {
		return source, nil
	}
	r, err := storedProto(ctx, dir, *data.Proto)
	if err != nil {
		return source, err
	}
	return source.WithProto(r), nil
}

// Describe returns the data about records that reports need.
func Describe(d *userdata.Data) report.TryData {
	out := report.TryData{Data: *d.Plan(), Root: d.Root, Guesses: d.Guesses, Notes: d.Notes, Schema: string(text.Format(d.Schema))}
	out.Messages, out.Fields = counts(d.Schema)
	if d.Spelled {
		out.Spelling = &d.Spelling
	}
	if d.Proto != nil {
		out.Proto = &report.TryProto{Message: d.Proto.Message, Files: d.Proto.Named()}
	}
	return out
}

func counts(s *schema.Schema) (messages, fields int) {
	for _, m := range s.Messages {
		fields += len(m.Fields)
	}
	return len(s.Messages), fields
}

// copyProto copies the .proto files of a result into a directory, under their names in imports, so that
// storedProto finds them.
func copyProto(dir string, r *protofile.Result) error {
	for _, f := range r.Sources() {
		if !filepath.IsLocal(filepath.FromSlash(f.Name)) {
			return fmt.Errorf("keeping a copy of the .proto files: %s is not below a directory of imports; name that with -I", f.Name)
		}
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			return err
		}
		if err := outfile.WriteNew(name, f.Data, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// storedProto compiles the copies of .proto files in the directory of a run.
func storedProto(ctx context.Context, run string, p report.TryProto) (*protofile.Result, error) {
	dir := filepath.Join(run, protoDir)
	o := protofile.Options{ImportDirs: []string{dir}, Message: p.Message}
	for _, name := range p.Files {
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			return nil, refusal.Errorf("%s of run %s names the .proto file %q, which is not in the run", DataFile, run, name)
		}
		o.Files = append(o.Files, filepath.Join(dir, filepath.FromSlash(name)))
	}
	r, err := protofile.Compile(ctx, o)
	if err != nil {
		return nil, refusal.Errorf("the copies of the .proto files of run %s cannot be used: %v", run, err)
	}
	return r, nil
}

package intake

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"assay/internal/infer"
	"assay/internal/infer/gotype"
	"assay/internal/infer/protofile"
	"assay/internal/refusal"
	"assay/internal/userdata"
)

// Proto has the options for records that are protobuf messages.
type Proto struct {
	Message string   // --message: its name, as in pkg.Order; empty: the only one that no other holds
	Imports []string // --proto-path
	Form    string   // --proto-form, one of Forms; empty: decided by names and content of samples
}

// Forms returns the forms of samples of messages.
func Forms() []string {
	return []string{string(protofile.Binary), string(protofile.Delimited), string(protofile.JSON), string(protofile.Text)}
}

// given returns the name of a flag that was given, or "".
func (p *Proto) given() string {
	switch {
	case p.Message != "":
		return "--message"
	case len(p.Imports) > 0:
		return "--proto-path"
	case p.Form != "":
		return "--proto-form"
	}
	return ""
}

func (p *Proto) check() error {
	if p.Form == "" {
		return nil
	}
	if _, err := protofile.ParseForm(p.Form); err != nil {
		return refusal.Errorf("--proto-form: %v", err)
	}
	return nil
}

// IsProto reports whether a file is a .proto file according to its name.
func IsProto(name string) bool { return strings.HasSuffix(name, ".proto") }

// messages reads samples of protobuf messages.
func (in *Options) messages(ctx context.Context, samples []infer.Source, files []string) (userdata.Source, error) {
	r, err := protofile.Read(ctx, in.protoOptions(files, samples))
	if err != nil {
		return userdata.Source{}, Wrong(ctx, err)
	}
	s := userdata.Messages(in.Samples, r)
	s.Notes = append([]string{fmt.Sprintf("the records are messages %s of %s", r.Message, strings.Join(files, ", "))}, s.Notes...)
	return s, nil
}

// Wrong turns an error of reading into a refusal, unless the request is not to blame: the command was
// interrupted, or the error is a gotype.ProgramError about the user's module.
func Wrong(ctx context.Context, err error) error {
	if ctx.Err() != nil || errors.As(err, new(*gotype.ProgramError)) {
		return err
	}
	return refusal.Of(err)
}

package protofile

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"assay/internal/guess"
	"assay/internal/infer"
)

// chooseForms decides the forms of the samples.
func (r *Result) chooseForms() error {
	for _, s := range r.options.Samples {
		if r.options.Form != Auto {
			r.forms = append(r.forms, r.options.Form)
			continue
		}
		form, why, err := r.formOf(s)
		if err != nil {
			return err
		}
		r.forms = append(r.forms, form)
		if why != "" {
			r.Guesses = append(r.Guesses, guess.Guess{Path: s.Name, Decision: string(form), Reason: why, Overrule: "--proto-form FORM", Effect: guess.Type})
		}
	}
	return nil
}

// ends has the extensions of samples and their forms.
var ends = map[string]Form{
	".json": JSON, ".ndjson": JSON, ".jsonl": JSON,
	".txtpb": Text, ".textpb": Text, ".textproto": Text, ".prototxt": Text, ".pbtxt": Text,
}

// formOf returns the form of a sample. If its name does not decide, it also returns the reason.
func (r *Result) formOf(s infer.Source) (Form, string, error) {
	name := strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(s.Name), ".gz"), ".zst")
	if f := ends[filepath.Ext(name)]; f != Auto {
		return f, "", nil
	}
	in, err := s.Decompressed()
	if err != nil {
		return Auto, "", err
	}
	defer in.Close()
	b := bufio.NewReaderSize(in, 64<<10)
	head, err := b.Peek(512)
	if len(head) == 0 && err != nil && err != io.EOF {
		return Auto, "", fmt.Errorf("%s: %w", s.Name, err)
	}
	if looksJSON(head) && !hasControls(head) {
		return JSON, "it begins like JSON", nil
	}
	if looksText(head) && r.tryText(s) {
		return Text, "it reads as protobuf's text form", nil
	}
	frames, framesUnknown, cut := r.tryFrames(b)
	one, oneUnknown := r.tryWhole(s)
	switch {
	case cut && !one && framesUnknown == 0:
		return Delimited, fmt.Sprintf("it reads as %s with their lengths before them, and ends within another one", count(int64(frames), "message")), nil
	case !cut && frames > 0 && (!one || framesUnknown < oneUnknown || framesUnknown == oneUnknown && frames > 1):
		return Delimited, fmt.Sprintf("it reads as %s with their lengths before them", count(int64(frames), "message")), nil
	case one || frames > 0 && !cut:
		return Binary, "it reads as one message", nil
	}
	return Binary, "it reads neither as one message nor as messages with their lengths before them", nil
}

// looksJSON reports whether a text begins like the JSON of a message or of a list of messages.
func looksJSON(head []byte) bool {
	rest := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	if len(rest) == 0 || rest[0] != '{' && rest[0] != '[' {
		return false
	}
	next := bytes.TrimLeft(rest[1:], " \t\r\n")
	return len(next) == 0 || strings.IndexByte(`"}{][`, next[0]) >= 0
}

// hasControls reports whether the beginning of a file has a control character that no text has. Most
// messages in binary form have one, because numbers of fields and short lengths are such characters.
func hasControls(head []byte) bool {
	return bytes.ContainsFunc(head, func(c rune) bool { return c < ' ' && c != '\t' && c != '\r' && c != '\n' })
}

// looksText reports whether the beginning of a file is UTF-8 without control characters. Its last
// character may be cut off.
func looksText(head []byte) bool {
	for i := 0; i < len(head); {
		c, n := utf8.DecodeRune(head[i:])
		if c == utf8.RuneError && n == 1 && utf8.FullRune(head[i:]) {
			return false
		}
		i += n
	}
	return len(head) > 0 && !hasControls(head)
}

// tryText reports whether a file can be read as one message in text form.
func (r *Result) tryText(s infer.Source) bool {
	data, err := whole(s, r.options.MaxRecord)
	return err == nil && r.decoder.decode(Text, data, dynamicpb.NewMessage(r.desc)) == nil
}

// tries is how many messages tryFrames reads at most.
const tries = 100

// tryFrames reads messages with their lengths before them. It returns their number, and how many of
// their bytes are unknown fields. The number is 0 if one cannot be read, or if all are empty, as in a
// file of zeros. If the file ends within a message, cut is true and the number is that of those before.
func (r *Result) tryFrames(in *bufio.Reader) (messages, unknown int, cut bool) {
	f := &frames{in: in, most: r.options.MaxRecord}
	for messages < tries {
		data, err := f.next()
		if err == io.EOF {
			break
		}
		if errors.As(err, new(frameError)) && f.short && f.offset > int64(messages) {
			return messages, unknown, true
		}
		if err != nil {
			return 0, 0, false
		}
		m := dynamicpb.NewMessage(r.desc)
		if r.decoder.decode(Binary, data, m) != nil {
			return 0, 0, false
		}
		unknown += unknownBytes(m.ProtoReflect())
		messages++
	}
	if f.offset == int64(messages) {
		return 0, 0, false
	}
	return messages, unknown, false
}

// tryWhole reports whether a file can be read as one message, and how many of its bytes are unknown
// fields.
func (r *Result) tryWhole(s infer.Source) (ok bool, unknown int) {
	data, err := whole(s, r.options.MaxRecord)
	if err != nil || len(data) == 0 {
		return false, 0
	}
	m := dynamicpb.NewMessage(r.desc)
	if r.decoder.decode(Binary, data, m) != nil {
		return false, 0
	}
	return true, unknownBytes(m.ProtoReflect())
}

// unknownBytes returns how many bytes are unknown fields of a message and of the messages within it.
func unknownBytes(m protoreflect.Message) int {
	n := len(m.GetUnknown())
	m.Range(func(d protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case d.IsMap():
			if d.MapValue().Message() != nil {
				v.Map().Range(func(_ protoreflect.MapKey, v protoreflect.Value) bool {
					n += unknownBytes(v.Message())
					return true
				})
			}
		case d.Message() == nil:
		case d.IsList():
			for i := range v.List().Len() {
				n += unknownBytes(v.List().Get(i).Message())
			}
		default:
			n += unknownBytes(v.Message())
		}
		return true
	})
	return n
}

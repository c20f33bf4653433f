package emit

import "assay/schema"

// Tag returns the struct tags of libraries that follow encoding/json: under
// key, the field's name in text formats, with omitempty or omitzero when the
// field asks for it.
func Tag(key string) func(*schema.Message, *schema.Field) string {
	return tagged(key, ",omitzero")
}

// TagEmpty returns the struct tags of libraries that know omitempty only. Where
// what is absent is left out and what is empty is not, it is omitempty too, of a
// field that is held as Style.OmitZero says.
func TagEmpty(key string) func(*schema.Message, *schema.Field) string {
	return tagged(key, ",omitempty")
}

func tagged(key, zero string) func(*schema.Message, *schema.Field) string {
	return func(_ *schema.Message, f *schema.Field) string {
		name := f.TextName()
		switch {
		case f.OmitEmpty:
			name += ",omitempty"
		case f.OmitZero:
			name += zero
		}
		return key + `:"` + name + `"`
	}
}

// MessageReader is a type of generated packages, for the streams of libraries
// that read from an io.Reader; it needs package io. It has ReadByte because some
// of them put a bufio.Reader before a reader that has not.
const MessageReader = `
// A messageReader reads one message after another.
type messageReader struct{ data []byte }

func (r *messageReader) Read(p []byte) (int, error) {
	if len(r.data) == 0 {
		return 0, io.EOF
	}
	n := copy(p, r.data)
	r.data = r.data[n:]
	return n, nil
}

func (r *messageReader) ReadByte() (byte, error) {
	if len(r.data) == 0 {
		return 0, io.EOF
	}
	b := r.data[0]
	r.data = r.data[1:]
	return b, nil
}`

package emit

import "assay/schema"

// Tag returns the struct tags of libraries that follow encoding/json. The tag named key has the
// field's name in text formats, with omitempty or omitzero if the field requires it.
func Tag(key string) func(*schema.Message, *schema.Field) string {
	return tagged(key, ",omitzero")
}

// TagEmpty returns the struct tags of libraries that only know omitempty. A field that requires
// omitzero gets omitempty too; Style.OmitZero must then hold it in a way that keeps empty
// values.
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

// MessageReader declares a type of generated packages, for the streams of libraries that read
// from an io.Reader. It needs package io. It has ReadByte because some libraries wrap readers
// without ReadByte in a bufio.Reader.
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

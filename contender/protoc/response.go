package protoc

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"assay/contender"
)

// Files decodes an encoded google.protobuf.compiler.CodeGeneratorResponse. It returns the files
// in the plugin's order, named by their paths below the import path below. If below is empty,
// the names have no directories: those follow from the path of the .proto file and mean
// nothing. The error is the plugin's own error, or says that the bytes are not a valid
// response.
func Files(response []byte, below string) ([]contender.File, error) {
	a := answer{below: below}
	var failed string
	err := fields(response, func(number int, data []byte) error {
		switch number {
		case 1: // error
			failed = string(data)
		case 15: // file
			return a.file(data)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("the plugin's response is damaged: %w", err)
	}
	if failed != "" {
		return nil, fmt.Errorf("the plugin refused the schema: %s", failed)
	}
	return a.files, nil
}

// An answer collects the files of a response.
type answer struct {
	below string
	files []contender.File
}

// file adds a CodeGeneratorResponse.File. A file without a name continues the previous file,
// because a plugin may send a large file in parts.
func (a *answer) file(data []byte) error {
	var name, insertion string
	var content []byte
	err := fields(data, func(number int, data []byte) error {
		switch number {
		case 1:
			name = string(data)
		case 2:
			insertion = string(data)
		case 15:
			content = data
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("file %q: %w", name, err)
	}
	if insertion != "" {
		return fmt.Errorf("file %q: it is to be inserted at %q of another plugin's file, which this tool does not do", name, insertion)
	}
	if name == "" {
		if len(a.files) == 0 {
			return errors.New("the first file has no name")
		}
		last := &a.files[len(a.files)-1]
		last.Data = append(last.Data, content...)
		return nil
	}
	local, err := a.local(name)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(a.files, func(f contender.File) bool { return f.Name == local }) {
		return fmt.Errorf("there are two files named %s", local)
	}
	a.files = append(a.files, contender.File{Name: local, Data: slices.Clone(content)})
	return nil
}

// local returns the name of a file within the requested package.
func (a *answer) local(name string) (string, error) {
	local := path.Base(name)
	if a.below != "" {
		rest, ok := strings.CutPrefix(name, a.below+"/")
		if !ok {
			return "", fmt.Errorf("file %q is not below %s", name, a.below)
		}
		local = rest
	}
	if !fs.ValidPath(local) || local == "." || strings.ContainsAny(local, "\\\x00") {
		return "", fmt.Errorf("%q is no file name", name)
	}
	return local, nil
}

// fields calls f with the number and content of each length-delimited field of a message, and
// skips all other fields.
func fields(b []byte, f func(number int, data []byte) error) error {
	for len(b) > 0 {
		tag, n := binary.Uvarint(b)
		number := tag >> 3
		if n <= 0 || number == 0 || number > 1<<29-1 {
			return errors.New("a field has no valid tag")
		}
		b = b[n:]
		size := uint64(0)
		switch tag & 7 {
		case wireVarint:
			_, n := binary.Uvarint(b)
			if n <= 0 {
				return fmt.Errorf("field %d is cut off or no integer", number)
			}
			size = uint64(n)
		case wireFixed8:
			size = 8
		case wireFixed4:
			size = 4
		case wireBytes:
			v, n := binary.Uvarint(b)
			if n <= 0 {
				return fmt.Errorf("field %d is cut off or has no valid length", number)
			}
			b, size = b[n:], v
		default:
			return fmt.Errorf("field %d has wire type %d, which no response uses", number, tag&7)
		}
		if size > uint64(len(b)) {
			return fmt.Errorf("field %d is cut off: it has %d bytes and %d follow", number, size, len(b))
		}
		if tag&7 == wireBytes {
			if err := f(int(number), b[:size]); err != nil {
				return err
			}
		}
		b = b[size:]
	}
	return nil
}

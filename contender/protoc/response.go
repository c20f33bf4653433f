package protoc

import (
	"encoding/binary"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"assay/contender"
)

// Files takes apart an encoded google.protobuf.compiler.CodeGeneratorResponse.
// It returns the files in the plugin's order, named without their directories,
// which follow from the path of the .proto file and mean nothing here. The
// error is the plugin's own, or says that the bytes are no such response.
func Files(response []byte) ([]contender.File, error) {
	var files []contender.File
	var failed string
	err := fields(response, func(number int, data []byte) error {
		switch number {
		case 1: // error
			failed = string(data)
		case 15: // file
			return addFile(&files, data)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("the plugin's response is damaged: %w", err)
	}
	if failed != "" {
		return nil, fmt.Errorf("the plugin refused the schema: %s", failed)
	}
	return files, nil
}

// addFile adds a CodeGeneratorResponse.File. One without a name goes on where
// the file before it ended: a plugin may send a large file in parts.
func addFile(files *[]contender.File, data []byte) error {
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
		if len(*files) == 0 {
			return errors.New("the first file has no name")
		}
		last := &(*files)[len(*files)-1]
		last.Data = append(last.Data, content...)
		return nil
	}
	base := path.Base(name)
	if base == "." || base == ".." || base == "/" || strings.ContainsAny(base, "\\\x00") {
		return fmt.Errorf("%q is no file name", name)
	}
	if slices.ContainsFunc(*files, func(f contender.File) bool { return f.Name == base }) {
		return fmt.Errorf("there are two files named %s", base)
	}
	*files = append(*files, contender.File{Name: base, Data: slices.Clone(content)})
	return nil
}

// fields calls f with the number and content of each field of a message that
// has bytes as its content, and passes over the others.
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

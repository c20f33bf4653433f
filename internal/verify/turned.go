package verify

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"assay/result"
)

// turnOf returns by how many places the messages for a reader are turned: it decodes them in
// another order than that of the loaded values, so that it cannot pass the loaded values off as
// what it decoded. A session may need the order in which its messages were written.
func turnOf(reader result.Subject, messages int) int {
	if messages < 2 || strings.Contains(reader.Mode, "session=") {
		return 0
	}
	return 1 + rand.IntN(messages-1)
}

// turned returns messages that begin with the one at by, and end with those before it.
func turned(messages [][]byte, by int) [][]byte {
	return slices.Concat(messages[by:], messages[:by])
}

// mostExported is the largest file of values that is put into another order. A runner may write a file of
// any size, and values that verification sends have some MiB.
const mostExported = 4 << 30

// turnBack puts the values of a file, which were decoded from n messages that were turned by some
// places, into the order of the messages before that. It leaves a file as it is that does not have a
// header and n values: whoever compares it reports that.
func turnBack(file string, n, by int) error {
	in, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if info, err := in.Stat(); err == nil && info.Size() > mostExported {
		return in.Close() // whoever compares it reports it, within limits of its own
	}
	ends, err := lineEnds(in, n+1)
	if err != nil || len(ends) != n+1 {
		return errors.Join(err, in.Close())
	}
	out, err := os.CreateTemp(filepath.Dir(file), "turned-*")
	if err != nil {
		return errors.Join(err, in.Close())
	}
	header, middle, end := ends[0], ends[n-by], ends[n]
	for _, part := range [][2]int64{{0, header}, {middle, end}, {header, middle}} {
		_, failed := io.Copy(out, io.NewSectionReader(in, part[0], part[1]-part[0]))
		err = errors.Join(err, failed)
	}
	// Windows does not replace a file that is open.
	if err = errors.Join(err, in.Close(), out.Close()); err == nil {
		err = os.Rename(out.Name(), file)
	}
	if err != nil {
		os.Remove(out.Name())
	}
	return err
}

// lineEnds returns the offsets at which the lines of a file end, or nil if it has more than most.
func lineEnds(in io.Reader, most int) (ends []int64, err error) {
	r := bufio.NewReaderSize(in, 1<<20)
	for at := int64(0); ; {
		part, err := r.ReadSlice('\n')
		at += int64(len(part))
		switch {
		case bytes.HasSuffix(part, []byte{'\n'}):
			if ends = append(ends, at); len(ends) > most {
				return nil, nil
			}
		case errors.Is(err, io.EOF):
			if len(part) > 0 {
				return nil, nil // the last value has no end
			}
			return ends, nil
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}

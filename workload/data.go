package workload

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"assay/schema"
	"assay/schema/neutral"
)

// ReadFile returns the values of a file, one a line in neutral form. T is the model type
// of the schema's message root. Empty lines are skipped. An error has the file and the
// line. The Read of a workload calls it.
func ReadFile[T any](s *schema.Schema, root, file string) ([]T, error) {
	form, err := neutral.Of(s, root)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []T
	r := bufio.NewReaderSize(f, 1<<20)
	for line := 1; ; line++ {
		text, err := r.ReadBytes('\n')
		if len(bytes.TrimSpace(text)) > 0 {
			var v T
			if err := form.Parse(text, &v); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", file, line, err)
			}
			out = append(out, v)
		}
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

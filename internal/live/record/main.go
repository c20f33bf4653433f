// Command record runs assay on a terminal of its own and stores the output as an asciinema
// recording. The picture in README.md is made from it:
//
//	go run ./internal/live/record                        docs/live.cast, of assay run --quick
//	go run ./internal/live/record -out x.cast -- run -w movie
//	go test . -update                                    the picture in README.md
//
// Run it from the root of the repository. It overwrites only recordings of assay.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"

	"assay/internal/live/screen"
	"assay/internal/outfile"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("record: ")
	out := flag.String("out", "docs/live.cast", "write the recording to `FILE`")
	width := flag.Int("width", 100, "of the terminal, in `COLUMNS`")
	height := flag.Int("height", 40, "of the terminal, in `LINES`")
	flag.Parse()
	args := flag.Args()
	if len(args) == 0 {
		args = []string{"run", "--quick"}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := record(ctx, *out, *width, *height, args); err != nil {
		log.Fatal(err)
	}
}

// record builds assay, runs it, and writes the recording.
func record(ctx context.Context, out string, width, height int, args []string) error {
	dir, err := os.MkdirTemp("", "assay-record-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "assay")
	if said, err := exec.CommandContext(ctx, "go", "build", "-o", program, "./cmd/assay").CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w: %s", err, said)
	}
	cmd := exec.Command(program, args...)
	cmd.Dir = dir // the runs are removed together with the directory
	cmd.Env = append(os.Environ(), "TERM=xterm-256color")
	r, err := screen.Record(ctx, cmd, width, height, nil)
	if err != nil {
		return fmt.Errorf("assay %s: %w", typed(args), err)
	}
	r.Title = "assay " + typed(args)
	var text bytes.Buffer
	if err := r.Write(&text); err != nil {
		return err
	}
	return outfile.Replace(out, text.Bytes(), func(old []byte) bool {
		r, err := screen.Read(bytes.NewReader(old))
		return err == nil && strings.HasPrefix(r.Title, "assay ")
	})
}

// typed formats arguments as a user would type them.
func typed(args []string) string {
	var out []string
	for _, a := range args {
		if strings.ContainsAny(a, " |^$*?()\"") {
			a = "'" + a + "'"
		}
		out = append(out, a)
	}
	return strings.Join(out, " ")
}

package hostile

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"assay/internal/cachedir/cachetest"
	"assay/internal/rootonly"
)

// limited BYTES PROGRAM ARG... runs the program with a limit on its data segment (RLIMIT_DATA).
func limited() {
	err := func() error {
		var n uint64
		if _, err := fmt.Sscan(os.Args[1], &n); err != nil {
			return err
		}
		if err := syscall.Setrlimit(syscall.RLIMIT_DATA, &syscall.Rlimit{Cur: n, Max: n}); err != nil {
			return err
		}
		path, err := exec.LookPath(os.Args[2])
		if err != nil {
			return err
		}
		return syscall.Exec(path, os.Args[2:], os.Environ())
	}()
	fmt.Fprintln(os.Stderr, "limited:", err)
	os.Exit(99)
}

// A loop reads as head and then an endless repetition of body.
type loop struct {
	head, body string
	at         int
}

func (l *loop) Read(p []byte) (int, error) {
	if l.head != "" {
		n := copy(p, l.head)
		l.head = l.head[n:]
		return n, nil
	}
	for n := 0; n < len(p); {
		k := copy(p[n:], l.body[l.at:])
		n += k
		l.at = (l.at + k) % len(l.body)
	}
	return len(p), nil
}

// A limitFixture is a directory of bad inputs.
type limitFixture struct{ dir string }

func (f limitFixture) path(name string) string { return filepath.Join(f.dir, name) }

// newLimitFixture makes files, pipes and links to devices.
func newLimitFixture(t *testing.T) limitFixture {
	t.Helper()
	f := limitFixture{t.TempDir()}
	write := func(name string, write func(w io.Writer) error) {
		t.Helper()
		file, err := os.Create(f.path(name))
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(write(file), file.Close()); err != nil {
			t.Fatal(err)
		}
	}
	compressed := func(body string, head string, size int64) func(w io.Writer) error {
		return func(w io.Writer) error {
			z, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
			if err != nil {
				return err
			}
			_, err = io.CopyN(z, &loop{head: head, body: body}, size)
			return errors.Join(err, z.Close())
		}
	}
	text := func(s string) func(w io.Writer) error {
		return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
	}
	write("newlines.gz", compressed("\n", "", 400<<20))
	write("string.gz", compressed("x", `{"a":"`, 120<<20))
	zst := func(options ...zstd.EOption) func(w io.Writer) error {
		return func(w io.Writer) error {
			z, err := zstd.NewWriter(w, options...)
			if err != nil {
				return err
			}
			_, err = io.CopyN(z, &loop{head: `{"a":"`, body: "x"}, 300<<20)
			return errors.Join(err, z.Close())
		}
	}
	write("string.zst", zst())
	write("window.zst", zst(zstd.WithWindowSize(256<<20), zstd.WithEncoderConcurrency(1)))
	write("ok.json", text(`{"a":1}`))
	write("ok.proto", text("syntax = \"proto3\"; message A { int64 a = 1; }\n"))
	write("deep.proto", text("syntax = \"proto3\";\n"+strings.Repeat("message A {", 200_000)))
	write("deep.toml", text("a = "+strings.Repeat("[", 4_000_000)))
	if err := syscall.Mkfifo(f.path("pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	write("large", text(""))
	if err := os.Truncate(f.path("large"), 10<<30); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{
		"zero.proto": "/dev/zero", "pipe.proto": "pipe", "large.proto": "large", "dir.proto": ".",
	} {
		if err := os.Symlink(to, f.path(name)); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{"zero": "/dev/zero", "pipe": "../../pipe", "large": "../../large", "dir": "."} {
		dir := f.path("runners/" + name)
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, filepath.Join(dir, "runner.toml")); err != nil {
			t.Fatal(err)
		}
	}
	return f
}

// Endless or oversized input ends with an error that says what to do. The program has 256 MiB of
// memory and 64 MiB for temporary files, and leaves none of these behind.
func TestInputLimits(t *testing.T) {
	if testing.Short() {
		t.Skip("reads gigabytes")
	}
	cachetest.Once(t)
	f := newLimitFixture(t)
	temporary := t.TempDir()
	mounted := true
	if err := syscall.Mount("tmpfs", temporary, "tmpfs", 0, "size=64m"); err != nil {
		mounted = false
	} else {
		t.Cleanup(func() {
			if err := syscall.Unmount(temporary, 0); err != nil {
				t.Error(err)
			}
		})
	}
	const (
		large = ":1:1: a record that begins here is larger than 16 MiB; name smaller parts of it with --records, or allow more with --max-record"
		full  = "assay keeps the input in a temporary file to read it twice; writing that file failed after …: no space left on device; set TMPDIR to a directory with more room, or read less with --max-bytes"
		none  = "there is no record in the first 30 MB; give JSON documents one after another, or read more with --max-bytes"
	)
	records := &loop{body: `{"a":"` + strings.Repeat("x", 991) + `"}` + "\n"} // of 1000 bytes each
	for _, test := range []struct {
		args  string
		stdin *loop // nil for no input
		want  string
		fills bool // fills the directory for temporary files
		ok    bool // the command succeeds, and want is its note
	}{
		// Endless input.
		{args: "data infer -", stdin: records, want: "standard input: " + full, fills: true},
		{args: "data infer - --max-bytes 1MB", stdin: records, want: "only the first 1,000 records are read; --max-records and --max-bytes say how much", ok: true},
		{args: "data infer /dev/stdin --max-bytes 1MB", stdin: records, want: "only the first 1,000 records are read", ok: true},
		{args: "data infer /dev/fd/0 --max-records 5", stdin: records, want: "only the first 5 records are read", ok: true},
		{args: "data anonymize - --out {dir}/anonymous --max-bytes 1MB", stdin: records, want: "only the first 1,000 records are read", ok: true},
		{args: "data export - --out {dir}/out --max-bytes 300MB", stdin: records, want: "standard input: " + full, fills: true},
		{args: "try - --max-bytes 300MB", stdin: records, want: "standard input: " + full, fills: true},
		{args: "data infer - --max-bytes 30MB", stdin: &loop{body: "\n"}, want: "standard input: " + none},
		{args: "data infer - --max-bytes 30MB", stdin: &loop{head: "\xef\xbb\xbf", body: " \t"}, want: "standard input: " + none},
		{args: "data infer - --max-bytes 30MB", stdin: &loop{body: "null\n"}, want: "standard input: " + none},
		{args: "data infer -", stdin: &loop{body: "\n"}, want: "standard input: " + full, fills: true},
		{args: "data infer -", stdin: &loop{head: `"`, body: "x"}, want: "standard input" + large},
		{args: "data infer -", stdin: &loop{body: "1"}, want: "standard input" + large},
		{args: "data infer -", stdin: &loop{head: "{", body: `"x":1,`}, want: "standard input" + large},
		{args: "data infer -", stdin: &loop{head: `{"a":[{}`, body: ",{}"}, want: "standard input" + large},
		{args: "data infer -", stdin: &loop{head: "[", body: "\n"}, want: "standard input" + large},
		{args: "data infer -", stdin: &loop{head: "[null", body: ",null"}, want: "standard input" + large},
		{args: "data infer -", stdin: &loop{body: "["}, want: "standard input:1:10001: a value is nested more than 10,000 deep"},
		{args: "data infer -", stdin: &loop{body: `{"a":`}, want: "standard input:1:50001: a value is nested more than 10,000 deep"},
		{args: "data infer -", stdin: &loop{body: "x"}, want: "standard input:1:1: this is not JSON"},
		{args: "data infer -", stdin: &loop{body: "// x\n"}, want: "standard input:1:1: this is not JSON"},
		{args: "data infer - --skip-bad --max-bytes 30MB", stdin: &loop{body: "x\n"}, want: "there is no record that can be read; the first of 1 bad one: standard input:1:1: this is not JSON"},
		{args: "data infer - --records b[] --max-bytes 30MB", stdin: &loop{head: `{"a":[1`, body: ",1"}, want: "standard input: there is nothing at b[] in the first 30 MB; --records takes the path of the records, as in data.items[], and --max-bytes how much is read"},
		{args: "try {dir}/ok.proto --sample -", stdin: &loop{body: "\n"}, want: "standard input: the message is larger than 16777216 bytes; allow more with --max-record"},
		{args: "try {dir}/ok.proto --sample - --proto-form json", stdin: &loop{body: "\n"}, want: "standard input: " + full, fills: true},
		{args: "try {dir}/ok.proto --sample - --proto-form json --max-bytes 30MB", stdin: &loop{body: "\n"}, want: "standard input: there is no record in the first 30"},
		{args: "try {dir}/ok.proto --sample - --proto-form text", stdin: &loop{body: "\n"}, want: "standard input: the message is larger than 16777216 bytes; allow more with --max-record"},
		{args: "try {dir}/ok.proto --sample - --proto-form delimited --max-bytes 1MB", stdin: &loop{body: "\xff\xff\xff\x7f"}, want: "standard input: record 1, at byte 0: a message of 268435455 bytes is announced, more than the 16777216 that one may have: allow more with --max-record"},
		{args: "try {dir}/ok.proto --sample - --proto-form delimited --skip-bad --max-bytes 1MB --max-record 1MB", stdin: &loop{body: "\x02\xff\xff"}, want: "there is no record that can be read; the first of 500000 bad ones: standard input: record 1, at byte 0: these bytes are not such a message"},

		// Devices, decompression bombs, and paths that are no regular file.
		{args: "data infer /dev/zero", want: `/dev/zero:1:1: this is not JSON: invalid character '\x00' at start of value`},
		{args: "data infer /dev/urandom", want: "/dev/urandom:"},
		{args: "data infer /dev/null", want: "/dev/null: there are no records, the text is empty"},
		{args: "data infer {dir}", want: "{dir} is a directory; name the files in it"},
		{args: "data infer {dir}/newlines.gz", want: "newlines.gz: there are no records, the text is empty"},
		{args: "data infer {dir}/newlines.gz --max-bytes 30MB", want: "newlines.gz: " + none},
		{args: "data infer {dir}/string.gz", want: "string.gz" + large},
		{args: "data anonymize {dir}/string.gz", want: "string.gz" + large},
		{args: "data infer {dir}/string.zst", want: "string.zst" + large},
		{args: "data infer {dir}/window.zst", want: "window.zst: it takes more than 32 MiB of memory to decompress, as after zstd --ultra or --long; decompress it first, with zstd -d --long=31"},
		{args: "data infer {dir}/large", want: `large:1:1: this is not JSON: invalid character '\x00' at start of value`},
		{args: "try {dir}/ok.proto --sample /dev/zero", want: "/dev/zero: the message is larger than 16777216 bytes; allow more with --max-record"},
		{args: "try {dir}/ok.proto --sample {dir}/string.gz --proto-form text", want: "string.gz: the message is larger than 16777216 bytes; allow more with --max-record"},

		// Files that people write by hand.
		{args: "try {dir}/zero.proto --sample {dir}/ok.json", want: "zero.proto is a device, not a file"},
		{args: "try {dir}/pipe.proto --sample {dir}/ok.json", want: "pipe.proto is a pipe, not a file"},
		{args: "try {dir}/large.proto --sample {dir}/ok.json", want: "large.proto is larger than 16 MiB, the most that assay reads of such a file"},
		{args: "try {dir}/dir.proto --sample {dir}/ok.json", want: "dir.proto is a directory, not a file"},
		{args: "try {dir}/deep.proto --sample {dir}/ok.json", want: "deep.proto:2:2211: this is nested more than 200 deep"},
		{args: "try {dir}/ok.json --schema /dev/zero", want: "--schema: /dev/zero is a device, not a file"},
		{args: "try {dir}/ok.json --schema {dir}/pipe", want: "--schema: {dir}/pipe is a pipe, and nothing comes out of it"},
		{args: "try {dir}/ok.json --schema {dir}/large", want: "--schema: {dir}/large is larger than 16 MiB, the most that assay reads of such a file"},
		{args: "try {dir}/ok.json --schema {dir}/deep.toml", want: "deep.toml:1:205: this is nested more than 200 deep"},
		{args: "data infer {dir}/ok.json --schema /dev/stdin", stdin: &loop{body: "#\n"}, want: "--schema: /dev/stdin is larger than 16 MiB, the most that assay reads of such a file"},
		{args: "data export --schema {dir} --out {dir}/out", want: "--schema: {dir} is a directory, not a file"},
		{args: "claims /dev/zero", want: "cannot read the claims: /dev/zero is a device, not a file"},
		{args: "claims {dir}/pipe", want: "cannot read the claims: {dir}/pipe is a pipe, and nothing comes out of it"},
		{args: "claims {dir}/large", want: "cannot read the claims: {dir}/large is larger than 16 MiB, the most that assay reads of such a file"},
		{args: "verify --runner {dir}/runners/zero", want: "runner.toml is a device, not a file"},
		{args: "verify --runner {dir}/runners/pipe", want: "runner.toml is a pipe, not a file"},
		{args: "verify --runner {dir}/runners/large", want: "runner.toml is larger than 16 MiB, the most that assay reads of such a file"},
		{args: "verify --runner {dir}/runners/dir", want: "runner.toml is a directory, not a file"},
	} {
		name := test.args
		if test.stdin != nil {
			name += " < " + fmt.Sprintf("%.8q%.8q", test.stdin.head, test.stdin.body)
		}
		t.Run(name, func(t *testing.T) {
			if test.fills && !mounted {
				rootonly.Skip(t, "a small disk needs the right to mount one")
			}
			args := append([]string{"268435456", "assay"}, strings.Fields(strings.ReplaceAll(test.args, "{dir}", f.dir))...)
			cmd := exec.Command("limited", args...)
			cmd.Env = append(os.Environ(), "TMPDIR="+temporary, "XDG_CACHE_HOME="+f.dir)
			if test.stdin != nil {
				again := *test.stdin
				cmd.Stdin = &again
			}
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			watch := time.AfterFunc(2*time.Minute, func() { cmd.Process.Kill() })
			defer watch.Stop()
			err := cmd.Run()
			want := 2
			if test.ok {
				want = 0
			}
			if got := code(err); got != want {
				t.Errorf("exit code %d, want %d", got, want)
			}
			for said := range strings.SplitSeq(strings.ReplaceAll(test.want, "{dir}", f.dir), "…") {
				if !strings.Contains(stderr.String(), said) {
					t.Errorf("standard error does not say %q:\n%.1000s", said, &stderr)
				}
			}
			left, err := os.ReadDir(temporary)
			if err != nil || len(left) > 0 {
				t.Errorf("left behind: %v, %v", left, err)
			}
		})
	}
}

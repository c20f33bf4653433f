package userdata

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/internal/cachedir"
	"assay/schema"
)

func sample(name string, records ...string) Source {
	return Source{
		Files: []string{name + ".ndjson"}, Root: "Item", Bytes: 1,
		Schema: &schema.Schema{Name: name, Roots: []string{"Item"}, Messages: []*schema.Message{
			{Name: "Item", Fields: []*schema.Field{{Name: "id", Number: 1, Type: schema.Type{Kind: schema.Int64}}}},
		}},
		Total: int64(len(records)),
		Write: func(w io.Writer, original func([]byte) error) error {
			for _, r := range records {
				if err := original([]byte(r)); err != nil {
					return err
				}
			}
			// Write in pieces that do not end with lines, as a buffered writer would.
			text := strings.Join(records, "\n") + "\n"
			for len(text) > 0 {
				n := min(7, len(text))
				if _, err := io.WriteString(w, text[:n]); err != nil {
					return err
				}
				text = text[n:]
			}
			return nil
		},
	}
}

func lines(t *testing.T, file string) []string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
}

func TestRecords(t *testing.T) {
	var records []string
	for i := range 1000 {
		records = append(records, fmt.Sprintf(`{"id":%d,"pad":%q}`, i, strings.Repeat("x", 10000)))
	}
	cache := cachedir.In(t.TempDir())
	d, err := New(cache, sample("items", records...))
	if err != nil {
		t.Fatal(err)
	}
	if d.Records != 1000 || len(lines(t, d.All())) != 1000 {
		t.Fatalf("%d records, want 1000", d.Records)
	}
	if d.Timed() != 26 { // 256 KiB of records of 10 kB
		t.Errorf("%d are timed, want 26", d.Timed())
	}
	file, err := d.Sample()
	if err != nil {
		t.Fatal(err)
	}
	got := lines(t, file)
	parts := map[int]bool{}
	for _, line := range got {
		var r struct{ ID int }
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		parts[r.ID/100] = true
	}
	if len(got) != 26 || len(parts) != 10 {
		t.Errorf("the sample is not spread over the records: %d records, of %d tenths", len(got), len(parts))
	}
	if file, n, err := d.Spread(1 << 40); err != nil || n != 1000 || file != d.All() {
		t.Errorf("all records that fit: %s, %d, %v", file, n, err)
	}
	if file, n, err := d.Spread(1 << 20); err != nil || n != 104 || len(lines(t, file)) != 104 {
		t.Errorf("records of 10 kB in 1 MiB: %d, %v", n, err)
	}
	if file, n, err := d.Spread(1); err != nil || n != 1 || !strings.HasPrefix(lines(t, file)[0], `{"id":550,`) {
		t.Errorf("records in one byte: %d, %v", n, err)
	}
	var all []string
	var files []string
	for _, b := range d.Blocks(1 << 20) {
		if int(b.First) != len(all) {
			t.Errorf("a block begins with record %d, after %d", b.First, len(all))
		}
		if err := d.Block(b, func(file string) error {
			if info, _ := os.Stat(file); info.Size() > 1<<20 || info.Size() != b.Bytes {
				t.Errorf("a block has %d bytes, and says %d", info.Size(), b.Bytes)
			}
			all, files = append(all, lines(t, file)...), append(files, file)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	if strings.Join(all, "\n") != strings.Join(records, "\n") {
		t.Error("the blocks are not all records")
	}
	for _, f := range files {
		if _, err := os.Stat(f); err == nil {
			t.Errorf("%s is left", f)
		}
	}
	again, err := New(cache, sample("items", records...))
	if err != nil || again.Hash != d.Hash {
		t.Errorf("the same records again: %v", err)
	}
	opened, err := Open(cache, sample("items"), d.Hash)
	if err != nil || opened.Records != 1000 || opened.Neutral() != d.Neutral() {
		t.Errorf("opened: %+v, %v", opened, err)
	}
	left, _ := filepath.Glob(filepath.Join(cache.Path(), "user", "new", "*"))
	if len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

// New keeps some records as they are in the files, and Open finds them.
func TestOriginals(t *testing.T) {
	var records []string
	for i := range 1000 {
		records = append(records, fmt.Sprintf(`{"id":%d}`, i))
	}
	cache := cachedir.In(t.TempDir())
	tests := []struct {
		name    string
		records []string
		total   int64
		want    string
	}{
		{"many", records, 1000, "50 150 250 350 450 550 650 750 850 950"},
		{"few", records[:3], 3, "0 1 2"},
		{"as many", records[:10], 10, "0 1 2 3 4 5 6 7 8 9"},
		{"nobody knows", records, 0, "0 1 2 3 4 5 6 7 8 9"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			source := sample("items", tt.records...)
			source.Total = tt.total
			d, err := New(cache, source)
			if err != nil {
				t.Fatal(err)
			}
			opened, err := Open(cache, source, d.Hash)
			if err != nil {
				t.Fatal(err)
			}
			all, err := opened.Originals()
			var got []string
			for _, raw := range all {
				got = append(got, strings.TrimSuffix(strings.TrimPrefix(string(raw), `{"id":`), "}"))
			}
			if err != nil || strings.Join(got, " ") != tt.want {
				t.Errorf("kept %s, %v, want %s", got, err, tt.want)
			}
			if err := os.Remove(opened.entry.Path(originalsFile)); err != nil {
				t.Fatal(err)
			}
			if all, err = opened.Originals(); err != nil || len(all) > 0 {
				t.Errorf("without the file: %q, %v", all, err)
			}
			if _, err := New(cache, source); err != nil {
				t.Errorf("the same records again: %v", err)
			}
		})
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string]string{
		"orders": "orders", "movie": "movie_data", "app_linux": "app_linux_data", "load_test": "load_test_data", "builtin": "builtin_data",
		"boards_riscv": "boards_riscv_data", "sparc": "sparc_data", "mips64p32le": "mips64p32le_data", "all_wasm": "all_wasm_data", "in_go": "in_go", "a_unix": "a_unix",
	} {
		if got := Named(&schema.Schema{Name: name}).Name; got != want {
			t.Errorf("%s is called %s, want %s", name, got, want)
		}
	}
}

func TestCacheThatCannotBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, cache := range []cachedir.Dir{cachedir.In(file), cachedir.In(filepath.Join(file, "below")), {}} {
		_, err := New(cache, sample("items", `{"id":1}`))
		if err == nil || !strings.Contains(err.Error(), "--cache") {
			t.Errorf("cache %q: %v, want an error that names --cache", cache.Path(), err)
		}
	}
}

// TestNewAtOnce checks that several processes can store the same records in an empty cache at the
// same time, and that each can use them afterwards.
func TestNewAtOnce(t *testing.T) {
	for range 20 {
		cache := cachedir.In(t.TempDir())
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				d, err := New(cache, sample("items", `{"id":1}`))
				if err != nil {
					t.Error(err)
					return
				}
				if _, err := os.ReadFile(d.All()); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
	}
}

// A resumed run uses records that nothing has used for a long time. When its builds evict
// entries of the cache, the records must stay.
func TestOpenedStay(t *testing.T) {
	cache := cachedir.In(t.TempDir())
	d, err := New(cache, sample("items", `{"id":1}`))
	if err != nil {
		t.Fatal(err)
	}
	long := time.Now().Add(-24 * time.Hour)
	if err := os.Chtimes(d.entry.Path(), long, long); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(cache, sample("items"), d.Hash); err != nil {
		t.Fatal(err)
	}
	if _, err := cache.Evict(0, time.Now()); err != nil {
		t.Fatal(err)
	}
	if !d.entry.Exists() {
		t.Error("the records are gone")
	}
}

// New keeps the cache within its limit, also if no program is built afterwards, and its own records in it.
func TestNewEvicts(t *testing.T) {
	cache := cachedir.In(t.TempDir())
	e := cache.Entry(cachedir.Programs, strings.Repeat("0", 20))
	if err := e.WriteFile("layout-0", []byte("0123456789")); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(e.Path("layout-0"), cachedir.SizeLimit+1); err != nil {
		t.Skip("a file that is large and empty: ", err)
	}
	old := time.Now().Add(-100 * time.Hour)
	if err := os.Chtimes(e.Path(), old, old); err != nil {
		t.Fatal(err)
	}
	d, err := New(cache, sample("items", `{"id":1}`))
	if err != nil {
		t.Fatal(err)
	}
	if e.Exists() || !d.entry.Exists() {
		t.Errorf("an old program is there: %t; the records are: %t", e.Exists(), d.entry.Exists())
	}
}

// New writes damaged records again, and Open reports them.
func TestDamaged(t *testing.T) {
	var records []string
	for i := range 400 {
		records = append(records, fmt.Sprintf(`{"id":%d,"pad":%q}`, i, strings.Repeat("x", 2000)))
	}
	cache := cachedir.In(t.TempDir())
	d, err := New(cache, sample("items", records...))
	if err != nil {
		t.Fatal(err)
	}
	chosen, err := d.Sample()
	if err != nil {
		t.Fatal(err)
	}
	whole := map[string][]byte{}
	for _, name := range []string{d.All(), chosen} {
		if whole[name], err = os.ReadFile(name); err != nil {
			t.Fatal(err)
		}
	}
	damage := func(name string, data []byte) {
		t.Helper()
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, right := range whole {
		flipped := append([]byte(nil), right...)
		flipped[len(flipped)/2] ^= 1
		for what, data := range map[string][]byte{"cut": right[:len(right)/2], "empty": nil, "flipped": flipped} {
			damage(name, data)
			if name == d.All() {
				if _, err := Open(cache, sample("items"), d.Hash); err == nil || !strings.HasSuffix(err.Error(), " are damaged") {
					t.Errorf("%s: opened with %v", what, err)
				}
			}
			again, err := New(cache, sample("items", records...))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := again.Sample(); err != nil {
				t.Fatal(err)
			}
			for name, right := range whole {
				if now, err := os.ReadFile(name); string(now) != string(right) {
					t.Errorf("%s, %s: it has %d bytes and should have %d, %v", filepath.Base(name), what, len(now), len(right), err)
				}
			}
		}
	}
	if _, err := Open(cache, sample("items"), strings.Repeat("0", 20)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what was never there: %v", err)
	}
	// The hash of no records is that of an empty file, and no run has no records.
	none := newCounter(io.Discard).hashed()
	if err := cache.Entry(cachedir.Records, none).WriteFile(recordsFile, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(cache, sample("items"), none); err == nil || !strings.HasSuffix(err.Error(), " are damaged") {
		t.Errorf("no records: opened with %v", err)
	}
	if _, err := Open(cache, sample("items"), "../../.."); err == nil {
		t.Error("a path was taken for a hash")
	}
}

// If the cache cannot be written to, blocks are in a temporary directory that only the user
// can read, and they are removed afterwards.
func TestBlocksElsewhere(t *testing.T) {
	d, err := New(cachedir.In(t.TempDir()), sample("items", `{"id":1}`, `{"id":2}`, `{"id":3}`))
	if err != nil {
		t.Fatal(err)
	}
	d.cache = cachedir.Dir{}
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	t.Setenv("TMP", tmp)
	var got []string
	for _, b := range d.Blocks(1) {
		if err := d.Block(b, func(file string) error {
			got = append(got, lines(t, file)...)
			if info, err := os.Stat(filepath.Dir(file)); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
				t.Errorf("a block is in a directory with the mode %v, %v", info.Mode(), err)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	if len(got) != 3 {
		t.Errorf("the blocks have %q", got)
	}
	if left, _ := os.ReadDir(tmp); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

// New returns an error of the source unchanged, so that callers can tell it from an error of
// the cache.
func TestBadSource(t *testing.T) {
	cache := cachedir.In(t.TempDir())
	s := sample("items")
	bad := errors.New("line 3 is no JSON")
	s.Write = func(w io.Writer, _ func([]byte) error) error {
		io.WriteString(w, "{}\n")
		return bad
	}
	if _, err := New(cache, s); err != bad {
		t.Errorf("error = %v, want that of the source", err)
	}
	s.Write = func(io.Writer, func([]byte) error) error { return nil }
	if _, err := New(cache, s); err == nil || err.Error() != "items.ndjson: there is no record" {
		t.Errorf("no records: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(cache.Path(), "user", "*", "*")); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

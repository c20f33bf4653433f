//go:build unix

package drive_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/internal/drive"
	"assay/published"
	"assay/result"
)

// publishEnv makes the test binary a program of published benchmarks. Its value is a directory in
// which the benchmarks keep their state.
const publishEnv = "DRIVE_TEST_PUBLISH"

// publishedSets returns benchmarks that end in every possible way.
func publishedSets(dir string) []published.Set {
	first := func(what string) bool {
		f, err := os.OpenFile(filepath.Join(dir, what), os.O_CREATE|os.O_EXCL, 0o644)
		f.Close()
		return err == nil
	}
	rounds := 0 // of "late" in this process
	set := published.Set{Name: "sources/ways"}
	add := func(name string, memory int64, run func(b *testing.B)) {
		set.Benchmarks = append(set.Benchmarks, published.Benchmark{Name: name, Memory: memory, Run: run})
	}
	add("good", 0, func(b *testing.B) { b.ReportMetric(float64(os.Getpid()), "pid") })
	add("other", 0, func(b *testing.B) { fmt.Println("a library prints") })
	add("fatal", 0, func(b *testing.B) { b.Fatal("it is another value") })
	add("skip", 0, func(b *testing.B) { b.Skip() })
	add("panic", 0, func(*testing.B) { panic("recovered") })
	add("goroutine", 0, func(*testing.B) { go panic("not recovered"); select {} })
	add("exit", 0, func(*testing.B) { os.Exit(3) })
	add("hang", 0, func(*testing.B) { misbehave("hang") })
	add("alloc", 0, func(*testing.B) { misbehave("alloc") })
	add("large", 1<<40, func(*testing.B) { panic("started") })
	add("late", 0, func(*testing.B) {
		if rounds++; rounds == 2 {
			os.Exit(4)
		}
	})
	add("killed once", 0, func(*testing.B) {
		if first("killed") {
			misbehave("kill")
		}
	})
	add("killed", 0, func(*testing.B) { misbehave("kill") })
	return []published.Set{set, {Name: "exhibits/none"}}
}

func misbehave(how string) {
	f := fake{out: os.Stdout}
	f.misbehave(how, "", 1)
}

// publish runs requests and returns the records as lines.
func publish(t *testing.T, ctx context.Context, book *notebook, requests ...drive.PublishedRequest) ([]string, error) {
	t.Helper()
	dir := t.TempDir()
	cfg := drive.PublishedConfig{
		Binary: func(layout uint64) drive.Binary {
			return drive.Binary{Path: os.Args[0], Env: []string{publishEnv + "=" + dir}}
		},
		Limits:   drive.Limits{Memory: 256 << 20, Answer: time.Minute},
		Requests: requests,
	}
	for _, r := range requests {
		if slices.Contains(r.Names, "hang") {
			cfg.Limits.Answer = 5 * time.Second // for the whole request, on a busy machine
		}
	}
	err := drive.Published(ctx, cfg, book.sink, book.event)
	var lines []string
	for _, r := range book.records {
		b := r.Bench
		if b == nil {
			t.Fatalf("record %+v", r)
		}
		line := fmt.Sprintf("%d/%d %s", b.Layout, b.Round, b.Name)
		if b.Status != "" {
			line += fmt.Sprintf(": %s: %s", b.Status, b.Reason)
		}
		lines = append(lines, line)
	}
	return lines, err
}

func asked(rounds int, names ...string) drive.PublishedRequest {
	return drive.PublishedRequest{Set: "sources/ways", Names: names, Rounds: rounds, Benchtime: "1x"}
}

// A benchmark that fails does not cost the others their numbers.
func TestPublished(t *testing.T) {
	tests := []struct {
		name string
		fate string // status and reason; the reason may end in …
	}{
		{"fatal", "unverified: published_test.go:…"},
		{"skip", "unsupported: the benchmark skips itself"},
		{"panic", "panic: panic: recovered"},
		{"goroutine", "panic: panic: not recovered"},
		{"exit", "panic: exited with status 3 before answering"},
		{"hang", "timeout: no answer in 5s"},
		{"alloc", "oom: grew past 256 MiB"},
		{"large", "unsupported: needs about 1024.0 GiB of memory, of which it may use 256 MiB"},
		{"killed", "oom: killed from outside three times in a row…"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if testing.Short() && tt.name == "hang" {
				t.Skip("waits for a contender that hangs")
			}
			if raced && tt.name == "alloc" {
				t.Skip("its memory is that of the race detector")
			}
			t.Parallel()
			var book notebook
			lines, err := publish(t, t.Context(), &book, asked(2, "good", tt.name, "other"))
			if err != nil {
				t.Fatal(err)
			}
			fate, cut := strings.CutSuffix(tt.fate, "…")
			want := map[string]bool{"0/0 good": true, "0/0 other": true, "0/1 other": true, "0/1 good": true}
			fates := 0
			for _, line := range lines {
				if rest, ok := strings.CutPrefix(line, "0/0 "+tt.name+": "); ok {
					if fates++; rest != fate && !(cut && strings.HasPrefix(rest, fate)) {
						t.Errorf("%s, want %s", rest, tt.fate)
					}
					continue
				}
				if !want[line] {
					t.Errorf("record %s, which was not to come or came before", line)
				}
				delete(want, line)
			}
			if len(want) > 0 || fates != 1 {
				t.Errorf("records %q lack %v", lines, want)
			}
			last, ok := book.events[len(book.events)-1].(drive.BenchDone)
			if !ok || last.Done != 6 || last.Total != 6 {
				t.Errorf("the last event is %+v", book.events[len(book.events)-1])
			}
		})
	}
}

func TestPublishedTurns(t *testing.T) {
	var book notebook
	second := asked(1, "other", "good")
	second.Layout = 7
	lines, err := publish(t, t.Context(), &book, asked(3, "good", "other"), second)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"0/0 good", "0/0 other", "0/1 other", "0/1 good", "0/2 good", "0/2 other", "7/0 other", "7/0 good"}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
	b := book.records[0].Bench
	if b.Set != "sources/ways" || b.Benchtime != "1x" || b.N != 1 || b.Extra["pid"] == 0 {
		t.Errorf("record %+v", b)
	}
	if b.Extra["pid"] == book.records[7].Bench.Extra["pid"] {
		t.Error("two requests had one process")
	}
}

// A benchmark that dies in its second round is dropped, and no round of another benchmark is
// recorded twice.
func TestPublishedLate(t *testing.T) {
	var book notebook
	lines, err := publish(t, t.Context(), &book, asked(3, "late", "good", "other"))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"0/0 late", "0/0 good", "0/0 other", "0/1 other", "0/1 good",
		"0/1 late: panic: exited with status 4 before answering: a library prints", "0/2 other", "0/2 good",
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
}

// A benchmark that a signal from outside killed once is run again.
func TestPublishedKilledOnce(t *testing.T) {
	var book notebook
	lines, err := publish(t, t.Context(), &book, asked(1, "good", "killed once"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"0/0 good", "0/0 killed once"}, lines); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
}

func TestPublishedErrors(t *testing.T) {
	badTime := asked(1, "good")
	badTime.Benchtime = "long"
	tests := []struct {
		name    string
		request drive.PublishedRequest
		want    string
	}{
		{"set", drive.PublishedRequest{Set: "sources/way", Rounds: 1}, "the program has no benchmarks sources/way"},
		{"benchmark", asked(1, "good", "better"), "sources/ways has no benchmark better"},
		{"benchtime", badTime, `sources/ways cannot be run: benchtime "long": invalid duration`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var book notebook
			_, err := publish(t, t.Context(), &book, tt.request)
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("error %v, want %s", err, tt.want)
			}
			if len(book.records) > 0 {
				t.Errorf("records %+v", book.records)
			}
		})
	}
	t.Run("all of a set", func(t *testing.T) {
		var book notebook
		if lines, err := publish(t, t.Context(), &book, drive.PublishedRequest{Set: "exhibits/none", Rounds: 1}); err != nil || len(lines) > 0 {
			t.Errorf("%q, %v", lines, err)
		}
	})
	t.Run("sink", func(t *testing.T) {
		full := errors.New("disk full")
		cfg := drive.PublishedConfig{
			Binary: func(uint64) drive.Binary {
				return drive.Binary{Path: os.Args[0], Env: []string{publishEnv + "=" + t.TempDir()}}
			},
			Requests: []drive.PublishedRequest{asked(1, "good", "other")},
		}
		if err := drive.Published(t.Context(), cfg, func(result.Record) error { return full }, func(drive.Event) {}); err != full {
			t.Errorf("error %v, want the sink's", err)
		}
	})
	t.Run("not that program", func(t *testing.T) {
		cfg := drive.PublishedConfig{
			Binary:   func(uint64) drive.Binary { return drive.Binary{Path: "/bin/false"} },
			Requests: []drive.PublishedRequest{asked(1, "good")},
		}
		if err := drive.Published(t.Context(), cfg, nil, func(drive.Event) {}); err == nil || !strings.Contains(err.Error(), "asking /bin/false what it has") {
			t.Errorf("error %v", err)
		}
	})
}

func TestPublishedCancelled(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	interrupted := errors.New("interrupted")
	var book notebook
	time.AfterFunc(300*time.Millisecond, func() { cancel(interrupted) })
	if _, err := publish(t, ctx, &book, asked(1, "good", "hang")); err != interrupted {
		t.Errorf("error %v, want the context's", err)
	}
}

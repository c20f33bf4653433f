package chaos

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"assay/internal/cachedir"
	"assay/internal/process"
	"assay/internal/runlock"
	"assay/result"
)

// whole returns the complete lines of samples, without an unfinished last line.
func whole(samples []byte) []byte { return samples[:bytes.LastIndexByte(samples, '\n')+1] }

// lost checks that all complete lines of before are still in the same places in after.
func lost(before, after []byte) []string {
	before = whole(before)
	if bytes.HasPrefix(after, before) {
		return nil
	}
	had, have := bytes.Count(before, []byte("\n")), 0
	for line := range bytes.Lines(before) {
		if !bytes.HasPrefix(after, line) {
			break
		}
		after = after[len(line):]
		have++
	}
	return []string{fmt.Sprintf("line %d of samples that was there is lost or another one: there were %d", have+1, had)}
}

// keys counts the records of a run by their subject: one key for each launch of a cell, each
// count of a case, and so on. Disturbed launches and notes have no key.
func keys(records []result.Record) map[string]int {
	out := map[string]int{}
	for _, r := range records {
		key := ""
		switch {
		case r.Launch != nil && r.Launch.Disturbed == "":
			l := r.Launch
			key = fmt.Sprintf("launch %d of %v in layout %d", l.Index, l.Cell, l.Layout)
			var series []string
			for _, s := range l.Series {
				series = append(series, fmt.Sprintf("%s %s: %d rounds", s.Subject, s.Role, len(s.Round)))
			}
			slices.Sort(series)
			key += ": " + strings.Join(series, ", ")
		case r.Count != nil:
			key = "count of " + r.Count.Case.String()
		case r.Verification != nil:
			v := r.Verification
			key = fmt.Sprintf("round trip of %s/%s/%s", v.Workload, v.Size, v.Subject)
			if v.From != nil {
				key += " from " + v.From.String()
			}
		case r.Calibration != nil:
			key = "batch of " + r.Calibration.Case.String() + " " + r.Calibration.Role
		case r.Outcome != nil:
			key = fmt.Sprintf("outcome %s of %s", r.Outcome.Status, r.Outcome.Case)
		case r.Steady != nil:
			key = fmt.Sprintf("CPU time %d of %s, %d MiB live", r.Steady.Index, r.Steady.Case, r.Steady.LiveMB)
		case r.Cold != nil:
			key = "first calls of " + r.Cold.Case.String()
		case r.Retained != nil:
			key = "kept heap of " + r.Retained.Case.String()
		case r.Peak != nil:
			key = "peak of " + r.Peak.Case.String()
		case r.Compressed != nil:
			key = "compressed sizes of " + r.Compressed.Case.String()
		}
		if key != "" {
			out[key]++
		}
	}
	return out
}

// complete checks that a run has every record of an undisturbed run of its plan, as often, and no
// other records.
func complete(undisturbed, got map[string]int) []string {
	var wrong []string
	for _, key := range slices.Sorted(maps.Keys(undisturbed)) {
		if got[key] == 0 {
			wrong = append(wrong, "missing: "+key)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(got)) {
		switch {
		case undisturbed[key] == 0:
			wrong = append(wrong, "an undisturbed run does not have: "+key)
		case got[key] > undisturbed[key]:
			wrong = append(wrong, fmt.Sprintf("%d times instead of %d: %s", got[key], undisturbed[key], key))
		}
	}
	return wrong
}

// runFiles are the files that a run directory may hold when no process writes to it.
var runFiles = []string{"run.json", "samples.jsonl", "data.json", "question.json", "schema.toml"}

// whatIs checks the directory of a run that has ended: the run is complete, its lock is free, it
// has no unexpected files, and its samples can be read without a warning. It returns the run and
// its records.
func whatIs(dir string) (run *result.Run, records []result.Record, wrong []string) {
	run, records, warnings, err := result.Read(dir)
	if err != nil {
		return nil, nil, []string{"the run cannot be read: " + err.Error()}
	}
	if !run.Complete() {
		wrong = append(wrong, "the run is not marked as complete")
	}
	for _, w := range warnings {
		wrong = append(wrong, "warning: "+w)
	}
	wrong = append(wrong, locked(dir)...)
	for _, name := range names(dir) {
		if !slices.Contains(runFiles, name) {
			wrong = append(wrong, "left in the run directory: "+name)
		}
	}
	return run, records, wrong
}

// locked checks that no process holds the lock of a run.
func locked(dir string) []string {
	if owner := runlock.Holder(dir); owner != nil {
		return []string{fmt.Sprintf("the run is locked by %s", owner)}
	}
	return nil
}

// names returns the names of the entries of a directory; none if it does not exist. If the
// directory cannot be read, the error text is the only name.
func names(dir string) []string {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return []string{err.Error()}
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

// left checks that a directory for temporary files is empty, apart from ballast.
func left(temporary string) []string {
	var wrong []string
	for _, name := range names(temporary) {
		if name != ballast {
			wrong = append(wrong, "left in TMPDIR: "+name)
		}
	}
	return wrong
}

// ballast is the file that fills a disk.
const ballast = "ballast-of-chaos"

// strays checks that a results directory holds only runs after result.Tidy has cleaned it. Tidy
// removes only old files, because young ones may belong to another process; strays therefore
// passes it a time in the future.
func strays(results string) []string {
	result.Tidy(results, time.Now().Add(2*time.Hour))
	var wrong []string
	for _, name := range names(results) {
		if name == ballast {
			continue
		}
		if _, err := os.Stat(filepath.Join(results, name, "run.json")); err != nil {
			wrong = append(wrong, "left in the results directory: "+name)
		}
	}
	return wrong
}

// making matches the names of unfinished entries in the cache.
var making = regexp.MustCompile(`^\.?new-[0-9a-z]{1,13}$`)

// unfinished checks that the cache holds no unfinished entry after an eviction. Eviction removes
// only old entries, because young ones may belong to another process; unfinished therefore passes
// it a time in the future.
func unfinished(cache string) []string {
	if _, err := os.Stat(cache); err != nil {
		return nil
	}
	if _, err := cachedir.In(cache).Evict(math.MaxInt64, time.Now().Add(25*time.Hour)); err != nil {
		return []string{"the cache cannot be cleaned: " + err.Error()}
	}
	var wrong []string
	err := filepath.WalkDir(cache, func(name string, d fs.DirEntry, err error) error {
		if err == nil && making.MatchString(d.Name()) {
			rel, _ := filepath.Rel(cache, name) // cannot fail: name is below cache
			wrong = append(wrong, "left in the cache for good: "+rel)
		}
		return err
	})
	if err != nil {
		wrong = append(wrong, err.Error())
	}
	return wrong
}

// crashed checks that a program did not crash, and quotes the lines around the first sign of a
// crash. memory says that the program's memory was limited; then some crashes are accepted.
//
// A panic is accepted only if its message says that the system gives no memory: the loader of
// sonic's compiled code panics with the error of mmap. A segmentation violation in Go code, which
// prints "[signal SIGSEGV", is never accepted. One in the runtime is accepted: a program of 40
// lines without any library, whose address space was limited to about what it had, died of a
// segmentation violation in 19 of 333 tries.
func crashed(stderr []byte, memory bool) []string {
	lines := strings.Split(string(stderr), "\n")
	for i, line := range lines {
		for _, sign := range []string{"panic: ", "fatal error: ", "SIGSEGV", "runtime: "} {
			_, after, found := strings.Cut(line, sign)
			if !found {
				continue
			}
			if memory && forgiven(line, sign, after) {
				continue
			}
			return []string{"it crashed: " + strings.Join(around(lines, i), " | ")}
		}
	}
	return nil
}

// forgiven reports whether a line with a sign of a crash is accepted when memory is lacking.
func forgiven(line, sign, after string) bool {
	switch sign {
	case "panic: ":
		return noMemory(sign + after)
	case "SIGSEGV":
		return !strings.Contains(line, "[signal ")
	}
	return true
}

// around returns the lines that explain a crash at line i: one line before it and the beginning
// of the trace, without empty lines.
func around(lines []string, i int) []string {
	const before, after = 1, 12
	return slices.DeleteFunc(slices.Clone(lines[max(0, i-before):min(len(lines), i+after)]), func(l string) bool { return l == "" })
}

// noMemory reports whether a message says that the system gives no more memory.
func noMemory(message string) bool {
	return slices.ContainsFunc(process.MemoryWords(), func(words string) bool { return strings.Contains(message, words) })
}

// lacked reports whether a case of a run has no number because memory was lacking.
func lacked(records []result.Record) bool {
	return slices.ContainsFunc(records, func(r result.Record) bool {
		return r.Outcome != nil && (r.Outcome.Status == result.OOM || lacking.MatchString(r.Outcome.Reason))
	})
}

// lacking matches messages about a lack of memory and its consequences.
var lacking = regexp.MustCompile(`memory|new OS thread|resource temporarily unavailable`)

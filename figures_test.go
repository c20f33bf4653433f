package assay_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"assay/contenders"
	"assay/internal/flags"
	"assay/internal/phrase"
	"assay/internal/plan"
	"assay/result"
	"assay/workload"
	"assay/workload/builtin"
	"assay/workload/probes"
)

// words are small numbers as the documents write them without a unit.
var words = map[string]string{"2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven", "8": "eight", "9": "nine", "10": "ten"}

// TestFigures checks that the figures in the documents agree with the code. Each sentence is
// formatted with the code's own constants, and must be in its document, apart from line breaks.
func TestFigures(t *testing.T) {
	c := constantsIn(t, "bench", "internal/*", "published/*", "result")
	percent := func(name string) string { return number(c.value(t, name)*100) + "%" }
	plain := func(name string) string { return number(c.value(t, name)) }
	mib := func(name string) string { return number(c.value(t, name)/(1<<20)) + " MiB" }
	inMinutes := func(a flags.Amount) string { return number(a.Budget.Minutes()) }
	inSeconds := func(a flags.Amount) string { return number(a.Budget.Seconds()) }
	seconds := func(name string) string { return number(c.value(t, name) / float64(time.Second)) }
	ms := func(name string) string { return number(c.value(t, name) / float64(time.Millisecond)) }
	hours := func(name string) string { return number(c.value(t, name) / float64(time.Hour)) }
	gib := func(name string) string { return number(c.value(t, name)/(1<<30)) + " GiB" }
	grouped := func(name string) string { return phrase.Grouped(int64(c.value(t, name))) }
	inWords := func(figure string) string { return words[figure] }

	var byDefault int
	for _, one := range contenders.All() {
		if one.Group == "" {
			byDefault++
		}
	}
	inputs := int64(workload.Size{Bytes: 1}.Inputs())
	most := int64(1) // the largest value in bytes that still has that many inputs
	for (workload.Size{Bytes: most + 1}).Inputs() == int(inputs) {
		most++
	}

	for _, f := range []struct {
		document, sentence string
		figures            []any
	}{
		{"README.md", "the %d default contenders; `--all` adds %d more", []any{byDefault, len(contenders.All()) - byDefault}},
		{"README.md", "Add `--quick` for a first look: %s seconds for `run`, %s for `try`", []any{inSeconds(flags.QuickRun), inSeconds(flags.QuickTry)}},
		{"README.md", "at most %s, besides what was used in the last %s hours", []any{gib("SizeLimit"), inWords(hours("inUse"))}},
		{"METHODOLOGY.md", "The program is linked %d times with its functions in random order", []any{flags.FullRun.Layouts}},
		{"METHODOLOGY.md", "It has a %s confidence interval over layouts", []any{percent("confidence")}},
		{"METHODOLOGY.md", "Differences below %s are never ranked. Ranks and ties allow", []any{percent("margin")}},
		{"METHODOLOGY.md", "Differences below %s are never ranked: contention", []any{percent("margin")}},
		{"METHODOLOGY.md", "*told apart* when the interval lies more than %[1]s away from no difference. They are *tied* when it lies within %[1]s.", []any{percent("margin")}},
		{"METHODOLOGY.md", "so they are tied within %s, not %s", []any{percent("versionMargin"), percent("margin")}},
		{"METHODOLOGY.md", "`assay compare` treats counts within %s as equal", []any{percent("exactMargin")}},
		{"METHODOLOGY.md", "false discovery rate of %s. ", []any{percent("FalseDiscovery")}},
		{"METHODOLOGY.md", "There are %s workloads, all small", []any{map[int]string{5: "five", 6: "six", 7: "seven"}[len(builtin.All())-1]}}, // the probes are no workload to measure
		{"METHODOLOGY.md", "has %d rare values", []any{len(probes.All)}},
		{"METHODOLOGY.md", "works on %d distinct values in turn, or on as many as fit into %d KiB", []any{inputs, inputs * most >> 10}},
		{"METHODOLOGY.md", "**A batch takes at least %d µs and %d operations.** If %[2]d operations take more than %d ms",
			[]any{plan.Batch.BatchNS / 1000, plan.Batch.MinOps, plan.Batch.MaxNS / 1_000_000}},
		{"METHODOLOGY.md", "the two differ by at most %s of the wall time", []any{percent("cleanShare")}},
		{"METHODOLOGY.md", "forced between them**, once more than %s were allocated", []any{mib("GarbageLimit")}},
		{"METHODOLOGY.md", "A ballast of %s that nobody touches", []any{mib("ballastSize")}},
		{"METHODOLOGY.md", "one link layout: %s rounds of warm-up, which are dropped, and %s rounds that count", []any{plain("fullWarmup"), plain("fullRounds")}},
		{"METHODOLOGY.md", "fewer rounds, down to %s of warm-up and %s that count", []any{plain("leastWarmup"), plain("leastRounds")}},
		{"METHODOLOGY.md", "layout k: %d random layouts by default, %d with `--quick`", []any{flags.FullRun.Layouts, flags.QuickRun.Layouts}},
		{"METHODOLOGY.md", "on two looks in a row**: ±%s, or what `--precision` asks", []any{percent("stopAt")}},
		{"METHODOLOGY.md", "refuses a `--precision` below ±%s.", []any{percent("Finest")}},
		{"METHODOLOGY.md", "%s minutes for `assay run` and %s seconds with `--quick`, %s and %s seconds for `assay try`, %s and %s minutes for `assay claims`",
			[]any{inMinutes(flags.FullRun), inSeconds(flags.QuickRun), inSeconds(flags.FullTry), inSeconds(flags.QuickTry), inMinutes(flags.FullClaims), inMinutes(flags.QuickClaims)}},
		{"METHODOLOGY.md", "It measures %s seconds of A/A", []any{inWords(seconds("doctorBudget"))}},
		{"CONTRIBUTING.md", "in lock step on one CPU, %d layouts a side, until the ratios are precise or for about %s minutes", []any{flags.FullSides.Layouts, inWords(inMinutes(flags.FullSides))}},
		{"METHODOLOGY.md", "in a launch is more than %s times the best", []any{plain("NearSentinel")}},
		{"METHODOLOGY.md", "at least %s of the samples were clean; in three launches of four the sentinel was within a tenth of the best; " +
			"at most %s of one CPU's time was stolen; other programs are known to have used at most %s of all CPUs' time; the reference is within %s of itself",
			[]any{percent("cleanA"), percent("stealA"), percent("othersA"), percent("controlLimit")}},
		{"METHODOLOGY.md", "under %s of the samples were clean, or other programs used a %s of all CPUs' time: read only the ratios",
			[]any{percent("cleanC"), map[string]string{"25%": "quarter"}[percent("Crowded")]}},
		{"METHODOLOGY.md", "fewer than %s random layouts; or half of its ratios are wider than ±%s", []any{plain("LeastLayouts"), percent("WideC")}},
		{"METHODOLOGY.md", "With fewer than %s random layouts, assay names no winner by time", []any{plain("LeastLayouts")}},
		{"METHODOLOGY.md", "is wider than ±%s. The answer then says", []any{percent("WideC")}},
		{"METHODOLOGY.md", "with a prior of %s, worth %s degrees of freedom", []any{percent("priorEnvironment"), plain("priorWorth")}},
		{"METHODOLOGY.md", "So sessions are the replications, and %s of them give", []any{inWords(plain("sessionsBehind"))}},
		{"METHODOLOGY.md", "the interval of a ratio of two such times by a factor of %s either way", []any{plain("session")}},
		{"METHODOLOGY.md", "or of a ratio of pauses, is widened by a factor of %s instead", []any{plain("sessionPause")}},
		{"METHODOLOGY.md", "parts of the run (up to %s, each", []any{inWords(plain("mostParts"))}},
		{"METHODOLOGY.md", "a tenth of what a sentinel is above %s times its best (2%% at 1.3 times), at least %s where under %s of the samples were clean or no clock can tell, and at most %s",
			[]any{plain("NearSentinel"), percent("dirtySession"), percent("cleanC"), percent("mostSession")}},
		{"METHODOLOGY.md", "The bound is %s; a runner", []any{percent("unreported")}},
		{"METHODOLOGY.md", "A size less than %s below what is in use", []any{percent("meagre")}},
		{"METHODOLOGY.md", "Every mode sees every record up to %s in total", []any{mib("blockBytes")}},
		{"METHODOLOGY.md", "block by block, for up to a %s of the budget", []any{map[string]string{"3": "third"}[plain("blocksShare")]}},
		{"METHODOLOGY.md", "would alone take more than %s of the budget", []any{map[string]string{"0.5": "half"}[plain("firstShare")]}},
		{"METHODOLOGY.md", "it times no value of more than %s, and counts none of more than %s", []any{mib("quickTimed"), mib("quickCounted")}},
		{"METHODOLOGY.md", "and %s ns more for each byte of values that the contenders of a launch hold", []any{plain("collectionByte")}},
		{"METHODOLOGY.md", "more than %s (%s with `--quick`), the stream", []any{mib("packBytes"), mib("quickPackBytes")}},
		{"METHODOLOGY.md", "as many processes verify at the same time as there are CPUs, at most %s.", []any{inWords(plain("mostAbreast"))}},
		{"METHODOLOGY.md", "goes on for %s steps or %s ms", []any{grouped("longOps"), ms("longFor")}},
		{"METHODOLOGY.md", "the first %s or %s, whichever is less, but at least one, unless that one has more than %s", []any{plain("firstInputs"), mib("firstBytes"), mib("mostBytes")}},
		{"METHODOLOGY.md", "After one batch in about %s, at random", []any{plain("spotEvery")}},
		{"METHODOLOGY.md", "at most %s%% of the launch", []any{number(100 / c.value(t, "spotShare"))}},
		{"METHODOLOGY.md", "no sign of life for %s seconds, and an external contender that does not answer for %s seconds", []any{seconds("hangLimit"), seconds("outsideLimit")}},
		{"METHODOLOGY.md", "A case may take %s, and %s times the memory of its values", []any{gib("spareLimit"), plain("spareTimes")}},
		{"METHODOLOGY.md", "A process may take %s, or", []any{gib("memoryLimit")}},
		{"METHODOLOGY.md", "If new values take more than %s longer, the row says so", []any{number(100*result.SeenMargin) + "%"}},
		{"METHODOLOGY.md", "and %s ns an operation besides, calibration", []any{plain("streakLeast")}},
		{"METHODOLOGY.md", "may take %s ns longer in place of %s", []any{plain("inPlaceLeast"), plain("streakLeast")}},
		{"METHODOLOGY.md", "thread-CPU time of an operation over %s tries", []any{inWords(plain("calibrationTries"))}},
		{"METHODOLOGY.md", "A cell gets %s launches, one of them in the ordinary layout", []any{inWords(plain("leastLaunches"))}},
		{"METHODOLOGY.md", "launches of a cell over a minute (%s seconds with `--quick`)", []any{inWords(seconds("quickSpan"))}},
		{"METHODOLOGY.md", "with the weight of %s degrees of freedom", []any{plain("priorDF")}},
		{"METHODOLOGY.md", "in looks only, if there are %s rows or more", []any{inWords(plain("leastRows"))}},
		{"METHODOLOGY.md", "With fewer than %s common layouts", []any{inWords(plain("LeastLayouts"))}},
		{"METHODOLOGY.md", "At least %s of the budget is left", []any{percent("reserve")}},
		{"METHODOLOGY.md", "are planned with %s ms, and", []any{ms("collection")}},
		{"METHODOLOGY.md", "The sentinel**, in every %sth round", []any{inWords(plain("sentinelEvery"))}},
		{"METHODOLOGY.md", "take part in one round of %s", []any{inWords(plain("floorEvery"))}},
		{"METHODOLOGY.md", "own in %d random layouts (%s with `--quick`)", []any{flags.FullSides.Layouts, inWords(fmt.Sprint(flags.QuickSides.Layouts))}},
		{"METHODOLOGY.md", "after one launch of each layout, and makes at most %s launches of each layout.", []any{inWords(plain("sideTurns"))}},
		{"METHODOLOGY.md", "One set of them runs in each of %s layouts", []any{inWords(plain("steadySets"))}},
		{"METHODOLOGY.md", "may grow into, up to %s, because", []any{mib("mostRoom")}},
		{"METHODOLOGY.md", "and two if there are fewer than %s random layouts", []any{inWords(plain("steadySets"))}},
		{"METHODOLOGY.md", "does not fit into %s is split", []any{gib("DefaultMemory")}},
		{"METHODOLOGY.md", "A count takes %s to %s ms. If longer counts in every layout fit into three quarters of a cell's share of the time, counts take up to %s times as long.",
			[]any{ms("steadyMin"), ms("steadyMax"), inWords(plain("steadyLongest"))}},
		{"METHODOLOGY.md", "assay waits up to %s s for a collection, but only if a collection takes at least a %sth of the time from one to the next.", []any{seconds("steadyWait"), plain("waitShare")}},
		{"METHODOLOGY.md", "A count that waits has at least %s operations or %s cycles,", []any{inWords(plain("wholeParts")), inWords(plain("wholeParts"))}},
		{"CHANGELOG.md", "up to %s times as long, %s to %s ms, where the budget has room. A count of %s to %s ms",
			[]any{inWords(plain("steadyLongest")), number(c.value(t, "steadyLongest") * c.value(t, "steadyMin") / 1e6), number(c.value(t, "steadyLongest") * c.value(t, "steadyMax") / 1e6), ms("steadyMin"), ms("steadyMax")}},
		{"METHODOLOGY.md", "A count takes %s to %s s, and there are %s rounds", []any{seconds("liveMin"), seconds("liveMax"), inWords(plain("liveRounds"))}},
		{"METHODOLOGY.md", "while %s or more decoded messages", []any{plain("retainMessages")}},
		{"METHODOLOGY.md", "of each of %s processes that load the values and work for %s ms", []any{inWords(plain("freshProcesses")), ms("peakWork")}},
		{"METHODOLOGY.md", "batches of %s ms on that many goroutines", []any{ms("parallelBatch")}},
		{"METHODOLOGY.md", "less than %s seconds is done %s times. The value is the median", []any{inWords(seconds("streamShort")), inWords(plain("streamRepeats"))}},
		{"METHODOLOGY.md", "with at least %s elements", []any{grouped("settled")}},
		{"METHODOLOGY.md", "end any command within %s seconds", []any{seconds("Patience")}},
		{"METHODOLOGY.md", "is below %s dollars a month", []any{plain("leastDollars")}},
		{"METHODOLOGY.md", "If there are more than %s, it counts the rest", []any{plain("mostListed")}},
		{"METHODOLOGY.md", "At least %s fields, and at least half of all, are absent from some of the objects, and there are at least %s objects", []any{plain("fewestOptional"), plain("fewestObjects")}},
		{"METHODOLOGY.md", "have on average at least %s of their kind's fields", []any{percent("wellFilled")}},
		{"METHODOLOGY.md", "up to %s texts and %s kinds", []any{plain("maxTexts"), plain("maxVariants")}},
		{"METHODOLOGY.md", "more than %s deep, are the text", []any{plain("maxLists")}},
		{"METHODOLOGY.md", "all values of a field, at least %s, fit one", []any{inWords(plain("suggestFrom"))}},
		{"METHODOLOGY.md", "within 10%%, from N/%[1]s to %[1]s·N", []any{plain("plainly")}},
		{"METHODOLOGY.md", "within a quarter: from N/%[1]s to %[1]s·N", []any{plain("roughly")}},
		{"METHODOLOGY.md", "| from N/%s to N |", []any{plain("almost")}},
		{"METHODOLOGY.md", "| at least %[1]s; at most 1/%[1]s |", []any{plain("much")}},
		{"METHODOLOGY.md", "the band is %s times as wide at either end", []any{inWords(plain("machines"))}},
		{"METHODOLOGY.md", "its interval gets another %s for what changes", []any{percent("drift")}},
		{"BIAS.md", "%d µs, %d operations, %s, %s, %s, %s, the sentinel's %s and %s times",
			[]any{plan.Batch.BatchNS / 1000, plan.Batch.MinOps, percent("cleanShare"), mib("GarbageLimit"), percent("margin"), percent("controlLimit"), number(c.value(t, "sentinelLines")*64/(1<<20)) + " MiB", plain("NearSentinel")}},
		{"PROTOCOL.md", "assay keeps %s KiB", []any{number(c.value(t, "longestText") / (1 << 10))}},
		{"PROTOCOL.md", "The record is %s bytes", []any{plain("MarkSize")}},
		{"PROTOCOL.md", "ends a Go runner that has not done so for %s seconds", []any{seconds("hangLimit")}},
		{"PROTOCOL.md", "# for an answer; else %s seconds", []any{seconds("outsideLimit")}},
		{"PROTOCOL.md", "with batches of about %s ms", []any{ms("auditBatch")}},
		{"PROTOCOL.md", "of the further batches by at most %s:", []any{percent("unreported")}},
		{"PROTOCOL.md", "accepts 1/%s of the true time", []any{number(1 + c.value(t, "unreported"))}},
		{"PROTOCOL.md", "more than %d%% of its time in launches", []any{int(100 * 0.5 / (1 + c.value(t, "unreported")))}}, // a launch may report half of the audit's
		{"PROTOCOL.md", "bytes that `write` gave, to within %s.", []any{percent("sizeShare")}},
		{"ARCHITECTURE.md", "operations that are timed together, %d µs or more", []any{plan.Batch.BatchNS / 1000}},
		{"ARCHITECTURE.md", "lies more than %[1]s away from no difference, or within %[1]s of it", []any{percent("margin")}},
		{"internal/catalog/words.go", "as take at least %d µs", []any{plan.Batch.BatchNS / 1000}},
		{"internal/catalog/words.go", "differ by at most %s. Grade A needs at least %s", []any{percent("cleanShare"), percent("cleanA")}},
		{"internal/catalog/words.go", "since assay measures on one. Grade A allows %s", []any{percent("stealA")}},
		{"internal/catalog/words.go", "Grade A allows %s; from %s on the grade is C", []any{percent("othersA"), percent("Crowded")}},
		{"METHODOLOGY.md", "that its batches reach, but to at least %s. Otherwise", []any{inWords(plain("leastInputs"))}},
		{"internal/catalog/words.go", "A difference under %s is never ranked", []any{percent("margin")}},
	} {
		sentence := fmt.Sprintf(f.sentence, f.figures...)
		if !strings.Contains(strings.Join(strings.Fields(read(t, f.document)), " "), sentence) {
			t.Errorf("%s does not say %q, which is what the code has", f.document, sentence)
		}
	}
}

// TestConstants checks that add evaluates arithmetic and units of time, and ignores other
// expressions.
func TestConstants(t *testing.T) {
	c := constants{}
	c.add(t, "package p\nimport \"time\"\nconst (\n a, b = 1, 0.25\n c = 3 << 20\n d = 2*time.Minute + 500 * time.Millisecond\n e = a\n f = g + 1\n)\n", "p.go")
	want := constants{"a": {1}, "b": {0.25}, "c": {3 << 20}, "d": {float64(2*time.Minute + 500*time.Millisecond)}}
	if got := fmt.Sprint(c); got != fmt.Sprint(want) {
		t.Errorf("found %v, want %v", got, fmt.Sprint(want))
	}
}

// constants maps a name to the values of all constants with that name in some packages. It
// contains only constants that are a number, or arithmetic with numbers and the units of package
// time.
type constants map[string][]float64

// TestFiguresOfEvidence checks that documents quote what the stored experiments found.
func TestFiguresOfEvidence(t *testing.T) {
	for _, x := range []struct{ document, sentence, experiment, found string }{
		{"README.md", "covered the long-run value in %s ([coverage]", "coverage", `^([0-9.]+%) \(.*cover the long-run value`},
		{"METHODOLOGY.md", "90.2 and %s of all cases. The target is 93 to 97%%.", "coverage", `^([0-9.]+%) \(.*cover the long-run value`},
		{"METHODOLOGY.md", "1.99 and %s times its best in the median over launches.", "coverage", `\nThe sentinel took ([0-9.]+) times its best meanwhile, in the median over launches`},
		{"METHODOLOGY.md", "the largest difference is %s, and", "batches", `^the largest difference at equal footprint is ([0-9.]+%) `},
		{"METHODOLOGY.md", "and %s rows are shown to differ by more than the bar", "batches", `\((\d+ of \d+)\) of the rows are shown to differ`},
	} {
		var finding struct {
			Summary string
			Notes   []string
		}
		if err := json.Unmarshal([]byte(read(t, "docs/evidence/"+x.experiment+".json")), &finding); err != nil {
			t.Fatal(err)
		}
		said := strings.Join(append([]string{finding.Summary}, finding.Notes...), "\n")
		found := regexp.MustCompile(x.found).FindStringSubmatch(said)
		if found == nil {
			t.Errorf("%s found %q, which is not like %s", x.experiment, said, x.found)
			continue
		}
		want := fmt.Sprintf(x.sentence, found[1])
		if !strings.Contains(strings.Join(strings.Fields(read(t, x.document)), " "), want) {
			t.Errorf("%s does not say %q, which %s found", x.document, want, x.experiment)
		}
	}
}

// constantsIn reads the constants of the packages in the directories that match the patterns.
func constantsIn(t *testing.T, patterns ...string) constants {
	t.Helper()
	c := constants{}
	for _, pattern := range patterns {
		files, err := filepath.Glob(filepath.FromSlash(pattern + "/*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no files in %s (%v)", pattern, err)
		}
		for _, name := range files {
			if !strings.HasSuffix(name, "_test.go") {
				c.add(t, read(t, filepath.ToSlash(name)), name)
			}
		}
	}
	return c
}

// add adds the package-level constants of one file.
func (c constants) add(t *testing.T, source, name string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range file.Decls {
		group, ok := d.(*ast.GenDecl)
		if !ok || group.Tok != token.CONST {
			continue
		}
		for _, s := range group.Specs {
			spec := s.(*ast.ValueSpec)
			for i, id := range spec.Names {
				if i >= len(spec.Values) {
					continue
				}
				if v := evaluate(spec.Values[i]); !math.IsNaN(v) {
					c[id.Name] = append(c[id.Name], v)
				}
			}
		}
	}
}

// value returns the value of the constants with a name. All of them must have the same value.
func (c constants) value(t *testing.T, name string) float64 {
	t.Helper()
	all := c[name]
	if len(all) == 0 {
		t.Errorf("there is no constant %s", name)
		return math.NaN()
	}
	for _, v := range all {
		if v != all[0] {
			t.Errorf("constants with the name %s have the values %v", name, all)
			return math.NaN()
		}
	}
	return all[0]
}

// evaluate returns the value of a constant expression, durations in nanoseconds. It returns NaN
// for anything but arithmetic.
func evaluate(e ast.Expr) float64 {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return evaluate(e.X)
	case *ast.BasicLit:
		v, err := strconv.ParseFloat(strings.ReplaceAll(e.Value, "_", ""), 64)
		if err != nil {
			return math.NaN()
		}
		return v
	case *ast.SelectorExpr:
		units := map[string]time.Duration{"Nanosecond": 1, "Microsecond": time.Microsecond, "Millisecond": time.Millisecond, "Second": time.Second, "Minute": time.Minute, "Hour": time.Hour}
		if of, ok := e.X.(*ast.Ident); ok && of.Name == "time" && units[e.Sel.Name] > 0 {
			return float64(units[e.Sel.Name])
		}
	case *ast.BinaryExpr:
		x, y := evaluate(e.X), evaluate(e.Y)
		switch e.Op {
		case token.ADD:
			return x + y
		case token.SUB:
			return x - y
		case token.MUL:
			return x * y
		case token.QUO:
			return x / y
		case token.SHL:
			return x * math.Exp2(y)
		}
	}
	return math.NaN()
}

// number formats a figure as the documents do.
func number(v float64) string {
	return strconv.FormatFloat(math.Round(v*1e6)/1e6, 'f', -1, 64)
}

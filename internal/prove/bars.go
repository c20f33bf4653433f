package main

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay/contenders"
	"assay/internal/analysis"
	"assay/result"
)

// bars has, for each experiment whose rows and ratios decide it, whether they meet its bar. A finding
// gets its verdict here when it is made, and again from the stored one, so that nobody has to take a
// verdict on trust. Something that is missing is an error or does not meet a bar. Bars read figures as
// they are printed.
var bars = map[string]func(*finding) (bool, error){
	"counts":   countsBar,
	"aa":       aaBar,
	"layouts":  layoutsBar,
	"power":    powerBar,
	"coverage": coverageBar,
	"batches": func(f *finding) (bool, error) {
		return len(f.Tests) >= 15 && !slices.ContainsFunc(f.Tests, test.differs), nil
	},
	"lengths":   func(f *finding) (bool, error) { return slices.ContainsFunc(f.Tests, test.surelyDiffers), nil },
	"footprint": footprintBar,
	"grade":     gradeBar,
	"steady":    steadyBar,
	"overhead":  overheadBar,
	"chaos":     chaosBar,
	"source":    sourceBar,
}

// judge sets the verdict of an experiment of bars.
func (f *finding) judge() error {
	bar := bars[f.Name]
	if bar == nil {
		return nil
	}
	met, err := bar(f)
	if err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	f.Met = met
	return nil
}

// differs reports whether the estimate differs from 1 by more than lengths of batches may, and
// surelyDiffers whether its whole interval does.
func (t test) differs() bool       { return !(math.Abs(t.Value-1) <= lengthsAlike) }
func (t test) surelyDiffers() bool { return t.Lo > 1+lengthsAlike || t.Hi < 1-lengthsAlike }

// shareText matches a share as it is printed.
var shareText = regexp.MustCompile(`\((\d+) of (\d+)\)`)

// parseShare reads the first share of a text.
func parseShare(text string) (s share, err error) {
	m := shareText.FindStringSubmatch(text)
	if m == nil {
		return s, fmt.Errorf("%q has no share", text)
	}
	s.is, _ = strconv.Atoi(m[1])
	s.n, _ = strconv.Atoi(m[2])
	return s, nil
}

// sum adds up the shares in a column of the rows for which of reports true.
func (f *finding) sum(column int, of func(row []string) bool) (all share, err error) {
	for _, r := range f.Rows {
		if len(r) <= column || !of(r) {
			continue
		}
		s, err := parseShare(r[column])
		if err != nil {
			return all, err
		}
		all.add(s)
	}
	if all.n == 0 {
		return all, fmt.Errorf("no row has the share of column %d", column+1)
	}
	return all, nil
}

// begins returns a condition on the first cell of a row.
func begins(first string) func([]string) bool { return func(r []string) bool { return r[0] == first } }

func countsBar(f *finding) (bool, error) {
	return len(f.Rows) >= 10 && !slices.ContainsFunc(f.Rows, func(r []string) bool { return r[len(r)-1] != "true" }), nil
}

func aaBar(f *finding) (bool, error) {
	all, err := f.sum(1, begins(allRows))
	if err != nil {
		return false, err
	}
	beyond, err := f.sum(2, begins(allRows))
	return all.n >= 300 && all.of() <= 0.05 && beyond.of() <= 0.01, err
}

func layoutsBar(f *finding) (bool, error) {
	flagged, err := f.sum(1, begins("4"))
	return flagged.n >= 150 && flagged.of() <= 0.07, err
}

// pairSeconds matches how long a pair of power took to measure.
var pairSeconds = regexp.MustCompile(`with ([\d.]+) s of measuring a pair`)

func powerBar(f *finding) (bool, error) {
	m := pairSeconds.FindStringSubmatch(f.Summary)
	if m == nil {
		return false, fmt.Errorf("the summary does not say how long a pair took")
	}
	took, err := strconv.ParseFloat(m[1], 64)
	met := took <= powerTime.Seconds()
	for size, need := range map[string]float64{"1%": 0.90, "3%": 0.98} {
		found, wrong := share{}, share{}
		if found, err = f.sum(2, begins(size)); err != nil {
			return false, err
		}
		if wrong, err = f.sum(3, begins(size)); err != nil {
			return false, err
		}
		met = met && found.of() >= need && wrong.is == 0
	}
	return met, err
}

func coverageBar(f *finding) (bool, error) {
	own, err := f.sum(3, func(r []string) bool { return r[2] == longRun })
	if err != nil {
		return false, err
	}
	others, err := f.sum(3, func(r []string) bool { return r[2] == sameValue && r[0] != allPlaces })
	return own.of() >= 0.93 && own.of() <= 0.97 && others.of() >= 0.90, err
}

// footprintBar requires a figure of every default contender that encodes and decodes.
func footprintBar(f *finding) (bool, error) {
	for _, c := range contenders.All() {
		if c.Group != "" || c.Name == analysis.Floor || !slices.Contains(c.Ops, result.Encode) || !slices.Contains(c.Ops, result.Decode) {
			continue
		}
		if !slices.ContainsFunc(f.Rows, func(r []string) bool { return r[0] == c.Name && r[1] != "" && r[2] != "" }) {
			return false, nil
		}
	}
	return true, nil
}

// gradeText matches the counts in the summary of grade.
var gradeText = regexp.MustCompile(`^(\d+) of (\d+) under a load name it, and (\d+) of (\d+) as it is`)

func gradeBar(f *finding) (bool, error) {
	m := gradeText.FindStringSubmatch(f.Summary)
	if m == nil {
		return false, fmt.Errorf("the summary does not say how often a load was named")
	}
	return m[1] == m[2] && m[3] == "0" && m[2] == m[4] && len(f.Rows) == 2*gradeRepeats && m[2] == strconv.Itoa(gradeRepeats), nil
}

// steadyBar reads assay's row and that of go test, as the machine is and under a load.
func steadyBar(f *finding) (bool, error) {
	if len(f.Rows) != 4 {
		return false, fmt.Errorf("%d rows, want 4", len(f.Rows))
	}
	var took [4]time.Duration
	var p95 [4]float64
	for i, r := range f.Rows {
		var err error
		if took[i], err = time.ParseDuration(r[2]); err != nil {
			return false, err
		}
		if p95[i], err = strconv.ParseFloat(strings.TrimSuffix(r[3], "%"), 64); err != nil {
			return false, err
		}
	}
	return p95[0] <= p95[1] && took[0] <= took[1] && p95[2] <= p95[3]/3, nil
}

// overheadBar computes the medians of both operations from the single runs.
func overheadBar(f *finding) (bool, error) {
	for _, name := range []string{"/1ns", "/40ns"} {
		i := slices.IndexFunc(f.Rows, func(r []string) bool { return strings.Contains(r[0]+"-", name+"-") })
		if i < 0 {
			return false, fmt.Errorf("no operation %s", name)
		}
		var each []float64
		for text := range strings.SplitSeq(f.Rows[i][2], ", ") {
			v, err := strconv.ParseFloat(text, 64)
			if err != nil {
				return false, err
			}
			each = append(each, v)
		}
		if len(each) != overheadRuns {
			return false, fmt.Errorf("%s has %d runs, want %d", name, len(each), overheadRuns)
		}
		if math.Abs(quantile(each, 0.5)) > overheadMost {
			return false, nil
		}
	}
	return true, nil
}

var (
	// chaosText matches the counts in the summary of chaos, and chaosRatios the number of ratios that a
	// note says were compared.
	chaosText   = regexp.MustCompile(`^\d+ disturbances of (\d+) runs, (\d+) violations$`)
	chaosRatios = regexp.MustCompile(`(?m)^(\d+) ratios to `)
)

func chaosBar(f *finding) (bool, error) {
	m := chaosText.FindStringSubmatch(f.Summary)
	ratios := chaosRatios.FindStringSubmatch(strings.Join(f.Notes, "\n"))
	if m == nil || ratios == nil {
		return false, fmt.Errorf("it does not say how many runs, violations and ratios there were")
	}
	n, _ := strconv.Atoi(m[1])
	violated := slices.ContainsFunc(f.Notes, func(n string) bool { return strings.HasPrefix(n, "Violation: ") })
	return n >= chaosRuns && m[2] == "0" && !violated && ratios[1] != "0", nil
}

func sourceBar(f *finding) (bool, error) {
	found, err := f.sum(1, begins("3%"))
	if err != nil {
		return false, err
	}
	wrong, err := f.sum(2, begins("3%"))
	if err != nil {
		return false, err
	}
	same, err := f.sum(1, begins(equalCopy))
	return found.of() >= 0.95 && wrong.is == 0 && same.n >= 200 && same.of() <= 0.02, err
}

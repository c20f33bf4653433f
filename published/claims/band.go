package claims

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"assay/internal/phrase"
)

// The widths of words. They are the same for every claim, and symmetric on a logarithmic scale, so
// that "a is 3 times b" and "b is a third of a" are the same claim.
const (
	// plainly is how far a measured figure may be from "N", as a factor.
	plainly = 1.1
	// roughly is how far a figure may be from "about N", as a factor.
	roughly = 1.25
	// almost is how far below N a figure of "almost N" may be, as a factor.
	almost = 1.2
	// much is the smallest ratio of "much more".
	much = 2.0
	// machines is how far an absolute time may be from that of another machine, as a factor.
	machines = 3.0
)

// A Band is what a claim's words on its figure allow:
//
//	exactly N     N, of counts and sizes
//	N             a count or size that rounds to N as it is written and is about N; a time within 10%
//	about N       within a quarter: from N/1.25 to 1.25·N
//	almost N      from N/1.2 to N
//	N to M        from N to M
//	about N to M  from N/1.25 to 1.25·M
//	up to N       no figure above N, and the largest at least N/1.25
//	at least N, at most N, more than N, less than N
//	more, less    more than 1, less than 1
//	much more     at least 2; much less: at most 1/2
//	the same      within 10%, about the same within a quarter: of 1, and for predicate
//	              constant the largest figure of the least
//
// N may be followed by "times", or by the unit of an exact figure, and may be "twice", "half" or "a
// third". "N% more" and "N% less" are relative to 1: "about 40% more" is from 1.32 to 1.5. An
// absolute time depends on the author's machine, so its band is three times as wide on either side.
//
// "Approximately" and "~" mean "about", and "nearly" means "almost". "Larger" and "slower" mean
// "more", and "smaller" and "faster" mean "less".
type Band struct {
	limits []limit
	// reach is the smallest that the largest figure may be; 0 if there is no such limit.
	reach float64
	// spread says that the words describe a range of figures.
	spread bool
}

// A measure describes what the words are about.
type measure struct {
	// counted says that figures are exact. absolute says that they are times or rates of the
	// machine. rate says that a faster case has a larger figure.
	counted, absolute, rate bool
	// units are the words for the unit of an absolute figure; empty for a ratio.
	units []string
}

// synonyms are words for whole comparisons. prefixes are words before an amount.
var (
	synonyms = map[string]string{
		"larger": "more", "slower": "more", "smaller": "less", "faster": "less",
		"much larger": "much more", "much slower": "much more", "much smaller": "much less", "much faster": "much less",
	}
	prefixes = [][2]string{{"approximately ", "about "}, {"~ ", "about "}, {"~", "about "}, {"nearly ", "almost "}}
)

// plainWords returns a claim's words with each synonym replaced and without the unit.
func plainWords(words string, m measure) string {
	if plain, ok := synonyms[words]; ok && !(m.rate && (strings.Contains(words, "faster") || strings.Contains(words, "slower"))) {
		return plain
	}
	for _, p := range prefixes {
		if rest, ok := strings.CutPrefix(words, p[0]); ok {
			words = p[1] + rest
			break
		}
	}
	for _, unit := range m.units {
		if rest, ok := strings.CutSuffix(words, " "+unit); ok {
			return rest
		}
	}
	return words
}

// bandWord matches the word before an amount.
const bandWord = `^(?:(exactly|about|almost|up to|at least|at most|more than|less than) )?`

var (
	bandForm  = regexp.MustCompile(bandWord + `(\d+(?:\.\d+)?)(?: to (\d+(?:\.\d+)?))?(?:(%) (more|less)| times)?$`)
	namedForm = regexp.MustCompile(bandWord + `(twice|half|a half|a third)$`)
	// unitForm matches a figure with a unit.
	unitForm = regexp.MustCompile(`\d ?(ns|µs|us|ms|s|B|bytes|kB|MB|GB)(/s)?$`)
)

// named are the amounts with names. For counts, a third is within 0.005 of 1/3.
var named = map[string]amountOf{"twice": {2, 0}, "half": {0.5, 1}, "a half": {0.5, 1}, "a third": {1.0 / 3, 2}}

// An amountOf is an amount as it is written: its value, and its number of decimals.
type amountOf struct {
	value    float64
	decimals int
}

// parseBand parses a claim's words. The error says what is wrong with them.
func parseBand(words string, m measure) (*Band, error) {
	one := func(lo, hi float64) *Band { return &Band{limits: between(lo, hi)} }
	said := words
	switch words = plainWords(words, m); words {
	case "more":
		return &Band{limits: []limit{{1, false, true}}}, nil
	case "less":
		return &Band{limits: []limit{{1, true, true}}}, nil
	case "much more":
		return &Band{limits: []limit{{much, false, false}}}, nil
	case "much less":
		return &Band{limits: []limit{{1 / much, true, false}}}, nil
	case "the same":
		return one(1/plainly, plainly), nil
	case "about the same":
		return one(1/roughly, roughly), nil
	}
	if f := namedForm.FindStringSubmatch(words); f != nil {
		n := named[f[2]]
		return amountBand(f[1], n, n, "", m)
	}
	f := bandForm.FindStringSubmatch(words)
	if f == nil && m.rate && synonyms[words] != "" {
		return nil, fmt.Errorf("says is %q, but the claim is about a rate, and a faster library has a higher rate: write \"more\" or \"less\"", said)
	}
	if f == nil && len(m.units) == 0 && unitForm.MatchString(words) {
		return nil, fmt.Errorf("says is %q, and the claim's figure has no such unit: a time, size or rate by itself is of predicate exact", said)
	}
	if f == nil && len(m.units) > 0 && unitForm.MatchString(words) {
		return nil, fmt.Errorf("says is %q: write the figure in %s", said, phrase.List(m.units, "or"))
	}
	if f == nil {
		return nil, fmt.Errorf("says is %q: METHODOLOGY has no such words; it is like %q, %q, %q, %q or %q", said, "about 3 times", "2 to 3", "more than 40% less", "up to 2", "much less")
	}
	n, err := amountIn(f[2])
	if err != nil {
		return nil, err
	}
	to := n
	if f[3] != "" {
		if to, err = amountIn(f[3]); err != nil {
			return nil, err
		}
		if to.value <= n.value {
			return nil, fmt.Errorf("says goes from %s to %s: the less comes first", f[2], f[3])
		}
		if f[1] != "" && f[1] != "about" {
			return nil, fmt.Errorf("says has %q before a range; only \"about\" goes there", f[1])
		}
	}
	return amountBand(f[1], n, to, f[5], m)
}

// amountIn parses an amount.
func amountIn(text string) (amountOf, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || v > maxFigure {
		return amountOf{}, fmt.Errorf("says has the figure %s, which is too large", text)
	}
	_, decimals, _ := strings.Cut(text, ".")
	return amountOf{v, len(decimals)}, nil
}

// between returns the limits of a figure from lo to hi.
func between(lo, hi float64) []limit { return []limit{{lo, false, false}, {hi, true, false}} }

// amountBand returns the band of a word with an amount, or with a range from first to last. For
// percentages, direction is "more" or "less"; otherwise it is empty.
func amountBand(word string, first, last amountOf, direction string, m measure) (*Band, error) {
	n, to, ranged := first.value, last.value, first != last
	if n == 0 && !m.counted {
		return nil, fmt.Errorf("says has the figure 0, which no estimate is")
	}
	b := &Band{spread: ranged}
	switch {
	case ranged && word == "about":
		b.limits = between(n/roughly, to*roughly)
	case ranged:
		b.limits = between(n, to)
	case word == "exactly" && !m.counted:
		return nil, fmt.Errorf("says has \"exactly\", which no estimate is; leave it out")
	case word == "exactly":
		b.limits = between(n, n)
	case word == "" && m.counted:
		// What rounds to a small N may be far from it: no farther than "about N" allows.
		half := 0.5 * math.Pow10(-first.decimals)
		b.limits = []limit{{n - half, false, false}, {n + half, true, true}}
		if lo := n / roughly; lo > n-half && n > 0 {
			b.limits[0] = limit{lo, false, false}
		}
		if hi := n * roughly; hi < n+half && n > 0 {
			b.limits[1] = limit{hi, true, false}
		}
	case word == "":
		b.limits = between(n/plainly, n*plainly)
	case word == "about":
		b.limits = between(n/roughly, n*roughly)
	case word == "almost":
		b.limits = between(n/almost, n)
	case word == "up to":
		b.limits, b.reach, b.spread = []limit{{n, true, false}}, n/roughly, true
	default:
		b.limits = []limit{{n, strings.HasSuffix(word, "most") || word == "less than", strings.HasSuffix(word, "than")}}
	}
	if direction != "" {
		if b.reach > 0 {
			return nil, fmt.Errorf("says has \"up to\" before a percentage; name the ratio")
		}
		if direction == "less" && to > 100 {
			return nil, fmt.Errorf("says has more than 100%% less, which nothing is")
		}
		b.percentages(direction)
	}
	if m.absolute {
		b.widen()
	}
	return b, nil
}

// percentages turns limits that are percentages more or less than 1 into ratios. A band that would
// go beyond 100% less ends there.
func (b *Band) percentages(direction string) {
	for i, l := range b.limits {
		if l.at /= 100; direction == "more" {
			l.at++
		} else {
			l.at, l.upper = max(0, 1-l.at), !l.upper
		}
		b.limits[i] = l
	}
	if direction == "less" {
		slices.Reverse(b.limits)
	}
}

// about reports whether the words fit a figure: it is within their limits.
func (b *Band) about(v float64) bool {
	for _, l := range b.limits {
		if l.upper && v > l.at || !l.upper && v < l.at {
			return false
		}
	}
	return true
}

// widen widens the band to allow for another machine.
func (b *Band) widen() {
	for i, l := range b.limits {
		if b.limits[i].at = l.at / machines; l.upper {
			b.limits[i].at = l.at * machines
		}
	}
	b.reach /= machines
}

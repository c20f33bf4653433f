package infer

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assay/internal/guess"
	"assay/schema"
)

// A suggestion is a type that fits all values of a field and that the user may ask for. It is not the
// default, because the types in the user's programs are unknown.
type suggestion struct {
	guess  guess.Guess // without its reason
	values int64
	saves  int64 // bytes that it saves for all values together in binary formats
	// what is the word for a value, and is the statement about each value. Both make the reason.
	what, is string
}

// suggestFrom is the least number of values for a suggestion.
const suggestFrom = 8

// suggestText suggests the spelling that all texts of a node have, and reports whether there is one.
func (b *builder) suggestText(n *node, at path) bool {
	s := &n.spelt
	if s.texts < suggestFrom || s.texts != n.strings || n.values() != n.strings {
		return false
	}
	name, what, size := s.guess()
	if name == "" {
		return false
	}
	saves := s.size/s.texts - size
	if saves <= 0 {
		return false
	}
	b.suggest(at, name, fmt.Sprintf("a string that %s would hold in %s less", name, plural(saves, "byte")), saves, s.texts,
		"text", "is %s, and binary formats write about %s for it", what, plural(size, "byte"))
	return true
}

// guess returns the name of the spelling that all texts have, or "", a description of such a text,
// and the average number of bytes that it takes in binary formats.
func (s *spelt) guess() (name, what string, size int64) {
	each := s.size / s.texts
	has := func(c candidate) bool { return s.fits&c != 0 }
	switch {
	case has(maybeUUID):
		return string(schema.AsUUID), schema.AsUUID.Text(), 16
	case has(maybeUpperUUID):
		return string(schema.AsUpperUUID), schema.AsUpperUUID.Text(), 16
	case has(maybePrefixed) && each > 2:
		return string(schema.AsPrefixed), schema.AsPrefixed.Text(), (each - 2) / 2
	case has(maybeUpperPrefixed) && each > 2:
		return string(schema.AsUpperPref), schema.AsUpperPref.Text(), (each - 2) / 2
	case s.shortest >= 8 && has(maybeHex) && !has(maybeUpperHex): // if both fit, there are no letters
		return string(schema.AsHex), schema.AsHex.Text(), each / 2
	case s.shortest >= 8 && has(maybeUpperHex) && !has(maybeHex):
		return string(schema.AsUpperHex), schema.AsUpperHex.Text(), each / 2
	case has(maybeDate):
		return string(schema.AsDate), schema.AsDate.Text(), 8
	case has(maybeLocal):
		return string(s.local), s.local.Text(), 8
	case has(maybeDecimal) && s.decimal.Digits() > 0:
		return string(s.decimal), s.decimal.Text(), each * 10 / 24 // 2.4 characters a byte of a varint
	case has(maybeBase64) && s.mixed:
		return "bytes", "bytes in base64", each * 3 / 4
	}
	return "", "", 0
}

// suggestTime suggests a time if the whole numbers of a node may be times.
func (b *builder) suggestTime(n *node, at path) {
	s := &n.spelt
	if n.ints < suggestFrom || n.values() != n.ints || n.low < 0 || s.numbers != n.ints || len(at) == 0 {
		return
	}
	as := epochOf(s.least, n.high)
	if as == "" || !namesTime(at, as != schema.AsUnix) {
		return
	}
	b.suggest(at, string(as), "int64, which may be a time", 0, n.ints,
		"number", "may be %s, from %s to %s; as a time it takes about as many bytes", as.Text(), dateOf(as, s.least), dateOf(as, n.high))
}

// epochFirst and epochLast are the first and the last second of the years 2001 to 2100.
const epochFirst, epochLast = 978307200, 4133980799

// epochOf returns the spelling whose unit makes all numbers from least to most times in the years
// 2001 to 2100, or "". Both numbers must have the same number of digits. The ranges of the units do
// not overlap.
func epochOf(least, most uint64) schema.Spelling {
	if len(strconv.FormatUint(least, 10)) != len(strconv.FormatUint(most, 10)) {
		return ""
	}
	unit := uint64(1)
	for _, as := range []schema.Spelling{schema.AsUnix, schema.AsUnixMilli, schema.AsUnixMicro, schema.AsUnixNano} {
		if epochFirst*unit <= least && most <= epochLast*unit {
			return as
		}
		unit *= 1000
	}
	return ""
}

func dateOf(as schema.Spelling, v uint64) string {
	t, err := as.ParseTime(strconv.AppendUint(nil, v, 10))
	if err != nil {
		return "?"
	}
	return string(schema.AsDate.AppendTime(nil, t))
}

// timeWords has words in the keys of times, and countWords words in the keys of other large numbers.
var (
	timeWords  = []string{"time", "timestamp", "ts", "at", "date", "datetime", "epoch", "unix", "created", "updated", "modified", "changed", "expires", "expiry", "expiration", "exp", "iat", "nbf", "since", "until", "start", "started", "end", "ended", "begin", "seen", "published", "sent", "received", "occurred", "when", "ms", "millis", "ns", "nanos", "us", "micros"}
	countWords = []string{"id", "ids", "number", "no", "num", "key", "code", "count", "size", "bytes", "total", "amount", "price", "value", "version", "sequence", "seq", "offset", "hash", "phone", "duration"}
)

// namesTime reports whether the last key of a path allows its numbers to be times. long says that the
// numbers count milliseconds or smaller units. A key with a word of countWords never allows it;
// long numbers allow any other key, and others need a word of timeWords.
func namesTime(at path, long bool) bool {
	for i := len(at) - 1; i >= 0; i-- {
		if at[i].kind != inKey {
			continue
		}
		has := func(list []string) bool {
			return slices.ContainsFunc(words(at[i].key), func(w string) bool { return slices.Contains(list, strings.ToLower(w)) })
		}
		if has(countWords) {
			return false
		}
		return long || has(timeWords)
	}
	return false
}

// oneForPath joins equal suggestions for one path, which several kinds of a union may have. It drops
// those of a path if they differ or not every kind has one, because a flag is about all values at
// its path.
func (b *builder) oneForPath() {
	nodes := map[string]int{}
	for n, p := range b.places {
		if find(n) == n && n.values() > 0 {
			nodes[p.path.String()]++
		}
	}
	var joined []suggestion
	at := map[string]int{}        // the index in joined of each overrule
	met := map[string]int{}       // the suggestions for each path
	overrules := map[string]int{} // the different ones of each path
	for _, s := range b.suggested {
		met[s.guess.Path]++
		i, ok := at[s.guess.Overrule]
		if !ok {
			at[s.guess.Overrule] = len(joined)
			overrules[s.guess.Path]++
			joined = append(joined, s)
			continue
		}
		of := &joined[i]
		of.values, of.saves = of.values+s.values, of.saves+s.saves
	}
	b.suggested = slices.DeleteFunc(joined, func(s suggestion) bool {
		return overrules[s.guess.Path] > 1 || met[s.guess.Path] < nodes[s.guess.Path]
	})
}

// suggest adds a suggestion. decision describes the type that the values have without it, saves is
// the number of bytes saved for each value, and what and is make the reason.
func (b *builder) suggest(at path, name, decision string, saves, values int64, what, is string, args ...any) {
	effect := guess.Saving
	if saves == 0 {
		effect = guess.Type
	}
	b.suggested = append(b.suggested, suggestion{
		guess.Guess{Path: at.String(), Decision: decision, Overrule: Overrule{at.String(), name}.String(), Effect: effect},
		values, saves * values, what, fmt.Sprintf(is, args...),
	})
}

// suggestions returns the suggestions as guesses, those that save the most bytes first.
func (b *builder) suggestions() (out []guess.Guess) {
	b.oneForPath()
	slices.SortStableFunc(b.suggested, func(x, y suggestion) int { return cmp.Compare(y.saves, x.saves) })
	for _, s := range b.suggested {
		s.guess.Reason = fmt.Sprintf("each of the %s %s", plural(s.values, s.what), s.is)
		out = append(out, s.guess)
	}
	return out
}

package anonymize

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/internal/infer"
)

// An alphabet is a set of characters that may replace one another.
type alphabet struct {
	name  string
	runes []rune
}

// letter is a character's position in its alphabet. The alphabet is nil if the character is kept.
type letter struct {
	*alphabet
	index int
}

// alphabets finds the alphabets of characters.
type alphabets struct {
	beyond map[rune]letter // characters beyond ASCII, cached
	made   map[string]*alphabet
}

func ascii(name, runes string) *alphabet { return &alphabet{name, []rune(runes)} }

var (
	lower    = ascii("a", "abcdefghijklmnopqrstuvwxyz")
	upper    = ascii("A", "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	digits   = ascii("0", "0123456789")
	leading  = ascii("1", "123456789") // the first digit of a number
	lowerHex = ascii("f", "abcdef")
	upperHex = ascii("F", "ABCDEF")
	stamps   = ascii("T", "TZ")
)

// of returns a character's position in its alphabet.
func (a *alphabets) of(r rune) letter {
	switch {
	case 'a' <= r && r <= 'z':
		return letter{lower, int(r - 'a')}
	case 'A' <= r && r <= 'Z':
		return letter{upper, int(r - 'A')}
	case '0' <= r && r <= '9':
		return letter{digits, int(r - '0')}
	case r < utf8.RuneSelf || r == utf8.RuneError:
		return letter{}
	}
	l, met := a.beyond[r]
	if !met {
		l = a.find(r)
		a.beyond[r] = l
	}
	return l
}

// categories has the Unicode categories of characters beyond ASCII that are replaced. Punctuation,
// spaces and control characters are kept, as in ASCII.
var categories = []string{"Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No", "So", "Sc", "Sk", "Sm"}

// find returns the position of a character in the alphabet of all characters that have its script,
// its category and as many bytes in UTF-8.
func (a *alphabets) find(r rune) letter {
	for _, category := range categories {
		table := unicode.Categories[category]
		if !unicode.Is(table, r) {
			continue
		}
		for script, of := range unicode.Scripts {
			if !unicode.Is(of, r) {
				continue
			}
			name := category + script + string(rune('0'+utf8.RuneLen(r)))
			if a.made[name] == nil {
				a.made[name] = &alphabet{name, members(table, of, utf8.RuneLen(r))}
			}
			for i, m := range a.made[name].runes {
				if m == r {
					return letter{a.made[name], i}
				}
			}
		}
	}
	return letter{}
}

// members returns the characters beyond ASCII that are in both tables and have n bytes in UTF-8.
func members(a, b *unicode.RangeTable, n int) (out []rune) {
	add := func(lo, hi, stride rune) {
		for r := lo; r <= hi; r += stride {
			if r >= utf8.RuneSelf && r != utf8.RuneError && utf8.RuneLen(r) == n && unicode.Is(b, r) {
				out = append(out, r)
			}
		}
	}
	for _, t := range a.R16 {
		add(rune(t.Lo), rune(t.Hi), rune(t.Stride))
	}
	for _, t := range a.R32 {
		add(rune(t.Lo), rune(t.Hi), rune(t.Stride))
	}
	return out
}

// What replace keeps of a text besides signs.
const (
	plain    = 'p'
	asBase64 = 'b' // the last character, because some of its bits are padding
	asUnits  = 'u' // letters
)

// texts replaces texts by others that look alike.
type texts struct {
	*permuter
	alphabets
	memo    map[string]string
	runes   []rune
	letters []letter
	at      []int
	domain  []byte
	v, size []uint64
}

func newTexts(p *permuter) *texts {
	return &texts{permuter: p, alphabets: alphabets{map[rune]letter{}, map[string]*alphabet{}}, memo: map[string]string{}}
}

// memoMax bounds the number of texts that are remembered, and memoLength the length of each in bytes.
const memoMax, memoLength = 1 << 16, 64

// plain replaces a text by one that inference treats in the same way.
func (t *texts) plain(s string) string {
	if out, ok := t.memo[s]; ok {
		return out
	}
	look := infer.LookOf(s)
	accept := func(s string) bool { return infer.LookOf(s) == look }
	out := ""
	if look.Time {
		out = t.time(s, accept)
	} else {
		out = t.replace(s, plain, look, accept)
	}
	if len(s) <= memoLength {
		if len(t.memo) >= memoMax {
			clear(t.memo)
		}
		t.memo[s] = out
	}
	return out
}

// A restriction says which letters and digits of a text may become which others. It is asked for
// each of them in turn.
type restriction struct {
	what byte // what is kept besides signs
	look infer.Look
	// begun and exponent say, for a number, that a digit was met, and a letter.
	begun, exponent bool
}

// of returns the letter as which c, which is l among all letters, is replaced, or none if c is kept.
// rest is the text after its first byte.
func (r *restriction) of(l letter, c rune, rest string) letter {
	switch {
	case r.look.Number:
		return r.digit(l)
	case r.look.Hex && l.alphabet == lower && l.index < 6:
		l.alphabet = lowerHex
	case r.look.Hex && l.alphabet == upper && l.index < 6:
		l.alphabet = upperHex
	case r.look.Hex && l.alphabet == lower: // the x of 0x
		return letter{}
	case r.look.Stamp && l.alphabet == upper:
		return letter{stamps, strings.IndexRune("TZ", c)}
	case r.what == asUnits && l.alphabet != digits, r.what == asBase64 && strings.Trim(rest, "=") == "":
		return letter{}
	}
	return l
}

// digit returns the letter as which a digit of a number is replaced. The first one does not become a
// 0, and an exponent is kept.
func (r *restriction) digit(l letter) letter {
	r.exponent = r.exponent || l.alphabet == lower || l.alphabet == upper
	if l.alphabet != digits || r.exponent {
		return letter{}
	}
	first := !r.begun
	r.begun = true
	switch {
	case !first:
		return l
	case l.index == 0:
		return letter{}
	}
	return letter{leading, l.index - 1}
}

// replace replaces a text s for which accept holds by one for which accept holds too. It replaces
// different texts by different texts. To do so, it permutes the text again until accept holds; in the
// worst case it returns s.
//
// what says what is kept besides signs, and look restricts the letters and digits.
func (t *texts) replace(s string, what byte, look infer.Look, accept func(string) bool) string {
	t.runes, t.letters, t.at = t.runes[:0], t.letters[:0], t.at[:0]
	t.domain = append(t.domain[:0], what)
	kept := restriction{what: what, look: look}
	for i, c := range s {
		l := kept.of(t.of(c), c, s[i+1:])
		if l.alphabet == nil {
			t.domain = utf8.AppendRune(append(t.domain, ' '), c)
		} else {
			t.domain = append(t.domain, l.name...)
			t.at = append(t.at, len(t.runes))
			t.letters = append(t.letters, l)
		}
		t.runes = append(t.runes, c)
	}
	if len(t.letters) == 0 {
		return s
	}
	t.v, t.size = t.v[:0], t.size[:0]
	for _, l := range t.letters {
		t.v = append(t.v, uint64(l.index))
		t.size = append(t.size, uint64(len(l.runes)))
	}
	for {
		t.vector(t.domain, t.v, t.size)
		for i, l := range t.letters {
			t.runes[t.at[i]] = l.runes[t.v[i]]
		}
		if out := string(t.runes); accept(out) {
			return out
		}
	}
}

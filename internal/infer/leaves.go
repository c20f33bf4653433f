package infer

import (
	"bytes"
	"math"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// text merges a string.
func (n *node) text(s []byte) {
	n.strings++
	n.spelt.text(s)
	switch {
	case len(s) == 0:
		n.empty++
	case isTime(s):
		n.times++
		if t, _ := timeOf(s); isFar(t) {
			n.far++
		}
		if s[len(s)-1] != 'Z' {
			n.zoned++
		}
	case isNumeric(s):
		n.quoted(s)
	}
	if n.distinct != nil {
		n.choice(string(s))
	}
}

// quoted merges a number in quotes.
func (n *node) quoted(s []byte) {
	switch w, ok := parseWhole(s); {
	case ok && w.negative:
		n.whole, n.below = n.whole+1, n.below+1
	case ok && w.magnitude > math.MaxInt64:
		n.whole, n.large = n.whole+1, n.large+1
	case ok:
		n.whole++
	case !fitsFloat(s):
		return
	}
	n.numeric++
	if n.sample == "" && len(s) < 40 {
		n.sample = string(s)
	}
}

func (n *node) choice(s string) {
	t := n.distinct
	if t.known[s] {
		return
	}
	if len(t.order) == max(choices, t.most) || len(s) > maxChoice {
		n.distinct = nil
		return
	}
	if t.known == nil {
		t.known = map[string]bool{}
	}
	t.known[s] = true
	t.order = append(t.order, s)
}

func isNumeric(s []byte) bool {
	if c := s[0]; c != '-' && (c < '0' || c > '9') || len(s) > 40 {
		return false
	}
	return jsontext.Value(s).IsValid()
}

// number merges a number.
func (n *node) number(raw []byte) {
	if whole, ok := parseWhole(raw); ok {
		n.ints++
		if whole.negative {
			n.low = min(n.low, -int64(whole.magnitude-1)-1)
		} else {
			n.high = max(n.high, whole.magnitude)
			n.spelt.number(whole.magnitude)
		}
		if m := whole.magnitude; m > 1<<53 && (m >= 1<<64-1024 || uint64(float64(m)) != m) {
			n.inexact++
		}
		return
	}
	if fitsFloat(raw) {
		n.floats++
	} else {
		n.beyond++
	}
}

// A whole is a whole number that an int64 or a uint64 holds.
type whole struct {
	negative  bool
	magnitude uint64
}

// parseWhole parses a number without fraction and exponent that an int64 or a uint64 holds. It
// rejects -0, because an integer would lose the sign.
func parseWhole(raw []byte) (w whole, ok bool) {
	if len(raw) > 0 && raw[0] == '-' {
		w.negative, raw = true, raw[1:]
	}
	if len(raw) == 0 || len(raw) > 20 {
		return w, false
	}
	for i, c := range raw {
		if c < '0' || c > '9' {
			return w, false
		}
		if i == 19 && (w.magnitude > math.MaxUint64/10 || w.magnitude == math.MaxUint64/10 && c > '5') {
			return w, false
		}
		w.magnitude = w.magnitude*10 + uint64(c-'0')
	}
	if w.negative && (w.magnitude == 0 || w.magnitude > 1<<63) {
		return w, false
	}
	return w, true
}

// fitsFloat reports whether a number that parseWhole rejects suits a float64: it has a fraction or
// an exponent, or is -0, and its conversion neither overflows nor turns a nonzero number into zero.
func fitsFloat(raw []byte) bool {
	if !bytes.ContainsAny(raw, ".eE") {
		return string(raw) == "-0"
	}
	if len(raw) < 300 && !bytes.ContainsAny(raw, "eE") {
		return true
	}
	v, err := strconv.ParseFloat(string(raw), 64)
	if err != nil {
		return false
	}
	if v == 0 {
		mantissa := raw
		if i := bytes.IndexAny(raw, "eE"); i >= 0 {
			mantissa = raw[:i]
		}
		return !bytes.ContainsAny(mantissa, "123456789")
	}
	return true
}

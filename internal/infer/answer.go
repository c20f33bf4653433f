package infer

import (
	"slices"
	"strconv"

	"assay/schema"
)

// agree reports whether the user's answers allow two nodes to be joined. An answer about texts,
// numbers or truth values covers all places that share the message, so a node without an answer
// takes the other's if its values fit. An answer about objects, or lists of objects, covers only
// its own place.
func agree(a, b *node) bool {
	switch x, y := a.said(), b.said(); {
	case x == y:
		return true
	case x == nil:
		return a.takes(b)
	case y == nil:
		return b.takes(a)
	default:
		return x.Type == y.Type
	}
}

// takes reports whether the values of n, for which the user gave no answer, fit the user's answer
// for the values of from.
func (n *node) takes(from *node) bool {
	of := from.said().Type
	if structural(of) || inner(n) != nil {
		return false
	}
	if asksSpelling(of) {
		return n.spells(from.asked(of))
	}
	numbers, texts := n.ints+n.floats == n.values(), n.strings == n.values()
	switch kind := scalars[of]; {
	case of == "json", of == "none", of == "string":
		return true
	case of == "number":
		return numbers
	case of == "enum":
		return texts && n.chosen(from)
	case kind == schema.Bool:
		return n.bools == n.values()
	case kind == schema.Float32, kind == schema.Float64:
		return numbers || texts && n.numeric == n.strings
	case kind == schema.Bytes:
		return texts && n.spelt.fits&maybeBase64 != 0
	case kind == schema.Timestamp:
		return texts && n.times == n.strings
	case texts && n.whole == n.strings:
		return kind == schema.Int64 && n.large == 0 || kind == schema.Uint64 && n.below == 0
	case keyNames[kind] != "":
		return n.ints == n.values() && wholeFits(strconv.FormatInt(n.low, 10), kind) && wholeFits(strconv.FormatUint(n.high, 10), kind)
	}
	return false
}

// kept reports whether the user asked to keep the values as the text of their JSON, and the values
// of other, of whatever kind, can be kept that way too.
func (n *node) kept(other *node) bool {
	of := n.said()
	return of != nil && of.Type == "json" && inner(n) == nil && agree(n, other)
}

// spells reports whether all values of a node are written in the spelling as.
func (n *node) spells(as schema.Spelling) bool {
	s := &n.spelt
	if as.Number() {
		_, err := as.ParseTime(strconv.AppendUint(nil, n.high, 10))
		return err == nil && n.ints == n.values() && n.low == 0
	}
	if n.strings != n.values() || s.texts != n.strings {
		return false
	}
	switch as.Base() {
	case schema.AsDecimal:
		return s.fits&maybeDecimal != 0 && s.decimal == as
	case schema.AsLocal, schema.AsLocalSpace:
		return s.fits&maybeLocal != 0 && s.local == as
	}
	for _, p := range plainSpellings {
		if p.as == as {
			return s.fits&p.bit != 0
		}
	}
	return false
}

// chosen reports whether the texts of two nodes together can be the values of one enum.
func (n *node) chosen(from *node) bool {
	if n.distinct == nil || from.distinct == nil {
		return false
	}
	all := slices.Clone(from.distinct.order)
	for _, t := range n.distinct.order {
		if !from.distinct.known[t] {
			all = append(all, t)
		}
	}
	_, err := enumWords(all)
	return err == nil
}

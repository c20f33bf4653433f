package infer

import (
	"slices"

	"assay/internal/phrase"
)

// A valueKind is a kind of value in JSON, null aside, as guesses and errors call it.
type valueKind string

// The kinds of value.
const (
	truthKind  valueKind = "truth value"
	numberKind valueKind = "number"
	textKind   valueKind = "text"
	objectKind valueKind = "object"
	listKind   valueKind = "list"
)

// valueKinds has all kinds, in the order in which they are listed.
var valueKinds = [...]valueKind{truthKind, numberKind, textKind, objectKind, listKind}

// tally returns how many values of each kind there were, in the order of valueKinds. The caller says
// how many texts and lists count.
func (n *node) tally(texts, lists int64) [len(valueKinds)]int64 {
	return [...]int64{n.bools, n.numbers(), texts, n.objects(), lists}
}

// kinds returns the kinds of value that were seen. Blank values do not count: empty texts beside
// objects or lists, and empty lists beside objects; see blank. A value that stands for a list of one
// element counts as a list.
func (n *node) kinds() []valueKind {
	k := n.counted()
	if n.lone() > 0 && !n.gathered() && !slices.Contains(k, n.list.alone.kind) {
		k = append(k, n.list.alone.kind)
	}
	return k
}

// counted returns kinds without regard to values that stand for lists.
func (n *node) counted() (k []valueKind) {
	texts, lists := n.strings, n.lists()
	if n.blank() {
		texts, lists = 0, lists-n.hollowLists()
	}
	for i, count := range n.tally(texts, lists) {
		if count > 0 {
			k = append(k, valueKinds[i])
		}
	}
	return k
}

// mixture lists the kinds of value that were seen, each with its count.
func (n *node) mixture() string {
	var parts []string
	for i, count := range n.tally(n.strings, n.lists()) {
		if n.lone() > 0 && n.list.alone.kind == valueKinds[i] {
			count += n.lone()
		}
		if count > 0 {
			parts = append(parts, plural(count, string(valueKinds[i])))
		}
	}
	return phrase.List(parts, "and")
}

package gotype

import (
	"fmt"
	"slices"
	"strings"

	"assay/internal/phrase"
)

// The kinds of notes on what the schema cannot express of a type. Each is followed by its fields.
const (
	leftOut   = "fields that no format could hold"
	twice     = "pointers to pointers, of which one is kept"
	pointed   = "pointers to lists and maps, which are lists and maps that may be nil"
	array     = "arrays, which are lists and lose their length"
	byteArray = "arrays of bytes, which are bytes, and no list of numbers as in JSON"
	anything  = "empty interfaces, which are the text of their JSON"
	asJSON    = "types whose fields cannot be seen, which are the text of their JSON"
	number    = "numbers of the type json.Number, which are texts here, in quotes in JSON"
	quoted    = "values that the tag option string puts in quotes in JSON, which have none here"
	elements  = "lists and maps of pointers, whose elements must not be nil"
	hollow    = "structs without fields, which are bools, true if the struct is present"
)

var noteOrder = []string{leftOut, unexported, unsettable, dashed, hidden, asJSON, anything, hollow, number, quoted, byteArray, array, pointed, twice, elements}

// notes has fields or types by the kind of note.
type notes map[string][]string

func (n *notes) add(what, subject string) {
	if *n == nil {
		*n = notes{}
	}
	if !slices.Contains((*n)[what], subject) {
		(*n)[what] = append((*n)[what], subject)
	}
}

// list returns the notes as sentences.
func (n notes) list() []string {
	var out []string
	for _, what := range noteOrder {
		subjects := n[what]
		if len(subjects) == 0 {
			continue
		}
		verb := ""
		switch what {
		case leftOut, unexported, unsettable, dashed, hidden:
			verb = "left out are "
		}
		out = append(out, fmt.Sprintf("%s%s: %s", verb, what, some(subjects)))
	}
	return out
}

// methodNotes returns notes on what the user's methods do here.
func methodNotes(methods []Methods) []string {
	byUse := map[string][]string{}
	for _, m := range methods {
		byUse[m.Use] = append(byUse[m.Use], m.Type+" ("+strings.Join(m.Names, ", ")+")")
	}
	var out []string
	for _, use := range []string{reads, gives, unused} {
		if list := byUse[use]; len(list) > 0 {
			out = append(out, fmt.Sprintf("methods that %s: %s", use, some(list)))
		}
	}
	return out
}

// some formats a list of names; if there are many, only the first ones.
func some(names []string) string { return phrase.Some(names, 8) }

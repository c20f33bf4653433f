package catalog

import (
	"fmt"
	"strings"

	"assay/contender"
	"assay/contenders"
	"assay/internal/texttab"
)

// An axisRow is an axis of modes in the stable JSON contract.
type axisRow struct {
	Name    string `json:"name"`
	Text    string `json:"text"`
	GivesUp string `json:"gives_up"`
	// Contenders are the contenders with a mode on the axis. Lack has contenders without one, and
	// why.
	Contenders []string  `json:"contenders"`
	Lack       []lackRow `json:"lack"`
}

type lackRow struct {
	Contender string `json:"contender"`
	Reason    string `json:"reason"`
}

func axisRows() []axisRow {
	var rows []axisRow
	for _, a := range contender.Axes {
		r := axisRow{Name: a.Name, Text: a.Text, GivesUp: a.GivesUp, Contenders: []string{}, Lack: []lackRow{}}
		for _, c := range contenders.All() {
			if a.Offers(c) {
				r.Contenders = append(r.Contenders, c.Name)
			}
			for _, l := range c.Lacks {
				if l.Axis == a.Name {
					r.Lack = append(r.Lack, lackRow{c.Name, l.Reason})
				}
			}
		}
		rows = append(rows, r)
	}
	return rows
}

func listAxes() (*Listing, error) {
	rows := axisRows()
	contract := struct {
		Schema int       `json:"schema"`
		Axes   []axisRow `json:"axes"`
	}{1, rows}
	t := &texttab.Headed{}
	t.Head("axis", ">have it", ">lack it", "what it is")
	for _, r := range rows {
		t.Line(r.Name, fmt.Sprint(len(r.Contenders)), fmt.Sprint(len(r.Lack)), r.Text)
	}
	return &Listing{t, contract}, nil
}

// shared are texts, in the order of their first use, with the contenders that each is about.
type shared struct {
	texts []string
	who   map[string][]string
}

func (s *shared) add(contender, text string) {
	if s.who == nil {
		s.who = map[string][]string{}
	}
	if s.who[text] == nil {
		s.texts = append(s.texts, text)
	}
	s.who[text] = append(s.who[text], contender)
}

// lacking returns paragraphs that say which contenders lack the axes of a mode, and why.
// Contenders with the same reason are named together.
func lacking(key string) []string {
	var parts []string
	for _, r := range axisRows() {
		if !strings.Contains(","+key+",", ","+r.Name+",") || len(r.Lack) == 0 {
			continue
		}
		var reasons shared
		for _, l := range r.Lack {
			reasons.add(l.Contender, l.Reason)
		}
		for _, reason := range reasons.texts {
			who, verb := reasons.who[reason], " lack "
			if len(who) == 1 {
				verb = " lacks "
			}
			parts = append(parts, strings.Join(who, ", ")+verb+r.Name+": "+reason+".")
		}
	}
	return parts
}

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

// lacking returns paragraphs that say which contenders lack the axes of a mode, and why.
// Contenders with the same reason are named together.
func lacking(key string) []string {
	var parts []string
	for _, r := range axisRows() {
		if !strings.Contains(","+key+",", ","+r.Name+",") || len(r.Lack) == 0 {
			continue
		}
		var reasons []string
		who := map[string][]string{}
		for _, l := range r.Lack {
			if who[l.Reason] == nil {
				reasons = append(reasons, l.Reason)
			}
			who[l.Reason] = append(who[l.Reason], l.Contender)
		}
		for _, reason := range reasons {
			verb := " lack "
			if len(who[reason]) == 1 {
				verb = " lacks "
			}
			parts = append(parts, strings.Join(who[reason], ", ")+verb+r.Name+": "+reason+".")
		}
	}
	return parts
}

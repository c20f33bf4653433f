package text

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"assay/schema"
)

// Format returns the text form of a valid schema. Equal schemas have equal texts, and Parse
// restores the schema.
func Format(s *schema.Schema) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "name = %s\n", quote(s.Name))
	doc(&b, s.Doc)
	fmt.Fprintf(&b, "roots = %s\n", texts(s.Roots))
	if s.Unescaped {
		b.WriteString("unescaped = true\n")
	}
	for _, m := range s.Messages {
		fmt.Fprintf(&b, "\n[[messages]]\nname = %s\n", quote(m.Name))
		doc(&b, m.Doc)
		if m.Bare {
			b.WriteString("bare = true\n")
		}
		if m.Wraps {
			b.WriteString("wraps = true\n")
		}
		if m.Row {
			b.WriteString("row = true\n")
		}
		if m.Union {
			b.WriteString("union = true\n")
		}
		if m.Tag != "" {
			fmt.Fprintf(&b, "tag = %s\n", quote(m.Tag))
		}
		rows := make([][]string, len(m.Fields))
		for i, f := range m.Fields {
			rows[i] = fieldCells(f)
		}
		list(&b, "fields", rows)
	}
	for _, e := range s.Enums {
		fmt.Fprintf(&b, "\n[[enums]]\nname = %s\n", quote(e.Name))
		doc(&b, e.Doc)
		rows := make([][]string, len(e.Values))
		for i, v := range e.Values {
			rows[i] = []string{fmt.Sprintf("number = %d", v.Number), "name = " + quote(v.Name)}
		}
		list(&b, "values", rows)
	}
	return b.Bytes()
}

// fieldCells returns a field's key = value pairs, one for each column. The cell of an absent
// pair is empty.
func fieldCells(f *schema.Field) []string {
	cells := []string{
		fmt.Sprintf("number = %d", f.Number),
		"name = " + quote(f.Name),
		"type = " + quote(FormatType(f.Type)),
		"", "", "", "", "", "", "",
	}
	if f.Text != "" {
		cells[3] = "text = " + quote(f.Text)
	}
	switch {
	case f.OmitEmpty:
		cells[4] = "omitempty = true"
	case f.OmitZero:
		cells[4] = "omitzero = true"
	case f.Null:
		cells[4] = "null = true"
	}
	if f.OneOrMany {
		cells[5] = "one_or_many = true"
	}
	if f.JSONText {
		cells[6] = "json_text = true"
	}
	if f.As != "" {
		cells[7] = "as = " + quote(string(f.As))
	}
	if len(f.When) > 0 {
		cells[8] = "when = " + texts(f.When)
	}
	if f.Doc != "" {
		cells[9] = "doc = " + quote(f.Doc)
	}
	return cells
}

// texts writes an array of strings.
func texts(all []string) string {
	quoted := make([]string, len(all))
	for i, s := range all {
		quoted[i] = quote(s)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// list writes an array of inline tables, one a line, with their cells in columns.
func list(b *bytes.Buffer, key string, rows [][]string) {
	if len(rows) == 0 {
		fmt.Fprintf(b, "%s = []\n", key)
		return
	}
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	fmt.Fprintf(b, "%s = [\n", key)
	for _, row := range rows {
		b.WriteString("  {")
		gap := 1 // blanks since the last cell
		comma := ""
		for i, cell := range row {
			if cell != "" {
				b.WriteString(comma + strings.Repeat(" ", gap) + cell)
				gap, comma = 1-utf8.RuneCountInString(cell), ","
			} else if widths[i] > 0 {
				gap += 2 // room for a comma and a blank
			}
			gap += widths[i]
		}
		b.WriteString(" },\n")
	}
	b.WriteString("]\n")
}

// doc writes a doc if it is not empty: as a block if it has several lines.
func doc(b *bytes.Buffer, doc string) {
	switch {
	case doc == "":
	case strings.Contains(doc, "\n"):
		fmt.Fprintf(b, "doc = \"\"\"\n%s\"\"\"\n", escape(doc, true))
	default:
		fmt.Fprintf(b, "doc = %s\n", quote(doc))
	}
}

// quote returns s as a TOML basic string.
func quote(s string) string { return `"` + escape(s, false) + `"` }

// escape returns s as the content of a basic string. In a block, a string of several lines,
// line ends and single quotation marks need no escape.
func escape(s string, block bool) string {
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == '"' && block && i+1 < len(s) && s[i+1] != '"', r == '\n' && block:
			b.WriteRune(r)
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case !strconv.IsPrint(r) && r <= 0xffff:
			fmt.Fprintf(&b, `\u%04X`, r)
		case !strconv.IsPrint(r):
			fmt.Fprintf(&b, `\U%08X`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

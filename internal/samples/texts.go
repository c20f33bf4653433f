package samples

import (
	"fmt"
	"strings"
)

// texts are samples whose texts and numbers can be written in several ways.
var texts = []Sample{
	{Name: "pages", Text: "texts of HTML, whose signs encoding/json escapes", lines: true, size: 60,
		each: page},
	{Name: "escapes", Text: "texts with letters and signs escaped that need not be, and numbers with zeros and exponents", lines: true, size: 80,
		each: escaped},
	{Name: "notebook", Text: "cells of a notebook: sources as lists of lines, outputs of several kinds", Records: "cells[]", size: 40,
		each: cell, whole: within("cells", "nbformat", 4, "nbformat_minor", 5)},
	{Name: "nulls", Text: "lists and maps with nulls in them", lines: true, size: 100,
		each: nullElements},
	{Name: "i18n", Text: "translations: a map of maps, in several scripts", size: 60,
		each: translation, whole: byKey("messages", "locale", "mul")},
}

func page(m *maker, i int) any {
	body := fmt.Sprintf("<div class=\"%s\"><p>%s</p><a href=\"/?a=1&b=%d\">%s</a></div>", m.word(), m.sentence(6), m.IntN(9), m.word())
	return object{"url", fmt.Sprintf("https://example.com/%d?q=%s&p=1", i, m.word()), "title", m.sentence(3), "html", strings.Repeat(body, 1+m.IntN(3)), "lang", m.maybe(60, "en")}
}

func escaped(m *maker, i int) any {
	return object{"id", i, "name", spelled(`"caf\u00e9 \u65e5\u672c ` + m.word() + `"`), "path", spelled(`"\/` + m.word() + `\/` + m.word() + `"`), "price", spelled(fmt.Sprintf("%d.%d0", m.IntN(90), m.IntN(10))), "mass", spelled(fmt.Sprintf("%d.5e%d", 1+m.IntN(9), 3+m.IntN(6))), "whole", spelled(fmt.Sprintf("%d.0", m.IntN(90))), "tiny", spelled(fmt.Sprintf("%dE-9", 1+m.IntN(9))), "note", spelled(`"\u003cb\u003e ` + m.word() + `\u0026"`)}
}

func cell(m *maker, i int) any {
	lines := func(n int) []any { return m.list(n, func(int) any { return m.sentence(3) + "\n" }) }
	c := object{"cell_type", "markdown", "id", m.hex(8), "metadata", m.or(20, object{"tags", []any{m.word()}}, object{}), "source", lines(1 + m.IntN(4))}
	if i%2 == 1 {
		c[1] = "code"
		c = append(c, "execution_count", m.orNull(80, i), "outputs", m.list(m.IntN(3), func(int) any {
			switch m.IntN(3) {
			case 0:
				return object{"name", "stdout", "output_type", "stream", "text", lines(1)}
			case 1:
				return object{"data", object{"text/plain", lines(1), "image/png", m.maybe(40, strings.Repeat(m.hex(16), 4))}, "execution_count", i, "metadata", object{}, "output_type", "execute_result"}
			}
			return object{"ename", "ValueError", "evalue", m.sentence(2), "output_type", "error", "traceback", lines(2)}
		}))
	}
	return c
}

func nullElements(m *maker, i int) any {
	return object{"id", i, "scores", m.list(3, func(int) any { return m.orNull(60, m.IntN(100)) }), "names", m.list(m.IntN(4), func(int) any { return m.orNull(70, m.word()) }),
		"grid", m.list(2, func(int) any { return m.orNull(80, m.list(m.IntN(3), func(int) any { return m.decimals(5, 1) })) }),
		"people", m.list(m.IntN(3), func(int) any { return m.orNull(60, object{"name", m.word(), "age", m.orNull(50, m.IntN(90))}) }),
		"byDay", object{"2026-01-01", m.orNull(60, m.IntN(9)), "2026-01-02", m.orNull(60, m.IntN(9)), "2026-01-03", m.orNull(60, m.IntN(9))}, "times", m.maybe(70, m.list(m.IntN(3), func(int) any { return m.orNull(70, m.time()) }))}
}

func translation(m *maker, i int) any {
	return []any{fmt.Sprintf("%s.%s.%d", m.word(), m.word(), i), object{"en", m.sentence(3), "de", m.maybe(80, "Größe "+m.word()), "ja", m.maybe(60, "大きさ"+m.word()), "ru", m.maybe(40, "размер "+m.word()), "ar", m.maybe(20, "حجم "+m.word())}}
}

package samples

import (
	"fmt"
	"strings"
)

// shapes are samples in which the same types occur in many places: with fields in another order,
// under other names, and within themselves.
var shapes = []Sample{
	{Name: "routes", Text: "routes with one shape in many places: in another order of fields, under other keys, with one field, as a tree that ends with null or an empty text", Records: "routes[]", size: 60,
		each: route, whole: within("routes", "status", "OK")},
	{Name: "syntax", Text: "syntax trees: nodes of five kinds within one another, under several keys, one of which holds a value of any type", size: 12,
		each: func(m *maker, i int) any {
			return object{"type", "ExpressionStatement", "expression", expression(m, 0), "directive", m.orNull(50, "use strict")}
		}},
	{Name: "xml", Text: "orders that a program has turned from XML into JSON: one element stands alone, several are a list", lines: true, size: 80,
		each: order},
	{Name: "php", Text: "goods of a shop as PHP writes them: an object without keys is an empty list, of structs, of maps and in a tree", lines: true, size: 80,
		each: goods},
	{Name: "packages", Text: "descriptions of packages: one key has now a text, now a number, a truth value, a list or an object", lines: true, size: 120,
		each: pkg},
}

func goods(m *maker, i int) any {
	bare := func(percent int, o object) any {
		if m.IntN(100) < percent {
			return []any{}
		}
		return o
	}
	meta := object{}
	for _, k := range strings.Split("1001|1002|1003|1004", "|") {
		if m.IntN(2) == 0 {
			meta = append(meta, k, m.word())
		}
	}
	return object{
		"id", i, "title", m.sentence(3), "meta", bare(20, append(meta, "1005", m.word())),
		"options", bare(30, object{"color", m.word(), "weight", m.IntN(900), "tags", m.list(m.IntN(3), func(int) any { return m.word() })}),
		"stock", m.maybe(60, bare(40, object{"shelf", m.word(), "count", m.IntN(90)})),
		"parent", bare(50, object{"id", i, "title", m.word(), "meta", []any{}, "options", []any{}, "parent", []any{}}),
	}
}

func pkg(m *maker, i int) any {
	one := func(of ...func() any) any { return of[m.IntN(len(of))]() }
	text := func() any { return m.pick("|a|<b> & \"c\"|long text") }
	number := func() any { return []any{0, -1, 7, 1 << 40}[m.IntN(4)] }
	flag := func() any { return m.IntN(2) == 0 }
	words := func() any { return m.list(m.IntN(4), func(int) any { return m.word() }) }
	from := func() any {
		return object{"type", m.pick("git|hg"), "url", "https://example.com/" + m.hex(5), "directory", m.maybe(30, m.word())}
	}
	person := func() any { return object{"name", m.word(), "email", m.maybe(60, m.word()+"@example.com")} }
	var rule func(depth int) any
	rule = func(depth int) any {
		inner := func() any { return flag() }
		if depth < 3 {
			inner = func() any { return one(flag, func() any { return rule(depth + 1) }) }
		}
		return object{"type", m.pick("object|array|string"), "title", m.word(), "minimum", m.maybe(30, m.IntN(9)), "additional", m.maybe(60, inner()), "items", m.maybe(40, inner())}
	}
	var labels object
	for n := range 9 {
		labels = append(labels, fmt.Sprintf("2026-0%d", 1+n), one(number, text))
	}
	return object{
		"id", i, "name", m.word(), "port", one(number, text), "wait", m.or(70, one(number, func() any { return m.decimals(9, 2) }, text), m.or(50, nil, absent)),
		"repository", m.maybe(80, one(text, from)), "author", m.orNull(80, one(text, person)), "maintainer", one(person, person, text),
		"files", one(text, words), "bin", one(text, func() any { return object{m.word() + "/" + m.hex(2), m.word(), m.word() + "-" + m.hex(3), m.word()} }),
		"private", m.maybe(50, one(flag, text)), "values", m.list(m.IntN(6), func(int) any { return one(number, text, flag, func() any { return nil }) }),
		"monthly", labels, "rule", rule(0), "size", one(number, words, func() any { return object{"width", m.IntN(90), "height", m.IntN(90)} }),
	}
}

// alone returns n values as a list, or the value itself if n is 1.
func (m *maker) alone(n int, value func() any) any {
	all := m.list(n, func(int) any { return value() })
	if n == 1 {
		return all[0]
	}
	return all
}

func order(m *maker, i int) any {
	var months object
	for month := range 9 {
		months = append(months, fmt.Sprintf("2026-0%d", 1+month), m.alone(m.IntN(4), func() any { return m.IntN(50) }))
	}
	code := func() any { return m.hex(4) }
	line := func() any {
		return object{"sku", m.hex(6), "count", 1 + m.IntN(9), "note", m.maybe(30, m.sentence(3)), "serial", m.maybe(50, m.alone(1+m.IntN(3), code))}
	}
	return object{
		"id", m.hex(8), "line", m.alone(m.IntN(4), line),
		"coupon", m.maybe(40, m.alone(1+m.IntN(2), code)), "flag", m.orNull(70, m.alone(1+m.IntN(3), func() any { return m.IntN(2) == 0 })),
		"weight", m.or(80, m.alone(1+m.IntN(3), func() any { return m.decimals(9, 2) }), m.or(50, nil, absent)),
		"at", m.alone(1+m.IntN(2), func() any { return m.time() }), "comment", m.alone(1+m.IntN(3), func() any { return m.pick("|fine|late") }),
		"sold", months,
		"tag", m.list(1+m.IntN(2), func(int) any { return m.word() }),
	}
}

func expression(m *maker, depth int) any {
	kinds := "Identifier|Literal|Binary|Call|Member"
	if depth > 3 {
		kinds = "Identifier|Literal"
	}
	kind := m.pick(kinds)
	inner := func() any { return expression(m, depth+1) }
	at := func() any { return object{"line", 1 + m.IntN(90), "column", m.IntN(80)} }
	node := object{"type", kind, "start", m.IntN(100), "end", 100 + m.IntN(100), "loc", object{"start", at(), "end", at()}}
	switch kind {
	case "Identifier":
		return append(node, "name", m.word())
	case "Literal":
		return append(node, "value", []any{1, 2.5, "x", nil, true}[m.IntN(5)], "raw", "x")
	case "Binary":
		return append(node, "left", inner(), "operator", "+", "right", inner())
	case "Call":
		return append(node, "callee", inner(), "arguments", m.list(m.IntN(3), func(int) any { return inner() }), "optional", false)
	}
	return append(node, "object", inner(), "property", inner(), "computed", false)
}

func route(m *maker, i int) any {
	degrees := func() spelled { // a whole number now and then
		return spelled([]string{fmt.Sprint(m.IntN(90)), fmt.Sprintf("%d.%06d", m.IntN(90), 1+m.IntN(999_998))}[m.IntN(2)])
	}
	measure := func(unit string) any {
		n := m.IntN(900)
		return object{"text", fmt.Sprintf("%d %s", n, unit), "value", n * 60}
	}
	reference := func(kind string) any { return object{"reference", kind + "/" + m.hex(6)} }
	var stop func(depth int) any
	stop = func(depth int) any {
		var children any
		if depth < 3 && m.IntN(2) == 0 {
			children = m.list(1+m.IntN(2), func(int) any { return stop(depth + 1) })
		}
		return object{"name", m.word(), "at", m.time(), "children", children}
	}
	var detour func(depth int) any
	detour = func(depth int) any {
		var next any = ""
		if depth < 3 && m.IntN(2) == 0 {
			next = detour(depth + 1)
		}
		return object{"road", m.word(), "length", m.IntN(5000), "description", m.sentence(20), "detour", next}
	}
	return object{
		"id", m.hex(8),
		"start", object{"lat", degrees(), "lng", degrees()}, "end", object{"lng", degrees(), "lat", degrees()},
		"distance", measure("km"), "duration", measure("min"),
		"driver", reference("Driver"), "vehicle", reference("Vehicle"), "depot", m.maybe(50, reference("Depot")),
		"labels", object{"app", m.word(), "tier", m.maybe(50, "front")}, "annotations", object{"example.com/" + m.word(), m.hex(8)},
		"path", m.list(2+m.IntN(5), func(int) any { return []any{degrees(), degrees()} }),
		"area", m.list(1, func(int) any { return m.list(4, func(int) any { return []any{degrees(), degrees()} }) }),
		"stops", m.list(m.IntN(3), func(int) any { return stop(0) }), "via", detour(0),
		"billing_address", object{"street", m.sentence(2), "zip", fmt.Sprint(10000 + m.IntN(80000)), "city", m.word()},
		"delivery_address", object{"city", m.word(), "street", m.sentence(2), "zip", fmt.Sprint(10000 + m.IntN(80000)), "floor", m.maybe(30, m.IntN(9))},
	}
}

package samples

import (
	"fmt"
	"strings"
)

// tables are exports of databases, spreadsheets and meters.
var tables = []Sample{
	{Name: "rows", Text: "rows of a table as a database exports them: every column is there, and many are null", lines: true, size: 250,
		each: row},
	{Name: "columns", Text: "rows of which some columns are always null or always empty", lines: true, size: 150,
		each: emptyColumns},
	{Name: "catalog", Text: "a catalog with lists and objects that are empty throughout, and others now and then", Records: "products[]", size: 200,
		each: product, whole: within("products", "currency", "EUR", "page", 1)},
	{Name: "mixed", Text: "columns that are absent in some records and null in others", lines: true, size: 200,
		each: mixed},
	{Name: "geojson", Text: "features whose coordinates are nested as deep as their geometry says", Records: "features[]", size: 60,
		each: feature, whole: within("features", "type", "FeatureCollection")},
	{Name: "geometries", Text: "a few features, one of them a collection of geometries", size: 6,
		each: collected, whole: within("features", "type", "FeatureCollection")},
	{Name: "users", Text: "a map of users by number, with objects inside objects that may be absent", size: 80,
		each: user, whole: byKey("users", "total", 80)},
	{Name: "invoices", Text: "invoices with amounts as decimal texts and as numbers with two digits", size: 60,
		each: invoice},
	{Name: "series", Text: "points of a time series as pairs of numbers", Records: "series[]", size: 20,
		each: points, whole: within("series", "unit", "ms")},
	{Name: "candles", Text: "candles of a market: lists with a number here and a text there", size: 120,
		each: candle},
	{Name: "csv", Text: "rows as lists, after a row with the names of the columns", lines: true, size: 150,
		make: csv},
	{Name: "sparse", Text: "objects of which each has a few of very many optional fields", lines: true, size: 150,
		each: sparse},
	{Name: "optionals", Text: "optional objects in optional objects, with zeros and empty texts that are there", lines: true, size: 150,
		each: optionals},
}

func row(m *maker, i int) any {
	return object{
		"id", i + 1, "first_name", m.orNull(80, m.word()), "last_name", m.orNull(80, m.word()), "email", m.orNull(70, m.word()+"@example.com"), "phone", m.orNull(30, fmt.Sprint(m.IntN(1e9))),
		"street", m.orNull(40, m.sentence(2)), "city", m.orNull(40, m.word()), "country", m.orNull(90, m.pick("DE|AT|CH")), "birthday", m.orNull(20, "1980-01-0"+fmt.Sprint(1+m.IntN(9))),
		"balance", m.orNull(85, m.decimals(5000, 2)), "active", m.IntN(3) > 0, "created_at", m.time(), "updated_at", m.orNull(60, m.time()), "deleted_at", m.orNull(5, m.time()), "parent_id", m.orNull(15, m.IntN(200)), "notes", m.orNull(10, m.sentence(9)),
	}
}

func emptyColumns(m *maker, i int) any {
	return object{"id", i, "legacy_id", nil, "name", m.word(), "nickname", "", "tags", []any{}, "properties", object{}, "history", m.list(m.IntN(3), func(int) any { return nil }), "matrix", []any{[]any{}, []any{}}, "score", m.decimals(9, 1), "deleted_by", nil, "settings", object{"theme", nil, "flags", []any{}}}
}

func product(m *maker, i int) any {
	return object{
		"id", 1000 + i, "sku", m.hex(8), "title", m.sentence(3), "price", m.decimals(300, 2), "related", []any{}, "upsells", []any{}, "crossSells", []any{}, "grouped", []any{}, "metaData", []any{}, "defaultAttributes", []any{}, "downloads", []any{}, "taxes", object{}, "links", object{},
		"salePrice", nil, "dateOnSaleFrom", nil, "dateOnSaleTo", nil, "parentId", nil, "lowStockAmount", nil, "weight", m.or(60, m.decimals(20, 1), nil),
		"images", m.list(m.IntN(2), func(int) any {
			return object{"src", "https://example.com/" + m.hex(6) + ".jpg", "alt", m.or(50, m.word(), "")}
		}),
		"categories", m.list(m.IntN(3), func(int) any { return object{"id", m.IntN(90), "name", m.word()} }), "attributes", m.or(30, object{"color", m.word()}, object{}),
	}
}

func mixed(m *maker, i int) any {
	three := func(v any) any { return []any{v, v, nil, absent, absent}[m.IntN(5)] }
	return object{"id", i, "name", m.word(), "comment", three(m.sentence(4)), "rating", three(m.IntN(6)), "tags", []any{[]any{m.word()}, []any{}, nil, absent}[m.IntN(4)], "place", three(object{"city", m.word(), "zip", three("1" + m.hex(4))}), "seen", three(m.time())}
}

func feature(m *maker, i int) any {
	point := func(int) any { return []any{m.decimals(180, 6) - 90, m.decimals(90, 6)} }
	ring := func(int) any { return m.list(4+m.IntN(6), point) }
	geometry := object{"type", "Point", "coordinates", point(0)}
	switch i % 4 {
	case 1:
		geometry = object{"type", "LineString", "coordinates", m.list(2+m.IntN(6), point)}
	case 2:
		geometry = object{"type", "Polygon", "coordinates", m.list(1, ring)}
	case 3:
		geometry = object{"type", "MultiPolygon", "coordinates", m.list(2, func(int) any { return m.list(1, ring) })}
	}
	return object{"type", "Feature", "id", m.maybe(70, i), "properties", object{"name", m.word(), "population", m.orNull(70, m.IntN(1e6)), "area", m.decimals(900, 1), "tags", m.list(m.IntN(3), func(int) any { return m.word() })}, "geometry", geometry, "bbox", m.maybe(20, []any{1.5, 2.5, 3.5, 4.5})}
}

// collected returns a feature. Every third feature is a collection of two geometries.
func collected(m *maker, i int) any {
	one := feature(m, i).(object)
	if i%3 == 2 {
		for at := 0; at < len(one); at += 2 {
			if one[at] == "geometry" {
				one[at+1] = object{"type", "GeometryCollection", "geometries", []any{
					object{"type", "Point", "coordinates", []any{m.decimals(90, 6), m.decimals(90, 6)}},
					object{"type", "LineString", "coordinates", []any{[]any{m.decimals(90, 6), m.decimals(90, 6)}, []any{m.decimals(90, 6), m.decimals(90, 6)}}},
				}}
			}
		}
	}
	return one
}

func user(m *maker, i int) any {
	return []any{fmt.Sprint(10_000 + i*7), object{"name", m.word(), "profile", m.maybe(70, object{"bio", m.maybe(50, m.sentence(5)), "links", m.maybe(50, object{"home", m.maybe(60, "https://example.com"), "feed", m.maybe(30, "https://example.com/feed")})}), "roles", m.list(m.IntN(3), func(int) any { return m.pick("admin|editor|viewer") }), "lastLogin", m.orNull(80, m.time()), "quota", object{"used", m.IntN(500), "limit", m.maybe(50, 1000)}}}
}

func invoice(m *maker, i int) any {
	amount := func() string { return fmt.Sprintf("%d.%02d", m.IntN(900), m.IntN(100)) }
	return object{"number", fmt.Sprintf("R-2026-%04d", i), "issued", "2026-02-1" + fmt.Sprint(i%10), "total", amount(), "vatRate", spelled(m.pick("19.0|7.0|0.0")), "paid", spelled(amount()), "customer", object{"name", m.word(), "vatId", m.maybe(50, "DE"+fmt.Sprint(100_000_000+m.IntN(8e8)))},
		"lines", m.list(1+m.IntN(5), func(n int) any {
			return object{"pos", n + 1, "text", m.sentence(3), "quantity", spelled(fmt.Sprintf("%d.000", 1+m.IntN(9))), "unitPrice", amount(), "discount", m.maybe(20, spelled("0.10"))}
		}), "notes", m.maybe(20, m.sentence(5))}
}

func points(m *maker, i int) any {
	at := 1_760_000_000_000
	return object{"metric", m.word() + ".latency", "tags", object{"host", "h-" + m.hex(3), "zone", m.maybe(50, "a")}, "points", m.list(20+m.IntN(20), func(n int) any {
		return []any{at + 60_000*n, m.decimals(500, 3)}
	}), "interval", 60}
}

func candle(m *maker, i int) any {
	price := func() string { return fmt.Sprintf("%d.%08d", m.IntN(90), m.IntN(1e8)) }
	open := 1_760_000_000_000 + 60_000*i
	return []any{open, price(), price(), price(), price(), price(), open + 59_999, price(), m.IntN(900), price(), price(), "0"}
}

func csv(m *maker, n int) []any {
	all := []any{[]any{"asin", "brand", "title", "rating", "reviews", "prices"}}
	for range n {
		all = append(all, []any{"B0" + m.hex(8), m.word(), m.sentence(6) + " 5\" & <new>", m.decimals(5, 1), m.IntN(900), m.or(60, "$"+fmt.Sprint(m.IntN(900))+".99", "")})
	}
	return all
}

func sparse(m *maker, i int) any {
	o, names := object{"id", i}, strings.Split(words, "|")
	for f := range 60 {
		o = append(o, names[f%len(names)]+"_"+names[(f*7+3)%len(names)]+[]string{"", "_min", "_max"}[f/len(names)], m.maybe(8, m.IntN(100)))
	}
	return append(o, "end", true)
}

func optionals(m *maker, i int) any {
	return object{"id", i, "count", m.maybe(70, m.or(50, 0, m.IntN(9))), "label", m.maybe(70, m.or(50, "", m.word())), "flag", m.maybe(60, m.IntN(2) == 0), "ratio", m.maybe(60, m.or(50, 0, m.decimals(1, 2))),
		"inner", m.maybe(60, object{"a", m.maybe(50, 0), "b", m.maybe(50, ""), "deeper", m.maybe(50, object{"c", m.maybe(50, false), "list", m.maybe(60, m.list(m.IntN(2), func(int) any { return 0 }))})}),
		"items", m.maybe(60, m.list(m.IntN(3), func(int) any { return object{"n", m.maybe(50, 0)} })), "at", m.maybe(50, m.time())}
}

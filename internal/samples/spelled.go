package samples

import (
	"fmt"
	"strings"
)

// spelledTexts are samples whose texts and numbers stand for values of other types.
var spelledTexts = []Sample{
	{Name: "spelled", Text: "ids, hashes, times and amounts in every spelling that can be asked for", lines: true, size: 60, Types: spellings,
		each: spelledRecord},
}

// spellings are the values of --type for the sample spelled.
var spellings = []string{
	"id=uuid", "key=UUID", "sha=hex", "mac=HEX", "tx=0x", "code=0X", "day=date", "at=local", "seen=local:3", "logged=local-space", "traced=local-space:6",
	"s=unix", "ms=unix-ms", "us=unix-us", "ns=unix-ns", "price=decimal", "rate=decimal:4", "count=decimal:0", "blob=bytes",
	"maybe.id=uuid", "maybe.sha=hex", "maybe.day=date", "maybe.ms=unix-ms", "maybe.price=decimal:2",
	"null.id=uuid", "null.sha=hex", "null.day=date", "null.ms=unix-ms", "null.price=decimal:2",
	"ids[]=uuid", "hashes[]=0x", "days[]=date", "times[]=unix", "prices[]=decimal:2", "holes[]=uuid", "gaps[]=unix-ms",
	"byName.*=uuid", "dayOf.*=date", "msOf.*=unix-ms", "priceOf.*=decimal:2",
	"pairs[].f1=hex", "pairs[].f2=unix-us",
}

func spelledRecord(m *maker, i int) any {
	upper := strings.ToUpper
	decimal := func(digits int) string {
		return fmt.Sprintf("%s%d.%0*d", m.pick("|-"), m.IntN(500), digits, 1+m.IntN(9))
	}
	date := func() string { return fmt.Sprintf("20%02d-%02d-%02d", m.IntN(90), 1+m.IntN(12), 1+m.IntN(28)) }
	clock := func(sep string, digits int) string {
		text := fmt.Sprintf("%s%s%02d:%02d:%02d", date(), sep, m.IntN(24), m.IntN(60), m.IntN(60))
		if digits > 0 {
			text += fmt.Sprintf(".%0*d", digits, m.IntN(1000))
		}
		return text
	}
	seconds := func() int64 { return 1_760_000_000 + m.Int64N(1e7) }
	millis := func() int64 { return seconds()*1000 + m.Int64N(1000) }
	few := func(value func() any) any { return m.list(m.IntN(4), func(int) any { return value() }) }
	named := func(value func() any) any {
		all := object{}
		for n := range 1 + m.IntN(3) {
			all = append(all, fmt.Sprintf("%s-%d", m.word(), 100*i+n), value())
		}
		return all
	}
	id := func() any { return m.uuid() }
	part := func(or func(int, any) any) object {
		return object{"id", or(60, m.uuid()), "sha", or(60, m.hex(40)), "day", or(60, date()), "ms", or(60, millis()), "price", or(60, decimal(2))}
	}
	return object{
		"n", i, "id", m.uuid(), "key", upper(m.uuid()), "sha", m.hex(64), "mac", upper(m.hex(12)), "tx", "0x" + m.hex(2*m.IntN(30)), "code", "0x" + upper(m.hex(8)),
		"day", date(), "at", clock("T", 0), "seen", clock("T", 3), "logged", clock(" ", 0), "traced", clock(" ", 6),
		"s", seconds(), "ms", millis(), "us", millis()*1000 + m.Int64N(1000), "ns", millis()*1_000_000 + 1000*m.Int64N(1000),
		"price", decimal(2), "rate", decimal(4), "count", fmt.Sprint(m.IntN(1e6)), "blob", m.pick("AAECAwQFBgcICQoLDA0ODw==|+/+/+/+/+/+/+/+/+/+/+/+/|c3BlbGxlZCBzYW1wbGUgYnl0ZXM="),
		"maybe", part(m.maybe), "null", part(m.orNull),
		"ids", few(id), "hashes", few(func() any { return "0x" + m.hex(64) }), "days", few(func() any { return date() }), "times", few(func() any { return seconds() }), "prices", few(func() any { return decimal(2) }),
		"holes", few(func() any { return m.orNull(60, m.uuid()) }), "gaps", few(func() any { return m.orNull(60, millis()) }),
		"byName", named(id), "dayOf", named(func() any { return date() }), "msOf", named(func() any { return millis() }), "priceOf", named(func() any { return decimal(2) }),
		"pairs", m.list(m.IntN(3), func(int) any { return []any{m.hex(8), millis() * 1000, m.word()} }),
	}
}

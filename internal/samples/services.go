package samples

import "fmt"

// services are messages that applications send to each other.
var services = []Sample{
	{Name: "hetero", Text: "events of eight kinds in one stream, each with fields of its own: most fields are absent from most events", lines: true, size: 300,
		each: event},
	{Name: "stripe", Text: "events whose data.object is of one of four kinds, with many nulls", Records: "data[]", size: 80,
		each: payment, whole: within("data", "object", "list", "has_more", false)},
	{Name: "fhir", Text: "a bundle of health records: resources of four kinds", Records: "entry[]", size: 100,
		each: resource, whole: within("entry", "resourceType", "Bundle", "type", "collection")},
	{Name: "graphql", Text: "answers of which some have errors and no data", lines: true, size: 100,
		each: answer},
	{Name: "comments", Text: "a tree of comments; replies are absent at its leaves", size: 30,
		make: func(m *maker, n int) []any { return m.list(n, func(i int) any { return comment(m, 0) }) }},
	{Name: "reddit", Text: "a tree of comments whose replies are an object, or an empty text", size: 30,
		make: func(m *maker, n int) []any { return m.list(n, func(i int) any { return reply(m, 0) }) }},
	{Name: "chat", Text: "the export of a chat, where a text is a string or a list of parts", Records: "messages[]", size: 150,
		each: message, whole: within("messages", "name", "team", "type", "private_group", "id", 9_000_000_001)},
	{Name: "webhooks", Text: "events of a code host: users in many places, fields that are null in one kind and absent from others", lines: true, size: 60,
		each: webhook},
	{Name: "calendar", Text: "times in the spellings that libraries have, which a library writes in one", size: 80,
		each: appointment},
	{Name: "audit", Text: "changes with values of any kind before and after", lines: true, size: 120,
		each: change},
	{Name: "feed", Text: "a feed made JSON, with keys that have signs and lists that are one object now and then", Records: "channel.item[]", size: 60,
		each: item, whole: func(m *maker, r []any) any {
			return object{"channel", object{"title", m.sentence(3), "link", "https://example.com/", "item", r}}
		}},
}

func event(m *maker, i int) any {
	e := object{"id", m.hex(12), "ts", 1_760_000_000_000 + int64(i)*137}
	switch i * 5 % 8 {
	case 0:
		return append(e, "type", "view", "path", "/"+m.word(), "ms", m.IntN(900))
	case 1:
		return append(e, "type", "click", "path", "/"+m.word(), "target", m.word(), "x", m.IntN(1900), "y", m.IntN(1000))
	case 2:
		return append(e, "type", "login", "user", m.IntN(9000), "method", m.pick("password|sso"), "mfa", m.maybe(50, true))
	case 3:
		return append(e, "type", "order", "user", m.IntN(9000), "total", m.decimals(500, 2), "currency", "EUR", "lines", m.list(1+m.IntN(3), func(int) any {
			return object{"sku", m.hex(6), "qty", 1 + m.IntN(5), "gift", m.maybe(10, true)}
		}))
	case 4:
		return append(e, "type", "error", "level", m.pick("warn|error"), "message", m.sentence(5), "stack", m.maybe(50, m.list(3, func(int) any { return m.word() + ".go:" + fmt.Sprint(m.IntN(300)) })))
	case 5:
		return append(e, "type", "search", "query", m.word(), "hits", m.IntN(500), "filters", m.maybe(40, object{"brand", m.word(), "min", m.IntN(50)}))
	case 6:
		return append(e, "type", "upload", "user", m.IntN(9000), "bytes", m.IntN(1e7), "mime", "image/png", "ok", m.IntN(9) > 0)
	}
	return append(e, "type", "beat", "host", "h-"+m.hex(2), "load", m.decimals(4, 2))
}

func payment(m *maker, _ int) any {
	var kind string
	o := object{"id", m.hex(24)}
	switch m.IntN(4) {
	case 0:
		kind = "charge"
		o = append(o, "object", kind, "amount", m.IntN(90000), "balance_transaction", "txn_"+m.hex(16), "billing_details", object{
			"address", object{"city", m.orNull(50, m.word()), "country", nil, "line1", nil, "line2", nil, "postal_code", m.orNull(50, "1"+m.hex(4)), "state", nil},
			"email", nil, "name", m.orNull(60, m.word()), "phone", nil}, "captured", true, "currency", "eur", "customer", m.orNull(70, "cus_"+m.hex(14)), "description", nil, "failure_code", m.orNull(10, "card_declined"),
			"metadata", m.or(30, object{"order_id", m.hex(6)}, object{}), "paid", true, "refunds", object{"object", "list", "data", []any{}, "has_more", false})
	case 1:
		kind = "customer"
		o = append(o, "object", kind, "address", nil, "balance", 0, "created", 1_700_000_000+m.IntN(1e8), "currency", m.orNull(40, "eur"), "default_source", nil, "delinquent", false, "discount", nil,
			"email", m.word()+"@example.com", "invoice_settings", object{"custom_fields", nil, "footer", nil}, "metadata", object{}, "phone", m.orNull(30, "+49"+fmt.Sprint(m.IntN(1e9))), "preferred_locales", m.list(m.IntN(2), func(int) any { return "de-DE" }))
	case 2:
		kind = "invoice"
		o = append(o, "object", kind, "amount_due", m.IntN(9000), "attempted", true, "charge", m.orNull(50, "ch_"+m.hex(16)), "custom_fields", nil, "due_date", nil,
			"lines", object{"object", "list", "data", m.list(1+m.IntN(3), func(int) any {
				return object{"id", "il_" + m.hex(8), "amount", m.IntN(900), "description", m.sentence(3), "discounts", []any{}, "metadata", object{}, "proration", false, "quantity", m.orNull(90, 1), "unit_amount_excluding_tax", fmt.Sprint(m.IntN(900))}
			}), "has_more", false}, "paid", m.IntN(2) == 0, "tax", m.orNull(30, m.IntN(300)))
	default:
		kind = "payout"
		o = append(o, "object", kind, "amount", m.IntN(90000), "arrival_date", 1_760_000_000, "automatic", true, "destination", "ba_"+m.hex(10), "failure_message", nil, "method", "standard", "status", m.pick("paid|pending"))
	}
	return object{"id", "evt_" + m.hex(16), "object", "event", "api_version", "2025-01-01", "created", 1_760_000_000 + m.IntN(1e6), "data", object{"object", o, "previous_attributes", m.maybe(20, object{"amount", m.IntN(500)})},
		"livemode", false, "pending_webhooks", m.IntN(3), "request", object{"id", m.orNull(50, "req_"+m.hex(10)), "idempotency_key", m.orNull(30, m.uuid())}, "type", kind + ".updated"}
}

func coding(m *maker) any {
	return object{"coding", []any{object{"system", "http://loinc.org", "code", m.hex(6), "display", m.maybe(70, m.sentence(3))}}, "text", m.maybe(40, m.sentence(2))}
}

func resource(m *maker, i int) any {
	id := m.uuid()
	meta := object{"versionId", "1", "lastUpdated", m.time()}
	var r object
	switch i % 4 {
	case 0:
		r = object{"resourceType", "Patient", "id", id, "meta", meta, "active", m.maybe(80, true),
			"name", []any{object{"use", "official", "family", m.word(), "given", m.list(1+m.IntN(2), func(int) any { return m.word() }), "prefix", m.maybe(20, []any{"Dr."})}},
			"telecom", m.maybe(70, []any{object{"system", "phone", "value", fmt.Sprint(m.IntN(1e9)), "use", m.maybe(50, "home")}}), "gender", m.pick("male|female"), "birthDate", "19" + fmt.Sprintf("%02d-%02d-%02d", m.IntN(99), 1+m.IntN(12), 1+m.IntN(28)),
			"address", m.maybe(60, []any{object{"line", []any{m.sentence(2)}, "city", m.word(), "postalCode", m.maybe(70, fmt.Sprint(m.IntN(99999)))}}), "maritalStatus", m.maybe(30, coding(m))}
	case 1:
		r = object{"resourceType", "Observation", "id", id, "meta", meta, "status", "final", "category", []any{coding(m)}, "code", coding(m), "subject", object{"reference", "Patient/" + id},
			"effectiveDateTime", m.time(), "valueQuantity", m.maybe(60, object{"value", m.decimals(200, 1), "unit", "mmHg", "system", "http://unitsofmeasure.org", "code", m.maybe(80, "mm[Hg]")}),
			"component", m.maybe(30, []any{object{"code", coding(m), "valueQuantity", object{"value", m.decimals(200, 1), "unit", "mmHg"}}}), "note", m.maybe(10, []any{object{"text", m.sentence(6)}})}
	case 2:
		r = object{"resourceType", "Encounter", "id", id, "meta", meta, "status", m.pick("finished|planned"), "class", object{"system", "http://hl7.org/act", "code", "AMB"}, "type", m.maybe(50, []any{coding(m)}), "subject", object{"reference", "Patient/" + id},
			"participant", m.maybe(70, []any{object{"individual", object{"reference", "Practitioner/" + m.hex(8), "display", m.maybe(50, m.word())}}}), "period", object{"start", m.time(), "end", m.maybe(70, m.time())}, "reasonCode", m.maybe(30, []any{coding(m)})}
	default:
		r = object{"resourceType", "MedicationRequest", "id", id, "meta", meta, "status", "active", "intent", "order", "medicationCodeableConcept", coding(m), "subject", object{"reference", "Patient/" + id}, "authoredOn", m.time(),
			"dosageInstruction", m.maybe(70, []any{object{"text", m.sentence(3), "asNeededBoolean", m.maybe(50, false), "doseAndRate", m.maybe(50, []any{object{"doseQuantity", object{"value", 1 + m.IntN(4)}}})}})}
	}
	return object{"fullUrl", "urn:uuid:" + id, "resource", r, "search", m.maybe(30, object{"mode", "match", "score", m.maybe(50, m.decimals(1, 2))})}
}

func answer(m *maker, _ int) any {
	if m.IntN(8) == 0 {
		return object{"data", nil, "errors", []any{object{"message", m.sentence(4), "locations", []any{object{"line", 1 + m.IntN(9), "column", 3}}, "path", m.maybe(60, []any{"user", "posts"}), "extensions", m.maybe(50, object{"code", "FORBIDDEN"})}}}
	}
	return object{"data", object{"user", m.orNull(90, object{
		"id", m.hex(8), "name", m.word(), "bio", m.orNull(50, m.sentence(6)), "avatar", m.orNull(60, object{"url", "https://example.com/" + m.hex(5), "width", 64}),
		"posts", object{"edges", m.list(m.IntN(4), func(int) any {
			return object{"cursor", m.hex(6), "node", object{"id", m.hex(8), "title", m.sentence(4), "publishedAt", m.orNull(80, m.time()), "tags", m.list(m.IntN(3), func(int) any { return m.word() }), "__typename", "Post"}}
		}), "pageInfo", object{"hasNextPage", m.IntN(2) == 0, "endCursor", m.orNull(60, m.hex(6))}},
	})}, "extensions", m.maybe(30, object{"tracing", object{"duration", m.IntN(1e6)}})}
}

func comment(m *maker, depth int) any {
	c := object{"id", m.IntN(1e6), "author", object{"name", m.word(), "karma", m.maybe(70, m.IntN(9000))}, "body", m.sentence(3 + m.IntN(9)), "score", m.IntN(40) - 5, "edited", m.maybe(20, m.time())}
	if n := m.IntN(4) - depth; n > 0 {
		c = append(c, "replies", m.list(n, func(int) any { return comment(m, depth+1) }))
	}
	return c
}

func reply(m *maker, depth int) any {
	var replies any = ""
	if n := m.IntN(4) - depth; n > 0 {
		replies = object{"kind", "Listing", "data", object{"after", nil, "children", m.list(n, func(int) any { return reply(m, depth+1) })}}
	}
	return object{"kind", "t1", "data", object{"id", m.hex(6), "author", m.word(), "body", m.sentence(4), "edited", m.or(80, false, 1_760_000_000), "replies", replies, "ups", m.IntN(90)}}
}

func message(m *maker, i int) any {
	var text any = m.sentence(3 + m.IntN(6))
	if m.IntN(4) == 0 {
		text = []any{m.word() + " ", object{"type", m.pick("bold|link"), "text", m.word()}, " " + m.word()}
	}
	return object{"id", i + 1, "type", "message", "date", "2026-03-01T10:0" + fmt.Sprint(i%10) + ":00", "date_unixtime", fmt.Sprint(1_760_000_000 + i), "from", m.orNull(95, m.word()), "from_id", "user" + fmt.Sprint(m.IntN(9999)),
		"edited", m.maybe(10, "2026-03-01T11:00:00"), "reply_to_message_id", m.maybe(30, m.IntN(i+1)), "media_type", m.maybe(15, "sticker"), "file", m.maybe(15, "(File not included.)"), "width", m.maybe(15, 512),
		"text", text, "reactions", m.maybe(20, []any{object{"type", "emoji", "count", 1 + m.IntN(5), "emoji", "👍"}})}
}

func account(m *maker) object {
	login := m.word()
	return object{"login", login, "id", m.IntN(1e6), "avatar_url", "https://example.com/u/" + login, "gravatar_id", "", "type", "User", "site_admin", false}
}

func webhook(m *maker, i int) any {
	repository := object{"id", m.IntN(1e6), "name", m.word(), "full_name", m.word() + "/" + m.word(), "private", false, "owner", account(m), "description", m.orNull(70, m.sentence(4)), "homepage", nil, "language", m.orNull(80, "Go"), "license", m.orNull(60, object{"key", "mit", "name", "MIT License"}), "topics", m.list(m.IntN(3), func(int) any { return m.word() })}
	switch i % 3 {
	case 0:
		return object{"ref", "refs/heads/main", "before", m.hex(40), "after", m.hex(40), "base_ref", nil, "commits", m.list(1+m.IntN(2), func(int) any {
			return object{"id", m.hex(40), "message", m.sentence(5), "timestamp", m.time(), "author", object{"name", m.word(), "email", m.word() + "@example.com", "username", m.maybe(70, m.word())}, "added", []any{}, "modified", []any{m.word() + ".go"}, "removed", []any{}}
		}), "repository", repository, "sender", account(m)}
	case 1:
		return object{"action", m.pick("opened|closed"), "issue", object{"number", m.IntN(999), "title", m.sentence(4), "user", account(m), "labels", m.list(m.IntN(2), func(int) any {
			return object{"name", m.word(), "color", m.hex(6), "description", m.orNull(50, m.word())}
		}), "assignee", m.orNull(40, account(m)), "milestone", nil, "closed_at", m.orNull(40, m.time()), "body", m.orNull(80, m.sentence(12))}, "repository", repository, "sender", account(m)}
	}
	return object{"action", "created", "starred_at", m.orNull(80, m.time()), "repository", repository, "sender", account(m)}
}

func appointment(m *maker, i int) any {
	at := fmt.Sprintf("2026-0%d-1%dT%02d:00:00", 1+i%9, i%10, i%24)
	return object{"uid", m.uuid(), "summary", m.sentence(3), "created", at + ".000Z", "updated", at + fmt.Sprintf(".%d00Z", i%10), "start", at + "+00:00", "end", at + "+02:00", "day", at[:10], "floating", at, "epoch", 1_760_000_000 + i, "cancelled", m.maybe(20, at+"Z")}
}

func change(m *maker, _ int) any {
	value := func() any {
		return []any{m.word(), m.IntN(500), true, nil, []any{m.word()}, object{"a", 1}, m.decimals(5, 2)}[m.IntN(7)]
	}
	return object{"at", m.time(), "actor", m.word(), "field", m.word(), "before", value(), "after", value(), "comment", m.maybe(20, "<"+m.word()+">")}
}

func item(m *maker, i int) any {
	var enclosure any = absent
	switch i % 3 {
	case 0:
		enclosure = object{"@url", "https://example.com/" + m.hex(5), "@type", "audio/mpeg"}
	case 1:
		enclosure = []any{object{"@url", "https://example.com/" + m.hex(5), "@type", "audio/mpeg", "@length", "123"}, object{"@url", "https://example.com/" + m.hex(5)}}
	}
	return object{"title", m.sentence(4), "link", "https://example.com/?a=1&b=" + m.hex(3), "guid", object{"@isPermaLink", "false", "#text", m.uuid()}, "pubDate", "Mon, 02 Mar 2026 10:00:00 GMT", "category", m.maybe(60, m.list(1+m.IntN(3), func(int) any { return m.word() })), "description", m.orNull(80, "<p>"+m.sentence(8)+"</p>"), "media:content", m.maybe(20, object{"@medium", "image"}), "enclosure", enclosure}
}

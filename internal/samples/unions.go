package samples

import "strings"

// unions are samples in which some objects are of several kinds. The services hetero, stripe and
// fhir are such samples too.
var unions = []Sample{
	{Name: "activity", Text: "events whose payload is of one of six kinds, which the type beside it tells", lines: true, size: 120,
		each: activity},
	{Name: "workflow", Text: "jobs with steps of four kinds, which only their keys tell", Records: "jobs[]", size: 40,
		each: job, whole: within("jobs", "version", 2)},
	{Name: "blockpage", Text: "a page of blocks that hold blocks: text, images, tables and columns", size: 40,
		each: section},
	{Name: "lint", Text: "settings of a checker: rules that are a level, or a list of a level and options; plugins with options and without", lines: true, size: 80,
		each: settings},
}

func settings(m *maker, i int) any {
	rules := object{}
	for _, name := range strings.Split("semi|max-len|eqeqeq|curly|no-console|quotes", "|") {
		level := any(m.pick("off|warn|error"))
		if m.IntN(3) == 0 {
			level = m.IntN(3)
		}
		switch m.IntN(4) {
		case 0:
			rules = append(rules, name, []any{level, m.pick("always|never")})
		case 1:
			rules = append(rules, name, []any{level, object{"max", 60 + m.IntN(60), "ignoreUrls", m.IntN(2) == 0}})
		case 2:
			rules = append(rules, name, level)
		}
	}
	return object{"root", i%5 == 0, "extends", m.word(), "plugins", m.list(1+m.IntN(5), func(int) any {
		name := "plugin-" + m.word()
		if m.IntN(2) == 0 {
			return name
		}
		return []any{name, object{"loose", m.IntN(2) == 0, "target", m.maybe(60, m.word())}}
	}), "rules", rules}
}

func activity(m *maker, i int) any {
	e := object{"id", m.hex(10), "actor", object{"id", m.IntN(1e6), "login", m.word()}, "repo", object{"id", m.IntN(1e6), "name", m.word() + "/" + m.word()}, "public", true, "created_at", m.time()}
	issue := func() object {
		return object{"id", m.IntN(1e6), "number", m.IntN(999), "title", m.sentence(4), "state", m.pick("open|closed"), "locked", false, "comments", m.IntN(9), "closed_at", m.orNull(40, m.time()), "body", m.orNull(70, m.sentence(9))}
	}
	var kind string
	var payload object
	switch i % 6 {
	case 0:
		kind, payload = "PushEvent", object{"push_id", m.IntN(1e9), "size", 1 + m.IntN(4), "ref", "refs/heads/" + m.word(), "head", m.hex(40), "before", m.hex(40), "commits", m.list(1+m.IntN(3), func(int) any {
			return object{"sha", m.hex(40), "message", m.sentence(4), "distinct", m.IntN(5) > 0}
		})}
	case 1:
		kind, payload = "CreateEvent", object{"ref", m.orNull(60, m.word()), "ref_type", m.pick("branch|tag"), "master_branch", "main", "description", m.orNull(60, m.sentence(3)), "pusher_type", "user"}
	case 2:
		kind, payload = "IssuesEvent", object{"action", m.pick("opened|closed"), "issue", issue()}
	case 3:
		kind, payload = "IssueCommentEvent", object{"action", "created", "issue", issue(), "comment", object{"id", m.IntN(1e6), "body", m.sentence(7), "created_at", m.time()}}
	case 4:
		kind, payload = "ForkEvent", object{"forkee", object{"id", m.IntN(1e6), "full_name", m.word() + "/" + m.word(), "private", false, "forks", m.IntN(50)}}
	default:
		kind, payload = "ReleaseEvent", object{"action", "published", "release", object{"id", m.IntN(1e6), "tag_name", "v1." + m.pick("0|1|2"), "draft", false, "assets", m.list(m.IntN(3), func(int) any {
			return object{"name", m.word(), "size", m.IntN(1e7)}
		})}}
	}
	return append(e, "type", kind, "payload", payload)
}

func job(m *maker, i int) any {
	return object{"name", m.word(), "needs", m.list(m.IntN(3), func(int) any { return m.word() }), "steps", m.list(2+m.IntN(4), func(j int) any {
		s := object{"id", m.hex(4), "name", m.maybe(70, m.sentence(2))}
		switch (i + j) % 4 {
		case 0:
			return append(s, "run", "make "+m.word(), "shell", m.pick("bash|sh"), "cwd", m.maybe(40, "/"+m.word()))
		case 1:
			return append(s, "uses", m.word()+"/"+m.word()+"@v2", "with", object{"path", m.word(), "depth", m.maybe(50, m.IntN(5))})
		case 2:
			return append(s, "wait", m.IntN(900), "until", m.time(), "channel", m.word())
		}
		return append(s, "parallel", object{"width", 1 + m.IntN(8), "fail_fast", m.IntN(2) == 0}, "matrix", []any{m.word(), m.word()})
	})}
}

func section(m *maker, i int) any { return nested(m, i%4, 0) }

func nested(m *maker, kind, depth int) any {
	id := m.uuid()
	switch kind {
	case 0:
		return object{"kind", "text", "id", id, "text", m.sentence(6), "bold", m.maybe(20, true), "level", m.IntN(4)}
	case 1:
		return object{"kind", "image", "id", id, "url", "https://example.com/" + m.hex(6), "width", m.IntN(900), "height", m.IntN(900), "caption", m.maybe(60, m.sentence(3))}
	case 2:
		return object{"kind", "table", "id", id, "header", m.IntN(2) == 0, "cells", m.list(2, func(int) any { return m.list(2, func(int) any { return m.word() }) })}
	}
	n := 1 + m.IntN(3)
	if depth > 1 {
		n = 0
	}
	return object{"kind", "columns", "id", id, "ratio", m.decimals(1, 2), "blocks", m.list(n, func(j int) any { return nested(m, m.IntN(4), depth+1) })}
}

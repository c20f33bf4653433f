package samples

import (
	"fmt"
	"strings"
)

// specs are samples that are one deep document with similar parts in many places.
var specs = []Sample{
	{Name: "httpapi", Text: "the description of an HTTP interface: one document with maps in maps, references beside what they refer to, and schemas within schemas", Records: ".", size: 24,
		each: endpoint, whole: described},
	{Name: "jsonschema", Text: "a JSON schema: schemas under many keys and at any depth, of which each has few of the fields, and one key that is a truth value or a schema", Records: ".", size: 16,
		each: definition, whole: jsonSchema},
}

// definition returns the name of a schema, and the schema.
func definition(m *maker, i int) any {
	return []any{fmt.Sprintf("%s_%d", m.word(), i), subschema(m, 1)}
}

// subschema returns a schema that has only a few of the possible keys.
func subschema(m *maker, depth int) any {
	kind := m.IntN(8)
	if depth > 4 {
		kind %= 4
	}
	inner := func() any { return subschema(m, depth+1) }
	switch kind {
	case 0:
		return object{"$ref", "#/$defs/" + m.word(), "description", m.maybe(40, m.sentence(4))}
	case 1:
		return object{"type", m.or(80, "string", []any{"string", "null"}), "format", m.maybe(30, m.pick("date|uri")), "pattern", m.maybe(20, "^[a-z]+$"), "description", m.maybe(60, m.sentence(5))}
	case 2:
		return object{"type", m.pick("integer|number"), "minimum", m.maybe(50, m.IntN(9)), "description", m.maybe(60, m.sentence(5))}
	case 3:
		return object{"enum", m.list(2, func(int) any { return m.word() })}
	case 4:
		return object{"type", "array", "items", inner()}
	case 5:
		return object{m.pick("anyOf|oneOf|allOf"), m.list(2, func(int) any { return inner() })}
	}
	all := object{}
	for n := range 2 + m.IntN(3) {
		all = append(all, fmt.Sprintf("%s_%d", m.word(), n), inner())
	}
	return object{"type", "object", "properties", all, "required", m.maybe(60, []any{all[0], all[2]}), "additionalProperties", m.or(60, m.or(50, false, inner()), absent),
		"patternProperties", m.maybe(20, object{"^x-", inner()})}
}

// jsonSchema returns the document around the definitions.
func jsonSchema(m *maker, records []any) any {
	root := subschema(m, 5).(object)
	return byKey("$defs", append(object{"$schema", "https://json-schema.org/draft/2020-12/schema", "$id", "https://example.com/orders", "properties", object{"order", root, "customer", subschema(m, 2)}}, "additionalProperties", false)...)(m, records)
}

const schemaNames = "Order|Customer|Invoice|Item|Address|Payment|Refund|Shipment|Product|Error|Page|Webhook"

// endpoint returns a path and its operations.
func endpoint(m *maker, i int) any {
	operation := func(verb string) object {
		o := object{"tags", []any{m.pick("orders|customers|billing")}, "summary", m.sentence(3), "description", m.maybe(50, m.sentence(9)), "operationId", fmt.Sprintf("%s_%s_%d", verb, m.word(), i),
			"parameters", m.maybe(70, m.list(1+m.IntN(3), func(int) any { return parameter(m) })), "deprecated", m.maybe(10, true)}
		if verb != "get" {
			o = append(o, "requestBody", object{"required", true, "content", content(m)})
		}
		return append(o, "responses", object{
			"200", object{"description", m.sentence(2), "content", content(m), "headers", m.maybe(20, object{"X-Rate-Limit", object{"description", m.sentence(3), "schema", object{"type", "integer"}}})},
			"404", ref("responses", "NotFound"), "422", m.maybe(40, object{"description", "Invalid", "content", content(m)}), "default", m.maybe(30, ref("responses", "Problem")),
		}, "security", m.maybe(40, []any{object{"oauth", []any{"read"}}}))
	}
	return []any{fmt.Sprintf("/%s/{id}/%s-%d", m.word(), m.word(), i), object{
		"get", operation("get"), "post", m.maybe(60, operation("post")), "delete", m.maybe(30, operation("delete")),
		"parameters", m.maybe(30, []any{ref("parameters", "Id")}),
	}}
}

func ref(kind, name string) object { return object{"$ref", "#/components/" + kind + "/" + name} }

func content(m *maker) object {
	return object{"application/json", object{"schema", m.or(70, ref("schemas", m.pick(schemaNames)), schemaOf(m, 2)), "examples", m.maybe(20, object{"first", object{"summary", m.sentence(2), "value", object{"id", m.IntN(99)}}})},
		"text/csv", m.maybe(10, object{"schema", object{"type", "string", "format", "binary"}})}
}

func parameter(m *maker) any {
	if m.IntN(4) == 0 {
		return ref("parameters", m.pick("Id|Limit|Cursor"))
	}
	return object{"name", m.word(), "in", m.pick("query|path|header"), "description", m.maybe(60, m.sentence(4)), "required", m.maybe(60, m.IntN(2) == 0), "schema", schemaOf(m, 3),
		"style", m.maybe(20, "form"), "explode", m.maybe(20, false)}
}

// schemaOf returns a schema of a random kind.
func schemaOf(m *maker, depth int) any {
	kind := m.IntN(9)
	if depth > 3 {
		kind %= 5
	}
	inner := func() any { return schemaOf(m, depth+1) }
	switch kind {
	case 0:
		return ref("schemas", m.pick(schemaNames))
	case 1:
		return object{"type", "string", "format", m.maybe(40, m.pick("date-time|uuid|email")), "maxLength", m.maybe(30, m.IntN(99)), "pattern", m.maybe(10, "^[a-z]+$"), "example", m.maybe(40, m.word()), "nullable", m.maybe(20, true)}
	case 2:
		return object{"type", "integer", "format", m.maybe(60, "int64"), "minimum", m.maybe(40, m.IntN(5)), "maximum", m.maybe(40, 10+m.IntN(90)), "default", m.maybe(30, m.IntN(9)), "example", m.maybe(20, m.IntN(99))}
	case 3:
		return object{"type", "boolean", "default", m.maybe(60, m.IntN(2) == 0), "description", m.maybe(30, m.sentence(4))}
	case 4:
		return object{"type", "string", "enum", m.list(2+m.IntN(3), func(int) any { return m.word() }), "title", m.maybe(30, m.word())}
	case 5:
		return object{"type", "array", "items", inner(), "minItems", m.maybe(20, 1)}
	case 6:
		return object{"allOf", []any{ref("schemas", m.pick(schemaNames)), inner()}}
	case 7:
		return object{"oneOf", []any{ref("schemas", "Order"), ref("schemas", "Refund")}, "discriminator", object{"propertyName", "kind", "mapping", object{"order", "#/components/schemas/Order", "refund", "#/components/schemas/Refund"}}}
	}
	return properties(m, depth)
}

// properties returns the schema of an object.
func properties(m *maker, depth int) object {
	all, names := object{}, []any{}
	for n := range 2 + m.IntN(5) {
		name := fmt.Sprintf("%s_%d", m.word(), n)
		all, names = append(all, name, schemaOf(m, depth+1)), append(names, name)
	}
	return object{"type", "object", "title", m.maybe(50, m.word()), "required", m.maybe(70, names), "properties", all, "additionalProperties", m.maybe(20, false), "example", m.maybe(15, object{"id", m.IntN(99), "name", m.word()})}
}

// described returns the document around the paths.
func described(m *maker, records []any) any {
	paths := byKey("paths", "openapi", "3.1.0", "info", object{"title", "Orders", "version", "2.4.0", "description", m.sentence(12), "contact", object{"name", m.word(), "email", "a@example.com"}, "license", object{"name", "MIT"}},
		"servers", []any{object{"url", "https://api.example.com", "description", "live"}, object{"url", "https://{region}.example.com", "variables", object{"region", object{"default", "eu", "enum", []any{"eu", "us"}}}}},
		"tags", []any{object{"name", "orders", "description", m.sentence(3)}, object{"name", "billing", "externalDocs", object{"url", "https://example.com/billing"}}})(m, records).(object)
	schemas := object{}
	for _, name := range strings.Split(schemaNames, "|") {
		schemas = append(schemas, name, properties(m, 0))
	}
	response := func() object { return object{"description", m.sentence(2), "content", content(m)} }
	return append(paths, "components", object{
		"schemas", schemas,
		"parameters", object{"Id", object{"name", "id", "in", "path", "required", true, "schema", object{"type", "string"}}, "Limit", parameterNamed(m, "limit"), "Cursor", parameterNamed(m, "cursor")},
		"responses", object{"NotFound", response(), "Problem", response()},
		"securitySchemes", object{"key", object{"type", "apiKey", "name", "X-Key", "in", "header"}, "oauth", object{"type", "oauth2", "flows", object{"authorizationCode", object{
			"authorizationUrl", "https://example.com/auth", "tokenUrl", "https://example.com/token", "scopes", object{"read", m.sentence(2), "write", m.sentence(2)}}}}},
	})
}

func parameterNamed(m *maker, name string) object {
	return object{"name", name, "in", "query", "required", false, "schema", object{"type", "integer", "default", m.IntN(50)}}
}

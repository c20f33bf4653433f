package infer

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"assay/schema/text"
)

// A user's answer for a value of a type applies to all places that share the type. It does not split
// the type, unless the values of another place do not fit the answer.
func TestAnswersAreAboutTypes(t *testing.T) {
	const user = `{"id":"0000000%[1]d-0000-4000-8000-%[2]s0000000000%[1]d","at":"2026-01-0%[1]dT00:00:00Z","due":176722560000%[1]d,"sum":"%[1]d.50","state":"s%[1]d","n":"%[1]d"}`
	var places, tree, other, narrow, wide strings.Builder
	for i := 1; i < 10; i++ {
		a, b := fmt.Sprintf(user, i, "a"), fmt.Sprintf(user, i, "b")
		fmt.Fprintf(&places, "{\"author\":%s,\"editor\":%s}\n", a, b)
		fmt.Fprintf(&tree, "%s,\"kids\":[%s,\"kids\":[]}]}\n", a[:len(a)-1], b[:len(b)-1])
		const ends = `{"author":{"low":%[1]d,"high":%[1]d,"name":"a"},"editor":{"low":%[2]d,"high":%[3]d,"name":"b"}}` + "\n"
		fmt.Fprintf(&narrow, ends, i, math.MinInt32, math.MaxInt32)
		fmt.Fprintf(&wide, ends, i, math.MinInt32-1, math.MaxInt32+1)
		fmt.Fprintf(&other, "{\"author\":%s,\"editor\":{\"id\":\"x\",\"at\":\"2026-01-01T00:00:00Z\",\"due\":-1,\"sum\":\"1.5\",\"state\":\"%s\",\"n\":\"x\"}}\n", a, strings.Repeat("s", 300))
	}
	for _, test := range []struct{ sample, flag, field, messages string }{
		{places.String(), "type author.id=uuid", `name = "id", type = "bytes", as = "uuid"`, "F AuthorOrEditor"},
		{places.String(), "type editor.id=uuid", `name = "id", type = "bytes", as = "uuid"`, "F AuthorOrEditor"},
		{places.String(), "type author.at=string", `name = "at", type = "string"`, "F AuthorOrEditor"},
		{places.String(), "type author.due=unix-ms", `name = "due", type = "timestamp", as = "unix-ms"`, "F AuthorOrEditor"},
		{places.String(), "type author.due=float64", `name = "due", type = "float64"`, "F AuthorOrEditor"},
		{places.String(), "type author.sum=decimal", `name = "sum", type = "int64", as = "decimal:2"`, "F AuthorOrEditor"},
		{places.String(), "type author.state=enum", `name = "state", type = "State"`, "F AuthorOrEditor"},
		{places.String(), "type author.n=int64", `name = "n", type = "int64"`, "F AuthorOrEditor"},
		{places.String(), "type author.n=none", `name = "state", type = "string"`, "F AuthorOrEditor"},
		{places.String(), "type author.id=uuid|struct editor", `name = "id", type = "bytes", as = "uuid"`, "F Author Editor"},
		{places.String(), "type author.id=uuid|type editor.id=string", `name = "id", type = "string"`, "F Author Editor"},
		{`{"labels":{"app":"aa","tier":"bb"},"annotations":{"a/b":"00ff","c/d":"ff00"}}`, "type annotations.*=hex", `name = "labels", type = "map[string]string"`, "F"},
		{tree.String(), "type id=uuid", `name = "id", type = "bytes", as = "uuid"`, "F"},
		{tree.String(), "type kids[].id=uuid", `name = "id", type = "bytes", as = "uuid"`, "F"},
		{`{"k":1,"m":"x","v":["a","b"],"kids":[{"k":2,"m":"y","v":"c","kids":[]},{"k":3,"m":"z","v":"d","kids":[]}]}`, "type v=json", `name = "v", type = "string", json_text = true`, "F"},
		{narrow.String(), "type author.low=int32|type author.high=int32", `name = "low", type = "int32" }, { number = 2, name = "high", type = "int32"`, "F AuthorOrEditor"},
		{wide.String(), "type author.low=int32", `name = "low", type = "int32"`, "F Author Editor"},
		{wide.String(), "type author.high=int32", `name = "high", type = "int32"`, "F Author Editor"},
		{other.String(), "type author.id=uuid", `name = "id", type = "bytes", as = "uuid"`, "F Author Editor"},
		{other.String(), "type author.due=unix-ms", `name = "due", type = "timestamp", as = "unix-ms"`, "F Author Editor"},
		{other.String(), "type author.sum=decimal:2", `name = "sum", type = "int64", as = "decimal:2"`, "F Author Editor"},
		{other.String(), "type author.state=enum", `name = "state", type = "State"`, "F Author Editor"},
		{other.String(), "type author.n=int64", `name = "n", type = "int64"`, "F Author Editor"},
		{other.String(), "type author.at=string", `name = "at", type = "string"`, "F AuthorOrEditor"},
	} {
		t.Run(test.flag, func(t *testing.T) {
			messages, _, r := messagesOf(t, test.sample, "", Options{Overrules: overrules(t, test.flag)})
			fields := strings.Join(strings.Fields(string(text.Format(r.Schema))), " ")
			if messages != test.messages || !strings.Contains(fields, test.field) {
				t.Errorf("the messages are %s, want %s with %s:\n%s", messages, test.messages, test.field, text.Format(r.Schema))
			}
		})
	}
}

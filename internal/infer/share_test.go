package infer

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"assay/internal/guess"
	"assay/schema/text"
)

// messagesOf returns the names of the messages of a sample, and the guesses whose decision begins with
// a text, with their flags.
func messagesOf(t *testing.T, sample, decision string, o Options) (messages, guesses string, r *Result) {
	t.Helper()
	r, err := JSON([]Source{Bytes("f", []byte(sample))}, o)
	if err != nil {
		t.Fatal(err)
	}
	if o.Overrules == nil {
		accepts(t, r, []byte(sample))
	}
	var names, said []string
	for _, m := range r.Schema.Messages {
		names = append(names, m.Name)
	}
	for _, g := range r.Guesses {
		if strings.HasPrefix(g.Decision, decision) {
			said = append(said, g.Path+" is "+g.Decision+"; "+g.Overrule)
		}
	}
	return strings.Join(names, " "), strings.Join(said, "|"), r
}

// Messages are one type even if the order of their fields, the optional fields or their own keys differ,
// but not if their values differ.
func TestSharing(t *testing.T) {
	for _, test := range []struct{ name, sample, messages, guesses string }{
		{"fields in another order", `{"a":{"m":1,"n":"x","o":true},"b":{"o":false,"n":"y","m":2}}`, "F AOrB", "b is one type with a, AOrB; --struct b"},
		{"optional in one place", `{"a":[{"m":1,"n":"x"},{"m":1,"n":"x","o":2}],"b":{"m":2,"n":"y"}}`, "F AOrB", "b is one type with a[], AOrB; --struct b"},
		{"optional in both", `{"a":[{"m":1,"n":2},{"m":1,"n":2,"o":2}],"b":[{"m":2,"n":2,"p":1},{"m":2,"n":2}]}`, "F AOrB", "b[] is one type with a[], AOrB; --struct 'b[]'"},
		{"required in one place, not in the other", `{"a":{"m":1,"n":2,"o":3,"p":4},"b":[{"m":1},{"n":2},{"o":3},{"p":4}]}`, "F A B", ""},
		{"one field", `{"a":{"reference":"x"},"b":{"reference":"y"},"c":[{"reference":"z"}]}`, "F Reference", "b is one type with a, Reference; --struct b|c[] is one type with a, Reference; --struct 'c[]'"},
		{"one field that says nothing, in an object of many", `{"links":{"self":{"href":"x"},"html":{"href":"y"}}}`, "F Links Link", "links.html is one type with links.self, Link; --struct links.html"},
		{"one field that says nothing", `{"a":{"name":"x"},"b":{"name":"y"}}`, "F A B", ""},
		{"one field of another kind", `{"a":{"reference":"x"},"b":{"reference":1}}`, "F A B", ""},
		{"times and texts", `{"a":{"m":1,"at":"2024-01-01T00:00:00Z"},"b":{"m":1,"at":"noon"}}`, "F A B", ""},
		{"numbers of two kinds, many", `{"a":[` + strings.Repeat(`{"m":1,"n":1},`, 30) + `{"m":1,"n":1}],"b":{"m":1,"n":1.5}}`, "F A B", ""},
		{"other objects inside", `{"a":{"m":1,"n":{"x":1,"k":2}},"b":{"m":1,"n":{"z":1}}}`, "F A N B BN", ""},
		{"a list that is empty in one place", `{"a":{"m":1,"n":[]},"b":{"m":1,"n":[{"x":1,"k":2}]}}`, "F A B N", ""},
		{"nothing but null in one place", `{"a":{"m":1,"n":null},"b":{"m":1,"n":{"x":1,"k":2}}}`, "F A B N", ""},
		{"above and below zero", `{"a":{"m":18446744073709551615,"n":1},"b":{"m":-1,"n":1}}`, "F A B", ""},
		{"under one key, within the other", `{"a":{"k":1,"quantity":{"x":1,"u":"k","s":1}},"b":{"l":1,"quantity":{"x":1,"u":"k"}}}`, "F A Quantity B", "b.quantity is one type with a.quantity, Quantity; --struct b.quantity"},
		{"one field, one key", `{"a":{"k":1,"message":{"text":"x"}},"b":{"l":1,"message":{"text":"y"}}}`, "F A Message B", "b.message is one type with a.message, Message; --struct b.message"},
		{"one field, one key that says nothing", `{"a":{"k":1,"data":{"text":"x"}},"b":{"l":1,"data":{"text":"y"}}}`, "F A Data B BData", ""},
		{"one field under one key, and one more", `{"a":{"k":1,"subject":{"reference":"x"}},"b":{"l":1,"subject":{"reference":"x","display":"y"}}}`, "F A Subject B", "b.subject is one type with a.subject, Subject; --struct b.subject"},
		{"one within the other", `{"a":{"m":1,"n":{"m":1,"n":null}}}`, "F A", "a.n is one type with a, A; --struct a.n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			messages, guesses, _ := messagesOf(t, test.sample, "one type with", Options{})
			if messages != test.messages || guesses != test.guesses {
				t.Errorf("%s\ngot messages %s, guesses %s\nwant %s, %s", test.sample, messages, guesses, test.messages, test.guesses)
			}
		})
	}
}

// The flag of a guess about a shared message separates the messages.
func TestSharingOverruled(t *testing.T) {
	messages, guesses, _ := messagesOf(t, `{"from":{"x":1,"y":2},"to":{"y":3,"x":4}}`, "one type", Options{Overrules: overrules(t, "struct to")})
	if messages != "F From To" || guesses != "" {
		t.Errorf("messages %s, guesses %s", messages, guesses)
	}
}

// A shared message gets the name that most of its places use, or the common end of all their names, or
// a word for its fields.
func TestSharedNames(t *testing.T) {
	places := func(keys, value string) string {
		var all []string
		for i, k := range strings.Split(keys, " ") {
			all = append(all, fmt.Sprintf(`"p%d":{"p%d":%d,%q:%s}`, i, i, i, k, value))
		}
		return "{" + strings.Join(all, ",") + "}"
	}
	for _, test := range []struct{ keys, value, name string }{
		{"author author editor", `{"login":"a","karma":2}`, "Author"},
		{"billing_address shippingAddress", `{"street":"a","zip":"b","city":"c"}`, "Address"},
		{"first_quarter second_quarter lastQuarter", `{"sold":1,"lost":2,"won":3,"open":4}`, "Quarter"},
		{"distance duration", `{"text":"1 km","value":1000}`, "DistanceOrDuration"},
		{"owner sender user assignee", `{"login":"a","karma":2,"site":"b","avatar":"c"}`, "User"},
		{"start end", `{"lat":1.5,"lon":2.5}`, "Point"},
		{"end start", `{"lon":1.5,"lat":2.5}`, "Point"},
		{"created_at updated_at", `{"seconds":1,"nanos":2}`, "Instant"},
		{"total tax fee", `{"amount":1,"currency":"EUR"}`, "Money"},
		{"info paths contact license tags schemas hosts", `{"$ref":"a"}`, "Ref"},
		{"owner sender user assignee p q r s t", `{"login":"a","karma":2,"site":"b","avatar":"c"}`, "User"},
		{"p q r link s t v w", `{"model":"a","table":"b"}`, "ModelTable"},
		{"p q r", `{"m":1,"n":2}`, "MN"},
		{"p q r", `{"m":1,"n":2,"o":3,"k":4}`, "P"},
	} {
		_, guesses, r := messagesOf(t, places(test.keys, test.value), "one type", Options{})
		if r.Schema.Message(test.name) == nil {
			t.Errorf("%s: no message is called %s: %s", test.keys, test.name, guesses)
		}
	}
	if messages, _, _ := messagesOf(t, `{"sizes":{"small":{"w":1,"h":2,"fit":true},"large":{"w":1,"h":2,"fit":true}}}`, "", Options{}); messages != "F Sizes Size" {
		t.Errorf("the messages of sizes are %s", messages)
	}
	if messages, _, _ := messagesOf(t, `{"a":{"values":[{"x":1,"k":2}]},"e":{"values":[{"t":"a","m":"b"}]}}`, "", Options{}); messages != "F A Value E ValueOfE" {
		t.Errorf("the messages of two lists of values are %s", messages)
	}
	if messages, _, _ := messagesOf(t, `{"ip":"a","join":["",[{"ref":"x"},"y"]]}{"ip":{"ref":"z"},"join":["",["y"]]}`, "", Options{}); messages != "F IpUnion Ref Join" {
		t.Errorf("the messages of a union in a row and elsewhere are %s", messages)
	}
	if messages, _, _ := messagesOf(t, `{"bids":[["1","2"]],"asks":[["3"]]}`, "", Options{}); messages != "F StringItems" {
		t.Errorf("the messages of bids and asks are %s", messages)
	}
	if messages, _, _ := messagesOf(t, `{"v":[[[[1,2]]]]}`, "", Options{}); messages != "F VItems VItemsItems VItemsItemsItems" {
		t.Errorf("the messages of lists of lists are %s", messages)
	}
}

// Objects beside a map, or under the key of a map elsewhere, are maps if their values are of the same
// kind and other keys seem possible.
func TestSiblingMaps(t *testing.T) {
	const annotations = `"annotations":{"example.com/a":"x","example.com/b":"y"}`
	for _, test := range []struct{ name, sample, field, typ, guess string }{
		{"labels beside annotations", `{"labels":{"app":"a","tier":"b"},` + annotations + `}`, "labels", "map[string]string", "labels is map[string]string; --struct labels"},
		{"a name beside annotations", `{"name":{"first":"a","last":"b"},` + annotations + `}`, "name", "Name", ""},
		{"a key with a sign", `{"set":{"app":"a","pod-hash":"b"},` + annotations + `}`, "set", "map[string]string", "set is map[string]string; --struct set"},
		{"labels of another kind", `{"labels":{"app":1,"tier":2},` + annotations + `}`, "labels", "Labels", ""},
		{"labels of several kinds", `{"labels":{"app":"a","tier":2},` + annotations + `}`, "labels", "Labels", ""},
		{"labels beside no map", `{"labels":{"app":"a","tier":"b"},"x":1}`, "labels", "Labels", ""},
		{"labels that are a map elsewhere", `{"labels":{"app":"a","tier":"b"},"x":{"labels":{"example.com/a":"x","example.com/b":"y"}}}`, "labels", "map[string]string", "labels is map[string]string; --struct labels"},
		{"metadata that is empty elsewhere", `{"metadata":{"order":"a"},"lines":[{"metadata":{}}]}`, "metadata", "map[string]string", "metadata is map[string]string; --struct metadata"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, _, r := messagesOf(t, test.sample, "", Options{})
			if got := fieldType(r, test.field); got != test.typ {
				t.Errorf("the type is %s, want %s", got, test.typ)
			}
			said := ""
			for _, g := range r.Guesses {
				if g.Path == test.field {
					said = g.Path + " is " + g.Decision + "; " + g.Overrule
				}
			}
			if said != test.guess {
				t.Errorf("the guess is %q, want %q", said, test.guess)
			}
		})
	}
	for sample, want := range map[string]string{
		`{"metadata":{"order":"a"},"lines":[{"metadata":{}}]}`:                            "its values are texts, and lines[].metadata, whose objects have no keys, is a map",
		`{"labels":{"app":"a"},"x":{"labels":{"example.com/a":"x","example.com/b":"y"}}}`: "its values are texts, like those of x.labels, which is a map",
	} {
		_, _, r := messagesOf(t, sample, "", Options{})
		if i := slices.IndexFunc(r.Guesses, func(g guess.Guess) bool { return g.Path == "metadata" || g.Path == "labels" }); i < 0 || r.Guesses[i].Reason != want {
			t.Errorf("%s: the guesses are %+v, want one for the reason %q", sample, r.Guesses, want)
		}
	}
	_, _, r := messagesOf(t, `{"labels":{"app":"a","tier":"b"},`+annotations+`}`, "", Options{Overrules: overrules(t, "struct labels")})
	if got := fieldType(r, "labels"); got != "Labels" {
		t.Errorf("overruled, the type is %s", got)
	}
}

// One object with many keys whose values are objects of one shape is a map.
func TestManyAlike(t *testing.T) {
	object := func(n int, value string) string {
		var parts []string
		for i := range n {
			parts = append(parts, fmt.Sprintf("%q:%s", "key"+strings.Repeat("x", i), value))
		}
		return `{"v":{` + strings.Join(parts, ",") + `}}`
	}
	for _, test := range []struct{ sample, typ string }{
		{object(16, `{"a":1,"b":"c"}`), "map[string]V"},
		{object(15, `{"a":1,"b":"c"}`), "V"},
		{object(16, `{"a":1}`), "V"},
		{object(16, `1`), "V"},
	} {
		_, _, r := messagesOf(t, test.sample, "", Options{})
		if got := fieldType(r, "v"); got != test.typ {
			t.Errorf("%.60s…: the type is %s, want %s", test.sample, got, test.typ)
		}
	}
}

// A message that contains itself is recognized even if the inner value is null or an empty text, or is
// in a map.
func TestRecursion(t *testing.T) {
	for _, test := range []struct{ name, sample, messages, field, guesses, line string }{
		{"null", `{"n":"a","children":[{"n":"b","children":null}]}`, "F", "children: []F", "children[] is one type with ., F; --struct 'children[]'", ""},
		{"an empty text", `{"n":"a","x":1,"replies":{"n":"b","x":1,"replies":""}}`, "F", "replies: *F",
			"replies is one type with ., F; --struct replies|replies is null where it is an empty text; --type replies=json", `{"n":"a","x":1,"replies":{"n":"b","x":1,"replies":null}}`},
		{"an empty text or nothing", `{"n":"a","x":1,"replies":{"n":"b","x":1,"replies":{"n":"c","x":1}}} {"n":"a","x":1} {"n":"a","x":1} {"n":"a","x":2,"replies":""}`, "F", "replies: *F",
			"replies is one type with ., F; --struct replies|replies is left out where it is an empty text; --type replies=json", ""},
		{"an empty list", `{"n":"a","x":1,"next":{"n":"b","x":1,"next":[]}}`, "F", "next: []F", "next is one type with ., F; --struct next|next is a list, without brackets in JSON when it has one element; --type next=null", `{"n":"a","x":1,"next":[{"n":"b","x":1,"next":[]}]}`},
		{"an empty list in one of two places", `{"v":{"stop":{"x":1,"y":2,"z":3,"meta":{"k":1}}},"w":{"stop":{"x":1,"y":2,"z":3,"meta":[]}}}`, "F VOrW Stop Meta", "v: VOrW", "v.stop.meta is a list, without brackets in JSON when it has one element; --type v.stop.meta=null|w is one type with v, VOrW; --struct w", `{"v":{"stop":{"x":1,"y":2,"z":3,"meta":[{"k":1}]}},"w":{"stop":{"x":1,"y":2,"z":3,"meta":[]}}}`},
		{"an empty list among objects that are a union elsewhere", `{"n":"a","x":1,"v":"t"} {"n":"a","x":1,"v":{"k":1},"kids":[{"n":"b","x":1,"v":{"k":2}},{"n":"c","x":1,"v":[]}]}`, "F VUnion V Kid", "v: VUnion",
			"v is a union: text or object; --type v=json|kids[].v is one type with v, V; --struct 'kids[].v'|kids[].v is a list, without brackets in JSON when it has one element; --type 'kids[].v=null'", ""},
		{"a list in between", `{"kind":"t","data":{"id":"a","replies":{"kind":"l","data":{"after":null,"children":[{"kind":"t","data":{"id":"b","replies":""}}]}}}}`, "F Data Replies RepliesData", "data: Data",
			"data.replies.data.after is a string that is always null; --type data.replies.data.after=json|data.replies.data.children[] is one type with ., F; --struct 'data.replies.data.children[]'|data.replies is null where it is an empty text; --type data.replies=json", ""},
		{"lists", `{"v":[{"a":1,"b":2}]} {"v":""}`, "F V", "v: []V", "v is null where it is an empty text; --type v=json", `{"v":[{"a":1,"b":2}]}`},
		{"other texts", `{"v":{"a":1}} {"v":""} {"v":"x"}`, "F VUnion V", "v: VUnion", "v is a union: text or object; --type v=json", `{"v":{"text":null,"object":{"a":1}}}`},
		{"values of a map", `{"type":"object","properties":{"1001":{"type":"string"},"1002":{"type":"object","properties":{"1003":{"type":"string"},"1004":{"type":"number"}}}}}`, "F", "properties: map[string]F", "", ""},
		{"values of a map, with keys like names within", `{"type":"object","properties":{"1001":{"type":"object","properties":{"size":{"type":"string"},"shape":{"type":"number"}}},"1002":{"type":"object","properties":{}}}}`, "F", "properties: map[string]F", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			messages, guesses, r := messagesOf(t, test.sample, "", Options{})
			name, _, _ := strings.Cut(test.field, ":")
			if field := name + ": " + fieldType(r, name); messages != test.messages || field != test.field || guesses != test.guesses && test.guesses != "" {
				t.Errorf("got messages %s, field %s, guesses %s\n%s", messages, field, guesses, text.Format(r.Schema))
			}
			if got := strings.TrimSpace(string(write(t, r)[0])); test.line != "" && got != test.line {
				t.Errorf("got  %s\nwant %s", got, test.line)
			}
		})
	}
	for value, want := range map[string]string{"v=struct": "*V", "v=json": "string"} {
		rule, err := ParseOverrule("type", value)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, r := messagesOf(t, `{"v":{"a":1,"b":2}} {"v":""}`, "", Options{Overrules: []Overrule{rule}}); fieldType(r, "v") != want {
			t.Errorf("%s: the type is %s", value, fieldType(r, "v"))
		}
	}
}

// Messages under one key are not shared if one has fractions and the other has whole numbers that
// float64 rounds.
func TestSharedInexact(t *testing.T) {
	for value, want := range map[string]bool{"9007199254740993": false, "9007199254740992": true, "4": true} {
		r := inferred(t, `{"memory":{"peak":{"value":`+value+`,"unit":"B"}},"cpu":{"peak":{"value":0.75,"unit":"core"}}}`)
		peaks := 0
		for _, m := range r.Schema.Messages {
			if strings.Contains(m.Name, "Peak") {
				peaks++
			}
		}
		if (peaks == 1) != want {
			t.Errorf("%s: %d messages of peaks", value, peaks)
		}
	}
}

// Whole numbers are float64 if related numbers have fractions.
func TestNumberColumns(t *testing.T) {
	for _, test := range []struct{ name, sample, field, guesses string }{
		{"in a list", `{"v":[1,2.5]}`, "v: []float64", ""},
		{"in lists of one length", `{"v":[[1,2.5],[3,4]]}`, "v: []VItems", ""},
		{"beside a coordinate", `{"lat":48,"lon":11.5}`, "lat: float64", "lat is float64; --type lat=int64"},
		{"beside another number", `{"count":48,"share":11.5}`, "count: int64", ""},
		{"shared", `{"from":{"x":1,"y":2},"to":{"x":1.5,"y":2.5}}`, "from: Point", ""},
		{"under keys that end alike", `{"doseQuantity":{"value":1},"valueQuantity":{"value":1.5,"unit":"mg"}}`, "doseQuantity: DoseQuantity", "doseQuantity.value is float64; --type doseQuantity.value=int64"},
		{"under other keys", `{"dose":{"value":1},"price":{"value":1.5,"unit":"mg"}}`, "dose: Dose", ""},
		{"too large", `{"lat":9007199254740993,"lon":11.5}`, "lat: int64", ""},
	} {
		_, guesses, r := messagesOf(t, test.sample, "float64", Options{})
		name, _, _ := strings.Cut(test.field, ":")
		if got := name + ": " + fieldType(r, name); got != test.field || guesses != test.guesses {
			t.Errorf("%s: got %s, guesses %s", test.name, got, guesses)
		}
	}
	_, _, r := messagesOf(t, `{"lat":48,"lon":11.5}`, "", Options{Overrules: overrules(t, "type lat=int64")})
	if got := fieldType(r, "lat"); got != "int64" {
		t.Errorf("overruled, the type is %s", got)
	}
}

// Lists that are nested to one depth are lists. Lists of several depths are kept as the text of their
// JSON.
func TestDepths(t *testing.T) {
	for _, test := range []struct{ name, sample, typ, first string }{
		{"points", `{"v":[1,2.5]} {"v":[3,4]}`, "[]float64", ""},
		{"lines", `{"v":[[1,2.5],[3,4]]} {"v":[[1,2],[2,3],[4,5]]}`, "[]VItems", ""},
		{"polygons", `{"v":[[[1,2.5],[3,4],[1,2]]]} {"v":[[[1,2],[2,3]],[[4,5]]]}`, "[]VItems", ""},
		{"points and lines", `{"v":[1,2]} {"v":[[1,2],[3,4]]}`, "string", `{"v":"[1,2]"}`},
		{"polygons and several", `{"v":[[[1,2],[3,4]]]} {"v":[[[[1,2],[3,4]]]]}`, "string", `{"v":"[[[1,2],[3,4]]]"}`},
		{"kinds by place", `{"v":[["a",1],["b",2]]}`, "[]V", ""},
	} {
		_, _, r := messagesOf(t, test.sample, "", Options{})
		if got := fieldType(r, "v"); got != test.typ {
			t.Errorf("%s: the type is %s, want %s", test.name, got, test.typ)
		}
		if got := strings.TrimSpace(string(write(t, r)[0])); test.first != "" && got != test.first {
			t.Errorf("%s: got %s", test.name, got)
		}
	}
	if _, _, r := messagesOf(t, `{"v":[1,2]} {"v":[[1,2],[3,4]]}`, "", Options{Overrules: overrules(t, "type v=list")}); fieldType(r, "v") != "[]VUnion" {
		t.Errorf("overruled, the type is %s", fieldType(r, "v"))
	}
}

// If a text beside lists tells their depth, the lists have the right type for each kind, even if there
// are few of them or they are in collections.
func TestDepthsByKind(t *testing.T) {
	const point, line, collection = `{"type":"Point","coordinates":[1,2.5]}`, `{"type":"LineString","coordinates":[[1,2],[3,4.5]]}`, `{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[1,2.5]},{"type":"LineString","coordinates":[[1,2],[3,4.5]]}]}`
	for _, test := range []struct{ name, sample, messages string }{
		{"two", `{"v":[` + point + `,` + line + `]}`, "F V Point LineString CoordinateItems"},
		{"collections", `{"v":[` + point + `,` + line + `,` + collection + `]}`, "F V Point LineString CoordinateItems GeometryCollection"},
		{"no text of kinds", strings.ReplaceAll(`{"v":[`+point+`,`+line+`]}`, "type", "name"), "F V"},
	} {
		messages, _, r := messagesOf(t, test.sample, "", Options{})
		if messages != test.messages {
			t.Errorf("%s: the messages are %s, want %s\n%s", test.name, messages, test.messages, text.Format(r.Schema))
		}
	}
}

// The name of a type is never made from a key that is data.
func TestNamesWithoutData(t *testing.T) {
	sample := `{"v":{"17":[[{"x":1,"y":"a"}],[{"x":2,"y":"b"}]],"250":[[{"x":3,"y":"c"}]]},"w":{"2024-01-01":{"2024-01-02":{"k":1,"l":2}}}}`
	messages, _, _ := messagesOf(t, sample, "", Options{})
	if want := "F VItems VItemsItems V WMap W"; messages != want {
		t.Errorf("the messages are %s, want %s", messages, want)
	}
}

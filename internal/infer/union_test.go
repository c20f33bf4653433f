package infer

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"assay/internal/guess"
	"assay/internal/samples"
	"assay/schema"
	"assay/schema/text"
)

// made returns a sample of package samples.
func made(t *testing.T, name string) *samples.Sample {
	t.Helper()
	for _, s := range samples.All() {
		if s.Name == name {
			return &s
		}
	}
	t.Fatal("no sample", name)
	return nil
}

func unionsOf(s *schema.Schema) (all []string) {
	for _, m := range s.Messages {
		if !m.Union {
			continue
		}
		var kinds []string
		for _, f := range m.Fields {
			kinds = append(kinds, f.TextName()+":"+strings.Join(f.When, "|"))
		}
		all = append(all, fmt.Sprintf("%s(%s) %s", m.Name, m.Tag, strings.Join(kinds, " ")))
	}
	return all
}

func TestUnions(t *testing.T) {
	for _, c := range []struct {
		sample string
		want   []string // the unions
		only   string   // the first --only in the notes
	}{
		{"hetero", []string{"Hetero(type) view:view search:search login:login beat:beat error:error click:click upload:upload order:order"}, "--only type=view measures one of them by itself, 38 records"},
		{"stripe", []string{"Object(object) customer:customer payout:payout charge:charge invoice:invoice"}, "--only data.object.object=customer measures one of them by itself, 30 records"},
		{"fhir", []string{"Resource(resourceType) Patient:Patient Observation:Observation Encounter:Encounter MedicationRequest:MedicationRequest"}, "--only resource.resourceType=Patient"},
		{"activity", []string{"Payload() PushEvent:push_id CreateEvent:ref_type IssueCommentEvent:comment IssuesEvent:issue ForkEvent:forkee ReleaseEvent:"}, "--only type=PushEvent measures one of them by itself, 20 records"},
		{"cloudtrail", []string{"RequestParameters() PutObject:bucketName DescribeInstances:maxResults AssumeRole:roleArn CreateUser:"}, "--only eventName=CreateUser"},
		{"workflow", []string{"Step() run:run uses:uses wait:wait parallel:"}, ""},
		{"geojson", []string{"Geometry(type) Point:Point LineString:LineString Polygon:Polygon MultiPolygon:MultiPolygon"}, "--only geometry.type=Point measures one of them by itself, 15 records"},
		{"webhooks", []string{"Webhook() ref:ref action:"}, "--only action measures one of them by itself, 40 records; the other kinds are ref (20)"},
		// Objects that only have optional fields, and trees, are no unions.
		{"optionals", nil, ""},
		{"blockpage", nil, ""},
		{"kubernetes", nil, ""},
		{"iot", nil, ""},
		{"packagelock", nil, ""},
		{"comments", nil, ""},
	} {
		t.Run(c.sample, func(t *testing.T) {
			s := made(t, c.sample)
			data := s.JSON(0)
			r, err := JSON([]Source{Bytes(s.File(), data)}, Options{Records: s.Records})
			if err != nil {
				t.Fatal(err)
			}
			accepts(t, r, data)
			if got := unionsOf(r.Schema); !slices.Equal(got, c.want) {
				t.Errorf("the unions are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
			notes := strings.Join(r.Notes, "\n")
			if kinds := strings.Contains(notes, "Avro: "); kinds != (c.want != nil) {
				t.Errorf("what a union costs in Avro is said: %t", kinds)
			}
			if !strings.Contains(notes, c.only) || c.only == "" && strings.Contains(notes, "--only") {
				t.Errorf("%q is not in the notes:\n%s", c.only, notes)
			}
		})
	}
}

// If a key is in several kinds, such as the time of log lines, the other keys tell the kinds apart.
func TestUnionsWithAKeyOfSeveral(t *testing.T) {
	line := []string{
		`{"time":"a","addr":"b","request":"c","status":1}`, `{"time":"a","log":"b","stream":"c","pod":"d"}`,
		`{"level":"a","caller":"b","msg":"c","trace":"d","took":1}`, `{"user":"a","ip":"b","action":"c","path":"d","ok":true}`,
	}
	r, err := JSON([]Source{Bytes("t.ndjson", []byte(rows(40, func(i int) string { return line[i%4] })))}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(unionsOf(r.Schema), "; "), "T() addr:addr time:time level:level user:"; got != want {
		t.Errorf("the unions are %q, want %q", got, want)
	}
}

// Whole numbers of one kind are float64 if those under the same key of another kind have fractions,
// and the guess does not speak of another place.
func TestFractionsOfAnotherKind(t *testing.T) {
	for range 5 { // the places are in a map
		text := rows(40, func(i int) string {
			if i%4 == 0 {
				return `{"order":{"type":"cash","amount":3,"till":"a","clerk":"b","drawer":1}}`
			}
			return `{"order":{"type":"card","amount":1.25,"number":"x","until":"12/29","code":7}}`
		})
		r, err := JSON([]Source{Bytes("t.ndjson", []byte(text))}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		want := "order.amount is float64: each of the 10 numbers is whole, and order.amount, in objects of another kind, has 30 numbers with a fraction"
		if !slices.ContainsFunc(r.Guesses, func(g guess.Guess) bool { return strings.Contains(g.Path+" is "+g.String(), want) }) {
			t.Errorf("the guesses are %v, want %q", r.Guesses, want)
		}
	}
}

// The flag of a guess about a union overrules it, and the --only of a note selects the records of one
// kind.
func TestUnionOverruled(t *testing.T) {
	s := made(t, "activity")
	sources := []Source{Bytes(s.File(), s.JSON(0))}
	infer := func(o Options) *Result {
		t.Helper()
		r, err := JSON(sources, o)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := infer(Options{})
	i := slices.IndexFunc(r.Guesses, func(g guess.Guess) bool { return g.Path == "payload" })
	if i < 0 || r.Guesses[i].Overrule != "--struct payload" || r.Guesses[i].Decision != "a union of 6 kinds" {
		t.Fatalf("the guesses are %+v", r.Guesses)
	}
	for _, g := range r.Guesses {
		if !strings.HasPrefix(g.Path, "payload.") {
			continue
		}
		flag, value, _ := strings.Cut(strings.TrimPrefix(strings.ReplaceAll(g.Overrule, "'", ""), "--"), " ")
		o, err := ParseOverrule(flag, value)
		if err != nil {
			t.Fatal(err)
		}
		infer(Options{Overrules: []Overrule{o}})
	}
	if got := unionsOf(infer(Options{Overrules: []Overrule{{"payload", "struct"}}}).Schema); got != nil {
		t.Errorf("--struct payload leaves %s", got)
	}
	if got := infer(Options{Only: []Only{only(t, "type=ForkEvent")}}); got.Records != 20 || unionsOf(got.Schema) != nil || got.Schema.Message("Payload").Fields[0].Name != "forkee" {
		t.Errorf("--only type=ForkEvent takes %d records", got.Records)
	}
	// The user asks to leave out a field that tells a kind. Then another field tells the kind, or the
	// place is a struct. No value is lost.
	for _, o := range []Overrule{{"payload.push_id", "none"}, {"payload.push_id", "json"}, {"payload.comment", "omitempty"}, {"payload.forkee", "map"}} {
		r := infer(Options{Overrules: []Overrule{o}})
		if err := r.Write(discardWriter{}); err != nil {
			t.Errorf("%s: %v", o, err)
		}
	}
}

type discardWriter struct{}

func (discardWriter) Write(p []byte) (int, error) { return len(p), nil }

func only(t *testing.T, text string) Only {
	t.Helper()
	o, err := ParseOnly(text)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestUnionForced(t *testing.T) {
	force := func(path string) Options { return Options{Overrules: []Overrule{{path, "union"}}} }
	for _, c := range []struct {
		name, data, path string
		want             string // the union, or a part of the error
	}{
		{"few objects", `{"kind":"a","x":1}{"kind":"b","y":2,"z":"c"}`, ".", "Data(kind) a:a b:b"},
		{"by keys", `{"v":{"x":1}}{"v":{"y":[1],"z":2}}`, "v", "V() x:x y:"},
		{"an object without keys", `{"v":{"x":1}}{"v":{}}{"v":{"y":2}}`, "v", "V() x:x y:"},
		{"overlapping", `{"v":{"x":1}}{"v":{"x":1,"y":2}}{"v":{"y":2}}`, "v", "V() x:x other:"},
		{"one kind", `{"v":{"x":1}}{"v":{"x":2}}`, "v", "cannot be told apart"},
		{"only lists tell", `{"v":{"x":[1]}}{"v":{"y":[2]}}`, "v", "cannot be told apart"},
		{"no object", `{"v":1}`, "v", "--union v: v cannot be made a union: it has 1 number"},
		{"nothing there", `{"v":1}`, "w", "no record has anything at w"},
		{"two cases of a tag", `{"v":{"kind":"a","x":1}}{"v":{"kind":"b","y":1,"Kind":2}}`, "v", "V() a:x b:"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := JSON([]Source{Bytes("data.json", []byte(c.data))}, force(c.path))
			if err != nil {
				if !strings.Contains(err.Error(), c.want) {
					t.Errorf("%v, want %s", err, c.want)
				}
				return
			}
			accepts(t, r, []byte(c.data))
			if got := unionsOf(r.Schema); len(got) != 1 || got[0] != c.want {
				t.Errorf("the unions are %q, want %q", got, c.want)
			}
		})
	}
}

// A union is refused if the text that tells its kinds is not always present in the messages of the
// kinds. In the description of an interface, for example, a schema is at many places, and at some of
// them without its type.
func TestUnionTakenBack(t *testing.T) {
	sample := func(copied string) []byte {
		var b strings.Builder
		for i := range 24 {
			kind := `{"kind":"number","least":1,"most":9,"step":2,"unit":"m"}`
			if i%2 == 1 {
				kind = `{"kind":"text","length":3,"pattern":"a","form":"b","trim":true}`
			}
			fmt.Fprintf(&b, `{"id":%d,"schema":%s,"other":%s}`+"\n", i, kind, copied)
			copied = strings.ReplaceAll(copied, `"kind":"number",`, "")
		}
		return []byte(b.String())
	}
	for _, c := range []struct{ copied, want string }{
		{`{"of":1}`, "DataSchema(kind) number:number text:text"},
		{`{"kind":"number","least":1,"most":9,"step":2,"unit":"m"}`, ""},
	} {
		data := sample(c.copied)
		r, err := JSON([]Source{Bytes("data.ndjson", data)}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		accepts(t, r, data)
		if got := strings.Join(unionsOf(r.Schema), "; "); got != c.want {
			t.Errorf("beside %s the unions are %q, want %q", c.copied, got, c.want)
		}
	}
}

// With a given schema, an object of no variant is an error with its position.
func TestUnionGiven(t *testing.T) {
	s := made(t, "hetero")
	r, err := JSON([]Source{Bytes("a", s.JSON(0))}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = JSON([]Source{Bytes("b", []byte("{\"type\":\"view\",\"id\":\"a\",\"ts\":1,\"path\":\"/\",\"ms\":2}\n{\"type\":\"jump\"}"))}, Options{Schema: r.Schema})
	if want := `b:2:1: this object is of no variant of A: its "type" is none of "view", "search", "login", "beat", "error", "click", "upload", "order"; `; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
	_, err = JSON([]Source{Bytes("b", []byte(`[[1]]`))}, Options{Schema: r.Schema})
	if err == nil {
		t.Error("a list is taken for an object of a union")
	}
}

func TestOnly(t *testing.T) {
	const record = `{"type":"a=b","n":1.50,"ok":true,"none":null,"list":[{"k":"x"},{"k":"y"}],"map":{"i":{"v":1},"j":{"v":2}},"a=b":"c","q.r":"\u0073"}`
	for text, want := range map[string]bool{
		"type=a=b": true, "type=a": false, "type": true, "n=1.50": true, "n=1.5": false, "ok=true": true, "none": false, "none=null": true,
		"list": true, "list[].k=y": true, "list[].k=z": false, "map.*.v=2": true, "map.*.v=3": false, "map=x": false, `"a=b"=c`: true, `"a=b"`: true, `"q.r"=s`: true, "absent": false, "type.x": false,
	} {
		if got := only(t, text).holds([]byte(record)); got != want {
			t.Errorf("%s is %v", text, got)
		}
	}
	for _, bad := range []string{"", ".", ".=a", "a..b=c", `"a=b`} {
		if _, err := ParseOnly(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
	source := Bytes("a", []byte(`{"k":"x","n":1} {"k":"y","m":2} null {"k":"x","n":3}`))
	r, err := JSON([]Source{source}, Options{Only: []Only{only(t, "k=x")}})
	if err != nil || r.Records != 2 || len(r.Schema.Messages[0].Fields) != 2 || !slices.Contains(r.Notes, "left out by --only k=x: 1 record") {
		t.Errorf("%v: %d records, %q", err, r.Records, r.Notes)
	}
	_, err = JSON([]Source{source}, Options{Only: []Only{only(t, "k=z")}})
	if err == nil || !strings.Contains(err.Error(), "--only k=z takes none of 3 records") {
		t.Error(err)
	}
}

// The note on kinds that keys tell apart names each kind by a key that no other kind has. It counts the
// records of kinds without such a key.
func TestOnlyOfKinds(t *testing.T) {
	kinds := func(records ...string) (sample []byte) {
		for i := range 40 {
			sample = append(append(sample, records[i%len(records)]...), '\n')
		}
		return sample
	}
	for _, test := range []struct {
		name   string
		sample []byte
		want   string
	}{
		{"the last too", kinds(`{"op":1,"a":1,"b":2,"c":3}`, `{"op":2,"d":1,"e":2,"f":3}`, `{"op":3,"g":1,"h":2,"i":3}`, `{"op":4,"j":1,"k":2,"l":3}`),
			"--only a measures one of them by itself, 10 records; the other kinds are d (10), g (10) and j (10)"},
		{"a null", kinds(`{"op":1,"a":1,"b":2,"c":3}`, `{"op":2,"d":null,"e":2,"f":3}`),
			"--only a measures one of them by itself, 20 records; the other kinds are e (20)"},
		{"no key", kinds(`{"op":1,"a":1,"b":2,"c":3}`, `{"op":2,"d":1,"e":2}`, `{"op":2,"d":1,"f":3}`, `{"op":2,"e":1,"f":3}`),
			"--only a measures one of them by itself, 10 records; --only cannot select the other 30 records"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, err := JSON([]Source{Bytes("f", test.sample)}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			_, got, _ := strings.Cut(strings.Join(r.Notes, "\n"), "has several kinds: ")
			if got != test.want {
				t.Errorf("%s\nthe note is %q, want %q", text.Format(r.Schema), got, test.want)
			}
			if shown := WithoutValues(r.Notes); len(shown) != len(r.Notes) {
				t.Errorf("others see of %q only %q", r.Notes, shown)
			}
		})
	}
}

// WithoutValues removes a note that shows texts of records.
func TestTextsOfKinds(t *testing.T) {
	var sample []byte
	for i := range 10 {
		sample = fmt.Appendf(sample, `{"customer":"Acme","payload":{"a":%d,"b":1,"c":1,"d":1}}{"customer":"Initech","payload":{"e":1,"f":1,"g":1,"h":1}}`, i)
	}
	r, err := JSON([]Source{Bytes("f", sample)}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if all := strings.Join(r.Notes, "\n"); !strings.Contains(all, "--only customer=Acme") {
		t.Errorf("the notes are %s", all)
	}
	if all := strings.Join(WithoutValues(r.Notes), "\n"); strings.Contains(all, "Acme") || strings.Contains(all, "Initech") {
		t.Errorf("others see %s", all)
	}
}

// An id is no tag: every object has its own, and so will the next object.
func TestUnionNotByID(t *testing.T) {
	var b strings.Builder
	for i := range 24 {
		id := fmt.Sprintf("%08x", 0x9e3779b9*uint32(i+1))
		switch i % 3 {
		case 0:
			fmt.Fprintf(&b, `{"id":"%s","ami":"a%d","cpu":%d,"zone":"b","spot":true}`+"\n", id, i, i)
		case 1:
			fmt.Fprintf(&b, `{"id":"%s","bucket":"a%d","arn":"c","acl":"d","rules":[1]}`+"\n", id, i)
		default:
			fmt.Fprintf(&b, `{"id":"%s","triggers":{"always":"e%d"},"depends":"f","keep":1.5}`+"\n", id, i)
		}
	}
	r, err := JSON([]Source{Bytes("state.ndjson", []byte(b.String()))}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := unionsOf(r.Schema), []string{"State() ami:ami bucket:bucket triggers:"}; !slices.Equal(got, want) {
		t.Errorf("the unions are %q, want %q", got, want)
	}
}

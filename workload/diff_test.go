package workload_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/workload"
)

type address struct {
	Street   string
	Latitude float64
}

type item struct {
	Name      string
	Addresses map[string]address
	ByNumber  map[uint32]*address
}

type kind int32

type order struct {
	Bool    bool
	Int     int32
	Uint    uint64
	F32     float32
	F64     float64
	Text    string
	Data    []byte
	At      time.Time
	For     time.Duration
	Kind    kind
	Note    *string
	When    *time.Time
	Address *address
	Either  *orNull
	Items   []item
	Refs    []*address
	Grid    [][]int64
	Pair    [2]int32
	Any     any
}

type orNull struct{ Value *int64 }

func ptr[T any](v T) *T { return &v }

func full() *order {
	return &order{
		Bool: true, Int: -5, Uint: math.MaxUint64, F32: 1.5, F64: -2.25,
		Text: "text", Data: []byte{1, 2, 3},
		At:      time.Date(2020, 2, 3, 4, 5, 6, 7, time.UTC),
		For:     time.Second,
		Kind:    3,
		Note:    ptr("note"),
		When:    ptr(time.Date(2021, 1, 1, 0, 0, 0, 0, time.UTC)),
		Address: &address{"a", 1},
		Either:  &orNull{ptr(int64(1))},
		Items: []item{{Name: "first"}, {
			Name:      "second",
			Addresses: map[string]address{"x": {"s", 1.5}, "y": {"t", 2}, "z": {"u", 3}},
			ByNumber:  map[uint32]*address{9: {"n", 1}, 10: {"o", 2}},
		}},
		Refs: []*address{{"r", 4}},
		Grid: [][]int64{{1}, {2, 3}},
		Pair: [2]int32{7, 8},
		Any:  int64(4),
	}
}

func numbered(from, to uint32) map[uint32]*address {
	m := map[uint32]*address{}
	for i := from; i < to; i++ {
		m[i] = &address{}
	}
	return m
}

var every = []string{"nil-empty", "zero-pointer", "null-absent", "time-zone", "time-range", "time-micros", "time-millis", "time-float", "neg-zero", "nan-inf", "bad-utf8", "nul"}

func set(losses ...string) map[string]bool {
	m := map[string]bool{}
	for _, l := range losses {
		m[l] = true
	}
	return m
}

// TestDiffFinds changes one thing at a time. None of the changes is a loss, so Diff must find
// each even if all losses are forgiven.
func TestDiffFinds(t *testing.T) {
	long := strings.Repeat("a", 100)
	tests := []struct {
		name         string
		before, then func(*order)
		want         string
	}{
		{name: "bool", then: func(o *order) { o.Bool = false }, want: "Bool: true became false"},
		{name: "int", then: func(o *order) { o.Int = 5 }, want: "Int: -5 became 5"},
		{name: "uint", then: func(o *order) { o.Uint-- }, want: "Uint: 18446744073709551615 became 18446744073709551614"},
		{name: "float32", then: func(o *order) { o.F32 = 1.1 }, want: "F32: 1.5 became 1.1"},
		{name: "float64", then: func(o *order) { o.F64 = math.Nextafter(o.F64, 0) }, want: "F64: -2.25 became -2.2499999999999996"},
		{name: "NaN", then: func(o *order) { o.F64 = math.NaN() }, want: "F64: -2.25 became NaN"},
		{name: "from NaN", before: func(o *order) { o.F64 = math.NaN() }, then: func(o *order) { o.F64 = 0 }, want: "F64: NaN became 0"},
		{name: "infinity", before: func(o *order) { o.F64 = math.Inf(1) }, then: func(o *order) { o.F64 = math.Inf(-1) }, want: "F64: +Inf became -Inf"},
		{name: "text", then: func(o *order) { o.Text = "" }, want: `Text: "text" became ""`},
		{
			name:   "long text is shown where it differs",
			before: func(o *order) { o.Text = long + "b" + long },
			then:   func(o *order) { o.Text = long + "c" + long },
			want: `Text: …"` + long[:15] + "b" + long[:44] + `"… (201 bytes) became …"` +
				long[:15] + "c" + long[:44] + `"… (201 bytes)`,
		},
		{name: "long text cut off", before: func(o *order) { o.Text = long }, then: func(o *order) { o.Text = long[:3] }, want: `Text: "` + long[:60] + `"… (100 bytes) became "aaa"`},
		{name: "bytes", then: func(o *order) { o.Data[2] = 9 }, want: "Data[2]: 3 became 9"},
		{name: "bytes length", then: func(o *order) { o.Data = o.Data[:1] }, want: "Data: 3 bytes became 1 byte"},
		{name: "bytes nil", then: func(o *order) { o.Data = nil }, want: "Data: 3 bytes became nil"},
		{name: "time", then: func(o *order) { o.At = o.At.Add(1) }, want: "At: 2020-02-03T04:05:06.000000007Z became 2020-02-03T04:05:06.000000008Z"},
		{name: "duration", then: func(o *order) { o.For = 1 }, want: "For: 1000000000 became 1"},
		{name: "enum", then: func(o *order) { o.Kind = 0 }, want: "Kind: 3 became 0"},
		{name: "pointer lost", then: func(o *order) { o.Note = nil }, want: `Note: a pointer to "note" became nil`},
		{name: "pointer made", before: func(o *order) { o.Note = nil }, then: func(o *order) { o.Note = ptr("x") }, want: `Note: nil became a pointer to "x"`},
		{name: "pointed-to", then: func(o *order) { *o.Note = "x" }, want: `Note: "note" became "x"`},
		{name: "pointed-to time", then: func(o *order) { o.When = ptr(o.When.Add(1)) }, want: "When: 2021-01-01T00:00:00Z became 2021-01-01T00:00:00.000000001Z"},
		{name: "message pointer lost", then: func(o *order) { o.Address = nil }, want: "Address: a pointer to a address became nil"},
		{name: "what may be null lost", then: func(o *order) { o.Either = nil }, want: "Either: a pointer to a orNull became nil"},
		{name: "value became null", then: func(o *order) { o.Either.Value = nil }, want: "Either.Value: a pointer to 1 became nil"},
		{name: "absent became null", before: func(o *order) { o.Either = nil }, then: func(o *order) { o.Either = &orNull{ptr(int64(2))} }, want: "Either: nil became a pointer to a orNull"},
		{name: "elements", then: func(o *order) { o.Items = o.Items[:1] }, want: "Items: 2 elements became 1 element"},
		{name: "elements emptied", then: func(o *order) { o.Items = o.Items[:0] }, want: "Items: 2 elements became empty"},
		{name: "elements nil", then: func(o *order) { o.Items = nil }, want: "Items: 2 elements became nil"},
		{name: "first of several", then: func(o *order) { o.Items[0].Name, o.Items[1].Name = "", "" }, want: `Items[0].Name: "first" became ""`},
		{
			name: "deep in a map",
			then: func(o *order) { o.Items[1].Addresses["x"] = address{"s", 0} },
			want: `Items[1].Addresses["x"].Latitude: 1.5 became 0`,
		},
		{
			name: "least key of several",
			then: func(o *order) {
				for k := range o.Items[1].Addresses {
					o.Items[1].Addresses[k] = address{}
				}
			},
			want: `Items[1].Addresses["x"].Street: "s" became ""`,
		},
		{
			name:   "least of many numeric keys",
			before: func(o *order) { o.Items[1].ByNumber = numbered(9, 1000) },
			then:   func(o *order) { o.Items[1].ByNumber = numbered(2000, 2001) },
			want:   "Items[1].ByNumber[9]: the entry is missing, 991 entries became 1",
		},
		{name: "missing entry", then: func(o *order) { delete(o.Items[1].Addresses, "y") }, want: `Items[1].Addresses["y"]: the entry is missing, 3 entries became 2`},
		{name: "added entry", then: func(o *order) { o.Items[1].Addresses["a"] = address{} }, want: `Items[1].Addresses["a"]: the entry was added, 3 entries became 4`},
		{name: "map nil", then: func(o *order) { o.Items[1].Addresses = nil }, want: "Items[1].Addresses: 3 entries became nil"},
		{name: "element pointer", then: func(o *order) { o.Refs[0].Latitude = 5 }, want: "Refs[0].Latitude: 4 became 5"},
		{name: "element pointer lost", then: func(o *order) { o.Refs[0] = nil }, want: "Refs[0]: a pointer to a address became nil"},
		{name: "list of lists", then: func(o *order) { o.Grid[1][1] = 0 }, want: "Grid[1][1]: 3 became 0"},
		{name: "array", then: func(o *order) { o.Pair[1] = 0 }, want: "Pair[1]: 8 became 0"},
		{name: "interface type", then: func(o *order) { o.Any = "4" }, want: "Any: a int64 became a string"},
		{name: "interface nil", then: func(o *order) { o.Any = nil }, want: "Any: 4 became nothing"},
		{
			name:   "UTF-8 loss that touches the rest",
			before: func(o *order) { o.Text = "a\xffb" },
			then:   func(o *order) { o.Text = "a\uFFFDc" },
			want:   `Text: "a\xffb" became "a�c"`,
		},
		{name: "U+FFFD out of nothing", then: func(o *order) { o.Text = "te\uFFFDxt" }, want: `Text: "text" became "te�xt"`},
		{name: "control character out of nothing", then: func(o *order) { o.Text = "te\x00xt" }, want: `Text: "text" became "te\x00xt"`},
		{name: "time in range", before: func(o *order) { o.At = time.Date(1678, 1, 1, 0, 0, 0, 0, time.UTC) }, then: func(o *order) { o.At = time.Time{} }, want: "At: 1678-01-01T00:00:00Z became 0001-01-01T00:00:00Z"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			want, got := full(), full()
			if test.before != nil {
				test.before(want)
				test.before(got)
			}
			test.then(got)
			for _, forgive := range []map[string]bool{nil, set(every...)} {
				diff, suffered := workload.Diff(want, got, forgive)
				if diff != test.want || suffered != nil {
					t.Errorf("forgiving %v: Diff is %q, %v\nwant %q", forgive, diff, suffered, test.want)
				}
			}
		})
	}
}

// TestDiffForgives applies losses. Diff must find each loss that is not forgiven, and report
// each forgiven one as suffered.
func TestDiffForgives(t *testing.T) {
	east := time.FixedZone("east", 3600)
	tests := []struct {
		name         string
		before, then func(*order)
		want         string
		losses       []string
	}{
		{name: "nil list", before: func(o *order) { o.Items = nil }, then: func(o *order) { o.Items = []item{} }, want: "Items: nil became empty", losses: []string{"nil-empty"}},
		{name: "empty list", before: func(o *order) { o.Items = []item{} }, then: func(o *order) { o.Items = nil }, want: "Items: empty became nil", losses: []string{"nil-empty"}},
		{name: "empty map", before: func(o *order) { o.Items[1].Addresses = map[string]address{} }, then: func(o *order) { o.Items[1].Addresses = nil }, want: "Items[1].Addresses: empty became nil", losses: []string{"nil-empty"}},
		{name: "nil bytes", before: func(o *order) { o.Data = nil }, then: func(o *order) { o.Data = []byte{} }, want: "Data: nil became empty", losses: []string{"nil-empty"}},
		{name: "zone", before: func(o *order) { o.At = o.At.In(east) }, then: func(o *order) { o.At = o.At.UTC() }, want: "At: 2020-02-03T05:05:06.000000007+01:00 became 2020-02-03T04:05:06.000000007Z", losses: []string{"time-zone"}},
		{name: "range", before: func(o *order) { o.At = time.Time{} }, then: func(o *order) { o.At = time.Unix(5, 0).UTC() }, want: "At: 0001-01-01T00:00:00Z became 1970-01-01T00:00:05Z", losses: []string{"time-range"}},
		{name: "cut to microseconds", before: func(o *order) { o.At = time.Unix(5, 123_456_789).UTC() }, then: func(o *order) { o.At = time.Unix(5, 123_456_000).UTC() }, want: "At: 1970-01-01T00:00:05.123456789Z became 1970-01-01T00:00:05.123456Z", losses: []string{"time-micros"}},
		{name: "as a float64", before: func(o *order) { o.At = time.Unix(1700000000, 123_456_789).UTC() }, then: func(o *order) { o.At = time.Unix(1700000000, 123_456_954).UTC() }, want: "At: 2023-11-14T22:13:20.123456789Z became 2023-11-14T22:13:20.123456954Z", losses: []string{"time-float"}},
		{name: "rounded to milliseconds", before: func(o *order) { o.At = time.Unix(5, 999_500_000).UTC() }, then: func(o *order) { o.At = time.Unix(6, 0).UTC() }, want: "At: 1970-01-01T00:00:05.9995Z became 1970-01-01T00:00:06Z", losses: []string{"time-millis"}},
		{name: "negative zero", before: func(o *order) { o.F64 = math.Copysign(0, -1) }, then: func(o *order) { o.F64 = 0 }, want: "F64: -0 became 0", losses: []string{"neg-zero"}},
		{name: "negative zero, 32 bits", before: func(o *order) { o.F32 = float32(math.Copysign(0, -1)) }, then: func(o *order) { o.F32 = 0 }, want: "F32: -0 became 0", losses: []string{"neg-zero"}},
		{name: "pointer to zero", before: func(o *order) { o.Note = ptr("") }, then: func(o *order) { o.Note = nil }, want: `Note: a pointer to "" became nil`, losses: []string{"zero-pointer"}},
		{name: "pointer made from nil", before: func(o *order) { o.Note = nil }, then: func(o *order) { o.Note = ptr("") }, want: `Note: nil became a pointer to ""`, losses: []string{"zero-pointer"}},
		{name: "pointer to zero time", before: func(o *order) { o.When = ptr(time.Time{}.UTC()) }, then: func(o *order) { o.When = nil }, want: "When: a pointer to 0001-01-01T00:00:00Z became nil", losses: []string{"zero-pointer"}},
		{name: "pointer to zero message", before: func(o *order) { o.Address = &address{} }, then: func(o *order) { o.Address = nil }, want: "Address: a pointer to a address became nil", losses: []string{"zero-pointer"}},
		{name: "invalid UTF-8 replaced", before: func(o *order) { o.Text = "a\xff\xfeb" }, then: func(o *order) { o.Text = "a\uFFFD\uFFFDb" }, want: `Text: "a\xff\xfeb" became "a��b"`, losses: []string{"bad-utf8"}},
		{name: "invalid UTF-8 dropped", before: func(o *order) { o.Text = "a\xff\xfeb" }, then: func(o *order) { o.Text = "ab" }, want: `Text: "a\xff\xfeb" became "ab"`, losses: []string{"bad-utf8"}},
		{name: "NUL replaced", before: func(o *order) { o.Text = "a\x00b\r\n" }, then: func(o *order) { o.Text = "a\uFFFDb\n" }, want: `Text: "a\x00b\r\n" became "a�b\n"`, losses: []string{"nul"}},
		{name: "both", before: func(o *order) { o.Text = "a\x00b\xff" }, then: func(o *order) { o.Text = "ab" }, want: `Text: "a\x00b\xff" became "ab"`, losses: []string{"bad-utf8", "nul"}},
		{name: "two losses", before: func(o *order) { o.Data, o.Grid = []byte{}, nil; o.F64 = math.Copysign(0, -1) }, then: func(o *order) { o.Data, o.Grid = nil, [][]int64{}; o.F64 = 0 }, want: "F64: -0 became 0", losses: []string{"neg-zero", "nil-empty"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			want, got := full(), full()
			test.before(want)
			test.before(got)
			test.then(got)
			if diff, _ := workload.Diff(want, got, nil); diff != test.want {
				t.Errorf("Diff is %q\nwant    %q", diff, test.want)
			}
			diff, suffered := workload.Diff(want, got, set(every...))
			if diff != "" || !cmp.Equal(suffered, test.losses) {
				t.Errorf("forgiving all: Diff is %q, %v, want %v", diff, suffered, test.losses)
			}
			diff, suffered = workload.Diff(want, got, set(test.losses...))
			if diff != "" || !cmp.Equal(suffered, test.losses) {
				t.Errorf("forgiving %v: Diff is %q, %v", test.losses, diff, suffered)
			}
			for _, loss := range test.losses {
				others := set(every...)
				delete(others, loss)
				if diff, _ := workload.Diff(want, got, others); diff == "" {
					t.Errorf("Diff forgives without %s", loss)
				}
			}
		})
	}
}

// TestDiffKeys changes map keys by forgiven losses. One key of the result must match at most
// one key of the original.
func TestDiffKeys(t *testing.T) {
	type counts map[string]int64
	tests := []struct {
		name      string
		want, got counts
		diff      string
		losses    []string
	}{
		{name: "dropped", want: counts{"a\x00": 1}, got: counts{"a": 1}, losses: []string{"nul"}},
		{name: "replaced", want: counts{"a\xff": 1}, got: counts{"a\uFFFD": 1}, losses: []string{"bad-utf8"}},
		{name: "read as Latin-1", want: counts{"a\xe9": 1}, got: counts{"aé": 1}, losses: []string{"bad-utf8"}},
		{name: "Latin-1 with a control character", want: counts{"a\xe9\x01": 1}, got: counts{"aé\x01": 1}, losses: []string{"bad-utf8"}},
		{name: "a control character that survived", want: counts{"\t\xff": 1}, got: counts{"\t\uFFFD": 1}, losses: []string{"bad-utf8"}},
		{name: "an invalid byte that survived", want: counts{"a\x00\xff": 1}, got: counts{"a\xff": 1}, losses: []string{"nul"}},
		{name: "two of them", want: counts{"a\x00": 1, "b\xff": 2}, got: counts{"a": 1, "b": 2}, losses: []string{"bad-utf8", "nul"}},
		{name: "two alike", want: counts{"a\x00": 1, "a\xff": 2}, got: counts{"a": 2, "a\uFFFD": 1}, losses: []string{"bad-utf8", "nul"}},
		{name: "the first key leaves the only answer of the second", want: counts{"a\x00\xff": 1, "a\xff": 1}, got: counts{"a": 1, "a\x01": 1}, losses: []string{"bad-utf8", "nul"}},
		{name: "value", want: counts{"a\x00": 1}, got: counts{"a": 2}, diff: `["a\x00"]: 1 became 2`},
		{name: "two became one", want: counts{"a\x00": 1, "a\x01": 1}, got: counts{"a": 1}, diff: `["a\x01"]: the entry is missing, 2 entries became 1`},
		{name: "two became one that was there", want: counts{"a": 1, "a\x01": 1}, got: counts{"a": 1}, diff: `["a\x01"]: the entry is missing, 2 entries became 1`},
		{name: "one became two", want: counts{"a\x00": 1}, got: counts{"a": 1, "a\uFFFD": 1}, diff: "[\"a\uFFFD\"]: the entry was added, 1 entry became 2"},
	}
	for _, test := range tests {
		for range 10 { // maps have no order
			diff, losses := workload.Diff(&test.want, &test.got, set(every...))
			if diff != test.diff || diff == "" && !cmp.Equal(losses, test.losses) {
				t.Errorf("%s: Diff is %q, %v\nwant %q, %v", test.name, diff, losses, test.diff, test.losses)
				break
			}
			if diff, _ := workload.Diff(&test.want, &test.got, nil); diff == "" {
				t.Errorf("%s: Diff forgives what nobody asked it to", test.name)
			}
		}
	}
}

func TestDiffEqual(t *testing.T) {
	tests := map[string][2]any{
		"full":         {full(), full()},
		"zero":         {&order{}, &order{}},
		"NaN":          {ptr(math.NaN()), ptr(math.Float64frombits(0xfff8000000000123))},
		"zone by name": {ptr(time.Unix(1, 0).In(time.FixedZone("a", 60))), ptr(time.Unix(1, 0).In(time.FixedZone("b", 60)))},
		"bare":         {ptr([]int64{1}), ptr([]int64{1})},
		"nil":          {nil, nil},
	}
	for name, pair := range tests {
		if diff, suffered := workload.Diff(pair[0], pair[1], set(every...)); diff != "" || suffered != nil {
			t.Errorf("%s: Diff is %q, %v", name, diff, suffered)
		}
	}
}

// TestDiffRoot compares values whose difference is not in a field.
func TestDiffRoot(t *testing.T) {
	tests := []struct {
		name      string
		want, got any
		diff      string
	}{
		{"no result", full(), nil, "value: a pointer to a order became nothing"},
		{"nil pointer", full(), (*order)(nil), "value: a pointer to a order became nil"},
		{"other type", full(), &item{}, "value: a *workload_test.order became a *workload_test.item"},
		{"bare length", ptr([]int64{1, 2}), ptr([]int64{1}), "value: 2 elements became 1 element"},
		{"bare element", ptr([]int64{1, 2}), ptr([]int64{1, 3}), "[1]: 2 became 3"},
		{"bare map", ptr(map[string]int64{"a": 1}), ptr(map[string]int64{"a": 2}), `["a"]: 1 became 2`},
		{"bare map field", ptr(map[string]address{"a": {"s", 1}}), ptr(map[string]address{"a": {"t", 1}}), `["a"].Street: "s" became "t"`},
		{"incomparable", ptr(func() {}), ptr(func() {}), "value: a func() cannot be compared"},
	}
	for _, test := range tests {
		if diff, _ := workload.Diff(test.want, test.got, nil); diff != test.diff {
			t.Errorf("%s: Diff is %q, want %q", test.name, diff, test.diff)
		}
	}
}

// FuzzDiffText checks that Diff reports different strings as equal only with a suffered loss,
// and that it shows them as short, valid UTF-8.
func FuzzDiffText(f *testing.F) {
	f.Add("a", "b", true)
	f.Add("a\xff", "a\uFFFD", true)
	f.Add(strings.Repeat("é", 90)+"x", strings.Repeat("é", 90)+"y", false)
	f.Add(strings.Repeat("\xff", 90)+"x", strings.Repeat("\xff", 90)+"y", false)
	f.Fuzz(func(t *testing.T, want, got string, forgive bool) {
		losses := set()
		if forgive {
			losses = set(every...)
		}
		diff, suffered := workload.Diff(&want, &got, losses)
		if (want == got) != (diff == "" && suffered == nil) {
			t.Errorf("Diff(%q, %q) is %q, %v", want, got, diff, suffered)
		}
		if len(diff) > 1024 || diff != strings.ToValidUTF8(diff, "") {
			t.Errorf("Diff(%q, %q) is %q", want, got, diff)
		}
	})
}

// Diff forgives a null that comes back as absent if null-absent is forgiven. It does not
// forgive an absent message that held no null.
func TestDiffNullAbsent(t *testing.T) {
	want, got := full(), full()
	want.Either, got.Either = &orNull{}, nil
	if diff, _ := workload.Diff(want, got, set("null-absent")); diff != "" {
		t.Errorf("forgiven: %s", diff)
	}
	others := set(every...)
	delete(others, "null-absent")
	delete(others, "zero-pointer")
	if diff, _ := workload.Diff(want, got, others); diff != "Either: a pointer to a orNull became nil" {
		t.Errorf("not forgiven: %q", diff)
	}
	want.Either, want.Address = nil, &address{}
	got.Address = nil
	if diff, _ := workload.Diff(want, got, set("null-absent")); diff == "" {
		t.Error("a message that is no null is forgiven")
	}
}

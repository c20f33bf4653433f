package builtin_test

import (
	"math"
	"reflect"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"assay/workload"
	"assay/workload/builtin"
	"assay/workload/probes"
)

// A damage is a fault that a codec may have, applied to one settable value: a leaf, or a list
// or map with its contents.
type damage struct {
	name string
	do   func(v reflect.Value)
	// gross is a kind of value. Wherever there are values of this kind, they show the damage.
	// Other damages are visible in some values only, which ordinary data need not contain.
	gross reflect.Kind
}

// damages are the faults that round trips must find. Verification depends on its values: even
// a complete comparison does not find that long texts are cut if every text is short.
var damages = []damage{
	{name: "texts end after 255 bytes", do: text(func(s string) string { return s[:min(len(s), math.MaxUint8)] })},
	{name: "texts end after 65,535 bytes", do: text(func(s string) string { return s[:min(len(s), math.MaxUint16)] })},
	{name: "texts end at NUL", do: text(func(s string) string { s, _, _ = strings.Cut(s, "\x00"); return s })},
	{name: "texts are trimmed", do: text(strings.TrimSpace)},
	{name: "texts are composed", do: text(func(s string) string { return strings.ReplaceAll(s, "e\u0301", "\u00e9") })},
	{name: "texts are valid UTF-8", do: text(func(s string) string { return strings.ToValidUTF8(s, "\ufffd") })},
	{name: "texts are of lower case", do: text(strings.ToLower)},
	{name: "texts lose their last byte", gross: reflect.String, do: text(func(s string) string { return s[:max(0, len(s)-1)] })},
	{name: "texts lose characters beyond ASCII", do: text(func(s string) string {
		return strings.Map(func(r rune) rune {
			if r > 127 {
				return '?'
			}
			return r
		}, s)
	})},
	{name: "bytes end after 65,535", do: func(v reflect.Value) {
		if v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8 && v.Len() > math.MaxUint16 {
			v.SetLen(math.MaxUint16)
		}
	}},
	{name: "integers have 32 bits", do: integer(func(n int64) int64 { return int64(int32(n)) })},
	{name: "integers are floats between", do: integer(func(n int64) int64 { return int64(float64(n)) })},
	{name: "integers lose their sign", do: integer(func(n int64) int64 { return max(n, -n) })},
	{name: "counts have 63 bits", do: func(v reflect.Value) {
		if v.CanUint() {
			v.SetUint(v.Uint() &^ (1 << 63))
		}
	}},
	{name: "float64 are float32 between", do: float(func(f float64) float64 { return float64(float32(f)) })},
	{name: "subnormal floats are 0", do: float(func(f float64) float64 {
		if math.Abs(f) < 0x1p-1022 {
			return math.Copysign(0, f)
		}
		return f
	})},
	{name: "floats have six digits", do: float(func(f float64) float64 { return math.Round(f*1e6) / 1e6 })},
	{name: "-0 is 0", do: float(func(f float64) float64 { return f + 0 })},
	{name: "infinities are the greatest float", do: float(func(f float64) float64 {
		return max(-math.MaxFloat64, min(math.MaxFloat64, f))
	})},
	{name: "lists are sorted", do: list(func(v reflect.Value) {
		sort.SliceStable(v.Interface(), func(i, j int) bool { return less(v.Index(i), v.Index(j)) })
	})},
	{name: "lists are reversed", gross: reflect.Slice, do: list(func(v reflect.Value) {
		swap := reflect.Swapper(v.Interface())
		for i, j := 0, v.Len()-1; i < j; i, j = i+1, j-1 {
			swap(i, j)
		}
	})},
	{name: "lists of one are none", do: list(func(v reflect.Value) {
		if v.Len() == 1 {
			v.SetZero()
		}
	})},
	{name: "lists end after three", do: list(func(v reflect.Value) { v.SetLen(min(v.Len(), 3)) })},
	{name: "lists have nothing twice", do: list(func(v reflect.Value) {
		kept := reflect.MakeSlice(v.Type(), 0, v.Len())
		for i := range v.Len() {
			if !slices.ContainsFunc(elements(kept), func(e reflect.Value) bool { return reflect.DeepEqual(e.Interface(), v.Index(i).Interface()) }) {
				kept = reflect.Append(kept, v.Index(i))
			}
		}
		if kept.Len() < v.Len() {
			v.Set(kept)
		}
	})},
	{name: "maps lose an entry", gross: reflect.Map, do: dict(func(v reflect.Value) { v.SetMapIndex(v.MapKeys()[0], reflect.Value{}) })},
	{name: "keys are of lower case", do: dict(func(v reflect.Value) {
		for _, k := range v.MapKeys() {
			if low := strings.ToLower(k.String()); k.Kind() == reflect.String && low != k.String() {
				e := v.MapIndex(k)
				v.SetMapIndex(k, reflect.Value{})
				v.SetMapIndex(reflect.ValueOf(low).Convert(k.Type()), e)
			}
		}
	})},
	{name: "zero is absent", do: func(v reflect.Value) {
		if v.Kind() == reflect.Pointer && !v.IsNil() && v.Elem().IsZero() {
			v.SetZero()
		}
	}},
	{name: "absent is zero", do: func(v reflect.Value) {
		if v.Kind() == reflect.Pointer && v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
	}},
	{name: "empty is nil", do: func(v reflect.Value) {
		if (v.Kind() == reflect.Slice || v.Kind() == reflect.Map) && v.Len() == 0 {
			v.SetZero()
		}
	}},
	{name: "times have milliseconds", do: moment(func(t time.Time) time.Time { return t.Truncate(time.Millisecond) })},
	{name: "times are in UTC", do: moment(time.Time.UTC)},
	{name: "times begin in 1970", do: moment(func(t time.Time) time.Time {
		if t.Unix() < 0 {
			return time.Unix(0, 0).In(t.Location())
		}
		return t
	})},
}

func text(change func(string) string) func(reflect.Value) {
	return func(v reflect.Value) {
		if v.Kind() == reflect.String {
			v.SetString(change(v.String()))
		}
	}
}

func integer(change func(int64) int64) func(reflect.Value) {
	return func(v reflect.Value) {
		if v.Kind() == reflect.Int64 {
			v.SetInt(change(v.Int()))
		}
	}
}

func float(change func(float64) float64) func(reflect.Value) {
	return func(v reflect.Value) {
		if v.Kind() == reflect.Float64 {
			v.SetFloat(change(v.Float()))
		}
	}
}

func list(change func(reflect.Value)) func(reflect.Value) {
	return func(v reflect.Value) {
		if v.Kind() == reflect.Slice && v.Type().Elem().Kind() != reflect.Uint8 && v.Len() > 0 {
			change(v)
		}
	}
}

func dict(change func(reflect.Value)) func(reflect.Value) {
	return func(v reflect.Value) {
		if v.Kind() == reflect.Map && v.Len() > 0 {
			change(v)
		}
	}
}

func moment(change func(time.Time) time.Time) func(reflect.Value) {
	return func(v reflect.Value) {
		if t, ok := v.Interface().(time.Time); ok {
			v.Set(reflect.ValueOf(change(t)))
		}
	}
}

func elements(v reflect.Value) []reflect.Value {
	out := make([]reflect.Value, v.Len())
	for i := range out {
		out[i] = v.Index(i)
	}
	return out
}

// less orders numbers and texts. For other values it is always false, so that a stable sort
// keeps their order.
func less(a, b reflect.Value) bool {
	switch {
	case a.CanInt():
		return a.Int() < b.Int()
	case a.CanFloat():
		return a.Float() < b.Float()
	}
	return a.Kind() == reflect.String && a.String() < b.String()
}

// inflict applies a damage to everything reachable from v, which must be settable. It does
// not descend into values that the damage creates in place of nil.
func inflict(v reflect.Value, do func(reflect.Value)) {
	absent := v.Kind() == reflect.Pointer && v.IsNil()
	do(v)
	if absent || v.Type() == reflect.TypeFor[time.Time]() {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			inflict(v.Elem(), do)
		}
	case reflect.Slice:
		for i := range v.Len() {
			inflict(v.Index(i), do)
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			e := reflect.New(v.Type().Elem()).Elem()
			e.Set(v.MapIndex(k))
			inflict(e, do)
			v.SetMapIndex(k, e)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			inflict(v.Field(i), do)
		}
	}
}

// A place is a workload, a size, and the number of values that a verification uses of it.
type place struct {
	of     *workload.Workload
	size   workload.Size
	values int
}

// places returns the sizes of the ordinary workloads that a run measures by default, and the
// probes.
func places() (ordinary, asking []place) {
	for _, w := range builtin.All() {
		if w == probes.Workload {
			continue
		}
		for _, size := range w.Sizes {
			if size.Typical {
				ordinary = append(ordinary, place{w, size, size.Inputs()})
			}
		}
	}
	for _, p := range probes.All {
		i := slices.IndexFunc(probes.Workload.Sizes, func(s workload.Size) bool { return s.Key == p.Size() })
		asking = append(asking, place{probes.Workload, probes.Workload.Sizes[i], p.Inputs()})
	}
	return ordinary, asking
}

// make returns settable copies of the values of a place. Copies are needed because probes
// share the values that they point to.
func (p place) make(t *testing.T) reflect.Value {
	t.Helper()
	all, err := p.of.Generate(p.size, 1, p.values)
	if err != nil {
		t.Fatal(err)
	}
	return reflect.ValueOf(workload.Clone(all))
}

// has reports whether the place has a nonzero value of a kind. For lists, the list must have
// more than one element.
func (p place) has(t *testing.T, kind reflect.Kind) bool {
	t.Helper()
	found := false
	all := p.make(t)
	for i := range all.Len() {
		inflict(all.Index(i), func(v reflect.Value) {
			some := v.Kind() == kind && !v.IsZero()
			if some && kind == reflect.Slice {
				some = v.Type().Elem().Kind() != reflect.Uint8 && v.Len() > 1
			}
			found = found || some
		})
	}
	return found
}

// shows reports whether a value of the place differs from its copy after a damage.
func (p place) shows(t *testing.T, d damage) bool {
	t.Helper()
	want, got := p.make(t), p.make(t)
	for i := range got.Len() {
		inflict(got.Index(i), d.do)
		if diff, _ := workload.Diff(want.Index(i).Addr().Interface(), got.Index(i).Addr().Interface(), nil); diff != "" {
			return true
		}
	}
	return false
}

// TestDamages checks that the values of probes and workloads show every damage.
func TestDamages(t *testing.T) {
	ordinary, asking := places()
	for _, d := range damages {
		if !slices.ContainsFunc(slices.Concat(asking, ordinary), func(p place) bool { return p.shows(t, d) }) {
			t.Errorf("no value shows that %s", d.name)
		}
		for _, p := range ordinary {
			if d.gross != reflect.Invalid && p.has(t, d.gross) && !p.shows(t, d) {
				t.Errorf("%s %s does not show that %s", p.of.Name, p.size.Key, d.name)
			}
		}
	}
}

// TestUndamaged checks that undamaged values do not differ.
func TestUndamaged(t *testing.T) {
	ordinary, asking := places()
	for _, p := range slices.Concat(asking, ordinary) {
		if p.shows(t, damage{do: func(reflect.Value) {}}) {
			t.Errorf("%s %s differs from itself", p.of.Name, p.size.Key)
		}
	}
}

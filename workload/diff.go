package workload

import (
	"bytes"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay/contender"
)

// Forgivable returns the names of all losses that Diff can forgive.
func Forgivable() map[string]bool {
	all := map[string]bool{}
	for _, w := range contender.Losses {
		if w.Forgiven {
			all[string(w.Loss)] = true
		}
	}
	return all
}

// Diff compares two pointers to values of one model type and describes the
// first difference, as in
//
//	Items[3].Addresses["x"].Latitude: 1.5 became 0
//
// or returns "" if there is no difference except the losses in forgive. Forgivable returns
// the losses that Diff can forgive; Diff ignores other names. suffered lists the forgiven
// losses that did occur, sorted.
//
// Floats are equal if their bits are equal, and any NaN equals any other. Times are equal if
// they are the same instant at the same offset from UTC. But a time in UTC does not equal one
// that came back in time.Local, so that the answer is the same on machines whose local zone
// is UTC. All other values must be equal; nil differs from empty.
func Diff(want, got any, forgive map[string]bool) (diff string, suffered []string) {
	d := differ{forgive: forgive}
	m := d.any(reflect.ValueOf(want), reflect.ValueOf(got))
	for l := range d.suffered {
		suffered = append(suffered, l)
	}
	slices.Sort(suffered)
	if m == nil {
		return "", suffered
	}
	path := strings.TrimPrefix(m.path, ".")
	if path == "" {
		path = "value"
	}
	return path + ": " + m.text, suffered
}

// A differ holds the state of one comparison.
type differ struct {
	forgive  map[string]bool
	suffered map[string]bool
}

// A mismatch is a difference and its path. Each level adds its step to the path on the way
// out, so that equal values cost nothing.
type mismatch struct {
	path, text string
}

func became(want, got string) *mismatch { return &mismatch{text: want + " became " + got} }

// in prepends a step to the path.
func (m *mismatch) in(step string) *mismatch {
	m.path = step + m.path
	return m
}

// forgiven reports whether a loss is forgiven. If it is, forgiven records that the loss
// occurred.
func (d *differ) forgiven(loss contender.Loss) bool {
	if !d.forgive[string(loss)] {
		return false
	}
	if d.suffered == nil {
		d.suffered = map[string]bool{}
	}
	d.suffered[string(loss)] = true
	return true
}

// any compares two values that may have different types or be invalid.
func (d *differ) any(want, got reflect.Value) *mismatch {
	if !want.IsValid() || !got.IsValid() {
		if want.IsValid() == got.IsValid() {
			return nil
		}
		return became(show(want), show(got))
	}
	if want.Type() != got.Type() {
		return became("a "+want.Type().String(), "a "+got.Type().String())
	}
	return d.value(want, got)
}

// value compares two values of one type.
func (d *differ) value(want, got reflect.Value) *mismatch {
	if want.Type() == timeType && want.CanInterface() && got.CanInterface() {
		return d.time(want.Interface().(time.Time), got.Interface().(time.Time))
	}
	equal := false
	switch want.Kind() {
	case reflect.Bool:
		equal = want.Bool() == got.Bool()
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		equal = want.Int() == got.Int()
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		equal = want.Uint() == got.Uint()
	case reflect.Float32, reflect.Float64:
		equal = d.float(want.Float(), got.Float())
	case reflect.String:
		return d.text(want.String(), got.String())
	case reflect.Slice:
		return d.slice(want, got)
	case reflect.Array:
		return d.elements(want, got)
	case reflect.Map:
		return d.dict(want, got)
	case reflect.Struct:
		for i := range want.NumField() {
			if m := d.value(want.Field(i), got.Field(i)); m != nil {
				return m.in("." + want.Type().Field(i).Name)
			}
		}
		return nil
	case reflect.Pointer:
		return d.pointer(want, got)
	case reflect.Interface:
		return d.any(want.Elem(), got.Elem())
	default:
		return &mismatch{text: "a " + want.Type().String() + " cannot be compared"}
	}
	if equal {
		return nil
	}
	return became(show(want), show(got))
}

var timeType = reflect.TypeFor[time.Time]()

func (d *differ) time(want, got time.Time) *mismatch {
	if !want.Equal(got) {
		year := want.UTC().Year()
		if (year < 1678 || year > 2261) && d.forgiven(contender.TimeRange) || year > 9999 && d.forgiven(contender.TimeYears) {
			return nil
		}
		if !d.close(want, got) {
			return became(showTime(want), showTime(got))
		}
	}
	if want.Location() == time.UTC && got.Location() == time.Local {
		if d.forgiven(contender.TimeLocal) {
			return nil
		}
		return became(showTime(want), "the same in the zone of the machine")
	}
	_, w := want.Zone()
	_, g := got.Zone()
	if w == g || d.forgiven(contender.TimeZone) {
		return nil
	}
	return became(showTime(want), showTime(got))
}

// close reports whether a forgiven loss of precision explains the difference of two times:
// they are less than a unit apart and got is a multiple of the unit, or got is want as a
// float64 of seconds.
func (d *differ) close(want, got time.Time) bool {
	within := func(unit time.Duration) bool {
		return want.Sub(got).Abs() < unit && got.Nanosecond()%int(unit) == 0
	}
	return within(time.Microsecond) && d.forgiven(contender.TimeMicros) || within(time.Millisecond) && d.forgiven(contender.TimeMillis) ||
		isFraction(want, got) && d.forgiven(contender.TimeFloat)
}

// isFraction reports whether got is want after rounding to microseconds and conversion to a
// float64 of seconds since 1970. It accepts the nearest float64 and its two neighbours,
// because there are several ways to compute the float64.
func isFraction(want, got time.Time) bool {
	want = want.Round(time.Microsecond)
	f := float64(want.Unix()) + float64(want.Nanosecond())/1e9
	for _, near := range []float64{f, math.Nextafter(f, math.Inf(1)), math.Nextafter(f, math.Inf(-1))} {
		whole, part := math.Modf(near)
		if got.Equal(time.Unix(int64(whole), int64(part*1e9))) {
			return true
		}
	}
	return false
}

// float compares by bits. A float32 is widened before, which keeps its value, the sign of
// zero, and whether it is a NaN.
func (d *differ) float(want, got float64) bool {
	switch {
	case math.Float64bits(want) == math.Float64bits(got):
		return true
	case want != want && got != got:
		return true
	case want == 0 && got == 0:
		return d.forgiven(contender.NegZero)
	}
	return false
}

// empty compares two lists or maps of which one may be nil. done reports whether the
// comparison is complete.
func (d *differ) empty(want, got reflect.Value) (m *mismatch, done bool) {
	if want.IsNil() != got.IsNil() {
		if want.Len() == 0 && got.Len() == 0 && d.forgiven(contender.NilEmpty) {
			return nil, true
		}
		return became(size(want), size(got)), true
	}
	return nil, want.IsNil()
}

func (d *differ) slice(want, got reflect.Value) *mismatch {
	if m, done := d.empty(want, got); done {
		return m
	}
	if want.Type().Elem().Kind() == reflect.Uint8 {
		if bytes.Equal(want.Bytes(), got.Bytes()) {
			return nil
		}
	}
	if want.Len() != got.Len() {
		return became(size(want), size(got))
	}
	return d.elements(want, got)
}

func (d *differ) elements(want, got reflect.Value) *mismatch {
	for i := range want.Len() {
		if m := d.value(want.Index(i), got.Index(i)); m != nil {
			return m.in("[" + strconv.Itoa(i) + "]")
		}
	}
	return nil
}

// dict compares maps. If there are several differences, it returns the one with the smallest
// key, so that the result does not depend on the order of iteration.
func (d *differ) dict(want, got reflect.Value) *mismatch {
	if m, done := d.empty(want, got); done {
		return m
	}
	var first *mismatch
	var firstKey reflect.Value
	note := func(key reflect.Value, m *mismatch) {
		if m != nil && (first == nil || less(key, firstKey)) {
			first, firstKey = m, key
		}
	}
	for it := want.MapRange(); it.Next(); {
		if g := got.MapIndex(it.Key()); g.IsValid() {
			note(it.Key(), d.value(it.Value(), g))
		}
	}
	wanted, others := without(want, got), without(got, want)
	answers := d.answers(wanted, others, want, got)
	taken := map[string]bool{}
	for i, key := range wanted {
		if other := answers[i]; other.IsValid() {
			taken[other.String()] = true
			d.text(key.String(), other.String())
			note(key, d.value(want.MapIndex(key), got.MapIndex(other)))
		} else {
			note(key, &mismatch{text: "the entry is missing, " + size(want) + " became " + strconv.Itoa(got.Len())})
		}
	}
	for _, key := range others {
		if key.Kind() != reflect.String || !taken[key.String()] {
			note(key, &mismatch{text: "the entry was added, " + size(want) + " became " + strconv.Itoa(got.Len())})
		}
	}
	if first == nil {
		return nil
	}
	return first.in("[" + show(firstKey) + "]")
}

// without returns the sorted keys of a that are not in b.
func without(a, b reflect.Value) []reflect.Value {
	var keys []reflect.Value
	for it := a.MapRange(); it.Next(); {
		if !b.MapIndex(it.Key()).IsValid() {
			keys = append(keys, it.Key())
		}
	}
	slices.SortFunc(keys, func(a, b reflect.Value) int {
		switch {
		case less(a, b):
			return -1
		case less(b, a):
			return 1
		}
		return 0
	})
	return keys
}

// answers matches wanted keys to other keys that differ only by a forgiven loss of bytes. It
// returns the match of each wanted key, or an invalid Value if there is none. No key of
// others is matched twice. A maximum matching of keys with equal values comes first.
func (d *differ) answers(wanted, others []reflect.Value, want, got reflect.Value) []reflect.Value {
	found := make([]reflect.Value, len(wanted))
	if len(wanted)*len(others) == 0 || wanted[0].Kind() != reflect.String || !d.forgive[string(contender.BadUTF8)] && !d.forgive[string(contender.NUL)] {
		return found
	}
	like := altered(others)
	try := differ{forgive: d.forgive} // a separate differ, so that attempts record no losses
	may, same := make([][]reflect.Value, len(wanted)), make([][]reflect.Value, len(wanted))
	for i, key := range wanted {
		for _, other := range slices.Concat(like[remains(key.String(), true)], like[latin1(key.String())]) {
			if try.text(key.String(), other.String()) == nil {
				may[i] = append(may[i], other)
				if try.value(want.MapIndex(key), got.MapIndex(other)) == nil {
					same[i] = append(same[i], other)
				}
			}
		}
	}
	of := map[string]int{} // from a key in others to the index of its wanted key
	var find func(i int, met map[string]bool) bool
	find = func(i int, met map[string]bool) bool { // looks for an augmenting path of the matching
		for _, other := range same[i] {
			name := other.String()
			if met[name] {
				continue
			}
			met[name] = true
			if j, taken := of[name]; !taken || find(j, met) {
				of[name], found[i] = i, other
				return true
			}
		}
		return false
	}
	for i := range wanted {
		find(i, map[string]bool{})
	}
	for i := range wanted { // match keys with different values; the difference is then in the value
		if found[i].IsValid() {
			continue
		}
		for _, other := range may[i] {
			if _, taken := of[other.String()]; !taken {
				of[other.String()], found[i] = i, other
				break
			}
		}
	}
	return found
}

// altered indexes keys by themselves and by what remains of them after all losses of bytes.
func altered(keys []reflect.Value) map[string][]reflect.Value {
	like := map[string][]reflect.Value{}
	for _, key := range keys {
		rest := remains(key.String(), true)
		like[rest] = append(like[rest], key)
		if whole := key.String(); whole != rest {
			like[whole] = append(like[whole], key)
		}
	}
	return like
}

// less orders map keys.
func less(a, b reflect.Value) bool {
	switch {
	case a.CanInt():
		return a.Int() < b.Int()
	case a.CanUint():
		return a.Uint() < b.Uint()
	}
	return a.String() < b.String()
}

func (d *differ) pointer(want, got reflect.Value) *mismatch {
	switch {
	case want.IsNil() && got.IsNil():
		return nil
	case got.IsNil():
		if d.zero(want.Elem()) && d.forgiven(contender.ZeroPointer) || holdsNull(want.Elem()) && d.forgiven(contender.NullAbsent) {
			return nil
		}
		return became("a pointer to "+show(want.Elem()), "nil")
	case want.IsNil():
		if d.zero(got.Elem()) && d.forgiven(contender.ZeroPointer) {
			return nil
		}
		return became("nil", "a pointer to "+show(got.Elem()))
	}
	return d.value(want.Elem(), got.Elem())
}

// holdsNull reports whether v is a message with one field, Value, that is nil: it wraps a
// null.
func holdsNull(v reflect.Value) bool {
	if v.Kind() != reflect.Struct || v.NumField() != 1 || v.Type().Field(0).Name != "Value" {
		return false
	}
	switch f := v.Field(0); f.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return f.IsNil()
	}
	return false
}

// zero reports whether v is the zero value. Values that a forgiven loss makes equal to zero
// count as zero.
func (d *differ) zero(v reflect.Value) bool {
	if v.Type() == timeType && v.CanInterface() {
		return v.Interface().(time.Time).IsZero()
	}
	switch v.Kind() {
	case reflect.Slice, reflect.Map:
		return v.IsNil() || v.Len() == 0 && d.forgive[string(contender.NilEmpty)]
	case reflect.Float32, reflect.Float64:
		return v.Float() == 0 && (!math.Signbit(v.Float()) || d.forgive[string(contender.NegZero)])
	case reflect.Struct:
		for i := range v.NumField() {
			if !d.zero(v.Field(i)) {
				return false
			}
		}
		return true
	}
	return v.IsZero()
}

// size describes a list or map by its number of elements.
func size(v reflect.Value) string {
	noun, nouns := "element", "elements"
	switch {
	case v.Kind() == reflect.Map:
		noun, nouns = "entry", "entries"
	case v.Type().Elem().Kind() == reflect.Uint8:
		noun, nouns = "byte", "bytes"
	}
	switch {
	case v.IsNil():
		return "nil"
	case v.Len() == 0:
		return "empty"
	case v.Len() == 1:
		return "1 " + noun
	}
	return strconv.Itoa(v.Len()) + " " + nouns
}

// shown is the approximate number of bytes of a text that Diff shows.
const shown = 60

// show returns a short description of a value.
func show(v reflect.Value) string {
	if !v.IsValid() {
		return "nothing"
	}
	if v.Type() == timeType && v.CanInterface() {
		return showTime(v.Interface().(time.Time))
	}
	switch v.Kind() {
	case reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case reflect.Float32:
		return strconv.FormatFloat(v.Float(), 'g', -1, 32)
	case reflect.Float64:
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	case reflect.String:
		return showText(v.String(), 0)
	case reflect.Slice:
		return size(v)
	case reflect.Map:
		return size(v)
	case reflect.Struct:
		return "a " + v.Type().Name()
	case reflect.Pointer:
		if v.IsNil() {
			return "nil"
		}
		return "a pointer to " + show(v.Elem())
	}
	switch {
	case v.CanInt():
		return strconv.FormatInt(v.Int(), 10)
	case v.CanUint():
		return strconv.FormatUint(v.Uint(), 10)
	}
	return "a " + v.Type().String()
}

func showTime(t time.Time) string { return t.Format(time.RFC3339Nano) }

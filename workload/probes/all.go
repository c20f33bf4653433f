package probes

import (
	"bytes"
	"math"
	"strings"
	"time"

	"assay/contender"
)

const (
	longText = 70_000 // bytes, more than 64 KiB
	depth    = 100    // levels of nested messages
)

// All lists the probes in the order of tables. Stored results depend on the order and the
// names, so new probes go to the end of their section.
var All = []Probe{
	{Name: Base, Text: "an ordinary event"},

	{Name: "maps", Text: "maps with eight entries", variants: []func(*Event){func(e *Event) {
		for i, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
			e.Labels[name], e.Rates[name], e.ByName[name], e.ByNumber[int64(i)] = name, 0.5, Place{Name: name, Height: 1}, name
		}
	}}},
	{Name: "leftovers", Text: "an ordinary event and one with less in it, in turn", variants: []func(*Event){
		func(e *Event) {},
		func(e *Event) {
			*e = Event{
				Data: []byte{9}, Larges: []int64{0}, Doubles: []float64{0}, Texts: []string{""}, Blobs: [][]byte{{9}},
				Colors: []Color{0}, Places: []Place{{}},
				Labels: map[string]string{"other": ""}, Rates: map[string]float64{"other": 0},
				ByName: map[string]Place{"other": {}}, ByNumber: map[int64]string{43: ""},
			}
		},
	}},

	// Times.
	{Name: "milliseconds", Text: "a time in UTC with milliseconds",
		Losses:   []contender.Loss{contender.TimeLocal},
		variants: at(time.Date(2024, 2, 29, 12, 30, 45, 123_000_000, time.UTC))},
	{Name: "microseconds", Text: "a time with microseconds",
		Losses:   []contender.Loss{contender.TimeMillis, contender.TimeFloat, contender.TimeLocal},
		variants: at(time.Date(2024, 2, 29, 12, 30, 45, 123_456_000, time.UTC))},
	{Name: "nanoseconds", Text: "a time with nanoseconds",
		Losses:   []contender.Loss{contender.TimeMicros, contender.TimeMillis, contender.TimeFloat, contender.TimeLocal},
		variants: at(time.Date(2024, 2, 29, 12, 30, 45, 123_456_789, time.UTC))},
	{Name: "decimal-second", Text: "a time with seconds that no float64 holds",
		Losses:   []contender.Loss{contender.TimeFloat, contender.TimeMillis, contender.TimeLocal},
		variants: at(time.Date(2024, 2, 29, 12, 30, 45, 100_100_000, time.UTC))},
	{Name: "zone", Text: "a time two hours and a half east of UTC",
		Losses:   []contender.Loss{contender.TimeZone},
		variants: at(time.Date(2024, 2, 29, 12, 30, 45, 0, time.FixedZone("", 9000)))},
	{Name: "zero-time", Text: "time.Time{}, in the year 1",
		Losses:   []contender.Loss{contender.TimeRange, contender.TimeLocal},
		variants: at(time.Time{})},
	{Name: "before-1970", Text: "a time before 1970, with half a second",
		Losses:   []contender.Loss{contender.TimeLocal},
		variants: at(time.Date(1969, 7, 20, 20, 17, 40, 500_000_000, time.UTC))},
	{Name: "year-1500", Text: "a time in the year 1500",
		Losses:   []contender.Loss{contender.TimeRange, contender.TimeLocal},
		variants: at(time.Date(1500, 1, 2, 3, 4, 5, 0, time.UTC))},
	{Name: "year-3000", Text: "a time in the year 3000",
		Losses:   []contender.Loss{contender.TimeRange, contender.TimeLocal},
		variants: at(time.Date(3000, 1, 2, 3, 4, 5, 0, time.UTC))},
	{Name: "year-9999", Text: "the last second of the year 9999",
		Losses:   []contender.Loss{contender.TimeRange, contender.TimeLocal},
		variants: at(time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC))},
	{Name: "year-10000", Text: "a time in the year 10000",
		Losses:   []contender.Loss{contender.TimeYears, contender.TimeRange, contender.TimeLocal},
		variants: at(time.Date(10000, 1, 2, 3, 4, 5, 0, time.UTC))},
	{Name: "durations", Text: "a nanosecond, and the longest durations of both signs", variants: []func(*Event){
		func(e *Event) { e.Took = 1 },
		func(e *Event) { e.Took = math.MaxInt64 },
		func(e *Event) { e.Took = math.MinInt64 },
	}},

	// Integers.
	{Name: "integers", Text: "the least and greatest integers with a sign", variants: []func(*Event){
		func(e *Event) { e.Small, e.Large = math.MinInt32, math.MinInt64 },
		func(e *Event) { e.Small, e.Large, e.OptLarge = math.MaxInt32, math.MaxInt64, ptr(int64(math.MinInt64)) },
		func(e *Event) { e.Larges = []int64{math.MinInt64, math.MaxInt64} },
		func(e *Event) { e.ByNumber = map[int64]string{math.MinInt64: "least"} },
	}},
	{Name: "above-2^53", Text: "integers that no float64 holds", variants: []func(*Event){
		func(e *Event) { e.LargeCount = 1<<53 + 1 },
		func(e *Event) { e.Large, e.OptLarge = 1<<53+1, ptr(int64(-1<<53-1)) },
		func(e *Event) { e.Larges = []int64{1<<53 + 1} },
	}},
	{Name: "uint64-max", Text: "an integer above the greatest int64",
		Losses: []contender.Loss{contender.UintRange},
		variants: []func(*Event){
			func(e *Event) { e.LargeCount = math.MaxUint64 },
			func(e *Event) { e.SmallCount, e.LargeCount = math.MaxUint32, 1<<63 },
		}},
	{Name: "negative-enums", Text: "enum values below zero, in a field and in a list",
		Losses: []contender.Loss{contender.NegEnum},
		variants: []func(*Event){
			func(e *Event) { e.Color = Color_COLOR_BLUE },
			func(e *Event) { e.Colors = []Color{Color_COLOR_BLUE, Color_COLOR_RED} },
		}},
	{Name: "zeros", Text: "0, false and empty strings in fields, lists and maps", variants: []func(*Event){
		func(e *Event) {
			e.Flag, e.Small, e.Large, e.SmallCount, e.LargeCount, e.Single, e.Double = false, 0, 0, 0, 0, 0, 0
			e.Text, e.Took, e.Color, e.Place = "", 0, 0, Place{}
		},
		func(e *Event) {
			e.Larges, e.Doubles, e.Texts = []int64{0}, []float64{0}, []string{""}
			e.Colors, e.Places = []Color{0}, []Place{{}}
		},
		func(e *Event) {
			e.Labels, e.Rates = map[string]string{"": ""}, map[string]float64{"": 0}
			e.ByName, e.ByNumber = map[string]Place{"": {}}, map[int64]string{0: ""}
		},
	}},

	// Floats.
	{Name: "nan", Text: "NaN in fields, lists and maps",
		Losses: []contender.Loss{contender.NaNInf}, variants: floats(math.NaN())},
	{Name: "inf", Text: "the infinities",
		Losses: []contender.Loss{contender.NaNInf}, variants: append(floats(math.Inf(1)), floats(math.Inf(-1))...)},
	{Name: "neg-zero", Text: "-0 in fields, lists and maps",
		Losses: []contender.Loss{contender.NegZero}, variants: floats(math.Copysign(0, -1))},
	{Name: "float32", Text: "float32 values with all their digits", variants: []func(*Event){
		func(e *Event) { e.Single = 0.1 },
		func(e *Event) { e.Single = 16_777_217.0 / 3 },
	}},
	{Name: "float32-range", Text: "the greatest and the smallest float32",
		Losses: []contender.Loss{contender.FloatRange},
		variants: []func(*Event){
			func(e *Event) { e.Single = math.MaxFloat32 },
			func(e *Event) { e.Single = math.SmallestNonzeroFloat32 },
		}},
	{Name: "float64", Text: "float64 values with all their digits",
		variants: append(append(floats64(0.1), floats64(math.MaxFloat64)...), floats64(math.SmallestNonzeroFloat64)...)},

	// Nil, empty, absent.
	{Name: "nil-list", Text: "lists that are nil",
		Losses: []contender.Loss{contender.NilEmpty},
		variants: []func(*Event){func(e *Event) {
			e.Larges, e.Doubles, e.Texts, e.Blobs, e.Colors, e.Places = nil, nil, nil, nil, nil, nil
		}}},
	{Name: "empty-list", Text: "lists without elements",
		Losses: []contender.Loss{contender.NilEmpty},
		variants: []func(*Event){
			func(e *Event) { e.Larges = []int64{} },
			func(e *Event) { e.Doubles = []float64{} },
			func(e *Event) { e.Texts = []string{} },
			func(e *Event) { e.Blobs = [][]byte{} },
			func(e *Event) { e.Colors = []Color{} },
			func(e *Event) { e.Places = []Place{} },
		}},
	{Name: "nil-bytes", Text: "bytes that are nil, in a field and in a list",
		Losses: []contender.Loss{contender.NilEmpty},
		variants: []func(*Event){
			func(e *Event) { e.Data = nil },
			func(e *Event) { e.Blobs = [][]byte{nil, {1}} },
		}},
	{Name: "empty-bytes", Text: "no bytes, in a field and in a list",
		Losses: []contender.Loss{contender.NilEmpty},
		variants: []func(*Event){
			func(e *Event) { e.Data = []byte{} },
			func(e *Event) { e.Blobs = [][]byte{{}, {1}} },
		}},
	{Name: "nil-map", Text: "maps that are nil",
		Losses: []contender.Loss{contender.NilEmpty},
		variants: []func(*Event){func(e *Event) {
			e.Labels, e.Rates, e.ByName, e.ByNumber = nil, nil, nil, nil
		}}},
	{Name: "empty-map", Text: "maps without entries",
		Losses: []contender.Loss{contender.NilEmpty},
		variants: []func(*Event){
			func(e *Event) { e.Labels = map[string]string{} },
			func(e *Event) { e.Rates = map[string]float64{} },
			func(e *Event) { e.ByName = map[string]Place{} },
			func(e *Event) { e.ByNumber = map[int64]string{} },
		}},
	{Name: "nil-pointer", Text: "optional values that are absent", variants: []func(*Event){func(e *Event) {
		e.OptFlag, e.OptLarge, e.OptDouble, e.OptText, e.OptPlace = nil, nil, nil, nil, nil
	}}},
	{Name: "zero-pointer", Text: "an optional 0 and false that are there",
		Losses: []contender.Loss{contender.ZeroPointer},
		variants: []func(*Event){
			func(e *Event) { e.OptLarge = new(int64) },
			func(e *Event) { e.OptFlag = new(bool) },
			func(e *Event) { e.OptDouble = new(float64) },
		}},
	{Name: "zero-time-pointer", Text: "an optional time that is there and zero",
		Losses:   []contender.Loss{contender.ZeroPointer, contender.TimeRange, contender.TimeLocal},
		variants: []func(*Event){func(e *Event) { e.OptTime = new(time.Time) }}},
	{Name: "empty-text-pointer", Text: "an optional string that is there and empty",
		Losses:   []contender.Loss{contender.ZeroPointer},
		variants: []func(*Event){func(e *Event) { e.OptText = new(string) }}},
	{Name: "empty-message-pointer", Text: "an optional message that is there, with all its fields zero",
		Losses:   []contender.Loss{contender.ZeroPointer},
		variants: []func(*Event){func(e *Event) { e.OptPlace = new(Place) }}},
	{Name: "null-apart", Text: "null in a field that may be absent too",
		Losses:   []contender.Loss{contender.NullAbsent, contender.ZeroPointer},
		variants: []func(*Event){func(e *Event) { e.Either = new(EitherOrNull) }}},

	// Text.
	{Name: "bad-utf8", Text: "strings that are not UTF-8",
		Losses:   []contender.Loss{contender.BadUTF8},
		variants: append(texts("a\xffb"), texts("\xc3")[0], texts("\xed\xa0\x80")[0])},
	{Name: "nul", Text: "NUL in strings",
		Losses: []contender.Loss{contender.NUL}, variants: texts("a\x00b")},
	{Name: "control", Text: "other control characters in strings",
		Losses: []contender.Loss{contender.NUL}, variants: append(texts("\x01 \x1b \x7f"), texts("\u0080\u009f")[0])},
	{Name: "tab", Text: "tabs in strings",
		Losses: []contender.Loss{contender.NUL}, variants: append(texts("a\tb"), texts("\t")[0])},
	{Name: "newline", Text: "line feeds in strings, also last and alone",
		Losses:   []contender.Loss{contender.Newline},
		variants: append(texts("a\nb\n"), texts("\n")[0], texts("\n\n a\n")[0])},
	{Name: "cr", Text: "carriage returns in strings, with a line feed and alone",
		Losses: []contender.Loss{contender.NUL}, variants: append(texts("a\r\nb"), texts("a\rb")[0], texts("\r")[0])},
	{Name: "spaces", Text: "strings that begin and end with spaces, and are nothing else", variants: append(texts(" a "), texts(" ")[0])},
	{Name: "markup", Text: "quotes, backslashes and what HTML escapes", variants: texts(`"'\/<b>&amp;</b>]]>` + "`")},
	{Name: "unicode", Text: "characters of two to four bytes, U+2028, U+FEFF, U+FFFD",
		variants: append(texts("ä日本👩‍👩‍👧"), texts("\u2028\u2029")[0], texts("\ufeffa")[0], texts("\ufffd")[0], texts("e\u0301")[0])},
	{Name: "words", Text: "strings that look like numbers, dates, booleans and syntax",
		Losses:   []contender.Loss{contender.Syntax},
		variants: words()},
	{Name: "long-text", Text: "a string of 70,000 bytes", variants: []func(*Event){
		func(e *Event) { e.Text = strings.Repeat("0123456789", longText/10) },
	}},
	{Name: "long-bytes", Text: "70,000 bytes", variants: []func(*Event){
		func(e *Event) { e.Data = bytes.Repeat([]byte{0, 1, 0xFF, '"'}, longText/4) },
	}},
	{Name: "deep", Text: "messages in one another, a hundred deep",
		Losses: []contender.Loss{contender.Depth},
		variants: []func(*Event){func(e *Event) {
			for i := range depth {
				e.Nest = &Nest{Depth: int64(i + 1), Nest: e.Nest}
			}
		}}},
}

func at(t time.Time) []func(*Event) {
	return []func(*Event){func(e *Event) { e.Stamp = &Stamp{Label: "there", At: t} }}
}

// floats returns variants that put f in every place for a float.
func floats(f float64) []func(*Event) {
	return append(floats64(f), func(e *Event) { e.Single = float32(f) })
}

func floats64(f float64) []func(*Event) {
	return []func(*Event){
		func(e *Event) { e.Double = f },
		func(e *Event) { e.OptDouble = &f },
		func(e *Event) { e.Doubles = []float64{f, 1} },
		func(e *Event) { e.Rates = map[string]float64{"rate": f} },
	}
}

// texts returns variants that put s in every place for a string.
func texts(s string) []func(*Event) {
	return []func(*Event){
		func(e *Event) { e.Text = s },
		func(e *Event) { e.OptText = &s },
		func(e *Event) { e.Texts = []string{s, "next"} },
		func(e *Event) { e.Labels = map[string]string{"label": s} },
		func(e *Event) { e.Labels = map[string]string{s: "label"} },
		func(e *Event) { e.Place.Name = s },
	}
}

// words returns variants with strings that a text format may take for something else.
func words() []func(*Event) {
	var out []func(*Event)
	for _, w := range []string{
		"no", "null", "~", "true", "1e3", "0x1F", "1_000", "NaN", ".inf", "2024-02-29", "12:30:45", "-", "- a", "a: b", "#a", "a #b",
		"{}", "[]", "%a", "@a", "!a", "&a", "*a", "|", ">", "?", "=", "<<", "a.b", "$a", "--- a", "...",
	} {
		out = append(out, func(e *Event) {
			e.Text, e.OptText, e.Texts = w, &w, []string{w}
			e.Labels = map[string]string{w: w}
		})
	}
	return out
}

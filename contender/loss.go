package contender

import "slices"

// A Loss is something that a round trip does not give back, as a property of the format or
// library rather than a fault. Losses explains each.
type Loss string

// The losses.
const (
	NilEmpty    Loss = "nil-empty"
	ZeroPointer Loss = "zero-pointer"
	NullAbsent  Loss = "null-absent"
	TimeZone    Loss = "time-zone"
	TimeLocal   Loss = "time-local"
	TimeRange   Loss = "time-range"
	TimeYears   Loss = "time-years"
	TimeMicros  Loss = "time-micros"
	TimeMillis  Loss = "time-millis"
	TimeFloat   Loss = "time-float"
	UintRange   Loss = "uint-range"
	NegEnum     Loss = "neg-enum"
	FloatRange  Loss = "float-range"
	NegZero     Loss = "neg-zero"
	NaNInf      Loss = "nan-inf"
	BadUTF8     Loss = "bad-utf8"
	NUL         Loss = "nul"
	Newline     Loss = "newline"
	Syntax      Loss = "syntax"
	Depth       Loss = "depth"
)

// A LossWord explains a loss.
type LossWord struct {
	Loss Loss
	// Forgiven says that verification can compare values with the loss forgiven. All other
	// losses are either refusals, which leave no value to compare, or damage that must not go
	// unnoticed in any data.
	Forgiven bool
	// Text is a clause that explains the loss.
	Text string
}

// Losses are all losses. Probes find out whether a contender has one, and every contender's
// test fails if the found and the declared losses differ.
var Losses = []LossWord{
	{Loss: NilEmpty, Forgiven: true, Text: "nil and empty lists, maps and bytes come back alike"},
	{Loss: ZeroPointer, Forgiven: true, Text: "a pointer to a zero value comes back nil"},
	{Loss: NullAbsent, Forgiven: true, Text: "null in a field that may also be absent comes back as absent"},
	{Loss: TimeZone, Forgiven: true, Text: "the instant survives, the name and offset of its zone do not"},
	{Loss: TimeLocal, Forgiven: true, Text: "the instant survives, but comes back in the zone of the machine that reads it, even if it was in UTC"},
	{Loss: TimeRange, Forgiven: true, Text: "instants outside the years 1678 to 2261 are refused or come back wrong"},
	{Loss: TimeYears, Forgiven: true, Text: "years after 9999 are refused or come back wrong"},
	{Loss: TimeMicros, Forgiven: true, Text: "times come back cut or rounded to microseconds"},
	{Loss: TimeMillis, Forgiven: true, Text: "times come back cut or rounded to milliseconds"},
	{Loss: TimeFloat, Forgiven: true, Text: "times come back as near as a float64 of seconds since 1970 holds them: within a quarter of a microsecond today, 31 microseconds in the year 9999"},
	{Loss: UintRange, Text: "unsigned integers above 9223372036854775807 are refused or come back wrong"},
	{Loss: NegEnum, Text: "enum values below zero are refused or come back wrong, in a field or in a list"},
	{Loss: FloatRange, Text: "float32 values at the end of their range are refused or come back wrong"},
	{Loss: NegZero, Forgiven: true, Text: "negative zero comes back as zero"},
	{Loss: NaNInf, Text: "NaN and the infinities are refused"},
	{Loss: BadUTF8, Forgiven: true, Text: "strings that are not valid UTF-8 are changed or refused"},
	{Loss: NUL, Forgiven: true, Text: "NUL and other control characters in strings are changed or refused"},
	{Loss: Newline, Text: "some strings that are line feeds, or begin or end with them, are changed or refused"},
	{Loss: Syntax, Text: "some strings that look like numbers or like the format's own syntax are changed or refused"},
	{Loss: Depth, Text: "messages that are nested a hundred deep are refused"},
}

// In returns the explanation of the loss. For an unknown loss, Text is empty.
func (l Loss) In() LossWord {
	i := slices.IndexFunc(Losses, func(w LossWord) bool { return w.Loss == l })
	if i < 0 {
		return LossWord{Loss: l}
	}
	return Losses[i]
}

// Rule says how assay finds out whether a contender has the loss, and how verification treats
// it.
func (w LossWord) Rule() string {
	if w.Forgiven {
		return "Probes look for it, and every contender's test fails if the probes and the declaration differ. Verification forgives declared losses when it compares values, and says which of these losses the records suffered."
	}
	return "Probes look for it, and every contender's test fails if the probes and the declaration differ. Verification does not forgive it: records that suffer it are not timed."
}

package schema

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Spelling says how a JSON sample writes a value if it differs from the usual form of the
// kind: bytes as a UUID instead of base64, a time as milliseconds since 1970 instead of RFC
// 3339, an integer as a decimal text. Each spelling belongs to one [Kind], Bytes, Timestamp or
// Int64, and writes exactly one text for each value, so JSON that is read and written again
// stays the same. The empty Spelling is the usual form.
//
// Append and Parse methods are for the kind of the spelling; their results for values or
// spellings of another kind are undefined. Times without a zone are in UTC.
type Spelling string

// The spellings. WithDigits adds the digits of those that take digits after a colon: local:3 is
// local with three digits of a fraction, decimal:2 is a text such as "12.50".
const (
	AsUUID       Spelling = "uuid"        // Bytes, 16 of them: 8-4-4-4-12 hexadecimal digits, lower case
	AsUpperUUID  Spelling = "UUID"        // the same in upper case
	AsHex        Spelling = "hex"         // Bytes: hexadecimal digits, lower case
	AsUpperHex   Spelling = "HEX"         // the same in upper case
	AsPrefixed   Spelling = "0x"          // Bytes: 0x and hexadecimal digits, lower case
	AsUpperPref  Spelling = "0X"          // 0x and hexadecimal digits in upper case
	AsDate       Spelling = "date"        // Timestamp: 2006-01-02
	AsLocal      Spelling = "local"       // Timestamp: 2006-01-02T15:04:05
	AsLocalSpace Spelling = "local-space" // Timestamp: 2006-01-02 15:04:05
	AsUnix       Spelling = "unix"        // Timestamp: a JSON number, seconds since 1970
	AsUnixMilli  Spelling = "unix-ms"     // Timestamp: milliseconds since 1970
	AsUnixMicro  Spelling = "unix-us"     // Timestamp: microseconds since 1970
	AsUnixNano   Spelling = "unix-ns"     // Timestamp: nanoseconds since 1970
	AsDecimal    Spelling = "decimal"     // Int64: a text of a decimal number
)

// Spellings are all spellings; those that take digits are listed without digits.
var Spellings = []Spelling{
	AsUUID, AsUpperUUID, AsHex, AsUpperHex, AsPrefixed, AsUpperPref, AsDate, AsLocal, AsLocalSpace,
	AsUnix, AsUnixMilli, AsUnixMicro, AsUnixNano, AsDecimal,
}

// maxDecimals and maxFraction are the largest numbers of digits after the point, which an int64
// and a time can hold.
const maxDecimals, maxFraction = 18, 9

// WithDigits returns the spelling with n digits after the point. A time without such digits has
// no colon.
func (s Spelling) WithDigits(n int) Spelling {
	if n == 0 && s != AsDecimal {
		return s
	}
	return Spelling(fmt.Sprintf("%s:%d", s, n))
}

// Base returns the spelling without its digits.
func (s Spelling) Base() Spelling {
	base, _, _ := strings.Cut(string(s), ":")
	return Spelling(base)
}

// Digits returns the number of digits after the point.
func (s Spelling) Digits() int {
	_, digits, _ := strings.Cut(string(s), ":")
	n, _ := strconv.Atoi(digits)
	return n
}

// Kind returns the kind of the spelling's values, or Invalid if there is no such spelling.
func (s Spelling) Kind() Kind {
	base := s.Base()
	switch digits := s.Digits(); {
	case !slices.Contains(Spellings, base):
		return Invalid
	case s == base && base != AsDecimal:
	case s != base.WithDigits(digits), digits < 0: // not the only way to write the digits
		return Invalid
	case base == AsDecimal && digits <= maxDecimals:
	case (base == AsLocal || base == AsLocalSpace) && digits <= maxFraction:
	default:
		return Invalid
	}
	switch base {
	case AsUUID, AsUpperUUID, AsHex, AsUpperHex, AsPrefixed, AsUpperPref:
		return Bytes
	case AsDecimal:
		return Int64
	}
	return Timestamp
}

// Number reports whether values are JSON numbers; values of all other spellings are texts.
func (s Spelling) Number() bool {
	return s == AsUnix || s == AsUnixMilli || s == AsUnixMicro || s == AsUnixNano
}

// Upper reports whether hexadecimal digits are in upper case.
func (s Spelling) Upper() bool { return s == AsUpperUUID || s == AsUpperHex || s == AsUpperPref }

// Layout returns the layout, in the sense of package time, of a time that is written as text.
func (s Spelling) Layout() string {
	layout := time.DateOnly
	switch s.Base() {
	case AsLocal:
		layout = "2006-01-02T15:04:05"
	case AsLocalSpace:
		layout = time.DateTime
	}
	if n := s.Digits(); n > 0 {
		layout += "." + strings.Repeat("0", n)
	}
	return layout
}

// Text describes the values of the spelling in words for people.
func (s Spelling) Text() string {
	digits := ""
	switch n := s.Digits(); n {
	case 0:
	case 1:
		digits = " with one digit after the point"
	default:
		digits = fmt.Sprintf(" with %d digits after the point", n)
	}
	switch s.Base() {
	case AsUUID:
		return "a lower-case UUID"
	case AsUpperUUID:
		return "an upper-case UUID"
	case AsHex:
		return "bytes in lower-case hexadecimal"
	case AsUpperHex:
		return "bytes in upper-case hexadecimal"
	case AsPrefixed:
		return "0x and bytes in lower-case hexadecimal"
	case AsUpperPref:
		return "0x and bytes in upper-case hexadecimal"
	case AsDate:
		return "a date as 2006-01-02"
	case AsLocal, AsLocalSpace:
		return "a time without a zone as " + s.Layout()
	case AsUnix:
		return "a time in whole seconds since 1970"
	case AsUnixMilli:
		return "a time in whole milliseconds since 1970"
	case AsUnixMicro:
		return "a time in whole microseconds since 1970"
	case AsUnixNano:
		return "a time in whole nanoseconds since 1970"
	case AsDecimal:
		return "a decimal number as text" + digits
	}
	return string(s)
}

// AppendBytes appends the text of v to dst, without quotes. A UUID has 16 bytes: AppendBytes
// ignores further bytes of v and takes missing ones as zero.
func (s Spelling) AppendBytes(dst, v []byte) []byte {
	start := len(dst)
	switch s {
	case AsUUID, AsUpperUUID:
		var id [16]byte
		copy(id[:], v)
		for i, part := range [][]byte{id[:4], id[4:6], id[6:8], id[8:10], id[10:]} {
			if i > 0 {
				dst = append(dst, '-')
			}
			dst = hex.AppendEncode(dst, part)
		}
	case AsPrefixed, AsUpperPref:
		dst = append(dst, "0x"...)
		start = len(dst)
		dst = hex.AppendEncode(dst, v)
	default:
		dst = hex.AppendEncode(dst, v)
	}
	if s.Upper() {
		copy(dst[start:], bytes.ToUpper(dst[start:]))
	}
	return dst
}

// ParseBytes returns the bytes of a text without quotes. It accepts only texts that AppendBytes
// writes; the error says what is wrong.
func (s Spelling) ParseBytes(text []byte) ([]byte, error) {
	digits := text
	switch s {
	case AsUUID, AsUpperUUID:
		if len(text) != 36 || text[8] != '-' || text[13] != '-' || text[18] != '-' || text[23] != '-' {
			return nil, errors.New("a UUID has 8, 4, 4, 4 and 12 hexadecimal digits with - between them")
		}
		digits = slices.Concat(text[:8], text[9:13], text[14:18], text[19:23], text[24:])
	case AsPrefixed, AsUpperPref:
		var ok bool
		if digits, ok = bytes.CutPrefix(text, []byte("0x")); !ok {
			return nil, errors.New("it does not begin with 0x")
		}
	}
	if len(digits)%2 != 0 {
		return nil, errors.New("the number of hexadecimal digits is odd")
	}
	v := make([]byte, len(digits)/2)
	if _, err := hex.Decode(v, digits); err != nil {
		return nil, errors.New("not all of it is hexadecimal digits")
	}
	if !bytes.Equal(s.AppendBytes(nil, v), text) {
		if other := s.otherCase(); bytes.Equal(other.AppendBytes(nil, v), text) {
			return nil, fmt.Errorf("its letters are in the other case, which is the type %s", string(other))
		}
		return nil, errors.New("its letters are in both cases, for which there is no type")
	}
	return v, nil
}

// otherCase returns the spelling with the letters of hexadecimal digits in the other
// case.
func (s Spelling) otherCase() Spelling {
	for _, pair := range [][2]Spelling{{AsUUID, AsUpperUUID}, {AsHex, AsUpperHex}, {AsPrefixed, AsUpperPref}} {
		switch s {
		case pair[0]:
			return pair[1]
		case pair[1]:
			return pair[0]
		}
	}
	return s
}

// AppendTime appends t to dst, as text without quotes or as a JSON number (see Number). It
// truncates the fraction to the digits of the spelling.
func (s Spelling) AppendTime(dst []byte, t time.Time) []byte {
	switch s {
	case AsUnix:
		return strconv.AppendInt(dst, t.Unix(), 10)
	case AsUnixMilli:
		return strconv.AppendInt(dst, t.UnixMilli(), 10)
	case AsUnixMicro:
		return strconv.AppendInt(dst, t.UnixMicro(), 10)
	case AsUnixNano:
		return strconv.AppendInt(dst, t.UnixNano(), 10)
	}
	return t.UTC().AppendFormat(dst, s.Layout())
}

// ParseTime returns the time, in UTC, of a text without quotes or of a number. It accepts only
// texts that AppendTime writes, with years from 1 to 9999; the error says what is wrong.
func (s Spelling) ParseTime(text []byte) (t time.Time, err error) {
	if s.Number() {
		n, err := strconv.ParseInt(string(text), 10, 64)
		if err != nil {
			return t, errors.New("it is no whole number of 64 bits")
		}
		switch s {
		case AsUnix:
			t = time.Unix(n, 0).UTC()
		case AsUnixMilli:
			t = time.UnixMilli(n).UTC()
		case AsUnixMicro:
			t = time.UnixMicro(n).UTC()
		default:
			t = time.Unix(0, n).UTC()
		}
	} else if t, err = time.Parse(s.Layout(), string(text)); err != nil {
		return t, errors.New("it is not written as " + s.Layout())
	}
	switch {
	case t.Year() < 1 || t.Year() > 9999:
		return t, errors.New("its year is not one of 1 to 9999")
	case !bytes.Equal(s.AppendTime(nil, t), text):
		if s.Number() {
			return t, errors.New("it is not written as whole numbers are")
		}
		return t, errors.New("it is not written as " + s.Layout())
	}
	return t, nil
}

// AppendInt appends the text of v / 10^Digits to dst, with exactly Digits digits after the
// point: with two digits, 1250 is "12.50".
func (s Spelling) AppendInt(dst []byte, v int64) []byte {
	digits := s.Digits()
	if v < 0 {
		dst = append(dst, '-')
	}
	start := len(dst)
	dst = strconv.AppendUint(dst, magnitude(v), 10)
	if digits == 0 {
		return dst
	}
	for len(dst)-start <= digits {
		dst = slices.Insert(dst, start, '0')
	}
	return slices.Insert(dst, len(dst)-digits, '.')
}

func magnitude(v int64) uint64 {
	if v < 0 {
		return -uint64(v)
	}
	return uint64(v)
}

// ParseInt returns the digits of a decimal number as an integer: with two digits, "12.50" is
// 1250. It accepts only texts that AppendInt writes; the error says what is wrong.
func (s Spelling) ParseInt(text []byte) (int64, error) {
	digits := s.Digits()
	wrong := fmt.Errorf("it is no decimal number as in %s, with as many digits after the point", s.AppendInt(nil, 1250))
	whole := text
	if digits > 0 {
		point := len(text) - digits - 1
		if point < 1 || text[point] != '.' {
			return 0, wrong
		}
		whole = slices.Concat(text[:point], text[point+1:])
	}
	v, err := strconv.ParseInt(string(whole), 10, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, errors.New("an int64 does not hold its digits")
	case err != nil, !bytes.Equal(s.AppendInt(nil, v), text):
		return 0, wrong
	}
	return v, nil
}

// Check parses a text with the Parse method for the spelling's kind and returns its error.
func (s Spelling) Check(text []byte) (err error) {
	switch s.Kind() {
	case Bytes:
		_, err = s.ParseBytes(text)
	case Timestamp:
		_, err = s.ParseTime(text)
	case Int64:
		_, err = s.ParseInt(text)
	default:
		err = fmt.Errorf("there is no spelling %q", string(s))
	}
	return err
}

// Unknown says what is wrong with a spelling whose Kind is Invalid, and which spellings there
// are.
func (s Spelling) Unknown() string {
	switch s.Base() {
	case AsDecimal:
		return fmt.Sprintf("%q needs 0 to %d digits after the point, as in decimal:2", string(s), maxDecimals)
	case AsLocal, AsLocalSpace:
		return fmt.Sprintf("%q may have 1 to %d digits after the point, as in %s:3", string(s), maxFraction, s.Base())
	}
	names := make([]string, len(Spellings))
	for i, s := range Spellings {
		names[i] = string(s)
	}
	return fmt.Sprintf("there is no spelling %q; it is one of %s, of which decimal, local and local-space take digits, as in decimal:2", string(s), strings.Join(names, ", "))
}

// spelling checks the spelling of a field's values.
func (c *checker) spelling(path string, f *Field, leaf Type) {
	if f.As == "" {
		return
	}
	kind := f.As.Kind()
	switch {
	case kind == Invalid:
		c.fail(path, "as", "%s", f.As.Unknown())
	case leaf.Kind != kind:
		c.fail(path, "as", "the spelling %s is for %s: alone, in a list, or as the values of a map", string(f.As), kindTexts[kind])
	case f.Type.container() || f.Type.Optional:
	case f.OmitEmpty || f.OmitZero || f.Null:
		c.fail(path, "as", "a value with a spelling is never empty; put a * before the type of one that may be absent or null")
	}
}

var kindTexts = map[Kind]string{Bytes: "bytes", Timestamp: "timestamp", Int64: "int64"}

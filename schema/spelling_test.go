package schema

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestSpellingFits(t *testing.T) {
	at := func(year int, month time.Month, day, hour, minute, second, nanos int) time.Time {
		return time.Date(year, month, day, hour, minute, second, nanos, time.UTC)
	}
	id := []byte{0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0, 1, 2, 3, 4, 5, 6, 0xff}
	tests := []struct {
		as   Spelling
		text string
		want any
	}{
		{AsUUID, "01234567-89ab-cdef-0001-0203040506ff", id},
		{AsUpperUUID, "01234567-89AB-CDEF-0001-0203040506FF", id},
		{AsHex, "00ff", []byte{0, 255}},
		{AsHex, "", []byte{}},
		{AsUpperHex, "00FF", []byte{0, 255}},
		{AsPrefixed, "0x", []byte{}},
		{AsPrefixed, "0x0a", []byte{10}},
		{AsUpperPref, "0x0A", []byte{10}},
		{AsDate, "2024-02-29", at(2024, 2, 29, 0, 0, 0, 0)},
		{AsDate, "0001-01-01", at(1, 1, 1, 0, 0, 0, 0)},
		{AsLocal, "2024-02-29T23:59:59", at(2024, 2, 29, 23, 59, 59, 0)},
		{"local:3", "2024-02-29T23:59:59.120", at(2024, 2, 29, 23, 59, 59, 120e6)},
		{AsLocalSpace, "2024-02-29 23:59:59", at(2024, 2, 29, 23, 59, 59, 0)},
		{"local-space:9", "2024-02-29 23:59:59.000000001", at(2024, 2, 29, 23, 59, 59, 1)},
		{AsUnix, "0", at(1970, 1, 1, 0, 0, 0, 0)},
		{AsUnix, "-1", at(1969, 12, 31, 23, 59, 59, 0)},
		{AsUnixMilli, "1700000000001", at(2023, 11, 14, 22, 13, 20, 1e6)},
		{AsUnixMicro, "-1", at(1969, 12, 31, 23, 59, 59, 999999000)},
		{AsUnixNano, "1700000000000000001", at(2023, 11, 14, 22, 13, 20, 1)},
		{"decimal:0", "-12", int64(-12)},
		{"decimal:2", "12.50", int64(1250)},
		{"decimal:2", "-0.05", int64(-5)},
		{"decimal:2", "0.00", int64(0)},
		{"decimal:18", "-9.223372036854775808", int64(-1 << 63)},
	}
	for _, tt := range tests {
		var got any
		var again []byte
		var err error
		switch tt.as.Kind() {
		case Bytes:
			var v []byte
			v, err = tt.as.ParseBytes([]byte(tt.text))
			got, again = string(v), tt.as.AppendBytes(nil, v)
			tt.want = string(tt.want.([]byte))
		case Timestamp:
			var v time.Time
			v, err = tt.as.ParseTime([]byte(tt.text))
			got, again = v, tt.as.AppendTime(nil, v)
		case Int64:
			var v int64
			v, err = tt.as.ParseInt([]byte(tt.text))
			got, again = v, tt.as.AppendInt(nil, v)
		}
		if err != nil || got != tt.want || string(again) != tt.text {
			t.Errorf("%s %q: %v, %v, written %q", tt.as, tt.text, got, err, again)
		}
	}
}

func TestSpellingRefuses(t *testing.T) {
	for _, tt := range []struct {
		as         Spelling
		text, want string
	}{
		{AsUUID, "01234567-89AB-cdef-0001-0203040506ff", "both cases"},
		{AsUUID, "0123456789abcdef00010203040506ff", "8, 4, 4, 4 and 12"},
		{AsUUID, "01234567-89ab-cdef-0001-0203040506fg", "hexadecimal"},
		{AsUUID, "", "8, 4, 4"},
		{AsUUID, "01234567089ab-cdef-0001-0203040506ff", "8, 4, 4"},
		{AsUUID, "01234567-89ab0cdef-0001-0203040506ff", "8, 4, 4"},
		{AsUUID, "01234567-89ab-cdef00001-0203040506ff", "8, 4, 4"},
		{AsUUID, "01234567-89ab-cdef-000100203040506ff", "8, 4, 4"},
		{AsUpperUUID, "01234567-89ab-cdef-0001-0203040506ff", "case"},
		{AsHex, "0aB1", "both cases"},
		{AsHex, "0A", "type HEX"},
		{AsUpperUUID, "01234567-89ab-cdef-0001-0203040506ff", "type uuid"},
		{AsHex, "0ab", "odd"},
		{AsHex, "0x", "hexadecimal"},
		{AsPrefixed, "0Xab", "0x"},
		{AsPrefixed, "ab", "0x"},
		{AsPrefixed, "0x1", "odd"},
		{AsUpperPref, "0xab", "type 0x"},
		{AsDate, "2023-02-29", "2006-01-02"},
		{AsDate, "0000-01-01", "1 to 9999"},
		{AsLocal, "2024-02-29T23:59:59.1", "2006-01-02T15:04:05"},
		{AsLocal, "2024-02-29T23:59:59Z", "2006-01-02T15:04:05"},
		{"local:3", "2024-02-29T23:59:59", ".000"},
		{"local:3", "2024-02-29T23:59:59,123", ".000"},
		{AsLocalSpace, "2024-02-29T23:59:59", "2006-01-02 15:04:05"},
		{AsUnix, "1e9", "whole number"},
		{AsUnix, "-0", "as whole numbers are"},
		{AsUnix, "1.0", "whole number"},
		{AsUnix, "999999999999999", "1 to 9999"},
		{"decimal:2", "12.5", "12.50"},
		{"decimal:2", "012.50", "12.50"},
		{"decimal:2", "-0.00", "12.50"},
		{"decimal:2", "+1.00", "12.50"},
		{"decimal:2", ".50", "12.50"},
		{"decimal:2", "1e2.00", "12.50"},
		{"decimal:2", "99999999999999999.99", "int64"},
		{"decimal:0", "1_000", "decimal"},
		{"guid", "x", "no spelling"},
	} {
		if err := tt.as.Check([]byte(tt.text)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s %q: error %v, want one with %q", tt.as, tt.text, err, tt.want)
		}
	}
}

func TestSpellingKind(t *testing.T) {
	for s, want := range map[Spelling]Kind{
		"uuid": Bytes, "0X": Bytes, "date": Timestamp, "local": Timestamp, "local:1": Timestamp, "local-space:9": Timestamp, "unix-ns": Timestamp,
		"decimal:0": Int64, "decimal:18": Int64,
		"": Invalid, "decimal": Invalid, "decimal:19": Invalid, "decimal:02": Invalid, "decimal:-1": Invalid, "decimal:": Invalid, "local:0": Invalid, "local:10": Invalid,
		"date:1": Invalid, "uuid:3": Invalid, "Uuid": Invalid, "uuid:": Invalid, "unix:0": Invalid, "decimal:2:3": Invalid,
	} {
		if got := s.Kind(); got != want {
			t.Errorf("%q is of kind %d, want %d", string(s), got, want)
		}
	}
}

// FuzzSpelling checks that a text is either refused or written again unchanged.
func FuzzSpelling(f *testing.F) {
	for _, s := range Spellings {
		f.Add(string(s), "0x00ff")
		f.Add(string(s.WithDigits(2)), "12.50")
	}
	f.Add("uuid", "01234567-89ab-cdef-0001-0203040506ff")
	f.Add("local:3", "2024-02-29T23:59:59.120")
	f.Add("date", "2024-02-29")
	f.Add("unix-ms", "1700000000001")
	f.Fuzz(func(t *testing.T, as, text string) {
		s := Spelling(as)
		var again []byte
		switch s.Kind() {
		case Bytes:
			v, err := s.ParseBytes([]byte(text))
			if err != nil {
				return
			}
			again = s.AppendBytes(nil, v)
		case Timestamp:
			v, err := s.ParseTime([]byte(text))
			if err != nil {
				return
			}
			again = s.AppendTime(nil, v)
		case Int64:
			v, err := s.ParseInt([]byte(text))
			if err != nil {
				return
			}
			again = s.AppendInt(nil, v)
		default:
			if s.Check([]byte(text)) == nil {
				t.Fatalf("%q is no spelling and takes %q", as, text)
			}
			return
		}
		if !bytes.Equal(again, []byte(text)) {
			t.Fatalf("%q as %s is written again as %q", text, as, again)
		}
	})
}

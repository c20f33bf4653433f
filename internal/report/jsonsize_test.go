package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/internal/analysis"
	"assay/result"
)

func TestJSONLines(t *testing.T) {
	change := func(cause string, bytes int64, where ...string) result.JSONChange {
		return result.JSONChange{Cause: cause, Bytes: bytes, Count: 3, Where: where, Places: len(where)}
	}
	for _, test := range []struct {
		name string
		size *analysis.JSONSize
		want string
	}{
		{"no JSON", nil, ""},
		{"the same", &analysis.JSONSize{Records: 10, Compact: 1000, Compared: 1000, Written: 1000},
			"your JSON, compact: 100 B a record; encoding/json here: 100 B, byte for byte as long"},
		{"a little", &analysis.JSONSize{Records: 10, Compact: 10000, Compared: 10000, Written: 10100, Changes: []result.JSONChange{change("html", 100, "a")}},
			"your JSON, compact: 1.00 kB a record; encoding/json here: 1.01 kB, +1.0%\n+1.0%: <, > and & are escaped in texts, 3 in a"},
		{"a lot", &analysis.JSONSize{Records: 10, Compact: 10000, Compared: 10000, Written: 7200, Changes: []result.JSONChange{change("left-out", -2800, "a", "b")}},
			"warning: your JSON, compact: 1.00 kB a record; encoding/json here: 720 B, −28%\n−28%: fields with a value are left out, 3 in a, b"},
		{"two that make up for one another", &analysis.JSONSize{Records: 10, Compact: 10000, Compared: 10000, Written: 10000, Changes: []result.JSONChange{change("html", 500, "a"), change("null-left-out", -500, "b")}},
			"warning: your JSON, compact: 1.00 kB a record; encoding/json here: 1.00 kB, as long\n+5.0%: <, > and & are escaped in texts, 3 in a\n−5.0%: fields that are null are left out, 3 in b"},
		{"not escaped", &analysis.JSONSize{Records: 10, Compact: 1000, Compared: 1000, Written: 1000, Unescaped: true},
			"your JSON, compact: 100 B a record; encoding/json here (SetEscapeHTML(false)): 100 B, byte for byte as long"},
		{"numbers", &analysis.JSONSize{Records: 10, Compact: 10000, Compared: 10000, Written: 9600, Changes: []result.JSONChange{change("numbers", -400, "items[].price", "b")}},
			"warning: your JSON, compact: 1.00 kB a record (960 B with its numbers as Go writes them); encoding/json here: 960 B, −4.0%; numbers aside as long\n−4.0%: numbers are written as Go writes them, 3 in items[].price, b; --type 'items[].price=number' --type b=number keep the digits, as json.RawMessage does"},
		{"numbers and more, half compared", &analysis.JSONSize{Records: 10, Compact: 20000, Compared: 10000, Written: 18600, Changes: []result.JSONChange{change("numbers", -500, "a"), change("null-left-out", -200, "c")}},
			"warning: your JSON, compact: 2.00 kB a record (1.90 kB with its numbers as Go writes them); encoding/json here: 1.86 kB, −7.0%; numbers aside −2.1%\n" +
				"−5.0%: numbers are written as Go writes them, 3 in a; --type a=number keeps the digits, as json.RawMessage does\n−2.0%: fields that are null are left out, 3 in c\n" +
				"the causes are from 50% of the JSON: the first records and some of the others"},
		{"numbers in many places", &analysis.JSONSize{Records: 10, Compact: 10000, Compared: 10000, Written: 9994, Changes: []result.JSONChange{change("numbers", -6, "a", "b", "c", "d", "e")}},
			"your JSON, compact: 1.00 kB a record (999 B with its numbers as Go writes them); encoding/json here: 999 B, −0.1%; numbers aside as long\n−0.1%: numbers are written as Go writes them, 3 in a, b, c and 2 more"},
		{"numbers of which there are few", &analysis.JSONSize{Records: 10, Compact: 10000, Compared: 10000, Written: 9999, Changes: []result.JSONChange{change("numbers", -1, "a")}},
			"your JSON, compact: 1.00 kB a record; encoding/json here: 1.00 kB, −<0.1%"},
		{"three spellings", &analysis.JSONSize{Records: 10, Compact: 10000, Compared: 10000, Written: 9800, Changes: []result.JSONChange{change("html", 100, "d"), change("escapes", -100, "c"), change("numbers", -100, "a"), change("times", -100, "b")}},
			"your JSON, compact: 1.00 kB a record (970 B with its numbers, times and escapes as Go writes them); encoding/json here: 980 B, −2.0%; numbers, times and escapes aside +1.0%\n" +
				"+1.0%: <, > and & are escaped in texts, 3 in d\n−1.0%: escapes that are not needed are written as their characters, 3 in c\n" +
				"−1.0%: numbers are written as Go writes them, 3 in a; --type a=number keeps the digits, as json.RawMessage does\n" +
				"−1.0%: times are written without zeros at their end, and UTC as Z, 3 in b"},
		{"left out, be it little", &analysis.JSONSize{Records: 10, Compact: 1000000, Compared: 1000000, Written: 999990, Changes: []result.JSONChange{change("empty-left-out", -10, "a"), change("numbers", 0, "b")}},
			"your JSON, compact: 100 kB a record; encoding/json here: 100 kB, −<0.1%\n−<0.1%: fields that are empty, 0 or false are left out, 3 in a"},
		{"what nobody knows", &analysis.JSONSize{Records: 10, Compact: 1000, Compared: 1000, Written: 1100, Unexplained: 100},
			"warning: your JSON, compact: 100 B a record; encoding/json here: 110 B, +10%\n+10%: unknown cause, which is a bug in assay"},
		{"a large sample", &analysis.JSONSize{Records: 10, Compact: 10000, Compared: 5000, Written: 9500, Changes: []result.JSONChange{change("times", -250, "a")}},
			"warning: your JSON, compact: 1.00 kB a record (950 B with its times as Go writes them); encoding/json here: 950 B, −5.0%; times aside as long\n−5.0%: times are written without zeros at their end, and UTC as Z, 3 in a\nthe causes are from 50% of the JSON: the first records and some of the others"},
		{"of another version", &analysis.JSONSize{Records: 10, Compact: 1000, Compared: 1000, Written: 1010, Changes: []result.JSONChange{change("odd", 10, "a")}},
			"your JSON, compact: 100 B a record; encoding/json here: 101 B, +1.0%\n+1.0%: odd, 3 in a"},
	} {
		if diff := cmp.Diff(test.want, strings.Join(jsonLines(test.size), "\n")); diff != "" {
			t.Errorf("%s: -want +got\n%s", test.name, diff)
		}
	}
}

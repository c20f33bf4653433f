package anonymize

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"assay/internal/infer"
)

// A number in quotes is replaced, but spaces around it are kept.
func TestSpacedNumbers(t *testing.T) {
	var o infer.Options
	for _, v := range []string{"n=float64", "m=float64"} {
		of, err := infer.ParseOverrule("type", v)
		if err != nil {
			t.Fatal(err)
		}
		o.Overrules = append(o.Overrules, of)
	}
	o.Name = "f"
	s, out := sampleOf(t, []byte(`{"n":" 123456 ","m":"\t1234.5"}`+"\n"+`{"n":"987654","m":"9999.5"}`+"\n"+`{"n":" 555555\n","m":"7777.5"}`), o)
	check(t, s, o)
	for i, form := range []string{`^\{"n":" [0-9]{6} ","m":"\\t[0-9]{4}\.[0-9]"\}$`, `^\{"n":"[0-9]{6}","m":"[0-9]{4}\.[0-9]"\}$`, `^\{"n":" [0-9]{6}\\n","m":"[0-9]{4}\.[0-9]"\}$`} {
		if !regexp.MustCompile(form).MatchString(out[i]) {
			t.Errorf("%s is not %s", out[i], form)
		}
	}
	if all := strings.Join(out, ""); strings.Contains(all, "123456") || strings.Contains(all, "1234.5") {
		t.Errorf("a number is as it was: %s", all)
	}
}

// A value is replaced even if it is the only value of its field, so that the field's range has no
// other.
func TestOneValue(t *testing.T) {
	one := `{"pay":123456,"rate":12.75,"born":"1985-03-02T10:11:12Z","ts":1715000000,"ms":1715000000123,"due":-4321,"x":0.1234567890123456789,"big":18446744073709551615,"f":1e300}`
	for _, n := range []int{1, 12} {
		s, out := sampleOf(t, []byte(strings.Repeat(one+"\n", n)), infer.Options{Name: "f"})
		check(t, s, infer.Options{Name: "f"})
		var before, after map[string]json.RawMessage
		if !s.Same || json.Unmarshal([]byte(one), &before) != nil || json.Unmarshal([]byte(out[0]), &after) != nil {
			t.Fatal(s.Same, out[0])
		}
		for key, v := range before {
			if key != "f" && string(v) == string(after[key]) {
				t.Errorf("of %d records %s is %s as it was", n, key, v)
			}
		}
	}
	var o infer.Options
	for _, v := range []string{"day=date", "at=local", "ts=unix", "f=float32", "i=int32"} {
		of, err := infer.ParseOverrule("type", v)
		if err != nil {
			t.Fatal(err)
		}
		o.Overrules = append(o.Overrules, of)
	}
	o.Name = "f"
	one = `{"day":"1985-03-02","at":"1985-03-02T10:11:12.345","ts":1715000000,"f":12.75,"i":2147483647}`
	s, out := sampleOf(t, []byte(one), o)
	check(t, s, o)
	for _, v := range []string{"1985-03-02", "10:11:12", "1715000000", "12.75", "2147483647"} {
		if !s.Same || strings.Contains(out[0], v) {
			t.Errorf("%v: %s is still there: %s", s.Same, v, out[0])
		}
	}
}

// A float is replaced even if no other of its form is within the range of its field, as 1.0 of 0.25 to
// 1.0. Different ones stay different.
func TestOneFloatOfItsForm(t *testing.T) {
	values := []string{"0.25", "1.0", "0.125", "0.12345678901234567", "1e-7", "1.00", "0.5"}
	in := ""
	for _, v := range values {
		in += `{"v":` + v + "}\n"
	}
	seen := map[string]map[string]bool{}
	for seed := range 40 {
		s, err := Make([]infer.Source{infer.Bytes("f.json", []byte(in))}, infer.Options{Name: "f"}, strconv.Itoa(seed))
		if err != nil {
			t.Fatal(err)
		}
		check(t, s, infer.Options{Name: "f"})
		of := map[float64]float64{}
		for i, line := range lines(t, s) {
			got := strings.TrimSuffix(strings.TrimPrefix(line, `{"v":`), "}")
			if seen[values[i]] == nil {
				seen[values[i]] = map[string]bool{}
			}
			seen[values[i]][got] = true
			before, after := parse([]byte(values[i]), 64), parse([]byte(got), 64)
			if other, met := of[after]; met && other != before {
				t.Errorf("%v and %v both became %s", other, before, got)
			}
			of[after] = before
		}
	}
	for _, v := range values {
		if len(seen[v]) < 4 {
			t.Errorf("%s became only %d numbers", v, len(seen[v]))
		}
	}
}

// Numbers near the largest float are replaced by numbers that are not beyond it, although a
// permutation of their digits can be.
func TestLargestFloats(t *testing.T) {
	for _, as := range []string{"float64", "float32"} {
		of, err := infer.ParseOverrule("type", "v="+as)
		if err != nil {
			t.Fatal(err)
		}
		values := []string{"1e308", "-1e308", "1.5e308", "1.7976931348623157e308", "9e307", "1" + strings.Repeat("7", 308)}
		if as == "float32" {
			values = []string{"1e38", "-1e38", "3.4e38", "3.4028235e38", "340282346638528859811704183484516925440"}
		}
		for _, v := range values {
			for seed := range 20 {
				in := []infer.Source{infer.Bytes("f.json", []byte(`{"v":`+v+`}`))}
				s, err := Make(in, infer.Options{Name: "f", Overrules: []infer.Overrule{of}}, strconv.Itoa(seed))
				if err != nil {
					t.Fatal(err)
				}
				check(t, s, infer.Options{Name: "f", Overrules: []infer.Overrule{of}})
				var got struct{ V float64 }
				if out := lines(t, s)[0]; json.Unmarshal([]byte(out), &got) != nil || !s.Same || math.Signbit(got.V) != (v[0] == '-') || as == "float32" && math.Abs(got.V) > math.MaxFloat32 {
					t.Errorf("%s became %s", v, out)
				}
			}
		}
	}
}

// A number is replaced even if its float is 0, by one whose float is 0 too. A zero stays.
func TestVanishingFloats(t *testing.T) {
	of, err := infer.ParseOverrule("type", "v=float32")
	if err != nil {
		t.Fatal(err)
	}
	o := infer.Options{Name: "f", Overrules: []infer.Overrule{of}}
	for v, form := range map[string]string{
		"1.2345678e-50":                       `[1-9]\.\d{7}e-50`,
		"-7.00e-46":                           `-[1-7]\.\d\de-46`,
		"0." + strings.Repeat("0", 49) + "12": `0\.0{49}[1-9]\d`,
		"0.000":                               `0\.000`,
		"0.0e17":                              `0\.0e17`,
	} {
		changes := false
		for seed := range 20 {
			s, err := Make([]infer.Source{infer.Bytes("f.json", []byte(`{"v":`+v+`}{"v":0.5}`))}, o, strconv.Itoa(seed))
			if err != nil {
				t.Fatal(err)
			}
			check(t, s, o)
			got := strings.TrimSuffix(strings.TrimPrefix(lines(t, s)[0], `{"v":`), "}")
			f, err := strconv.ParseFloat(got, 32)
			if !s.Same || f != 0 || err != nil || !regexp.MustCompile("^"+form+"$").MatchString(got) {
				t.Errorf("%s became %s", v, got)
			}
			changes = changes || got != v
		}
		if zero := v == "0.000" || v == "0.0e17"; changes == zero {
			t.Errorf("%s is replaced: %v", v, changes)
		}
	}
}

// A number is replaced even if its float is rounded to a power of ten, whose first digit is at another
// place than the number's. This is also so of whole numbers.
func TestRoundedFloats(t *testing.T) {
	for as, values := range map[string][]string{
		"float64": {"0.99999999999999999", "9.9999999999999999999", "-99999999999999999999999999.5", "0.000999999999999999999", "9.99999999999999999999E-5", "99999999999999999999999e-3",
			"9999999999999999", "-9999999999999999", "99999999999999999", "9999999999999999999"},
		"float32": {"0.99999999", "-999999999.5", "9.99999999e37", "99999999", "9999999999", "9999999999999999"},
	} {
		of, err := infer.ParseOverrule("type", "v="+as)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range values {
			for seed := range 20 {
				o := infer.Options{Name: "f", Overrules: []infer.Overrule{of}}
				s, err := Make([]infer.Source{infer.Bytes("f.json", []byte(`{"v":`+v+`}{"v":0.5}`))}, o, strconv.Itoa(seed))
				if err != nil {
					t.Fatal(err)
				}
				check(t, s, o)
				got := strings.TrimSuffix(strings.TrimPrefix(lines(t, s)[0], `{"v":`), "}")
				if first := strings.Index(v, "9"); !s.Same || got == v || len(got) != len(v) || got[:first] != v[:first] || got[first] == '0' {
					t.Errorf("%s became %s", v, got)
				}
			}
		}
	}
}

// Whole numbers in a field of floats stay different up to the largest of their length, whose floats are
// longer than they are.
func TestLargestWholes(t *testing.T) {
	for as, most := range map[string]int{"float64": 9999999999999999, "float32": 99999999} {
		of, err := infer.ParseOverrule("type", "v="+as)
		if err != nil {
			t.Fatal(err)
		}
		o := infer.Options{Name: "f", Overrules: []infer.Overrule{of}}
		in := `{"v":0.5}`
		for i := range 10 {
			in += fmt.Sprintf("\n"+`{"v":%d}`, most-i)
		}
		s, out := sampleOf(t, []byte(in), o)
		check(t, s, o)
		if slices.Sort(out); !s.Same || len(slices.Compact(out)) != 11 {
			t.Errorf("%s: the same schema: %v, and %s", as, s.Same, out)
		}
	}
}

package infer

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A coding is a set of codes that people use as keys. At least one of the known codes must be among
// the keys, because many of the other codes are also ordinary words.
type coding struct {
	name       string
	all, known []string
}

// codings has the ISO 639-1 codes of languages, the widely used ISO 639-2 codes of languages, and
// the ISO 4217 codes of currencies.
var codings = []coding{
	{"languages", strings.Fields(`aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et eu fa ff fi
 fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo
 lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq
 sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu`), strings.Fields("en de fr es ja ru zh")},
	{"languages", strings.Fields(`afr amh ara aze bel ben bos bre bul cat ces cym dan deu ell eng est eus fas fin fra gle glg guj hat hau heb hin hrv hun hye ind isl ita
 jpn kan kat kaz khm kir kor lao lat lav lit mal mar mkd mlt mon mya nep nld nno nob nor pan per pol por pus que ron rus sin slk slv som spa sqi srp swa swe
 tam tel tgk tgl tha tuk tur ukr urd uzb vie xho yor zho zul`), strings.Fields("eng deu fra spa jpn rus zho")},
	{"currencies", strings.Fields(`AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP CNY COP CRC CUP CVE
 CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW
 KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON
 RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VES VND VUV WST XAF XCD XOF
 XPF YER ZAR ZMW ZWL`), strings.Fields("USD EUR GBP JPY CNY")},
}

// fewestCodes is the least number of keys for which coded considers them codes.
const fewestCodes = 3

// coded returns what the keys are codes of, if all keys of the objects are, and the first key as an
// example; otherwise two empty strings. A language code may be followed by a script or a region, as
// in zh-Hans and pt_BR.
func (ob *object) coded() (what, example string) {
	if len(ob.members) < fewestCodes {
		return "", ""
	}
	for _, c := range codings {
		known := false
		all := !slices.ContainsFunc(ob.members, func(m *member) bool {
			code, rest, tail := strings.Cut(strings.ReplaceAll(m.key, "_", "-"), "-")
			known = known || slices.Contains(c.known, code)
			return !slices.Contains(c.all, code) || tail && (c.name != "languages" || !subtags(rest))
		})
		if all && known {
			return c.name, ob.members[0].key
		}
	}
	return "", ""
}

// subtags reports whether a text can follow the language in a language tag: a script, a region, or
// both.
func subtags(text string) bool {
	for part := range strings.SplitSeq(text, "-") {
		if len(part) != 2 && len(part) != 4 && (len(part) != 3 || strings.Trim(part, "0123456789") != "") {
			return false
		}
	}
	return true
}

const (
	// fewestNamed is the least number of keys, and fewestParts the least number of fields of each
	// value, for which named takes the keys for names of things of one kind.
	fewestNamed, fewestParts = 5, 2
	// fewestMapped is the least number of keys of a map that is recognized by its own key, such as
	// userMap.
	fewestMapped = 3
	// nearly is the least average share of all fields that each value must have, if openName holds
	// for the object's own key. It is low because values such as parameters have optional fields:
	// only a few parameters list allowed values.
	nearly = 0.5
)

// named returns why objects under a key are a map of things by name, or "". Either the last word of
// the key is map and the values are objects with the same fields; or the objects were seen once or
// twice, the key is a plural, and the values are objects with the same fields, such as the quests
// of a game, or with nearly the same, such as parameters. If more objects were seen, they show by
// themselves whether the keys vary.
func (ob *object) named(key string) string {
	if w := words(key); len(w) > 1 && w[len(w)-1] == "map" && len(ob.members) >= fewestMapped && ob.alike(nearlyAll) &&
		!slices.ContainsFunc(ob.members, func(m *member) bool { v := find(m.node).object; return v == nil || v.value != nil }) {
		return fmt.Sprintf("it is called %s, and the values of its %d keys are objects with the same fields", shorten(key), len(ob.members))
	}
	if ob.seen > 2 || len(ob.members) < fewestNamed || !isPlural(key) {
		return ""
	}
	var same string
	switch {
	case ob.alike(1):
		same = "the same fields"
	case openName(key) && ob.alike(nearly):
		same = "nearly the same fields"
	default:
		return ""
	}
	for _, m := range ob.members {
		if v := find(m.node).object; v == nil || v.value != nil || len(v.members) < fewestParts {
			return ""
		}
	}
	return fmt.Sprintf("%s is a plural, and the values of its %d keys are objects with %s", shorten(key), len(ob.members), same)
}

const (
	// fewestVaried is the least number of objects, and severalParts the least number of fields of
	// each value, for which varied takes the keys for names of things.
	fewestVaried, severalParts = 4, 3
	// nearlyAll is the least average share of all fields that each value must have.
	nearlyAll = 0.9
)

// varied returns why objects with a few keys are a map of things by name, or "". The key must be a
// plural, and the values objects with the same fields, at least severalParts of them. The keys must
// also differ from names of fields: either each object has other keys, or the keys are capitalized
// differently from all keys around them.
func (ob *object) varied(key string) string {
	if len(ob.members) < 2 || !isPlural(key) || !ob.alike(nearlyAll) {
		return ""
	}
	always, otherwise := false, true
	for _, m := range ob.members {
		v := find(m.node).object
		if v == nil || v.value != nil || len(v.members) < severalParts {
			return ""
		}
		always = always || m.count == ob.seen
		otherwise = otherwise && capital(m.key) != capital(key) && !slices.ContainsFunc(v.members, func(in *member) bool { return capital(in.key) != capital(key) })
	}
	each := float64(ob.filled) / float64(ob.seen)
	switch {
	case otherwise:
		return fmt.Sprintf("%s is a plural, the values of its %d keys are objects with the same fields, and its keys are capitalized differently from the fields around them", shorten(key), len(ob.members))
	case ob.seen >= fewestVaried && len(ob.members) > 2 && !always && 2*each <= float64(len(ob.members)):
		return fmt.Sprintf("%s is a plural, the values of its %d keys are objects with the same fields, and an object has %.1f of them on average", shorten(key), len(ob.members), each)
	}
	return ""
}

// sparse returns why objects that each have only a few of all keys are a map, or "". The objects'
// own key must be a plural, and the values scalars of one kind, such as the parameters of queries.
func (ob *object) sparse(key string) string {
	if ob.seen < fewestObjects || len(ob.members) < severalKeys || 3*ob.filled > ob.seen*int64(len(ob.members)) || !isPlural(key) || ob.scalar() == "" {
		return ""
	}
	return fmt.Sprintf("%s is a plural, its values are of one kind, and of its %d keys an object has %.1f on average", shorten(key), len(ob.members), float64(ob.filled)/float64(ob.seen))
}

// capital reports whether a key begins with a capital letter.
func capital(key string) bool {
	r, _ := utf8.DecodeRuneInString(key)
	return unicode.IsUpper(r)
}

package infer

import (
	"fmt"
	"strings"
	"testing"

	"assay/schema"
)

// Objects with unlike values are maps only if their keys or their number require it, and otherwise
// structs.
func TestUnlikeMaps(t *testing.T) {
	object := func(n int, key, value func(i int) string) string {
		var all []string
		for i := range n {
			all = append(all, fmt.Sprintf("%q:%s", key(i), value(i)))
		}
		return "{" + strings.Join(all, ",") + "}"
	}
	name := func(i int) string { return "key" + string(rune('a'+i/26)) + string(rune('a'+i%26)) }
	unlike := func(i int) string { return fmt.Sprintf(`{"%s":1,"%[1]sx":"a"}`, name(i)) }
	for _, test := range []struct {
		name, key, in string
		isMap         bool
	}{
		{"64 keys of objects", "v", object(64, name, unlike), true},
		{"63 keys of objects", "v", object(63, name, unlike), false},
		{"64 keys of numbers", "v", object(64, name, func(int) string { return "1" }), false},
		{"64 keys, of which one has a text", "v", object(64, name, func(i int) string {
			if i == 9 {
				return `"x"`
			}
			return unlike(i)
		}), false},
		{"keys that no struct tag holds", "v", object(5, func(i int) string { return name(i) + "a,b,c"[:i] }, unlike), true},
		{"two keys that no struct tag holds", "v", object(4, func(i int) string { return name(i) + "a,b,c"[:i] }, unlike), false},
		{"one key, which no struct tag holds", "v", `{"A\\":"src/"}`, true},
		{"a key that no struct tag holds, and one that can be there", "v", `{"A\\":"src/","b":"lib/"}`, false},
		{"an empty key", "v", `{"":"src/"}`, false},
		{"definitions", "definitions", object(4, name, unlike), true},
		{"three definitions", "definitions", object(3, name, unlike), false},
		{"definitions that are numbers", "definitions", object(4, name, func(int) string { return "1" }), false},
	} {
		r := inferred(t, fmt.Sprintf(`{"u":1,%q:%s}`, test.key, test.in))
		if got := strings.HasPrefix(fieldType(r, test.key), "map["); got != test.isMap {
			t.Errorf("%s: the type is %s", test.name, fieldType(r, test.key))
		}
	}
}

// An object with the keys of a map beside it is a map too.
func TestKeysOfSibling(t *testing.T) {
	names := strings.Fields("en de fr es it pt nl sv da fi nb pl cs sk hu ro bg el")
	texts := func(names []string, value string) string {
		var all []string
		for _, n := range names {
			all = append(all, fmt.Sprintf("%q:%s", n, value))
		}
		return "{" + strings.Join(all, ",") + "}"
	}
	labels := texts(names, `{"language":"x","value":"y"}`)
	for _, test := range []struct {
		name, in string
		isMap    bool
	}{
		{"all keys", texts(names[:5], `[{"language":"x","value":"y"}]`), true},
		{"most keys", texts(append(names[:4:4], "other"), `[{"language":"x","value":"y"}]`), true},
		{"some keys", texts(append(names[:3:3], "other", "another"), `[{"language":"x","value":"y"}]`), false},
		{"two keys", texts(names[:2], `[{"language":"x","value":"y"}]`), false},
		{"values of two kinds", `{"en":["x"],"de":["y"],"fr":"z"}`, false},
	} {
		r := inferred(t, fmt.Sprintf(`{"labels":%s,"aliases":%s}`, labels, test.in))
		if got := strings.HasPrefix(fieldType(r, "aliases"), "map["); got != test.isMap || !strings.HasPrefix(fieldType(r, "labels"), "map[") {
			t.Errorf("%s: the types are %s and %s", test.name, fieldType(r, "aliases"), fieldType(r, "labels"))
		}
	}
}

// Many records with the same keys are structs, even if the keys are numbers. A few such records, or
// records whose keys differ, are maps.
func TestRecordsOfNumberedFields(t *testing.T) {
	numbered := func(n, keys int, skip bool) string {
		var b strings.Builder
		for i := range n {
			var all []string
			for k := range keys {
				if !skip || (i+k)%3 != 0 {
					all = append(all, fmt.Sprintf(`"%d":"x%d"`, 30+k, i))
				}
			}
			fmt.Fprintf(&b, "{%s}\n", strings.Join(all, ","))
		}
		return b.String()
	}
	for _, test := range []struct {
		name, in string
		isMap    bool
	}{
		{"columns", numbered(manyRecords, 4, false), false},
		{"few records", numbered(2, 4, false), true},
		{"keys that come and go", numbered(manyRecords, 12, true), true},
		{"values of several kinds", strings.Repeat(`{"8":"FIX","9":1,"35":"D","34":2,"44":1.5,"49":"a","56":[1],"10":"z"}`+"\n", 3), false},
	} {
		r := inferred(t, test.in)
		root := r.Schema.Message(r.Schema.Roots[0])
		isMap := len(root.Fields) == 1 && root.Fields[0].Type.Kind == schema.Map
		if isMap != test.isMap {
			t.Errorf("%s: a map is %v, with %d fields", test.name, isMap, len(root.Fields))
		}
	}
}

// Objects whose keys are codes of languages or currencies are maps, and so are objects of things by
// name under a plural.
func TestNamedMaps(t *testing.T) {
	things := `{"sword":{"state":"a","left":1},"rats":{"state":"b","left":2},"king":{"state":"a","left":1},"ring":{"state":"a","left":3},"mine":{"state":"a","left":0}}`
	for _, test := range []struct {
		name, key, in string
		isMap         bool
	}{
		{"languages", "v", `{"en":"a","de":"b","pt-BR":"c"}`, true},
		{"languages with scripts", "v", `{"en":"a","zh_Hans":"b","es-419":"c"}`, true},
		{"languages by three letters", "v", `{"eng":["a"],"deu":[],"spa":["c"]}`, true},
		{"two languages", "v", `{"en":"a","de":"b"}`, false},
		{"languages and a name", "v", `{"en":"a","de":"b","source":"c"}`, false},
		{"languages with values of two kinds", "v", `{"en":"a","de":1,"fr":"c"}`, false},
		{"words that are languages", "v", `{"id":"a","no":"b","to":"c"}`, false},
		{"a language and what is no region", "v", `{"en":"a","de":"b","fr-french":"c"}`, false},
		{"currencies", "v", `{"USD":1.5,"CHF":2,"SEK":3}`, true},
		{"a currency and a region", "v", `{"USD":1.5,"CHF-CH":2,"SEK":3}`, false},
		{"things by name", "quests", things, true},
		{"things by name, under no plural", "quest", things, false},
		{"four things", "quests", strings.Replace(things, `,"mine":{"state":"a","left":0}`, "", 1), false},
		{"things of which one has another field", "quests", strings.Replace(things, `"left":0`, `"left":0,"more":1`, 1), false},
		{"parameters of which one has another field", "parameters", strings.Replace(things, `"left":0`, `"left":0,"more":1`, 1), true},
		{"parameters that have little in common", "parameters", strings.NewReplacer(`"left":0`, `"a":0`, `"left":3`, `"b":0,"c":1,"d":1`).Replace(things), false},
		{"things with one field", "quests", strings.NewReplacer(`"state":"a",`, "", `"state":"b",`, "").Replace(things), false},
		{"what is called a map", "regionMap", `{"north":{"image":"a"},"south":{"image":"b"},"east":{"image":"c"}}`, true},
		{"what is called a map, of two", "regionMap", `{"north":{"image":"a"},"south":{"image":"b"}}`, false},
		{"what is called a map, of other things", "regionMap", `{"north":{"image":"a"},"south":{"size":1},"east":{"image":"c"}}`, false},
		{"what is called a map, of texts", "regionMap", `{"north":"a","south":"b","east":"c"}`, false},
		{"a map of land", "map", `{"north":{"image":"a"},"south":{"image":"b"},"east":{"image":"c"}}`, false},
		{"numbers by name", "quests", `{"sword":1,"rats":2,"king":3,"ring":4,"mine":5}`, false},
	} {
		r := inferred(t, fmt.Sprintf(`{"u":1,%q:%s}`, test.key, test.in))
		if got := strings.HasPrefix(fieldType(r, test.key), "map["); got != test.isMap {
			t.Errorf("%s: the type is %s", test.name, fieldType(r, test.key))
		}
	}
	columns := strings.Repeat(`{"en":"a","de":"b","fr":"c"}`+"\n", manyRecords)
	if r := inferred(t, columns); r.Schema.Message(r.Root).Bare {
		t.Error("columns of languages are a map")
	}
	always := strings.Repeat(`{"u":1,"quests":`+things+"}\n", 3)
	if r := inferred(t, always); strings.HasPrefix(fieldType(r, "quests"), "map[") {
		t.Error("names that three objects have are a map")
	}
}

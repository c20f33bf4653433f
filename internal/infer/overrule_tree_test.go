package infer

import "testing"

// Flags also work if their values are joined with other values: in trees, in kinds of unions, and in
// rows with objects.
func TestOverrulesWorkInTrees(t *testing.T) {
	for name, sample := range map[string]string{
		"elements of the lists of a tree": `[{"alternate":{"body":[{"alternate":null},{"body":[],"loc":{},"type":"B"}],"loc":{},"type":"B"}},
			{"body":[{},{"body":[{},{}]}],"loc":{}}]`,
		"a field that is null elsewhere in a tree": `[{"alternate":{"type":"B","start":1,"end":2,"loc":{},"body":[{"alternate":null},{"start":4,"end":6,"loc":{},"body":[]}]}},
			{"body":[{"body":[{"alternate":{"consequent":{"consequent":{}}}}]}]},
			{"start":9,"end":3,"loc":{},"consequent":{"type":"E","start":7,"end":1,"loc":{}}}]`,
		"null and absent in a tree whose lists hold it": `[{"alternate":null,"start":1,"end":2,"body":[{"start":1,"end":2,"alternate":{"start":1,"end":2,"body":[]}},{"start":3,"end":4,"body":[]}]},
			{"start":1,"end":2,"body":[]}]`,
		"a map in one kind of a union, null in another": `[
			{"type":"instance","attributes":{"ami":"a","id":"i","tags":{"1":"x","2":"y"},"disk":1,"zone":"z"}},
			{"type":"instance","attributes":{"ami":"a","id":"i","tags":{"3":"x","4":"y"},"disk":1,"zone":"z"}},
			{"type":"instance","attributes":{"ami":"a","id":"i","tags":{"5":"x"},"disk":1,"zone":"z"}},
			{"type":"instance","attributes":{"ami":"a","id":"i","tags":{"6":"x"},"disk":1,"zone":"z"}},
			{"type":"bucket","attributes":{"bucket":"b","arn":"r","tags":null,"policy":"p","force":true}},
			{"type":"bucket","attributes":{"bucket":"b","arn":"r","tags":null,"policy":"p","force":true}},
			{"type":"bucket","attributes":{"bucket":"b","arn":"r","tags":null,"policy":"p","force":true}},
			{"type":"bucket","attributes":{"bucket":"b","arn":"r","tags":null,"policy":"p","force":true}}]`,
		"objects in rows":       `[{"v":[1,{"at":"2024-01-01T00:00:00Z","w":[1,"a",true]}]},{"v":[2,{"at":"2024-01-01T00:00:00Z","w":[1,"a",true]}]}]`,
		"mixed places of rows":  `[{"a":1,"v":[1,"a",true]},{"a":1,"v":[2,{"b":1},true]}]`,
		"null where others are": `[{"a":{"x":1,"y":2,"p":{"x":1,"y":2,"p":null}},"b":{"x":1,"y":2,"p":null},"c":3}]`,
	} {
		t.Run(name, func(t *testing.T) { overruleAll(t, name, "", Bytes("f", []byte(sample))) })
	}
}

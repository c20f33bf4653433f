package schema

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/mod/module"
)

// valid returns a valid schema that uses many features.
func valid() *Schema {
	return &Schema{
		Name:  "orders",
		Doc:   "What was ordered.",
		Roots: []string{"Order"},
		Messages: []*Message{
			{Name: "Order", Fields: []*Field{
				{Name: "tx_id", Number: 1, Type: Type{Kind: String}, Text: "txId", OmitEmpty: true},
				{Name: "colour", Number: 2, Type: Type{Kind: EnumKind, Ref: "Colour", Optional: true}},
				{Name: "lines", Number: 18999, Type: Type{Kind: List, Elem: &Type{Kind: MessageKind, Ref: "Line", Optional: true}}},
				{Name: "tags", Number: 3, OmitZero: true, Type: Type{Kind: List, Elem: &Type{Kind: String}}},
				{Name: "raw", Number: 4, Null: true, Type: Type{Kind: Bytes}},
				{Name: "parent", Number: 20000, Type: Type{Kind: MessageKind, Ref: "Order", Optional: true}},
				{Name: "ids", Number: 5, Type: Type{Kind: List, Elem: &Type{Kind: Bytes}}, OmitEmpty: true, As: AsUUID},
				{Name: "price", Number: 6, Type: Type{Kind: Int64, Optional: true}, OmitEmpty: true, As: AsDecimal.WithDigits(2)},
				{Name: "by_id", Number: 536870911, Type: Type{Kind: Map, Key: Int32, Elem: &Type{Kind: MessageKind, Ref: "Rows"}}},
			}},
			{Name: "Line", Fields: []*Field{
				{Name: "type", Number: 1, Type: Type{Kind: Bytes, Optional: true}, Text: "$type.ü 1"},
			}},
			{Name: "Rows", Bare: true, Fields: []*Field{
				{Name: "rows", Number: 1, Type: Type{Kind: List, Elem: &Type{Kind: Float64}}},
			}},
			{Name: "Nothing"},
			{Name: "Pair", Row: true, Fields: []*Field{{Name: "a", Number: 1, Type: Type{Kind: Int64}}}},
		},
		Enums: []*Enum{
			{Name: "Colour", Values: []EnumValue{{"COLOUR_UNKNOWN", 0}, {"RED", 1}, {"OLD", -1}}},
		},
	}
}

func TestValidateAccepts(t *testing.T) {
	if err := valid().Validate(); err != nil {
		t.Fatal(err)
	}
}

// TestValidateAcceptsNested: lists, messages and times have no generated type named for their
// field, so a message may have such a name.
func TestValidateAcceptsNested(t *testing.T) {
	s := valid()
	s.Messages[3].Name = "Order_Lines"
	s.Messages[0].Fields = append(s.Messages[0].Fields, &Field{Name: "at", Number: 21, Type: Type{Kind: Timestamp, Optional: true}})
	s.Messages = append(s.Messages, &Message{Name: "Order_Parent"}, &Message{Name: "Order_TxId"}, &Message{Name: "Order_At"})
	if err := s.Validate(); err != nil {
		t.Error(err)
	}
}

// TestValidateAcceptsValues: protobuf ignores the enum's name in front of a value only if it is the
// whole name and if something follows it.
func TestValidateAcceptsValues(t *testing.T) {
	s := valid()
	s.Enums[0].Values = append(s.Enums[0].Values, EnumValue{"COL_RED", 2}, EnumValue{"COLOUR", 3}, EnumValue{"COLOURED", 4})
	if err := s.Validate(); err != nil {
		t.Error(err)
	}
}

func TestValidateRefuses(t *testing.T) {
	// field changes the first field of Order to f.
	field := func(f Field) func(*Schema) {
		return func(s *Schema) { *s.Messages[0].Fields[0] = f }
	}
	typ := func(t Type) func(*Schema) {
		return field(Field{Name: "tx_id", Number: 1, Type: t})
	}
	named := func(a, b string) func(*Schema) {
		return func(s *Schema) {
			s.Messages[3].Fields = []*Field{
				{Name: a, Number: 1, Type: Type{Kind: Bool, Optional: true}},
				{Name: b, Number: 2, Type: Type{Kind: Bool}},
			}
		}
	}
	value := func(name string, number int32) func(*Schema) {
		return func(s *Schema) {
			s.Enums[0].Values = append(s.Enums[0].Values, EnumValue{name, number})
		}
	}
	tests := []struct {
		name   string
		change func(*Schema)
		path   string
		part   string
		reason string // part of the error's reason
	}{
		{"schema without name", func(s *Schema) { s.Name = "" }, "", "name", `name ""`},
		{"schema name in upper case", func(s *Schema) { s.Name = "Orders" }, "", "name", "lower-case letters"},
		{"schema name is a keyword", func(s *Schema) { s.Name = "map" }, "", "name", `"map_data"`},
		{"schema name is main", func(s *Schema) { s.Name = "main" }, "", "name", "cannot name a Go package"},
		{"schema name is a device", func(s *Schema) { s.Name = "aux" }, "", "name", `"aux_data"`},
		{"schema name is a numbered device", func(s *Schema) { s.Name = "lpt9" }, "", "name", `"lpt9_data"`},
		{"doc with an override", func(s *Schema) { s.Messages[1].Doc = "a\u202eb" }, "Line", "doc", "bidirectional character"},
		{"doc with an escape", func(s *Schema) { s.Enums[0].Doc = "a\n\x1b[2Jb" }, "Colour", "doc", "control"},
		{"doc with a byte order mark", func(s *Schema) { s.Doc = "\ufeffOrders." }, "", "doc", "byte order mark"},
		{"doc with a build constraint", func(s *Schema) { s.Messages[1].Doc = "A line.\n \u00a0+build ignore" }, "Line", "doc", "begins with +build"},
		{"doc that is a build constraint", func(s *Schema) { s.Messages[1].Fields[0].Doc = "+build" }, "Line.type", "doc", "begins with +build"},
		{"doc is not text", func(s *Schema) { s.Messages[1].Doc = "\xff" }, "Line", "doc", "UTF-8"},

		{"a row without fields", func(s *Schema) { s.Messages[3].Row = true }, "Nothing", "row", "at least one field"},
		{"a row that leaves a field out", func(s *Schema) { s.Messages[4].Fields[0].OmitEmpty = true }, "Pair.a", "omitempty", "keeps all of its places"},
		{"a bare row", func(s *Schema) { s.Messages[2].Row = true }, "Rows", "row", "is not bare"},
		{"omitzero of a string", field(Field{Name: "tx_id", Number: 1, Type: Type{Kind: String}, OmitZero: true}), "Order.tx_id", "omitzero", "write omitempty = true"},
		{"omitzero of optional bytes", field(Field{Name: "tx_id", Number: 1, Type: Type{Kind: Bytes, Optional: true}, OmitZero: true}), "Order.tx_id", "omitzero", "write omitempty = true"},
		{"null of a string", field(Field{Name: "tx_id", Number: 1, Type: Type{Kind: String}, Null: true}), "Order.tx_id", "null", "with a * before its type"},

		{"one or many of no list", field(Field{Name: "tx_id", Number: 1, Type: Type{Kind: String}, OneOrMany: true}), "Order.tx_id", "one_or_many", "is no list"},
		{"one or many of any JSON", field(Field{Name: "tx_id", Number: 1, Type: Type{Kind: List, Elem: &Type{Kind: String}}, OneOrMany: true, JSONText: true}), "Order.tx_id", "one_or_many", "leave one_or_many or json_text out"},
		{"one or many of lists", field(Field{Name: "tx_id", Number: 1, Type: Type{Kind: List, Elem: &Type{Kind: MessageKind, Ref: "Rows"}}, OneOrMany: true}), "Order.tx_id", "one_or_many", "a list or null in JSON"},
		{"one or many of rows", field(Field{Name: "tx_id", Number: 1, Type: Type{Kind: List, Elem: &Type{Kind: MessageKind, Ref: "Pair"}}, OneOrMany: true}), "Order.tx_id", "one_or_many", "a list or null in JSON"},

		{"one or many of a union with a list", func(s *Schema) {
			s.Messages[3].Union, s.Messages[3].Fields = true, []*Field{
				{Name: "text", Number: 1, OmitEmpty: true, Type: Type{Kind: String, Optional: true}},
				{Name: "items", Number: 2, OmitEmpty: true, Type: Type{Kind: MessageKind, Ref: "Rows", Optional: true}},
			}
			s.Messages[0].Fields[0] = &Field{Name: "tx_id", Number: 1, OneOrMany: true, Type: Type{Kind: List, Elem: &Type{Kind: MessageKind, Ref: "Nothing"}}}
		}, "Order.tx_id", "one_or_many", "a list or null in JSON"},

		{"unknown spelling", field(Field{Name: "tx_id", Number: 1, Type: Type{Kind: Bytes}, As: "guid"}), "Order.tx_id", "as", "one of uuid, UUID, hex"},
		{"decimal without digits", field(Field{Name: "tx_id", Number: 1, Type: Type{Kind: Int64}, As: "decimal"}), "Order.tx_id", "as", "as in decimal:2"},
		{"local with too many digits", field(Field{Name: "tx_id", Number: 1, Type: Type{Kind: Timestamp}, As: "local:10"}), "Order.tx_id", "as", "1 to 9 digits"},
		{"spelling of another kind", field(Field{Name: "tx_id", Number: 1, Type: Type{Kind: String}, As: AsUUID}), "Order.tx_id", "as", "uuid is for bytes: alone, in a list"},
		{"spelling of a map of another kind", field(Field{Name: "tx_id", Number: 1, Type: Type{Kind: Map, Key: String, Elem: &Type{Kind: Int64}}, As: AsUnix}), "Order.tx_id", "as", "unix is for timestamp: alone, in a list"},
		{"spelling of a value that may be empty", field(Field{Name: "tx_id", Number: 1, Type: Type{Kind: Bytes}, OmitEmpty: true, As: AsHex}), "Order.tx_id", "as", "put a * before"},
		{"spelling of bytes that may be null", field(Field{Name: "tx_id", Number: 1, Type: Type{Kind: Bytes}, Null: true, As: AsHex}), "Order.tx_id", "as", "put a * before"},

		{"no roots", func(s *Schema) { s.Roots = nil }, "", "roots", "no roots"},
		{"unknown root", func(s *Schema) { s.Roots[0] = "Ordr" }, "", "roots", `"Ordr" is not a message`},
		{"root is an enum", func(s *Schema) { s.Roots[0] = "Colour" }, "", "roots", "is an enum"},
		{"root twice", func(s *Schema) { s.Roots = append(s.Roots, "Order") }, "", "roots", "twice"},

		{"message without name", func(s *Schema) { s.Messages[3].Name = "" }, "messages[3]", "name", "no name"},
		{"message name", func(s *Schema) { s.Messages[3].Name = "nothing" }, "nothing", "name", "upper-case letter"},
		{"message name beyond ASCII", func(s *Schema) { s.Messages[3].Name = "Nörgel" }, "Nörgel", "name", "upper-case letter"},
		{"message name with a small letter after a digit", func(s *Schema) { s.Messages[3].Name = "Utf8text" }, "Utf8text", "name", "Utf8Text"},
		{"enum name with a small letter after _", func(s *Schema) { s.Enums[0].Name = "My_enum" }, "My_enum", "name", "MyEnum"},
		{"message name twice", func(s *Schema) { s.Messages[3].Name = "Line" }, "Line", "name", "another message"},
		{"message named as an enum", func(s *Schema) { s.Enums[0].Name = "Line" }, "Line", "name", "another message"},

		{"bare with a scalar", func(s *Schema) { s.Messages[1].Bare = true }, "Line", "bare", "exactly one field"},
		{"bare with many", func(s *Schema) { s.Messages[0].Bare = true }, "Order", "bare", "exactly one field"},
		{"bare with none", func(s *Schema) { s.Messages[3].Bare = true }, "Nothing", "bare", "exactly one field"},

		{"field without name", field(Field{Number: 1, Type: Type{Kind: Bool}}), "Order.fields[0]", "name", "no name"},
		{"field name", field(Field{Name: "txId", Number: 1, Type: Type{Kind: Bool}}), "Order.txId", "name", "lower-case letters"},
		{"field name starts with _", field(Field{Name: "_id", Number: 1, Type: Type{Kind: Bool}}), "Order._id", "name", "lower-case letters"},
		{"field name twice", named("a", "a"), "Nothing.a", "name", "another field"},
		{"Go names collide", named("a__b", "a__b"), "Nothing.a__b", "name", "another field"},
		{"getter collides", named("id", "get_id"), "Nothing.get_id", "name", `GetId for this field and for field "id"`},
		{"oneof collides", named("id", "x_id"), "Nothing.x_id", "name", `XId for this field and for field "id"`},
		{"JSON names collide", named("a1", "a_1"), "Nothing.a_1", "name", `"a1" "a1"`},
		{"method name", named("size", "b"), "Nothing.size", "name", `name the field "size_" and give it text = "size"`},
		{"text twice", func(s *Schema) { s.Messages[0].Fields[1].Text = "txId" }, "Order.colour", "text", `taken by field "tx_id"`},
		{"text takes a name", field(Field{Name: "tx_id", Number: 1, Type: Type{Kind: Bool}, Text: "colour"}), "Order.colour", "text", `taken by field "tx_id"`},
		{"text is a dash", field(Field{Name: "tx_id", Number: 1, Type: Type{Kind: Bool}, Text: "-"}), "Order.tx_id", "text", "left out"},
		{"text with a quote", field(Field{Name: "tx_id", Number: 1, Type: Type{Kind: Bool}, Text: `a"b`}), "Order.tx_id", "text", "struct tag"},
		{"text with a comma", field(Field{Name: "tx_id", Number: 1, Type: Type{Kind: Bool}, Text: `a,b`}), "Order.tx_id", "text", "struct tag"},
		{"text is not text", field(Field{Name: "tx_id", Number: 1, Type: Type{Kind: Bool}, Text: "\xff"}), "Order.tx_id", "text", "struct tag"},

		{"number 0", field(Field{Name: "tx_id", Type: Type{Kind: Bool}}), "Order.tx_id", "number", "too small"},
		{"number too large", field(Field{Name: "tx_id", Number: 536870912, Type: Type{Kind: Bool}}), "Order.tx_id", "number", "too large"},
		{"first reserved number", field(Field{Name: "tx_id", Number: 19000, Type: Type{Kind: Bool}}), "Order.tx_id", "number", "keeps for itself"},
		{"last reserved number", field(Field{Name: "tx_id", Number: 19999, Type: Type{Kind: Bool}}), "Order.tx_id", "number", "keeps for itself"},
		{"number twice", field(Field{Name: "tx_id", Number: 2, Type: Type{Kind: Bool}}), "Order.colour", "number", `taken by field "tx_id"`},

		{"no kind", typ(Type{}), "Order.tx_id", "type", "no valid kind"},
		{"kind out of range", typ(Type{Kind: Map + 1}), "Order.tx_id", "type", "no valid kind"},
		{"unknown message", typ(Type{Kind: MessageKind, Ref: "X"}), "Order.tx_id", "type", `no message "X"`},
		{"unknown enum", typ(Type{Kind: EnumKind, Ref: "Line"}), "Order.tx_id", "type", `no enum "Line"`},
		{"scalar with a reference", typ(Type{Kind: Bool, Ref: "Line"}), "Order.tx_id", "type", "neither an enum nor a message"},
		{"scalar with a key", typ(Type{Kind: Bool, Key: String}), "Order.tx_id", "type", "not a map"},
		{"scalar with an element", typ(Type{Kind: Bool, Elem: &Type{Kind: Bool}}), "Order.tx_id", "type", "neither a list nor a map"},
		{"list without element", typ(Type{Kind: List}), "Order.tx_id", "type", "no element type"},
		{"list of lists", typ(Type{Kind: List, Elem: &Type{Kind: List, Elem: &Type{Kind: Bool}}}), "Order.tx_id", "type", "make it a bare message"},
		{"optional list", typ(Type{Kind: List, Optional: true, Elem: &Type{Kind: Bool}}), "Order.tx_id", "type", "never optional"},
		{"optional scalar element", typ(Type{Kind: List, Elem: &Type{Kind: Bool, Optional: true}}), "Order.tx_id", "type", "only elements that are messages"},
		{"optional enum element", typ(Type{Kind: Map, Key: String, Elem: &Type{Kind: EnumKind, Ref: "Colour", Optional: true}}), "Order.tx_id", "type", "only elements that are messages"},
		{"unknown element", typ(Type{Kind: List, Elem: &Type{Kind: MessageKind, Ref: "X"}}), "Order.tx_id", "type", `no message "X"`},
		{"map without key", typ(Type{Kind: Map, Elem: &Type{Kind: Bool}}), "Order.tx_id", "type", "map's key"},
		{"map with a float key", typ(Type{Kind: Map, Key: Float64, Elem: &Type{Kind: Bool}}), "Order.tx_id", "type", "map's key"},
		{"message in itself", typ(Type{Kind: MessageKind, Ref: "Order"}), "Order.tx_id", "type", "contain itself"},
		{"message in itself by way of another", func(s *Schema) {
			s.Messages[1].Fields[0].Type = Type{Kind: MessageKind, Ref: "Order"}
			s.Messages[0].Fields[0].Type = Type{Kind: MessageKind, Ref: "Line"}
		}, "Line.type", "type", "message Order would contain itself"},

		{"message named as a variable", func(s *Schema) { s.Messages[3].Name = "Streams" }, "Streams", "name", "a variable of this name; choose another, such as StreamsType"},
		{"enum named as a variable", func(s *Schema) { s.Enums[0].Name = "Bindings" }, "Bindings", "name", "BindingsType"},

		{"enum without values", func(s *Schema) { s.Enums[0].Values = nil }, "Colour", "values", "no values"},
		{"enum without zero", func(s *Schema) { s.Enums[0].Values[0].Number = 7 }, "Colour.COLOUR_UNKNOWN", "number", "must have number 0"},
		{"enum number twice", value("BLUE", 1), "Colour.BLUE", "number", `taken by value "RED"`},
		{"enum value without name", value("", 2), "Colour.values[3]", "name", "no name"},
		{"enum value name", value("Blue", 2), "Colour.Blue", "name", "upper-case letters"},
		{"enum value twice", value("RED", 2), "Colour.RED", "name", `enum "Colour" has a value`},
		{"enum value twice but for the prefix", value("COLOUR_RED", 2), "Colour.COLOUR_RED", "name", `"RED" for the same`},
		{"enum value named as a message", func(s *Schema) { s.Messages[3].Name = "RED" }, "Colour.RED", "name", "message RED"},
		{"two enum constants", func(s *Schema) {
			s.Enums[0].Values[2].Name = "X_OLD"
			s.Enums = append(s.Enums, &Enum{Name: "Colour_X", Values: []EnumValue{{"OLD", 0}}})
		}, "Colour_X.OLD", "name", "Colour_X_OLD for this value and for the value Colour.X_OLD"},
		{"an optional value named as a message", func(s *Schema) { s.Messages[3].Name = "Order_Price" }, "Order.price", "name", "Order_Price for this field and for the message Order_Price"},
		{"an optional value named as an enum constant", func(s *Schema) {
			s.Messages[1].Name, s.Messages[1].Fields[0].Name = "Colour_R", "e_d"
			s.Enums[0].Values[1].Name = "R_ED"
		}, "Colour_R.e_d", "name", "Colour_R_ED for this field and for the value Colour.R_ED"},
		{"two fields of one name with those of their messages", func(s *Schema) {
			list := Type{Kind: List, Elem: &Type{Kind: Bool}}
			s.Messages[3].Fields = []*Field{{Name: "b__c", Number: 1, Type: list}}
			s.Messages = append(s.Messages, &Message{Name: "Nothing_B", Fields: []*Field{{Name: "c", Number: 1, Type: list}}})
		}, "Nothing_B.c", "name", "Nothing_B_C for this field and for the field Nothing.b__c"},
		{"enum constant named as a message", func(s *Schema) { s.Messages[3].Name = "Colour_RED" }, "Colour.RED", "name", "message Colour_RED"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := valid()
			tt.change(s)
			err := s.Validate()
			if err == nil {
				t.Fatal("accepted")
			}
			// A change may break other rules too, so one of the errors must be the expected
			// one.
			for _, e := range all(t, err) {
				if e.Path == tt.path && e.Part == tt.part && strings.Contains(e.Reason, tt.reason) {
					return
				}
			}
			t.Errorf("got\n%v\nwant %s (%s): …%s…", err, tt.path, tt.part, tt.reason)
		})
	}
}

// all returns the errors of a joined error.
func all(t *testing.T, err error) []*Error {
	t.Helper()
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		t.Fatalf("%T is not a joined error", err)
	}
	var list []*Error
	for _, err := range joined.Unwrap() {
		var e *Error
		if !errors.As(err, &e) {
			t.Fatalf("%T is not an *Error", err)
		}
		list = append(list, e)
	}
	return list
}

func TestValidateReportsEverything(t *testing.T) {
	s := valid()
	s.Name = "1"
	s.Roots[0] = "X"
	s.Messages[0].Fields[0].Number = 0
	s.Enums[0].Values[0].Number = 2
	want := strings.Join([]string{
		`the schema's name "1" must be lower-case letters, digits and underscores, starting with a letter`,
		`the root "X" is not a message of the schema`,
		`Order.tx_id: the number 0 is too small; numbers start at 1`,
		`Colour.COLOUR_UNKNOWN: the first value of an enum must have number 0, which is the value of an unset field`,
	}, "\n")
	if diff := cmp.Diff(want, s.Validate().Error()); diff != "" {
		t.Error("-want +got\n" + diff)
	}
}

func TestReserved(t *testing.T) {
	if !Reserved("Size") || Reserved("Size_") {
		t.Error("Size is reserved and Size_ is not")
	}
	for _, name := range []string{"unmarshal_alias", "unmarshal_msg_reuse", "unmarshal_msg_alias", "marshal_msg_array", "unmarshal_msg_array", "msgsize_array"} {
		s := valid()
		s.Messages[1].Fields[0].Name = name
		if err := s.Validate(); err == nil || !strings.Contains(err.Error(), "name the field \""+name+"_\"") {
			t.Errorf("%s: %v", name, err)
		}
		s.Messages[1].Fields[0].Name += "_"
		if err := s.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestPackageName: PackageName agrees with the go command about import paths, and refuses names
// that cannot name a package.
func TestPackageName(t *testing.T) {
	names := []string{"orders", "com", "com0", "com1", "com9", "com10", "comx", "lpt", "lpt0", "lpt5", "aux", "con", "nul", "prn", "aux_data", "auxiliary"}
	for _, name := range names {
		if got, want := PackageName(name), module.CheckImportPath("example.com/"+name) == nil; got != want {
			t.Errorf("PackageName(%s) is %v, and of the go command %v", name, got, want)
		}
	}
	for _, name := range []string{"main", "internal", "vendor", "map", "func"} {
		if PackageName(name) {
			t.Errorf("a package can be called %s", name)
		}
	}
}

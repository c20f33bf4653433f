package schema_test

import (
	"errors"
	"fmt"

	"assay/schema"
	"assay/schema/text"
)

// A schema may be made in Go or read from its text form.
func Example() {
	s := &schema.Schema{
		Name:  "orders",
		Roots: []string{"Order"},
		Messages: []*schema.Message{{
			Name: "Order",
			Fields: []*schema.Field{
				{Name: "id", Number: 1, Type: schema.Type{Kind: schema.Int64}},
				{Name: "item_names", Number: 2, Text: "itemNames", Type: schema.Type{Kind: schema.List, Elem: &schema.Type{Kind: schema.String}}},
			},
		}},
	}
	if err := s.Validate(); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s\n", text.Format(s))
	for _, f := range s.Message("Order").Fields {
		fmt.Println(schema.GoName(f.Name), f.TextName())
	}
	// Output:
	// name = "orders"
	// roots = ["Order"]
	//
	// [[messages]]
	// name = "Order"
	// fields = [
	//   { number = 1, name = "id",         type = "int64" },
	//   { number = 2, name = "item_names", type = "[]string", text = "itemNames" },
	// ]
	//
	// Id id
	// ItemNames itemNames
}

// Validate returns all mistakes, each with its place.
func ExampleSchema_Validate() {
	s := &schema.Schema{
		Name:  "orders",
		Roots: []string{"Order", "Invoice"},
		Messages: []*schema.Message{{
			Name: "Order",
			Fields: []*schema.Field{
				{Name: "id", Number: 1, Type: schema.Type{Kind: schema.Int64}},
				{Name: "total", Number: 1, Type: schema.Type{Kind: schema.Float64}},
			},
		}},
	}
	err := s.Validate()
	var first *schema.Error
	if errors.As(err, &first) {
		fmt.Println("the first is of:", first.Part)
	}
	fmt.Println(err)
	// Output:
	// the first is of: roots
	// the root "Invoice" is not a message of the schema
	// Order.total: the number 1 is taken by field "id"
}

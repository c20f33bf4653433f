package contender_test

import (
	"fmt"

	"assay/contender"
	"assay/result"
	"assay/schema"
)

// A contender's description says what a library is and names its traits, losses and modes.
// Tables say what the names mean.
func Example() {
	c := &contender.Contender{
		Name:   "my/json",
		Title:  "a JSON library",
		Format: "json",
		Module: "example.com/my/json",
		Traits: []contender.Trait{contender.HumanReadable, contender.PureGo},
		Ops:    []result.Op{result.Encode, result.Decode},
		Losses: []contender.Loss{contender.NaNInf},
		Modes: []contender.Mode{{
			Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "Append writes into a slice that is kept.",
			Losses: []contender.Loss{contender.BadUTF8},
		}},
	}
	fmt.Println(c.Dir())
	fmt.Println(c.Is(contender.CrossLanguage), contender.CrossLanguage.In().Without)
	for _, loss := range c.LossesIn("output=reuse") {
		fmt.Printf("%s: %s\n", loss, loss.In().Text)
	}
	fmt.Println(contender.AxisOf("output=reuse").GivesUp)
	// Output:
	// myjson
	// false no libraries in other languages
	// nan-inf: NaN and the infinities are refused
	// bad-utf8: strings that are not valid UTF-8 are changed or refused
	// the bytes are valid only until the next call, so they must be written out or copied first
}

// An emitter says which field of a schema its format cannot hold.
func ExampleUnsupported() {
	emit := func(r contender.Request) (contender.Output, error) {
		for _, m := range r.Schema.Messages {
			for _, f := range m.Fields {
				if f.Type.Kind == schema.Map {
					return contender.Output{}, &contender.Unsupported{Field: m.Name + "." + f.Name, Reason: "the format has no maps"}
				}
			}
		}
		return contender.Output{Files: []contender.File{{Name: "codec.go", Data: []byte("package gen\n")}}}, nil
	}
	text := schema.Type{Kind: schema.String}
	_, err := emit(contender.Request{Schema: &schema.Schema{Messages: []*schema.Message{{
		Name: "Order", Fields: []*schema.Field{{Name: "labels", Number: 1, Type: schema.Type{Kind: schema.Map, Key: schema.String, Elem: &text}}},
	}}}})
	fmt.Println(err)
	// Output: Order.labels: the format has no maps
}

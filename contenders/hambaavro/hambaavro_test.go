package hambaavro

import (
	"testing"

	"github.com/hamba/avro/v2"
)

// The description says which messages that are cut off the library takes for whole ones.
func TestCutOff(t *testing.T) {
	const text, number = `{"type":"record","name":"R","fields":[{"name":"a","type":"string"},{"name":"b","type":"string"}]}`,
		`{"type":"record","name":"R","fields":[{"name":"a","type":"string"},{"name":"b","type":"double"}]}`
	for _, test := range []struct {
		schema string
		target any
		refuse bool
	}{
		{text, new(struct {
			A string `avro:"a"`
			B string `avro:"b"`
		}), false},
		{number, new(struct {
			A string  `avro:"a"`
			B float64 `avro:"b"`
		}), true},
	} {
		s, err := avro.Parse(test.schema)
		if err != nil {
			t.Fatal(err)
		}
		for _, data := range []string{"", "\x02x"} {
			if err := avro.Unmarshal(s, []byte(data), test.target); (err != nil) != test.refuse {
				t.Errorf("%s of %q: %v; the description says otherwise", test.schema, data, err)
			}
		}
	}
}

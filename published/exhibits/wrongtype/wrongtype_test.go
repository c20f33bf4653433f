package wrongtype

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"encoding/xml"
	"testing"

	"gopkg.in/yaml.v3"

	"assay/published/publishedtest"
)

func BenchmarkPublished(b *testing.B) { Published(b) }
func BenchmarkCorrected(b *testing.B) { Corrected(b) }

func TestExhibit(t *testing.T) { publishedtest.CheckExhibit(t, Set, "elements", "filled-elements") }

// Other decoders must skip unknown elements too, as the package documentation says.
func TestAllSkip(t *testing.T) {
	type list[T any] struct {
		Elements []T `json:"e" xml:"e" yaml:"e"`
	}
	encode := map[string]func(v any) ([]byte, error){
		"json": json.Marshal, "xml": xml.Marshal, "yaml": yaml.Marshal,
		"gob": func(v any) ([]byte, error) {
			var buf bytes.Buffer
			err := gob.NewEncoder(&buf).Encode(v)
			return buf.Bytes(), err
		},
	}
	decode := map[string]func(data []byte, v any) error{
		"json": json.Unmarshal, "xml": xml.Unmarshal, "yaml": yaml.Unmarshal,
		"gob": func(data []byte, v any) error { return gob.NewDecoder(bytes.NewReader(data)).Decode(v) },
	}
	for name := range encode {
		data, err := encode[name](list[*order]{orders()})
		if err != nil {
			t.Fatal(name, err)
		}
		var back list[*line]
		if err := decode[name](data, &back); err != nil || len(back.Elements) != 20 {
			t.Errorf("%s: %d elements and error %v, want 20 and none", name, len(back.Elements), err)
		}
		for _, l := range back.Elements {
			if *l != (line{}) {
				t.Errorf("%s: got %+v out of an order", name, *l)
			}
		}
	}
}

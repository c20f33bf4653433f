package sizes

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"encoding/xml"

	"gopkg.in/yaml.v3"
)

// A library encodes values and decodes into pointers.
type library struct {
	name   string
	encode func(any) ([]byte, error)
	decode func([]byte, any) error
	// hugeBytes is about how many bytes of memory each Huge takes at the peak of encoding or
	// decoding 50 of them, with the collector's slack.
	hugeBytes int64
}

var libraries = []library{
	{"gob", encodeGob, decodeGob, 3_100_000},
	{"json", json.Marshal, json.Unmarshal, 10_700_000},
	{"xml", xml.Marshal, xml.Unmarshal, 11_500_000},
	{"yaml", yaml.Marshal, yaml.Unmarshal, 200_000_000},
}

// encodeGob makes a new encoder for each message, so it describes all types again.
func encodeGob(v any) ([]byte, error) {
	var buf bytes.Buffer
	if err := gob.NewEncoder(&buf).Encode(v); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}

// decodeGob makes a new decoder for each message, so it compiles all types again.
func decodeGob(data []byte, into any) error {
	return gob.NewDecoder(bytes.NewBuffer(data)).Decode(into)
}

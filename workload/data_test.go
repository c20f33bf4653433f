package workload

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"assay/schema"
)

type reading struct {
	Id int64
}

func readings() *schema.Schema {
	return &schema.Schema{Name: "readings", Roots: []string{"Reading"}, Messages: []*schema.Message{
		{Name: "Reading", Fields: []*schema.Field{{Name: "id", Number: 1, Type: schema.Type{Kind: schema.Int64}}}},
	}}
}

// A stream of a file returns the values of the file in order. The error for a bad line says
// where the line is.
func TestStreamFile(t *testing.T) {
	for _, test := range []struct {
		name, text, key string
		want            []reading
		err             string
	}{
		{name: "values", text: "{\"id\":1}\n\n{\"id\":2}\n{\"id\":3}", key: RecordsKey(3), want: []reading{{1}, {2}, {3}}},
		{name: "a bad line", text: "{\"id\":1}\n\n{\"id\":[]}\n", key: RecordsKey(2), want: []reading{{1}}, err: "file:3: "},
		{name: "another size", text: "{\"id\":1}\n", key: "n=1", err: `size "n=1" does not say how many records there are`},
		{name: "no size", text: "", key: RecordsKey(0), err: "does not say how many"},
	} {
		t.Run(test.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "file")
			if err := os.WriteFile(file, []byte(test.text), 0o600); err != nil {
				t.Fatal(err)
			}
			var got []reading
			s, err := StreamFile[reading](readings(), Size{Key: test.key, Root: "Reading"}, file)
			if err == nil && (s.Root != "Reading" || s.Messages < 2 || s.Bytes < 1 || !s.Parsed) {
				t.Errorf("the stream is %+v", s)
			}
			for err == nil {
				var some any
				if some, err = s.Next(1); err != nil || len(some.([]reading)) == 0 {
					break
				}
				got = append(got, some.([]reading)...)
			}
			if !reflect.DeepEqual(got, test.want) {
				t.Errorf("values %v, want %v", got, test.want)
			}
			if (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) {
				t.Errorf("error %v, want %q", err, test.err)
			}
		})
	}
}

package samples

import (
	"bytes"
	"encoding/json"
	"io"
	"regexp"
	"testing"
)

func TestAll(t *testing.T) {
	all := All()
	if len(all) < 31 {
		t.Errorf("there are %d samples", len(all))
	}
	seen := map[string]bool{}
	for _, s := range all {
		if seen[s.Name] || !regexp.MustCompile(`^[a-z][a-z0-9]+$`).MatchString(s.Name) || s.Text == "" {
			t.Errorf("the sample %q is there twice, or has no name or text", s.Name)
		}
		seen[s.Name] = true
		data := s.JSON(0)
		if !bytes.Equal(data, s.JSON(0)) {
			t.Errorf("%s: two files differ", s.Name)
		}
		documents := 0
		for d := json.NewDecoder(bytes.NewReader(data)); ; documents++ {
			var v any
			err := d.Decode(&v)
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Errorf("%s: %v", s.Name, err)
				break
			}
		}
		if lines := bytes.Count(data, []byte("\n")); s.lines && (documents != lines || documents < s.size) || !s.lines && documents != 1 {
			t.Errorf("%s: %d documents on %d lines", s.Name, documents, lines)
		}
		if small := s.JSON(3); len(small) >= len(data) {
			t.Errorf("%s: three records take %d bytes, %d take %d", s.Name, len(small), s.size, len(data))
		}
	}
}

// The events of the sample hetero are of eight kinds, equally many of each, and each kind has
// fields of its own.
func TestHetero(t *testing.T) {
	for _, s := range All() {
		if s.Name != "hetero" {
			continue
		}
		kinds, fields := map[string]int{}, map[string]bool{}
		d := json.NewDecoder(bytes.NewReader(s.JSON(800)))
		most := 0
		for {
			var e map[string]any
			if d.Decode(&e) != nil {
				break
			}
			kinds[e["type"].(string)]++
			most = max(most, len(e))
			for k, v := range e {
				if v == nil {
					t.Errorf("%s is null", k)
				}
				fields[k] = true
			}
		}
		if len(kinds) != 8 || kinds["view"] != 100 || len(fields) < 3*most {
			t.Errorf("%d kinds: %v; %d fields, of which an event has %d at most", len(kinds), kinds, len(fields), most)
		}
	}
}

// Lines writes a prefix of the file, with no more bytes than asked for.
func TestLines(t *testing.T) {
	for _, s := range All() {
		var b bytes.Buffer
		err := s.Lines(&b, 20_000)
		if one := s.lines && s.each != nil; (err == nil) != one {
			t.Errorf("%s: %v", s.Name, err)
			continue
		} else if !one {
			continue
		}
		if n := bytes.Count(b.Bytes(), []byte("\n")); !bytes.Equal(b.Bytes(), s.JSON(n)) {
			t.Errorf("%s: %d lines are not those of the file", s.Name, n)
		}
		if b.Len() > 20_000 || b.Len() < 10_000 {
			t.Errorf("%s: %d bytes where 20,000 were asked for", s.Name, b.Len())
		}
	}
}

package anonymize

import (
	"encoding/json"
	"strings"
	"testing"

	"assay/internal/infer"
	"assay/internal/samples"
)

// Texts with a spelling are replaced by texts with the same spelling, so the types that the user asked
// for fit the sample too. Texts such as ids are not kept.
func TestSpelled(t *testing.T) {
	for _, s := range samples.All() {
		if len(s.Types) == 0 {
			continue
		}
		o := infer.Options{Records: s.Records}
		for _, text := range s.Types {
			of, err := infer.ParseOverrule("type", text)
			if err != nil {
				t.Fatal(err)
			}
			o.Overrules = append(o.Overrules, of)
		}
		made, after := sampleOf(t, s.JSON(0), o)
		if !made.Same {
			t.Errorf("%s: the schema of the sample is another", s.Name)
		}
		check(t, made, o)
		kept := map[string]int{}
		for i, before := range originals(t, made) {
			var old, now map[string]any
			if err := json.Unmarshal([]byte(before), &old); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal([]byte(after[i]), &now); err != nil {
				t.Fatal(err)
			}
			for k, v := range now {
				text, ok := v.(string)
				if ok && len(text) > 8 && k != "blob" && text == old[k] {
					kept[k]++
				}
				if k == "day" && !strings.HasPrefix(text, "20") {
					t.Errorf("%s is beyond the range of the records", text)
				}
			}
		}
		for k, n := range kept {
			if n > 1 {
				t.Errorf("%s: %d values of %s are kept", s.Name, n, k)
			}
		}
	}
}

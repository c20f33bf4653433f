package jsonsize_test

import (
	"strings"
	"testing"

	"assay/internal/infer"
	"assay/internal/jsonsize"
	"assay/internal/samples"
	"assay/result"
)

// account infers the schema of a sample and returns how its JSON is written.
func account(t *testing.T, name, records string, data []byte, types ...string) *result.JSONSize {
	t.Helper()
	o := infer.Options{Records: records}
	for _, text := range types {
		of, err := infer.ParseOverrule("type", text)
		if err != nil {
			t.Fatal(err)
		}
		o.Overrules = append(o.Overrules, of)
	}
	r, err := infer.JSON([]infer.Source{infer.Bytes(name, data)}, o)
	if err != nil {
		t.Fatal(err)
	}
	a := jsonsize.New(r.Schema, r.Root)
	if err := r.Lines(a.Add); err != nil {
		t.Fatal(err)
	}
	size := a.Size()
	if size == nil {
		t.Fatal("no size")
	}
	sum := int64(0)
	for _, c := range size.Changes {
		sum += c.Bytes
		if jsonsize.CauseText[jsonsize.Cause(c.Cause)] == "" {
			t.Errorf("the cause %s has no text", c.Cause)
		}
		if c.Count < 1 || len(c.Where) < 1 || c.Places < len(c.Where) {
			t.Errorf("%s: %d values at %d of %d places", c.Cause, c.Count, len(c.Where), c.Places)
		}
	}
	if sum != size.Written-size.Compared || size.Compared != size.Compact {
		t.Errorf("the changes are %d bytes, the difference %d; %d of %d bytes were compared", sum, size.Written-size.Compact, size.Compared, size.Compact)
	}
	return size
}

// changed are the samples that encoding/json writes otherwise, and why. All
// others are written byte for byte as long as they are.
var changed = map[string]string{
	"packagelock": "html",
	"webhooks":    "null-left-out", // a field of one kind is null, and absent from another that cannot be told from it
	"notebook":    "null-left-out",
	"reddit":      "null-or-empty", // an empty text stands for no replies
	"mixed":       "null-left-out absent-as-null",
	"calendar":    "times",
	"audit":       "html",
	"feed":        "html",
	"csv":         "html",
	"pages":       "html",
	"invoices":    "numbers",
	"escapes":     "escapes numbers",
	"routes":      "null-or-empty numbers",
}

func TestSamples(t *testing.T) {
	left := map[string]bool{}
	for name := range changed {
		left[name] = true
	}
	for _, s := range samples.All() {
		delete(left, s.Name)
		t.Run(s.Name, func(t *testing.T) {
			size := account(t, s.File(), s.Records, s.JSON(0))
			var causes []string
			for _, c := range size.Changes {
				causes = append(causes, c.Cause)
			}
			if got := strings.Join(causes, " "); got != changed[s.Name] {
				t.Errorf("changed by %q, want %q", got, changed[s.Name])
			}
			if len(s.Types) == 0 {
				return
			}
			if typed := account(t, s.File(), s.Records, s.JSON(0), s.Types...); len(typed.Changes) > 0 {
				t.Errorf("with its types changed: %+v", typed.Changes)
			}
		})
	}
	for name := range left {
		t.Errorf("there is no sample %s", name)
	}
}

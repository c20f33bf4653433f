package export

import (
	"bytes"
	"fmt"
	"go/format"
	"slices"
	"strings"

	"assay/contender"
	ownproto "assay/internal/infer/protofile/own"
	"assay/schema"
)

// document returns the content of doc.go.
func document(o Options, c *contender.Contender) ([]byte, error) {
	var b bytes.Buffer
	what, by := "as "+c.Format, c.Name
	if own(c) {
		what, by = "of your .proto files", strings.TrimPrefix(by, ownproto.Prefix)
	}
	fmt.Fprintf(&b, "// Package %s encodes and decodes %s %s, by %s.\n//\n%s\n", c.Dir(), o.Root, what, by, comment(c.Text))
	if notes := o.otherwise(c); len(notes) > 0 {
		b.WriteString("//\n// Its bytes are not those of your .proto file:\n")
		for _, n := range notes {
			fmt.Fprintf(&b, "//   - %s\n", n)
		}
	}
	if len(c.Losses) > 0 {
		b.WriteString("//\n// What a round trip is known to lose:\n")
		for _, l := range c.Losses {
			fmt.Fprintf(&b, "//   - %s\n", l.In().Text)
		}
	}
	if slices.Contains(c.Traits, contender.Panics) {
		b.WriteString("//\n// Damaged input can make it panic: recover where bytes are not your own.\n")
	}
	if c.Is(contender.Unbounded) {
		b.WriteString("//\n// A few damaged bytes can exhaust memory: read nothing that is not your own.\n")
	}
	fmt.Fprintf(&b, "package %s\n", c.Dir())
	return format.Source(b.Bytes())
}

// comment formats a text as the lines of a comment.
func comment(text string) string {
	const width = 80
	var b strings.Builder
	line := "//"
	for _, word := range strings.Fields(text) {
		if len(line)+1+len(word) > width && line != "//" {
			b.WriteString(line + "\n")
			line = "//"
		}
		line += " " + word
	}
	return b.String() + line
}

// testFile returns the content of codec_test.go.
func testFile(o Options, c *contender.Contender, p *pkg) ([]byte, error) {
	data := map[string]any{
		"Package": c.Dir(), "Path": o.Module + "/" + c.Dir(), "Model": o.Module + "/model", "Root": o.Root,
		"Own":    p.declares(o.Root + "FromModel"), // has types of its own
		"Within": within(c), "ZeroNil": slices.Contains(c.Losses, contender.ZeroPointer),
		"NullNil": slices.Contains(c.Losses, contender.NullAbsent),
		"Range":   slices.Contains(c.Losses, contender.TimeRange),
		"Example": "../" + testdata + exampleFile, "Sample": "../" + testdata + sampleFile,
		"JSON": o.direct(c), "Known": ofTexts(c),
		"ProtoJSON": o.byProtojson(c),
	}
	template := testTemplate
	if own(c) {
		template = ownTestTemplate
		var err error
		if data["Types"], data["Type"], err = p.ownType(o.Root); err != nil {
			return nil, err
		}
		data["Messages"], data["InJSON"] = "../"+testdata+messagesFile, "../"+testdata+protoFile
		method := methods[c.Name]
		data["Method"], data["Lower"] = method, strings.Replace(method, "M", "m", 1)
	}
	var b bytes.Buffer
	if err := template.Execute(&b, data); err != nil {
		return nil, err
	}
	return format.Source(b.Bytes())
}

// modelTest adds a test that reads the user's records into the Go types.
func (m *Module) modelTest(o Options) error {
	var b bytes.Buffer
	if err := modelTemplate.Execute(&b, map[string]any{"Root": o.Root, "Sample": "../" + testdata + sampleFile}); err != nil {
		return err
	}
	source, err := format.Source(b.Bytes())
	m.add(modelTestFile, source)
	return err
}

// within returns the largest difference of a time after a round trip, as Go source.
func within(c *contender.Contender) string {
	has := func(l contender.Loss) bool { return slices.Contains(c.Losses, l) }
	switch {
	case has(contender.TimeMillis):
		return "time.Millisecond"
	case has(contender.TimeMicros):
		return "time.Microsecond"
	}
	return "0"
}

// ofTexts says what a contender is known to lose of strings that users have.
func ofTexts(c *contender.Contender) string {
	var known []string
	for _, l := range c.Losses {
		if l == contender.Newline || l == contender.Syntax || l == contender.NUL {
			known = append(known, l.In().Text)
		}
	}
	if len(known) == 0 {
		return ""
	}
	return "known of " + c.Name + ": " + strings.Join(known, "; ")
}

// direct reports whether a contender's own types can read the user's JSON.
func (o Options) direct(c *contender.Contender) bool {
	return c.Format == "json" && o.Spelling.Named(o.Schema)
}

// byProtojson reports whether protojson can read the user's JSON into a contender's types. It
// does not support lists of lists, JSON values as text and keys in brackets, and it reads durations
// only from strings.
func (o Options) byProtojson(c *contender.Contender) bool {
	return c.GoogleTypes && o.Proto == nil && o.Spelling.Plain(o.Schema) && !o.Schema.Has(schema.Duration) &&
		!slices.ContainsFunc(o.Schema.Messages, func(m *schema.Message) bool { return m.Bare || slices.ContainsFunc(m.Fields, bracketed) })
}

// bracketed reports whether a field's key in JSON is in brackets, in which protojson takes it for an
// extension.
func bracketed(f *schema.Field) bool {
	key := f.TextName()
	return strings.HasPrefix(key, "[") && strings.HasSuffix(key, "]")
}

// methods maps each contender whose own types lack protobuf's reflection to the method that
// encodes them. The types of other contenders are encoded by package proto.
var methods = map[string]string{
	ownproto.Prefix + "gogo/protobuf":    "Marshal",
	ownproto.Prefix + "protobuf-go-lite": "MarshalVT",
}

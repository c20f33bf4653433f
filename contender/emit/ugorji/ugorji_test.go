package ugorji

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"assay/contender"
	"assay/schema"
)

// own is a setting like those of the formats.
var own = Setting{
	Mode:    contender.Mode{Key: "ints=compact", Ops: encode, Text: "An option."},
	Session: "session=stream,ints=compact", Handle: "compact", Sets: "h.PositiveIntUnsigned = true",
}

// The keys of all modes have their axes in the order of contender.Axes.
func TestModesWith(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range ModesWith(own) {
		if seen[m.Key] {
			t.Errorf("%s is there twice", m.Key)
		}
		seen[m.Key] = true
		last := -1
		for name := range strings.SplitSeq(m.Key, ",") {
			i := slices.IndexFunc(contender.Axes, func(a contender.Axis) bool { return a.Name == name })
			if i <= last {
				t.Errorf("%s is not in the order of the axes", m.Key)
			}
			last = i
		}
	}
	for _, s := range settingsWith(own) {
		if axes := strings.Split(s.Session, ","); len(axes) != 2 || !slices.Contains(axes, s.Mode.Key) || !slices.Contains(axes, "session=stream") {
			t.Errorf("%s is not %s with session=stream", s.Session, s.Mode.Key)
		}
	}
}

var (
	bound  = regexp.MustCompile(`Mode: "([^"]*)", Ops: .* New: newRoot(\w)\}`)
	codecs = regexp.MustCompile(`(?m)^type codecRoot(\w) struct`)
	made   = regexp.MustCompile(`codec\.New(?:En|De)coderBytes\(([^,]+), (\w+)\)`)
)

// A handle with an option serves one mode. A mode with session=stream makes its Encoder and Decoder
// before the first message, and the other modes make one for each.
func TestHandles(t *testing.T) {
	text, stamp := schema.Type{Kind: schema.String}, schema.Type{Kind: schema.Timestamp}
	out, err := Emit(contender.Request{
		Schema: &schema.Schema{Name: "one", Roots: []string{"Root"}, Messages: []*schema.Message{
			{Name: "Root", Fields: []*schema.Field{
				{Name: "labels", Number: 1, Type: schema.Type{Kind: schema.Map, Key: schema.String, Elem: &text}},
				{Name: "at", Number: 2, Type: stamp},
			}},
		}},
		Package: "example.com/one", Model: "example.com/model", Contender: "x",
	}, "MsgpackHandle", "h.WriteExt = true", own)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(out.Files, func(f contender.File) bool { return f.Name == "bind.go" })
	code := string(out.Files[i].Data)
	modes := map[string]string{} // by the number of the codec
	for _, m := range bound.FindAllStringSubmatch(code, -1) {
		modes[m[2]] = m[1]
	}
	if want := 1 + len(ModesWith(own)); len(modes) != want {
		t.Fatalf("%d bindings, want %d:\n%s", len(modes), want, code)
	}
	owner := map[string]string{}
	starts := codecs.FindAllStringSubmatchIndex(code, -1)
	for k, at := range starts {
		end := len(code)
		if k+1 < len(starts) {
			end = starts[k+1][0]
		}
		mode := modes[code[at[2]:at[3]]]
		calls := made.FindAllStringSubmatch(code[at[0]:end], -1)
		if len(calls) == 0 {
			t.Errorf("mode %q makes no Encoder and no Decoder", mode)
		}
		for _, c := range calls {
			if early := c[1] == "nil"; early != slices.Contains(strings.Split(mode, ","), "session=stream") {
				t.Errorf("mode %q has the call %s", mode, c[0])
			}
			if c[2] != "plain" && owner[c[2]] != "" && owner[c[2]] != mode {
				t.Errorf("modes %q and %q share the handle %s", owner[c[2]], mode, c[2])
			}
			owner[c[2]] = mode
		}
	}
	if want := 1 + 2*len(settingsWith(own)); len(owner) != want {
		t.Errorf("%d handles are in use, want %d", len(owner), want)
	}
}

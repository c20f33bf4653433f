//go:build generated

package contenders_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"assay/bench"
	"assay/contender"
	"assay/contender/contendertest"
	"assay/contenders"
	"assay/result"
	"assay/schema"
	"assay/workload"
	"assay/workload/builtin"
	"assay/workload/probes"
)

// An exception says that a contender cannot read some values as another contender of its format
// wrote them, although each can read its own.
type exception struct {
	format string
	size   string // of the workload probes
	// readers and writers are contenders, separated by spaces.
	readers, writers string
	// panics says that the readers panic, which would end the process.
	panics bool
	why    string
}

// exceptions are all exceptions. TestFormats fails if one is no longer needed.
var exceptions = []exception{
	{format: "msgpack", size: "probe=zero-time", readers: "msgp shamaton/msgpack", writers: "ugorji/msgpack",
		why: "the zero time is written as nil, which is an error to them in the place of a time"},
	{format: "msgpack", size: "probe=zero-time", readers: "vmihailenco/msgpack", writers: "ugorji/msgpack", panics: true,
		why: "the same"},
	{format: "yaml", size: "probe=neg-zero", readers: "goccy/go-yaml", writers: "yaml/v4",
		why: "it is written as -0, which the reader takes for an integer; its own is -0.0"},
	{format: "yaml", size: "probe=unicode", readers: "yaml.v3 yaml/v4", writers: "goccy/go-yaml",
		why: "U+2028 and U+2029 are written without quotes, and to the readers they are line breaks"},
}

// private are the axes with which a mode writes messages that contenders of its format can read
// only in modes with the same axis.
var private = []string{"layout=array", "ints=fixed", "packing=packed"}

// TestFormats checks that the contenders of each format read one another's bytes, with the
// losses of both forgiven: every value that can be generated quickly, and every probe. In modes
// other than the default mode, contenders meet only one other contender.
func TestFormats(t *testing.T) {
	speakers := map[string]int{}
	for _, c := range contenders.All() {
		if speakers[c.Format]++; speakers[c.Format] == 2 {
			t.Run(c.Format, func(t *testing.T) { testFormat(t, c.Format) })
		}
	}
}

func testFormat(t *testing.T, format string) {
	server := contendertest.Serve(t, bench.Program{Workloads: builtin.All(), Bindings: bindings})
	needed := map[exception]bool{}
	for _, w := range builtin.All() {
		pairs, hub := pairsOf(w.Schema, slices.DeleteFunc(linked(w), func(c *contender.Contender) bool { return c.Format != format }))
		if len(pairs) == 0 {
			continue
		}
		for _, size := range meetings(w) {
			probe := probes.Probe{}
			if i := slices.IndexFunc(probes.All, func(p probes.Probe) bool { return w == probes.Workload && p.Size() == size.Key }); i >= 0 {
				probe = probes.All[i]
			}
			// YAML writes a line for each byte, so large values take seconds. At large sizes,
			// only default modes meet, and only with the hub, which reads all contenders. The
			// other modes meet at the small size.
			large, count := contendertest.Large(size), 3
			if large {
				if testing.Short() {
					continue
				}
				count = 2
			}
			server.Load(t, bench.Load{Workload: w.Name, Size: size.Key, Seed: 1, Inputs: max(count, probe.Inputs())})
			for _, p := range pairs {
				modes, meets := p.reader.mode+p.writer.mode != "", p.reader.Contender == hub || p.writer.Contender == hub
				if large && (modes || !meets) {
					continue
				}
				e, known := p.exception(w, size)
				if known && e.panics {
					needed[e] = needed[e] || p.panics(t, w, size, probe.Inputs())
					continue
				}
				got := server.Verify(t, p.question())
				switch {
				case got.OK || explained(probe, got, p.losses()):
				case known:
					needed[e] = true
				default:
					t.Errorf("%s %s: %s reads what %s wrote: %s: %s", w.Name, size.Key, p.reader, p.writer, got.Op, got.Reason)
				}
			}
		}
	}
	for _, e := range exceptions {
		if e.format == format && !needed[e] {
			t.Errorf("%s: %s reads what %s wrote: strike out the exception", e.size, e.readers, e.writers)
		}
	}
}

// meetings returns the sizes at which contenders read one another: every probe, every quick
// size, and a small size for each large one.
func meetings(w *workload.Workload) (sizes []workload.Size) {
	for _, size := range w.Sizes {
		if w == probes.Workload || size.Quick {
			sizes = append(sizes, size)
		}
		if size.Quick && contendertest.Large(size) {
			sizes = append(sizes, contendertest.Small(w, size))
		}
	}
	return sizes
}

// explained reports whether a declared loss explains why a contender could not read a probe. A
// changed value is not explained by a loss that verification forgives.
func explained(p probes.Probe, got *bench.Verified, losses []string) bool {
	return slices.ContainsFunc(p.Losses, func(l contender.Loss) bool {
		return slices.Contains(losses, string(l)) && !(got.Changed && l.In().Forgiven)
	})
}

// A pair is two contenders of a format.
type pair struct{ reader, writer speaker }

// A speaker is a contender in one of its modes.
type speaker struct {
	*contender.Contender
	mode string
}

func (s speaker) subject() result.Subject {
	return result.Subject{Contender: s.Name, Mode: s.mode}
}

func (s speaker) String() string { return s.subject().String() }

// reads reports whether a contender in its default mode can read what another contender of its
// format writes in its default mode.
func reads(reader, writer *contender.Contender) bool {
	return reader != writer && reader.Format == writer.Format && decodes(reader, "") && encodes(writer, "")
}

// pairsOf returns all pairs of different contenders of one format for a schema, in their default modes, and
// in each private mode that both have. The hub is the first contender that both encodes and
// decodes. It meets the other contenders in all of their modes and of its own.
func pairsOf(s *schema.Schema, all []*contender.Contender) (pairs []pair, hub *contender.Contender) {
	if i := slices.IndexFunc(all, func(c *contender.Contender) bool { return encodes(c, "") && decodes(c, "") }); i >= 0 {
		hub = all[i]
	}
	for _, reader := range all {
		for _, writer := range all {
			if !reads(reader, writer) {
				continue
			}
			pairs = append(pairs, pair{speaker{reader, ""}, speaker{writer, ""}})
			for _, mode := range private {
				if offers(reader, mode, result.Decode) && offers(writer, mode, result.Encode) {
					pairs = append(pairs, pair{speaker{reader, mode}, speaker{writer, mode}})
				}
			}
			if reader != hub && writer != hub {
				continue
			}
			for _, mode := range public(s, reader, result.Decode) {
				pairs = append(pairs, pair{speaker{reader, mode}, speaker{writer, ""}})
			}
			for _, mode := range public(s, writer, result.Encode) {
				pairs = append(pairs, pair{speaker{reader, ""}, speaker{writer, mode}})
			}
		}
	}
	return pairs, hub
}

// public returns the modes of a contender, without the default mode, that have an op and no
// private axis.
func public(s *schema.Schema, c *contender.Contender, op result.Op) []string {
	return slices.DeleteFunc(modesFor(c, s), func(mode string) bool {
		return mode == "" || !offers(c, mode, op) ||
			slices.ContainsFunc(strings.Split(mode, ","), func(axis string) bool { return slices.Contains(private, axis) })
	})
}

// question returns the command that makes the reader read what the writer writes.
func (p pair) question() bench.Verify {
	from := p.writer.subject()
	return bench.Verify{Subject: p.reader.subject(), From: &from, Losses: p.losses()}
}

// losses returns the declared losses of both contenders. A reader that has a mode with parts of the writer's
// too, such as time=unix, loses what it declares for that mode: what such modes write, it reads so from
// everyone.
func (p pair) losses() []string {
	both := slices.Concat(contendertest.LossesIn(p.reader.Contender, p.reader.mode), contendertest.LossesIn(p.writer.Contender, p.writer.mode))
	parts := strings.Split(p.writer.mode, ",")
	for _, m := range p.reader.Modes {
		ofWriter := !slices.ContainsFunc(strings.Split(m.Key, ","), func(part string) bool { return !slices.Contains(parts, part) })
		if ofWriter && slices.Contains(m.Ops, result.Decode) {
			both = append(both, contendertest.LossesIn(p.reader.Contender, m.Key)...)
		}
	}
	return both
}

// exception returns the exception that covers the pair.
func (p pair) exception(w *workload.Workload, size workload.Size) (exception, bool) {
	for _, e := range exceptions {
		if w == probes.Workload && e.size == size.Key &&
			slices.Contains(strings.Fields(e.readers), p.reader.Name) && slices.Contains(strings.Fields(e.writers), p.writer.Name) {
			return e, true
		}
	}
	return exception{}, false
}

// panics reports whether the reader panics on one of n values.
func (p pair) panics(t *testing.T, w *workload.Workload, size workload.Size, n int) (panicked bool) {
	t.Helper()
	messages := written(t, w, size, p.writer.Contender, p.writer.mode, n)
	codec, err := bindingOf(t, w, size, p.reader.Contender, p.reader.mode).New(valuesOf(t, w, size, n))
	if err != nil {
		t.Fatal(err)
	}
	codec.Use(messages)
	codec.Seek(0)
	defer func() { panicked = recover() != nil }()
	codec.Decode(n)
	return false
}

// linked returns the contenders with bindings to a workload in this program.
func linked(w *workload.Workload) []*contender.Contender {
	return slices.DeleteFunc(contenders.All(), func(c *contender.Contender) bool {
		return !slices.ContainsFunc(bindings, func(b bench.Binding) bool { return b.Contender == c.Name && b.Workload == w.Name })
	})
}

// valuesOf returns n values of a size, as a slice of the root's model type.
func valuesOf(t *testing.T, w *workload.Workload, size workload.Size, n int) any {
	t.Helper()
	values, err := w.Generate(size, 1, n)
	if err != nil {
		t.Fatal(err)
	}
	return values
}

// bindingOf returns the binding of a contender's mode to the root of a size.
func bindingOf(t *testing.T, w *workload.Workload, size workload.Size, c *contender.Contender, mode string) bench.Binding {
	t.Helper()
	i := slices.IndexFunc(bindings, func(b bench.Binding) bool {
		return b.Contender == c.Name && b.Workload == w.Name && b.Root == size.Root && b.Mode == mode
	})
	if i < 0 {
		t.Fatalf("%s has no mode %q for %s of %s", c.Name, mode, size.Root, w.Name)
	}
	return bindings[i]
}

// written returns the bytes of n values of a size in a contender's mode.
func written(t *testing.T, w *workload.Workload, size workload.Size, c *contender.Contender, mode string, n int) [][]byte {
	t.Helper()
	return encodings(t, bindingOf(t, w, size, c, mode), valuesOf(t, w, size, n), n)
}

// first returns the bytes of the first value of a size in a contender's default
// mode.
func first(t *testing.T, w *workload.Workload, size workload.Size, c *contender.Contender) []byte {
	t.Helper()
	return written(t, w, size, c, "", 1)[0]
}

// TestReuse checks that a reused buffer does not change the written bytes, and that a JSON
// stream adds only a newline to each document. It leaves out contenders whose order of map
// entries varies, because their bytes cannot be compared.
func TestReuse(t *testing.T) {
	for _, w := range builtin.All() {
		for _, size := range w.Sizes {
			if !size.Quick {
				continue
			}
			for _, c := range linked(w) {
				if w.Schema.Has(schema.Map) && !c.Is(contender.Deterministic) && !c.SpacesVary {
					continue
				}
				ends := map[string]string{"output=reuse": ""}
				if c.Format == "json" {
					ends["output=reuse,session=stream"] = "\n"
				}
				for mode, end := range ends {
					if !encodes(c, mode) {
						continue
					}
					got := written(t, w, size, c, mode, 3)
					for i, want := range written(t, w, size, c, "", 3) {
						if string(got[i]) != string(want)+end {
							t.Errorf("%s %s of %s, input %d: in mode %q it is %d bytes that end in %q, in the default mode %d that end in %q",
								w.Name, size.Key, c.Name, i, mode, len(got[i]), got[i][max(0, len(got[i])-4):], len(want), want[max(0, len(want)-4):])
						}
					}
				}
			}
		}
	}
}

// TestJSONKeys checks the documents of the JSON contenders against the schema: every object has
// all keys of its message, except those that may be omitted, and no others.
func TestJSONKeys(t *testing.T) {
	for _, w := range builtin.All() {
		for _, size := range w.Sizes {
			if !size.Default {
				continue
			}
			for _, c := range linked(w) {
				if c.Format != "json" || !encodes(c, "") {
					continue
				}
				var doc any
				if err := json.Unmarshal(first(t, w, size, c), &doc); err != nil {
					t.Errorf("%s %s of %s: %v", w.Name, size.Key, c.Name, err)
					continue
				}
				k := keys{w.Schema}
				if err := k.message(w.Schema.Message(size.Root), doc); err != nil {
					t.Errorf("%s %s of %s: %v", w.Name, size.Key, c.Name, err)
				}
			}
		}
	}
}

// keys compares JSON documents with a schema.
type keys struct{ *schema.Schema }

func (k keys) message(m *schema.Message, doc any) error {
	if m.Bare {
		return k.value(m.Fields[0].Type, doc)
	}
	object, ok := doc.(map[string]any)
	if !ok {
		return fmt.Errorf("%s is %T, want an object", m.Name, doc)
	}
	known := 0
	for _, f := range m.Fields {
		v, ok := object[f.TextName()]
		switch {
		case ok:
			known++
		case !f.OmitEmpty:
			return fmt.Errorf("%s has no key %q", m.Name, f.TextName())
		default:
			continue
		}
		if f.Type.Optional && v == nil {
			continue
		}
		if err := k.value(f.Type, v); err != nil {
			return fmt.Errorf("%s.%s: %w", m.Name, f.Name, err)
		}
	}
	if known != len(object) {
		return fmt.Errorf("%s has %d keys, of which %d are in the schema", m.Name, len(object), known)
	}
	return nil
}

func (k keys) value(t schema.Type, doc any) error {
	switch t.Kind {
	case schema.MessageKind:
		return k.message(k.Message(t.Ref), doc)
	case schema.List:
		list, ok := doc.([]any)
		if !ok {
			return fmt.Errorf("a list is %T", doc)
		}
		for _, e := range list {
			if err := k.value(*t.Elem, e); err != nil {
				return err
			}
		}
	case schema.Map:
		object, ok := doc.(map[string]any)
		if !ok {
			return fmt.Errorf("a map is %T", doc)
		}
		for _, e := range object {
			if err := k.value(*t.Elem, e); err != nil {
				return err
			}
		}
	}
	return nil
}

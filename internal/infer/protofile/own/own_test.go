package own_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"

	"assay"
	"assay/contender"
	"assay/contenders"
	"assay/internal/build"
	"assay/internal/cachedir/cachetest"
	"assay/internal/drive"
	"assay/internal/infer"
	"assay/internal/infer/protofile"
	"assay/internal/infer/protofile/own"
	"assay/internal/userdata"
	"assay/internal/verify"
	"assay/result"
)

// A sample is a .proto file and records.
type sample struct{ name, file, message, records string }

var samples = []sample{
	{"kinds", "kinds/kinds.proto", "Kinds", "kinds/kinds.ndjson"},
	{"legacy", "legacy/legacy.proto", "Record", "legacy/legacy.txtpb"},
	{"editions", "editions/editions.proto", "Event", "editions/editions.ndjson"},
	{"hostile", "hostile/größe x.proto", "Bindings", "hostile/model.ndjson"},
	{"imports", "imports/order.proto", "shop.Order", "imports/order.ndjson"},
}

func (s sample) read(t *testing.T) *protofile.Result {
	t.Helper()
	sources, done, err := infer.Files(t.Context(), []string{filepath.Join("testdata", s.records)}, nil, infer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(done)
	r, err := protofile.Read(t.Context(), protofile.Options{
		Files: []string{filepath.Join("testdata", s.file)}, Message: s.message, Name: s.name, Samples: sources,
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Code that is generated from an unchanged .proto file compiles in one program with the code of the
// neutral schema, and returns every record unchanged. It writes as many bytes as the records have.
func TestContenders(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds programs")
	}
	cache := cachetest.Shared(t)
	for _, s := range samples {
		t.Run(s.name, func(t *testing.T) {
			read := s.read(t)
			d, err := userdata.New(cache, userdata.Messages([]string{s.records}, read))
			if err != nil {
				t.Fatal(err)
			}
			c := checked{t: t, sample: s, data: d, options: build.Options{Source: assay.Source, Cache: cache}}
			c.contenders = slices.Concat(d.Own, named("protobuf", "vtprotobuf", "protojson"))
			res := c.verify(c.build())
			want := s.bytes(t, read)
			found := false
			for _, v := range res.Verifications {
				if v.From == nil && v.Contender == own.Name && v.Mode == "" {
					found = true
					if v.Encoded != want {
						t.Errorf("%s writes %d bytes, want the %d of the records", own.Name, v.Encoded, want)
					}
				}
			}
			if !found {
				t.Errorf("%s was not verified", own.Name)
			}
		})
	}
}

// checked is one sample with its contenders.
type checked struct {
	t          *testing.T
	sample     sample
	data       *userdata.Data
	options    build.Options
	contenders []*contender.Contender
}

// fails reports the failure of a contender unless limits expects it.
func (c *checked) fails(name, why string) {
	c.t.Helper()
	want, ok := limits[c.sample.name+" "+name]
	if !ok || !strings.Contains(why, want) {
		c.t.Errorf("%s: %s", name, why)
	}
}

// build builds a runner.
func (c *checked) build() *build.Runner {
	c.t.Helper()
	packages, err := c.data.Generate(c.t.Context(), c.options, c.contenders, false)
	if err != nil {
		c.t.Fatal(err)
	}
	for name, why := range packages.LeftOut {
		c.fails(name, why.Text)
	}
	c.options.Generated, c.options.Extra = packages.Files, packages.Extra
	r, err := build.Make(c.t.Context(), c.options, build.Spec{Contenders: packages.Contenders}, nil)
	if err != nil {
		c.t.Fatal(err)
	}
	for name, f := range r.Failed {
		c.fails(name, f.Reason)
	}
	c.contenders = slices.DeleteFunc(c.contenders, func(x *contender.Contender) bool {
		return !slices.ContainsFunc(r.Spec.Contenders, func(y build.Contender) bool { return x.Name == y.Name })
	})
	return r
}

// verify verifies every case.
func (c *checked) verify(r *build.Runner) verify.Result {
	c.t.Helper()
	cfg := verify.Config{
		Runner: drive.Runner{
			Binary: func(uint64) drive.Binary { return drive.Binary{Path: r.Path(0)} },
			Data:   func(string, string) string { return c.data.All() },
		},
		Losses: map[string][]string{}, Formats: map[string]string{}, Sizes: true,
	}
	for _, x := range c.contenders {
		cfg.Formats[x.Name] = x.Format
		for _, l := range x.Losses {
			cfg.Losses[x.Name] = append(cfg.Losses[x.Name], string(l))
		}
		cfg.Cases = append(cfg.Cases, casesOf(x, c.data)...)
	}
	res, err := verify.Run(c.t.Context(), cfg, func(result.Record) error { return nil }, func(drive.Event) {})
	if err != nil {
		c.t.Fatal(err)
	}
	for _, o := range res.Outcomes {
		c.fails(o.Case.Contender, o.Case.String()+": "+o.Reason)
	}
	return res
}

// bytes returns the size of the records as messages in bytes.
func (s sample) bytes(t *testing.T, r *protofile.Result) (n int64) {
	t.Helper()
	files, err := protodesc.NewFiles(&descriptorpb.FileDescriptorSet{File: r.Descriptors()})
	if err != nil {
		t.Fatal(err)
	}
	types := dynamicpb.NewTypes(files)
	data, err := os.ReadFile(filepath.Join("testdata", s.records))
	if err != nil {
		t.Fatal(err)
	}
	texts := [][]byte{data}
	if filepath.Ext(s.records) == ".ndjson" {
		texts = slices.Collect(bytes.Lines(data))
	}
	for _, text := range texts {
		m := dynamicpb.NewMessage(r.Descriptor())
		if filepath.Ext(s.records) == ".ndjson" {
			err = protojson.UnmarshalOptions{Resolver: types}.Unmarshal(text, m)
		} else {
			err = prototext.UnmarshalOptions{Resolver: types}.Unmarshal(text, m)
		}
		if err != nil {
			t.Fatal(err)
		}
		n += int64(proto.Size(m))
	}
	return n
}

func named(names ...string) []*contender.Contender {
	return slices.DeleteFunc(slices.Clone(contenders.All()), func(c *contender.Contender) bool { return !slices.Contains(names, c.Name) })
}

func casesOf(c *contender.Contender, d *userdata.Data) []result.Case {
	var all []result.Case
	add := func(mode string, ops []result.Op) {
		for _, op := range ops {
			all = append(all, result.Case{Workload: d.Schema.Name, Size: d.Size().Key, Contender: c.Name, Mode: mode, Op: op})
		}
	}
	add("", c.Ops)
	for _, m := range c.ModesFor(d.Schema) {
		add(m.Key, m.Ops)
	}
	return all
}

// limits has the failures of contenders whose libraries do not support a file, by sample and name.
var limits = map[string]string{
	"kinds own/protobuf-go-lite":    "the library has no package for google/protobuf/field_mask.proto",
	"legacy own/gogo/protobuf":      "marshaler does not support group",
	"legacy own/vtprotobuf":         "is a group in a list or a oneof",
	"legacy own/protobuf-go-lite":   "is a group in a list or a oneof",
	"editions own/gogo/protobuf":    "is of an edition",
	"editions own/vtprotobuf":       "Event.delta has implicit presence in a file of an edition",
	"editions own/protobuf-go-lite": "closed Edition enums are not supported",
	"hostile own/gogo/protobuf":     "m.X undefined", // of a field under__score
	"imports own/gogo/protobuf":     `Thing.Inner.Note: a pointer to "n" became nil`,
	"imports own/vtprotobuf":        `Thing.Inner.Note: a pointer to "n" became nil`,
	"imports own/protobuf-go-lite":  `Thing.Inner.Note: a pointer to "n" became nil`,
}

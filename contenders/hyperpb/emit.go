package hyperpb

import (
	"strings"

	"assay/contender"
	"assay/contender/emit"
	"assay/contender/protoc"
	"assay/schema"
)

const (
	generator = "google.golang.org/protobuf/cmd/protoc-gen-go"
	library   = "buf.build/go/hyperpb"
)

func emitPackage(req contender.Request) (contender.Output, error) {
	// The types of Google's library provide the descriptors, and encode the messages that
	// hyperpb decodes.
	request := protoc.Request(protoc.OptionsFor(req))
	write := usage("")
	write.Encode = "own := new($R)\nfrom$R(own, in[i])\nout, err = proto.Marshal(own)"
	write.Borrows = true
	binder := &emit.Binder{
		Direct:  true,
		Imports: []string{library, "google.golang.org/protobuf/proto"},
		Usages: []emit.Usage{
			write,
			usage("strings=alias"),
			usage("pool=on"),
			usage("strings=alias,pool=on"),
			usage("profile=on"),
			usage("strings=alias,pool=on,profile=on"),
		},
	}
	out, err := emit.Plugged(req, emit.ProtocGenGo(), binder, contender.Plugin{Tool: generator, Request: request})
	if err != nil {
		return contender.Output{}, err
	}
	data, err := access(req)
	out.Files = append(out.Files, contender.File{Name: "read.go", Data: data})
	return out, err
}

// usage returns a mode. The last decoded message stays valid until the next call, even with the
// pool.
func usage(mode string) emit.Usage {
	alias, pool, profile := strings.Contains(mode, "strings=alias"), strings.Contains(mode, "pool=on"), strings.Contains(mode, "profile=on")
	kind, message, options, free, clone := "type$R()", "hyperpb.NewMessage(c.t)", "", "", "false"
	if profile {
		// The profile is recorded here and not when the messages are set: assay sets other messages
		// between batches, and values that are kept would keep a type for each time.
		kind = "profiled$R(c.in)"
	}
	if alias {
		options = ", hyperpb.WithAllowAlias(true)"
	}
	if pool {
		message, free, clone = "c.shared.NewMessage(c.t)", "if c.used {\nc.shared.Free()\n}\nc.used = true\n", "true"
	}
	parse := strings.NewReplacer("$kind", kind, "$message", message, "$options", options, "$free", free, "$clone", clone).Replace
	u := emit.Usage{
		Mode:   mode,
		Fields: "t *hyperpb.MessageType\nr *reader",
		Start:  parse("c.t = $kind\nc.r = newReader($clone)"),
		Holds:  "*hyperpb.Message",
		Decode: parse("$free" + "v = $message\nerr = v.Unmarshal(data$options)"),
		Model:  "c.r.unpack$R(m, v)",
		Scan:   parse("$free" + "m := $message\nif err = m.Unmarshal(data$options); err == nil {\nsum += c.r.sum$R(m)\n}"),
	}
	if pool {
		u.Fields += "\nshared hyperpb.Shared\nused bool // what came from shared was not freed"
	}
	if profile {
		u.Refuses = unprofiled
	}
	return u
}

// lutFields is the highest number of a field whose tag is one byte. The parser finds such a field
// by a table that no profile changes.
const lutFields = 15

// unprofiled refuses modes with a profile. It refuses schemas that the library then reads wrongly: of
// all places that take memory for as many elements as the profile tells, only those for lists of
// strings and of bytes leave so many elements in the list. It also refuses schemas for which the
// profile changes nothing: lists of other scalars ignore it.
func unprofiled(s *schema.Schema) *contender.Unsupported {
	changes := false
	for _, m := range s.Messages {
		for _, f := range m.Fields {
			changes = changes || f.Number > lutFields || f.Type.Kind == schema.Map
			if f.Type.Kind != schema.List {
				continue
			}
			switch f.Type.Elem.Kind {
			case schema.String, schema.Bytes:
				return &contender.Unsupported{
					Field:  m.Name + "." + f.Name,
					Reason: "a parser that the library compiled with a profile returns empty elements before those of a list of strings or bytes (v0.1.3)",
				}
			case schema.MessageKind, schema.Timestamp, schema.Duration:
				changes = true
			}
		}
	}
	if !changes {
		return &contender.Unsupported{
			Field:  s.Roots[0],
			Reason: "the schema has no maps, no lists of messages and no field numbers above 15, so the parser would be the same without the profile",
		}
	}
	return nil
}

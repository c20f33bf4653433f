package hyperpb

import (
	"strings"

	"assay/contender"
	"assay/contender/emit"
	"assay/contender/protoc"
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
	alias, pool := strings.Contains(mode, "strings=alias"), strings.Contains(mode, "pool=on")
	message, options, free, clone := "hyperpb.NewMessage(c.t)", "", "", "false"
	if alias {
		options = ", hyperpb.WithAllowAlias(true)"
	}
	if pool {
		message, free, clone = "c.shared.NewMessage(c.t)", "if c.used {\nc.shared.Free()\n}\nc.used = true\n", "true"
	}
	parse := strings.NewReplacer("$message", message, "$options", options, "$free", free, "$clone", clone).Replace
	u := emit.Usage{
		Mode:   mode,
		Fields: "t *hyperpb.MessageType\nr *reader",
		Start:  parse("c.t = type$R()\nc.r = newReader($clone)"),
		Holds:  "*hyperpb.Message",
		Decode: parse("$free" + "v = $message\nerr = v.Unmarshal(data$options)"),
		Model:  "c.r.unpack$R(m, v)",
		Scan:   parse("$free" + "m := $message\nif err = m.Unmarshal(data$options); err == nil {\nsum += c.r.sum$R(m)\n}"),
	}
	if pool {
		u.Fields += "\nshared hyperpb.Shared\nused bool // what came from shared was not freed"
	}
	return u
}

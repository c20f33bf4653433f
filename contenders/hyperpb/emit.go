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
	// The types of Google's library are for its descriptors, and to write what
	// is to be read.
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

// usage returns a mode.
func usage(mode string) emit.Usage {
	alias, pool := strings.Contains(mode, "strings=alias"), strings.Contains(mode, "pool=on")
	u := emit.Usage{
		Mode:   mode,
		Fields: "t *hyperpb.MessageType\nr *reader",
		Start:  "c.t = type$R()\nc.r = newReader($clone)",
	}
	message, options, free, clone := "hyperpb.NewMessage(c.t)", "", "", "false"
	if alias {
		options = ", hyperpb.WithAllowAlias(true)"
	}
	if pool {
		u.Fields += "\nshared hyperpb.Shared"
		message, free, clone = "c.shared.NewMessage(c.t)", "c.shared.Free()", "true"
	}
	parse := strings.NewReplacer("$message", message, "$options", options, "$free", free, "$clone", clone)
	u.Start = parse.Replace(u.Start)
	u.Open = parse.Replace("m := $message\nif err := m.Unmarshal(data$options); err != nil {\nreturn ops, err\n}\nif m.IsValid() {\nsum++\n}\n$free")
	u.Scan = parse.Replace("m := $message\nif err = m.Unmarshal(data$options); err == nil {\nsum += c.r.sum$R(m)\n}\n$free")
	if !alias || !pool {
		u.Decode = parse.Replace("m := $message\nif err = m.Unmarshal(data$options); err == nil {\nv = new($M)\nc.r.unpack$R(v, m)\n}\n$free")
	}
	return u
}

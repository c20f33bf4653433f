package capnp

import (
	"fmt"

	"assay/contender"
	"assay/contender/emit"
	idl "assay/contender/emit/capnp"
	"assay/result"
	"assay/schema/text"
)

// generator wraps the library's code generator in the protocol of a plugin. compiler is that
// code generator, a program whose code cannot be imported.
const (
	generator = "assay/contenders/capnp/generator"
	compiler  = "capnproto.org/go/capnp/v3/capnpc-go"
)

func emitPackage(req contender.Request) (contender.Output, error) {
	layout, err := idl.New(req.Schema, req.Package)
	if err != nil {
		return contender.Output{}, err
	}
	files, err := layout.Files(req.Model)
	if err != nil {
		return contender.Output{}, err
	}
	binder := &emit.Binder{
		Stream: &emit.Stream{
			Fields: "msg *capnp.Message\nenc *capnp.Encoder\ndec *capnp.Decoder",
			Create: "c.msg, _ = capnp.NewSingleSegmentMessage(nil)\nc.enc = capnp.NewEncoder(c.w)",
			Write:  "seg, failed := c.msg.Reset(capnp.SingleSegment(nil))\nif err = failed; err == nil {\nerr = build$R(seg, in)\n}\nif err == nil {\nerr = c.enc.Encode(c.msg)\n}",
			// The default limit of a message is 64 MiB.
			Open: "c.dec = capnp.NewDecoder(c.r)\nc.dec.MaxMessageSize = math.MaxInt32",
			Read: "msg, failed := c.dec.Decode()\nif err = failed; err == nil {\nv = new($M)\nerr = read$R(v, msg)\nmsg.Release()\n}", Imports: []string{"math"},
		},
		Direct:  true,
		Imports: []string{"bytes"},
		Named:   map[string]string{idl.Library: "capnp"},
		Usages: []emit.Usage{
			usage("", "Marshal", "Unmarshal", ""),
			{
				Mode:   "output=reuse",
				Fields: "msg *capnp.Message\nbuf bytes.Buffer\nenc *capnp.Encoder",
				Start:  "c.msg, _ = capnp.NewSingleSegmentMessage(nil)\nc.enc = capnp.NewEncoder(&c.buf)",
				Encode: `seg, failed := c.msg.Reset(capnp.SingleSegment(nil))
					if err = failed; err == nil {
						err = build$R(seg, in[i])
					}
					if err == nil {
						c.buf.Reset()
						err = c.enc.Encode(c.msg)
						out = c.buf.Bytes()
					}`,
			},
			{
				Mode:  "target=reuse",
				Only:  []result.Op{result.Decode},
				Start: "c.v = new($M)",
				Decode: `msg, failed := capnp.Unmarshal(data)
					if err = failed; err == nil {
						*v = *new($M)
						err = read$R(v, msg)
					}`,
			},
			usage("pool=on", "Marshal", "Unmarshal", "msg.Release()"),
			usage("packing=packed", "MarshalPacked", "UnmarshalPacked", ""),
		},
	}
	// Packing omits zeros, so a message may end with the offset of an empty struct.
	binder.Usages[len(binder.Usages)-1].Slack = true
	bind, err := binder.Write(req)
	if err != nil {
		return contender.Output{}, err
	}
	request := fmt.Appendf(nil, "#assay:package %s\n%s", req.Package, text.Format(req.Schema))
	return contender.Output{
		Files:   append(files, bind),
		Plugins: []contender.Plugin{{Tool: generator, Uses: []string{compiler}, Request: request}},
	}, nil
}

// usage returns a mode that uses the given functions. Release runs after the use of a message.
func usage(mode, marshal, unmarshal, release string) emit.Usage {
	return emit.Usage{
		Mode: mode,
		Encode: `msg, seg := capnp.NewSingleSegmentMessage(nil)
			if err = build$R(seg, in[i]); err == nil {
				out, err = msg.` + marshal + `()
			}
			` + release,
		Decode: `msg, failed := capnp.` + unmarshal + `(data)
			if err = failed; err == nil {
				v = new($M)
				err = read$R(v, msg)
				` + release + `
			}`,
		Open: `msg, err := capnp.` + unmarshal + `(data)
			if err != nil {
				return ops, err
			}
			root, err := root$R(msg)
			if err != nil {
				return ops, err
			}
			sum += uint64(capnp.Struct(root).Size().PointerCount)
			` + release,
		Scan: `msg, failed := capnp.` + unmarshal + `(data)
			if err = failed; err == nil {
				var leaves uint64
				leaves, err = sumOf$R(msg)
				sum += leaves
				` + release + `
			}`,
	}
}

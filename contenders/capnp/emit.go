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
	// The modes' bindings need their functions, and nothing else does. Refusing may have bytes
	// where the schema has none.
	bound := !req.Alone && !req.Stream
	files, err := layout.Files(req.Model, idl.Modes{Reuse: bound, Alias: bound && emit.AliasesBytes(req.Refusing()) == nil})
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
			usage("", "Marshal", "capnp.Unmarshal", ""),
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
			reuse(),
			{
				Mode:    "strings=alias",
				Refuses: emit.AliasesBytes,
				Only:    []result.Op{result.Decode},
				Decode: `msg, failed := capnp.Unmarshal(data)
					if err = failed; err == nil {
						v = new($M)
						err = view$R(v, msg)
					}`,
			},
			usage("pool=on", "Marshal", "capnp.Unmarshal", "msg.Release()"),
			usage("packing=packed", "MarshalPacked", "capnp.UnmarshalPacked", ""),
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

// reuse returns the mode target=reuse. Its message is released when the next one is read.
func reuse() emit.Usage {
	u := usage("target=reuse", "", "c.r.unmarshal", "")
	u.Only = []result.Op{result.Decode, result.Open, result.Scan}
	u.Fields = "r reader"
	u.Start = "c.v = new($M)"
	u.Encode = ""
	u.Decode = `msg, failed := c.r.unmarshal(data)
		if err = failed; err == nil {
			*v = *new($M)
			err = read$R(v, msg)
		}`
	return u
}

// usage returns a mode that uses the given method of a Message and the given function. Release
// runs after the use of a message.
func usage(mode, marshal, unmarshal, release string) emit.Usage {
	return emit.Usage{
		Mode: mode,
		Encode: `msg, seg := capnp.NewSingleSegmentMessage(nil)
			if err = build$R(seg, in[i]); err == nil {
				out, err = msg.` + marshal + `()
			}
			` + release,
		Decode: `msg, failed := ` + unmarshal + `(data)
			if err = failed; err == nil {
				v = new($M)
				err = read$R(v, msg)
				` + release + `
			}`,
		Open: `msg, err := ` + unmarshal + `(data)
			if err != nil {
				return ops, err
			}
			root, err := root$R(msg)
			if err != nil {
				return ops, err
			}
			sum += uint64(capnp.Struct(root).Size().PointerCount)
			` + release,
		Scan: `msg, failed := ` + unmarshal + `(data)
			if err = failed; err == nil {
				var leaves uint64
				leaves, err = sumOf$R(msg)
				sum += leaves
				` + release + `
			}`,
	}
}

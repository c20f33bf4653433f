// Package thrift is shared by the contenders of Thrift: it writes the code that Thrift's own
// compiler would write. Protocols differ only behind thrift.TProtocol.
package thrift

import (
	"strconv"

	"assay/contender"
	"assay/contender/emit"
	"assay/result"
	"assay/schema"
)

// Constants of the library.
const (
	Module  = "github.com/apache/thrift"
	License = "Apache-2.0"
	library = Module + "/lib/go/thrift"
)

// Traits are the traits of the library in any protocol.
var Traits = []contender.Trait{contender.Codegen, contender.CrossLanguage, contender.Streaming, contender.Evolvable, contender.PureGo}

// Ops are the ops of the default mode.
var Ops = []result.Op{result.Encode, result.Decode, result.Scan, result.Convert}

// Modes are the modes besides the default mode.
var Modes = []contender.Mode{
	{Key: "output=reuse", Ops: []result.Op{result.Encode}, Text: "Struct.Write to one protocol over a TMemoryBuffer that is reset for each message. TSerializer, in contrast, copies the bytes out of its buffer."},
	emit.ProgramMode,
}

// Losses are the losses in any protocol.
var Losses = []contender.Loss{contender.NilEmpty, contender.TimeZone, contender.TimeRange, contender.Depth}

// Text is the part of the contenders' texts that they share.
const Text = "The thrift compiler is a C++ program, so assay writes the Read and Write methods that the compiler would write. Fields have default requiredness unless they are optional. Encode and decode call TSerializerPool and TDeserializerPool. " +
	"Thrift has no unsigned integers, no float32 and no times: a uint32 is an i64, a uint64 is an i64 of the same bits, a float32 is a double, a time is an i64 of nanoseconds since 1970, and a duration is an i64. A document cannot be a list or map, so each such document is a struct of one field. " +
	"Structs are held by pointer. By the library's limits, structs may be nested 64 deep, and a string may be at most 100 MiB long. A length cannot reserve more memory than the bytes left in the message allow. " +
	"It is not offered with target=reuse, because Read does not change fields that the message does not have."

// Emit returns the package of a contender. Factory is the name of the library's function that
// makes the factory of its protocols.
func Emit(req contender.Request, factory string) (contender.Output, error) {
	style := &emit.Style{
		Pointers: true,
		Wrapped:  true,
		Leaf: map[schema.Kind]emit.Leaf{
			schema.Uint32:    {Go: "int64", From: "int64(%)", To: "uint32(%)"},
			schema.Uint64:    {Go: "int64", From: "int64(%)", To: "uint64(%)"},
			schema.Float32:   {Go: "float64", From: "float64(%)", To: "float32(%)"},
			schema.Timestamp: {Go: "int64", From: "(%).UnixNano()", To: "time.Unix(0, %).UTC()"},
			schema.Duration:  {Go: "int64", From: "int64(%)", To: "time.Duration(%)"},
		},
		Optional: map[schema.Kind]emit.Leaf{schema.Bytes: emit.PresentBytes},
	}
	types := emit.NewSource(req.Package, "assay")
	types.Import("context", "fmt", library)
	style.Types(types, req.Schema, func(m *schema.Message, f *schema.Field) string {
		return `thrift:"` + f.Name + "," + strconv.Itoa(f.Number) + `"`
	}, [2]string{})
	for _, m := range req.Schema.Messages {
		if err := (&writer{out: types, style: style, message: m}).write(); err != nil {
			return contender.Output{}, err
		}
	}
	types.P(`var (
ctx = context.Background()
protocols = thrift.%s(nil)
serializers = thrift.NewTSerializerPoolSizeFactory(1024, protocols)
deserializers = thrift.NewTDeserializerPoolSizeFactory(1024, protocols)
)`, factory)
	byDefault := emit.Usage{
		Encode: "out, err = serializers.Write(ctx, in[i])",
		Decode: "v = new($T)\nerr = deserializers.Read(ctx, v, data)",
	}
	binder := &emit.Binder{
		Stream: &emit.Stream{
			Fields:  "frames *thrift.TFramedTransport\nprotocol thrift.TProtocol",
			Create:  framed("thrift.NewStreamTransportW(c.w)"),
			Write:   "if err = in.Write(ctx, c.protocol); err == nil {\nerr = c.protocol.Flush(ctx)\n}",
			Open:    framed("thrift.NewStreamTransportR(c.r)"),
			Read:    "v = new($T)\nerr = v.Read(ctx, c.protocol)",
			Imports: []string{"math"},
		},
		Imports: []string{library},
		Usages: []emit.Usage{
			byDefault,
			{
				Mode:   "output=reuse",
				Only:   []result.Op{result.Encode},
				Fields: "buf *thrift.TMemoryBuffer\nprotocol thrift.TProtocol",
				Start:  "c.buf = thrift.NewTMemoryBufferLen(1024)\nc.protocol = protocols.GetProtocol(c.buf)",
				Encode: "c.buf.Reset()\nif err = in[i].Write(ctx, c.protocol); err == nil {\nerr = c.protocol.Flush(ctx)\n}\nout = c.buf.Bytes()",
			},
			emit.Program(byDefault),
		},
	}
	return emit.Package(req, types, style, binder)
}

// StreamText says how streams are written in any protocol.
const StreamText = "TFramedTransport over a TStreamTransport: each struct is in a frame, which begins with its length in four bytes. The limits of a frame and of a message are raised to 2 GiB."

// framed returns the statements that begin a stream on a transport.
func framed(transport string) string {
	return "c.frames = thrift.NewTFramedTransportConf(" + transport + ", &thrift.TConfiguration{MaxFrameSize: math.MaxInt32, MaxMessageSize: math.MaxInt32})\n" +
		"c.protocol = protocols.GetProtocol(c.frames)"
}

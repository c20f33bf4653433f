package fxamackercbor

import (
	"assay/contender"
	"assay/contender/emit"
	"assay/result"
	"assay/schema"
)

const module = "github.com/fxamacker/cbor/v2"

func emitPackage(req contender.Request) (contender.Output, error) {
	style := &emit.Style{Unwrap: req.Schema}
	types := emit.NewSource(req.Package, "assay")
	types.Import("math", module)
	style.Types(types, req.Schema, emit.Tag("cbor"), [2]string{})
	types.P(modes)
	binder := &emit.Binder{
		Stream:  emit.Coders("*cbor.Encoder", "plain.NewEncoder(c.w)", "*cbor.Decoder", "reader.NewDecoder(c.r)"),
		Imports: []string{"bytes", module},
		Usages: []emit.Usage{
			{
				Encode: "out, err = plain.Marshal(in[i])",
				Decode: "v = new($T)\nerr = reader.Unmarshal(data, v)",
			},
			{
				Mode:   "output=reuse",
				Only:   []result.Op{result.Encode},
				Fields: "buf bytes.Buffer",
				Encode: "c.buf.Reset()\nerr = plain.MarshalToBuffer(in[i], &c.buf)\nout = c.buf.Bytes()",
			},
			{
				Mode:    "order=sorted",
				Refuses: sorts,
				Only:    []result.Op{result.Encode},
				Encode:  "out, err = sorted.Marshal(in[i])",
			},
			{
				Mode:    "time=unix",
				Refuses: emit.NeedsTimes,
				Only:    []result.Op{result.Encode, result.Decode, result.Scan},
				Encode:  "out, err = seconds.Marshal(in[i])",
				Decode:  "v = new($T)\nerr = reader.Unmarshal(data, v)",
			},
		},
	}
	return emit.Package(req, types, style, binder)
}

// sorts refuses the mode order=sorted for schemas on which its preset has no effect but the order of a
// struct's fields.
func sorts(s *schema.Schema) *contender.Unsupported {
	if s.Has(schema.Float32) || s.Has(schema.Float64) {
		return nil
	}
	return emit.NeedsMaps(s)
}

// modes declares variables and functions of the generated package.
const modes = `
var (
	plain   = writer(cbor.EncOptions{}, cbor.TimeRFC3339Nano)
	sorted  = writer(cbor.CoreDetEncOptions(), cbor.TimeRFC3339Nano)
	seconds = writer(cbor.EncOptions{}, cbor.TimeUnixDynamic)
	reader  = unlimited()
)

func writer(o cbor.EncOptions, times cbor.TimeMode) cbor.UserBufferEncMode {
	o.Time, o.TimeTag = times, cbor.EncTagRequired
	o.OmitEmpty = cbor.OmitEmptyGoValue
	mode, err := o.UserBufferEncMode()
	if err != nil {
		panic(err)
	}
	return mode
}

func unlimited() cbor.DecMode {
	mode, err := cbor.DecOptions{MaxArrayElements: math.MaxInt32, MaxMapPairs: math.MaxInt32}.DecMode()
	if err != nil {
		panic(err)
	}
	return mode
}`

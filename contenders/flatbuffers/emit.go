package flatbuffers

import (
	"strings"

	"assay/contender"
	"assay/contender/emit"
	"assay/contender/emit/fbs"
	"assay/result"
)

func emitPackage(req contender.Request) (contender.Output, error) {
	layout, err := fbs.New(req.Schema)
	if err != nil {
		return contender.Output{}, err
	}
	files, err := layout.Files(req.Package, req.Model)
	if err != nil {
		return contender.Output{}, err
	}
	pack := "p.b.Finish(pack$R(&p, in[i]))\nout = p.b.FinishedBytes()"
	kept := strings.ReplaceAll(pack, "p.b", "c.p.b")
	kept = "c.p.b.Reset()\n" + strings.ReplaceAll(kept, "&p,", "&c.p,")
	binder := &emit.Binder{
		Stream: &emit.Stream{
			Fields: "p packer",
			Create: "c.p.b = flatbuffers.NewBuilder(1024)",
			Write:  "c.p.b.Reset()\nc.p.b.FinishSizePrefixed(pack$R(&c.p, in))\n_, err = c.w.Write(c.p.b.FinishedBytes())",
			Read: "var data []byte\nif data, err = bench.ReadSized(c.r, c.buf); err == nil {\nc.buf = data\nv = new($M)\n" +
				"u := newUnpacker(data)\nunpack$R(&u, v, GetRootAs$R(data, flatbuffers.SizeUint32))\n}",
		},
		Direct:  true,
		Imports: []string{"time"},
		Named:   map[string]string{fbs.Library: "flatbuffers"},
		Usages: []emit.Usage{
			{
				Encode: "p := packer{b: flatbuffers.NewBuilder(1024)}\n" + pack,
				Decode: "v = new($M)\nu := newUnpacker(data)\nunpack$R(&u, v, GetRootAs$R(data, 0))",
				Open:   "root := GetRootAs$R(data, 0)\nsum += uint64(root._tab.Pos)",
				Scan:   "sum += scan$R(GetRootAs$R(data, 0))",
			},
			{
				Mode:   "output=reuse",
				Only:   []result.Op{result.Encode},
				Fields: "p packer",
				Start:  "c.p.b = flatbuffers.NewBuilder(1024)",
				Encode: kept,
			},
			{
				Mode:   "target=reuse",
				Only:   []result.Op{result.Decode},
				Start:  "c.v = new($M)",
				Decode: "*v = *new($M)\nu := newUnpacker(data)\nunpack$R(&u, v, GetRootAs$R(data, 0))",
			},
			{
				Mode:    "strings=alias",
				Refuses: emit.AliasesBytes,
				Only:    []result.Op{result.Decode},
				Decode:  "v = new($M)\nu := newUnpacker(data)\nu.alias = true\nunpack$R(&u, v, GetRootAs$R(data, 0))",
			},
			{
				Mode:    "order=any",
				Refuses: emit.NeedsMaps,
				Only:    []result.Op{result.Encode},
				Encode:  "p := packer{b: flatbuffers.NewBuilder(1024), unsorted: true}\n" + pack,
			},
			{
				Mode:    "output=reuse,order=any",
				Refuses: emit.NeedsMaps,
				Only:    []result.Op{result.Encode},
				Fields:  "p packer",
				Start:   "c.p = packer{b: flatbuffers.NewBuilder(1024), unsorted: true}",
				Encode:  kept,
			},
		},
	}
	bind, err := binder.Write(req)
	if err != nil {
		return contender.Output{}, err
	}
	return contender.Output{Files: append(files, bind)}, nil
}

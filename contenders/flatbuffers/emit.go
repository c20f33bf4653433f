package flatbuffers

import (
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
	binder := &emit.Binder{
		Direct:  true,
		Imports: []string{"time"},
		Named:   map[string]string{fbs.Library: "flatbuffers"},
		Usages: []emit.Usage{
			{
				Encode: "p := packer{b: flatbuffers.NewBuilder(1024)}\np.b.Finish(pack$R(&p, in[i]))\nout = p.b.FinishedBytes()",
				Decode: "v = new($M)\nu := newUnpacker(data)\nunpack$R(&u, v, GetRootAs$R(data, 0))",
				Open:   "root := GetRootAs$R(data, 0)\nsum += uint64(root._tab.Pos)",
				Scan:   "sum += scan$R(GetRootAs$R(data, 0))",
			},
			{
				Mode:   "output=reuse",
				Only:   []result.Op{result.Encode},
				Fields: "p packer",
				Start:  "c.p.b = flatbuffers.NewBuilder(1024)",
				Encode: "c.p.b.Reset()\nc.p.b.Finish(pack$R(&c.p, in[i]))\nout = c.p.b.FinishedBytes()",
			},
		},
	}
	bind, err := binder.Write(req)
	if err != nil {
		return contender.Output{}, err
	}
	return contender.Output{Files: append(files, bind)}, nil
}

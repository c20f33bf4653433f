package yamlv3

import (
	"assay/contender"
	"assay/contender/emit"
)

func emitPackage(req contender.Request) (contender.Output, error) {
	style := &emit.Style{Unwrap: req.Schema, Spelled: emit.SpelledText(req.Schema), OmitZero: emit.ByPointer}
	types := emit.NewSource(req.Package, "assay")
	style.Types(types, req.Schema, emit.TagEmpty("yaml"), [2]string{})
	binder := &emit.Binder{
		Imports: []string{"gopkg.in/yaml.v3"},
		Usages: []emit.Usage{{
			Encode: "out, err = yaml.Marshal(in[i])",
			Decode: "v = new($T)\nerr = yaml.Unmarshal(data, v)",
		}},
	}
	return emit.Package(req, types, style, binder)
}

package sigsk8sioyaml

import (
	"assay/contender"
	"assay/contender/emit"
)

func emitPackage(req contender.Request) (contender.Output, error) {
	style := emit.JSONStyle(req.Schema)
	types := emit.NewSource(req.Package, "assay")
	style.Types(types, req.Schema, emit.Tag("json"), [2]string{})
	emit.JSONMethods(types, style, "json.Marshal", "json.Unmarshal")
	binder := &emit.Binder{
		Imports: []string{"sigs.k8s.io/yaml"},
		Usages: []emit.Usage{{
			Encode: "out, err = yaml.Marshal(in[i])",
			Decode: "v = new($T)\nerr = yaml.Unmarshal(data, v)",
		}},
	}
	return emit.Package(req, types, style, binder)
}

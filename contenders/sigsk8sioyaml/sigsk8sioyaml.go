// Package sigsk8sioyaml describes the contender sigs.k8s.io/yaml. It does not import the
// library.
package sigsk8sioyaml

import (
	"assay/contender"
	"assay/result"
)

// Contender is sigs.k8s.io/yaml.
var Contender = &contender.Contender{
	Name:    "sigs.k8s.io/yaml",
	Title:   "YAML by way of encoding/json, as Kubernetes reads and writes it",
	Text:    "Structs with json tags, yaml.Marshal and yaml.Unmarshal. The library turns YAML into JSON and back, and leaves Go values to encoding/json: json tags, MarshalJSON and base64 for byte slices apply to YAML too, and keys are sorted. The other YAML libraries write byte slices as lists of numbers, which this library does not read.",
	Choose:  "when types have json tags already and people write YAML, as in Kubernetes",
	Format:  "yaml-json",
	Module:  "sigs.k8s.io/yaml",
	License: "MIT AND BSD-3-Clause AND Apache-2.0",
	Traits:  []contender.Trait{contender.Reflection, contender.SchemaFree, contender.CrossLanguage, contender.HumanReadable, contender.Evolvable, contender.PureGo, contender.Deterministic},
	Ops:     []result.Op{result.Encode, result.Decode, result.Scan, result.Convert},
	Lacks: []contender.Lack{
		{Axis: "output=reuse", Reason: "Marshal is the only way to write, and returns new bytes"},
		{Axis: "target=reuse", Reason: "it decodes by encoding/json, which merges into the old value"},
		{Axis: "pool=on", Reason: "the library has no pool of what it decodes"},
		{Axis: "strings=alias", Reason: "it goes through JSON, and encoding/json copies strings"},
		{Axis: "session=stream", Reason: "it has neither an encoder nor a decoder of streams"},
		{Axis: "order=any", Reason: "it writes from maps, whose keys it always sorts"},
		{Axis: contender.StreamMode, Reason: "it has functions for whole documents only"},
	},
	Advice: contender.Advice{URL: "https://github.com/kubernetes-sigs/yaml#installation-and-usage", Text: "Marshal and Unmarshal with json tags, as here"},
	Bias:   contender.Bias{Ours: "nothing", Favours: "neither", Unmeasured: "strict reading"},
	Losses: []contender.Loss{contender.NegZero, contender.NaNInf, contender.BadUTF8, contender.NUL, contender.TimeYears, contender.Syntax},
	Group:  "more",
	Emit:   emitPackage,
}

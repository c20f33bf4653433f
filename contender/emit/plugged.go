package emit

import (
	"assay/contender"
	"assay/schema"
)

// ProtocGenGo returns the style of the types that protoc-gen-go writes for proto3. Messages and
// optional scalars are pointers. Optional bytes are a slice that is nil if absent. Times are
// the well-known types.
func ProtocGenGo() *Style {
	return &Style{
		Pointers: true,
		Wrapped:  true,
		Leaf: map[schema.Kind]Leaf{
			schema.Timestamp: {
				Go:   "*timestamppb.Timestamp",
				From: "timestamppb.New(%)",
				To:   "%.AsTime()",
				Sum:  "workload.LeafTimeParts(%.GetSeconds(), int64(%.GetNanos()))",
			},
			schema.Duration: {
				Go:   "*durationpb.Duration",
				From: "durationpb.New(%)",
				To:   "%.AsDuration()",
			},
		},
		Optional: map[schema.Kind]Leaf{
			schema.Bytes: PresentBytes,
		},
		Variant: ProtoVariant,
		Imports: []string{
			"google.golang.org/protobuf/types/known/durationpb",
			"google.golang.org/protobuf/types/known/timestamppb",
		},
	}
}

// PresentBytes holds optional bytes as a slice: nil means absent, and empty means present.
var PresentBytes = Leaf{Go: "[]byte", From: "present(%)", To: "%"}

// present is the function that PresentBytes calls.
const present = `
// present returns b as a slice that is not nil.
func present(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}`

// Plugged returns the package of a contender whose own types plugins write: convert.go, bind.go
// and the runs of the plugins.
func Plugged(req contender.Request, st *Style, b *Binder, plugins ...contender.Plugin) (contender.Output, error) {
	conv, err := Own(req, st)
	if err != nil {
		return contender.Output{}, err
	}
	bind, err := b.Write(req)
	if err != nil {
		return contender.Output{}, err
	}
	return contender.Output{
		Files:   []contender.File{conv, bind},
		Plugins: plugins,
	}, nil
}

func hasOptionalBytes(s *schema.Schema) bool {
	for _, m := range s.Messages {
		for _, f := range m.Fields {
			if f.Type.Kind == schema.Bytes && f.Type.Optional {
				return true
			}
		}
	}
	return false
}

package emit

import (
	"assay/contender"
	"assay/schema"
)

// AliasesBytes is [contender.Mode.Refuses] of a mode strings=alias in which only bytes point into the
// message. For a schema without bytes, the mode would be the default one under another name.
func AliasesBytes(s *schema.Schema) *contender.Unsupported {
	if s.Has(schema.Bytes) {
		return nil
	}
	return &contender.Unsupported{Field: s.Roots[0], Reason: "the schema has no bytes, and the library copies strings, so the mode would be the default mode"}
}

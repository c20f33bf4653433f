package emit

import (
	"assay/contender"
	"assay/schema"
)

// The functions of this file are [contender.Mode.Refuses] of modes that, for a schema without what they
// are about, do the work of the mode without them under another name.

// AliasesBytes is for a mode strings=alias in which only bytes point into the message.
func AliasesBytes(s *schema.Schema) *contender.Unsupported {
	return needs(s, "the schema has no bytes, and the library copies strings, so the mode would be the default mode", schema.Bytes)
}

// AliasesStrings is for a mode strings=alias in which only strings point into the message, as in
// formats that write bytes as text.
func AliasesStrings(s *schema.Schema) *contender.Unsupported {
	return needs(s, "the schema has no strings, and nothing else would point into the message", schema.String)
}

// AliasesBoth is for a mode strings=alias in which strings and bytes point into the message.
func AliasesBoth(s *schema.Schema) *contender.Unsupported {
	return needs(s, "the schema has neither strings nor bytes, and nothing else would point into the message", schema.String, schema.Bytes)
}

// NeedsMaps is for modes with order=sorted and order=any.
func NeedsMaps(s *schema.Schema) *contender.Unsupported {
	return needs(s, "the schema has no maps, and the mode is about the order of their entries", schema.Map)
}

// NeedsTimes is for the mode time=unix.
func NeedsTimes(s *schema.Schema) *contender.Unsupported {
	return needs(s, "the schema has no times, and the mode is about the way to write them", schema.Timestamp)
}

// needs returns nil if the schema has one of the kinds, and otherwise the reason.
func needs(s *schema.Schema, reason string, kinds ...schema.Kind) *contender.Unsupported {
	for _, k := range kinds {
		if s.Has(k) {
			return nil
		}
	}
	return &contender.Unsupported{Field: s.Roots[0], Reason: reason}
}

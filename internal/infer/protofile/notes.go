package protofile

import "fmt"

// A noteKind is a kind of property of .proto files that the schema cannot express. The order of the
// constants is the order in which users read the notes.
type noteKind int

const (
	noteOneof noteKind = iota
	noteWidth
	noteUnpacked
	noteWrapper
	noteHollow
	noteBoolKey
	noteGroup
	noteRequired
	noteStruct
	noteAny
	noteExtension
	noteDefault
	noteZero
	noteAlias
	noteRenamed
	noteKinds
)

var noteTexts = [noteKinds]string{
	noteOneof:     "the fields of a oneof are optional fields here, of which a record sets at most one: %s",
	noteWidth:     "the schema has no fixed-width and no zigzag integers, so generated protobuf code writes these as varints, in another size than yours: %s",
	noteUnpacked:  "generated protobuf code packs these lists, which the .proto leaves unpacked, and is smaller there: %s",
	noteWrapper:   "wrappers are optional scalars here, or plain ones in lists and maps, and have no message of their own on the wire: %s",
	noteHollow:    "a message without fields is a bool here, true where the message is there: %s",
	noteBoolKey:   "the keys of maps cannot be bools here and are the texts true and false: %s",
	noteGroup:     "a group is a message here, with its length before it on the wire: %s",
	noteRequired:  "required fields are plain ones here, which generated protobuf code leaves out where they are zero: %s",
	noteStruct:    "these stay the messages that they are on the wire, which for a format that has free-form values is not how one would use it: %s",
	noteAny:       "google.protobuf.Any stays a type_url and bytes; what is inside is not looked into: %s",
	noteExtension: "extensions are fields of the messages that they extend here: %s",
	noteDefault:   "a field that is absent is absent here, and its default is not written: %s",
	noteZero:      "these enums have no value 0; the schema needs one for unset fields, so assay added it, and no record holds it: %s",
	noteAlias:     "these enum values are aliases of another value's number and are left out; records hold the number: %s",
	noteRenamed:   "names that generated code would use twice, or that are not in Go's form, are changed: %s",
}

// A Difference is a property that a field has in its .proto file and not in the schema.
type Difference struct {
	// Message and Field are the names in the schema.
	Message, Field string
	// Wire says that protobuf code generated from the schema writes the field in other bytes than
	// code generated from the .proto file.
	Wire bool
	// Text describes the field in the .proto file, and names the file.
	Text string
}

// notes has the subjects of each kind of note.
type notes [noteKinds][]string

// add adds a subject to a kind of note, unless it was added before.
func (n *notes) add(k noteKind, subject string) {
	for _, s := range n[k] {
		if s == subject {
			return
		}
	}
	n[k] = append(n[k], subject)
}

// list returns the notes as sentences.
func (n *notes) list() []string {
	var out []string
	for k, subjects := range n {
		if len(subjects) > 0 {
			out = append(out, fmt.Sprintf(noteTexts[k], some(subjects)))
		}
	}
	return out
}

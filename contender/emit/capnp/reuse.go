package capnp

import "assay/contender/emit"

const reader = `// A reader reads messages one after another with one Message and one arena, whose
// data it replaces, as BenchmarkUnmarshal_Reuse of the library's authors does.
type reader struct {
	msg   capnp.Message
	arena capnp.ReadOnlySingleSegment
}

// unmarshal reads a message as capnp.Unmarshal does. The message is valid until the
// next call.
func (r *reader) unmarshal(data []byte) (*capnp.Message, error) {
	r.msg.Release()         // which also begins to count anew what is read
	r.msg.TraverseLimit = 0 // Release keeps what allow set for a larger message
	// The first word holds the number of segments less one, and the number of words of
	// the first segment. Unmarshal reads messages of several segments, and says what is
	// wrong with damaged ones.
	if len(data) < 8 || binary.LittleEndian.Uint32(data) != 0 {
		return capnp.Unmarshal(data)
	}
	size := 8 * uint64(binary.LittleEndian.Uint32(data[4:]))
	if size > min(uint64(len(data)-8), math.MaxUint32) {
		return capnp.Unmarshal(data)
	}
	r.arena.ReplaceData(data[8 : 8+size : 8+size])
	r.msg.Arena = &r.arena
	return &r.msg, nil
}
`

// reuse writes the type reader, which reads messages without allocating a Message for each.
func (l *Layout) reuse(out *emit.Source) {
	out.Import("encoding/binary", "math")
	out.P("%s", reader)
}

// Package result holds what was measured and nothing computed from it: the
// run, its cases, and the records that a run directory keeps, one JSON line
// each, in the order in which they were measured.
package result

// An Op is what is timed.
type Op string

// The ops.
const (
	// Encode turns the library's own value into bytes.
	Encode Op = "encode"
	// Decode turns bytes into the library's own value, fully materialised:
	// afterwards every field can be read without touching the bytes' structure.
	Decode Op = "decode"
	// Open gets a root from bytes and reads nothing. Only formats that can be
	// read in place have it.
	Open Op = "open"
	// Scan visits every leaf of encoded bytes once: a format that can be read
	// in place does so, any other decodes first. What it reads is added up and
	// compared with the same sum over the neutral value.
	Scan Op = "scan"
	// Convert turns the neutral model into the library's own type and back.
	Convert Op = "convert"
	// Compress turns an encoded message into a compressed one. Only modes that
	// name a codec (codec=zstd) have it and Decompress, and they have nothing else.
	Compress Op = "compress"
	// Decompress turns a compressed message back into the encoded one.
	Decompress Op = "decompress"
)

// Building is the op of what is known of building a contender. It is no operation
// of a runner and not among Ops.
const Building Op = "build"

// Ops are all ops in the order of tables.
var Ops = []Op{Encode, Decode, Open, Scan, Convert, Compress, Decompress}

// A Case is one thing that can be measured. It is comparable and is used as a
// map key.
type Case struct {
	Workload string `json:"workload"`
	// Size is the workload's scale or shape: key=value pairs joined by commas.
	Size      string `json:"size"`
	Contender string `json:"contender"`
	// Mode is how the library is used: key=value pairs joined by commas; empty
	// for the default mode.
	Mode string `json:"mode"`
	Op   Op     `json:"op"`
}

// A Cell is what the contenders and modes of one comparison share.
type Cell struct {
	Workload string `json:"workload"`
	Size     string `json:"size"`
	Op       Op     `json:"op"`
}

// Cell returns the cell that the case belongs to.
func (c Case) Cell() Cell { return Cell{c.Workload, c.Size, c.Op} }

// A Subject is a contender in one mode: a row of a cell's table.
type Subject struct {
	Contender string `json:"contender"`
	Mode      string `json:"mode"`
}

// Subject returns the contender and mode of the case.
func (c Case) Subject() Subject { return Subject{c.Contender, c.Mode} }

// Case returns the case of the subject in the cell.
func (c Cell) Case(s Subject) Case {
	return Case{c.Workload, c.Size, s.Contender, s.Mode, c.Op}
}

// String returns the subject as "name" or "name (mode)".
func (s Subject) String() string {
	if s.Mode == "" {
		return s.Contender
	}
	return s.Contender + " (" + s.Mode + ")"
}

// String returns the case's parts separated by slashes.
func (c Case) String() string {
	return c.Workload + "/" + c.Size + "/" + c.Subject().String() + "/" + string(c.Op)
}

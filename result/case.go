// Package result stores what a run measured. Other packages hold whatever is computed from
// it.
//
// A [Case] is one thing that can be measured: a workload at a size, a contender in a
// mode, and an [Op]. A [Cell] is what the cases of one table share, and a [Subject] is one
// row of that table: Case = Cell + Subject. All three are comparable, and are used as map keys.
//
// A run is a directory. run.json is the [Run]: what the user asked for, the machine, and the
// versions of everything. samples.jsonl has one [Record] a line, in the order of measurement.
// [Read] reads a run directory, finished or not. [Create] makes one, and its [Store] appends
// records as they are measured, so a run that is interrupted keeps its records; [Resume]
// continues it. Both files are a contract: assay may add fields, and RunSchema is raised for
// changes that old readers cannot read.
//
// Times are in nanoseconds and sizes in bytes unless a comment says otherwise. A number that
// could not be measured is absent from the JSON, and zero in Go.
package result

// An Op is what is timed. Its text is used in flags, tables and stored runs.
type Op string

// The ops.
const (
	// Encode turns the library's own value into bytes.
	Encode Op = "encode"
	// Decode turns bytes into the library's own value with every field in memory.
	// Afterwards each field can be read without parsing any bytes.
	Decode Op = "decode"
	// Open gets a root object from bytes and reads no field. Only formats that can be read in
	// place have this op.
	Open Op = "open"
	// Scan reads every leaf of encoded bytes once. It reads in place if the format allows
	// that, and otherwise decodes first. The sum of the leaves is compared with the sum over
	// the neutral value.
	Scan Op = "scan"
	// Convert turns the neutral model into the library's own type and back.
	Convert Op = "convert"
	// Compress turns an encoded message into a compressed one. Modes that name a codec
	// (codec=zstd) have exactly two ops, Compress and Decompress; no other mode has them.
	Compress Op = "compress"
	// Decompress turns a compressed message back into the encoded one.
	Decompress Op = "decompress"
)

// Building is the op of build cost cases. No runner performs it, and Ops does not list it.
const Building Op = "build"

// Ops lists all ops in the order of tables.
var Ops = []Op{Encode, Decode, Open, Scan, Convert, Compress, Decompress}

// A Case is one thing that can be measured. It is comparable and is used as a
// map key.
type Case struct {
	// Workload is the name of the workload.
	Workload string `json:"workload"`
	// Size is the workload's scale or shape: key=value pairs joined by commas.
	Size string `json:"size"`
	// Contender is the name of the contender.
	Contender string `json:"contender"`
	// Mode is how the library is used: key=value pairs joined by commas; empty
	// for the default mode.
	Mode string `json:"mode"`
	Op   Op     `json:"op"`
}

// A Cell is what the contenders and modes of one comparison share: workload, size and op.
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

// String returns the case as workload/size/subject/op. The text is for people and cannot be
// split again, since names may contain slashes.
func (c Case) String() string {
	return c.Workload + "/" + c.Size + "/" + c.Subject().String() + "/" + string(c.Op)
}

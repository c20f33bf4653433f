package result

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"
)

// RunSchema is the version of run.json and samples.jsonl.
const RunSchema = 1

// A Run is what was asked, where, and with what: everything about a run but
// its samples. It is run.json in the run directory.
type Run struct {
	Schema  int       `json:"schema"`
	ID      string    `json:"id"`   // the name of the run directory
	Tool    string    `json:"tool"` // version of assay
	Args    []string  `json:"args"` // the command line that made it
	Started time.Time `json:"started"`
	// Finished is zero while the run goes on and after it was cut short.
	Finished time.Time `json:"finished,omitzero"`
	Seed     uint64    `json:"seed"`
	Plan     Plan      `json:"plan"`
	Host     Host      `json:"host"`
	Build    Build     `json:"build"`
	// Name is how a command line names the run, quoted for a shell; empty: by its
	// ID. It is not stored.
	Name string `json:"-"`
	// Live says that a process writes the run while it is read. It is not stored.
	Live bool `json:"-"`
}

// Complete reports whether the run has all that was to be measured.
func (r *Run) Complete() bool { return !r.Finished.IsZero() }

// Resume returns the command line that goes on with the run if it was cut short, with the
// versions of modules that the run was begun with. It is empty if no command can, because the
// parts of the run belong together in time.
func (r *Run) Resume() string {
	command := r.Command()
	if command == "" {
		return ""
	}
	return "assay " + command + " --resume " + cmp.Or(r.Name, r.ID) + r.with()
}

// with are the flags --with of the command that began the run, each after a space.
func (r *Run) with() (flags string) {
	for i, arg := range r.Args {
		version, ok := strings.CutPrefix(arg, "--with=")
		if !ok && arg == "--with" && i+1 < len(r.Args) {
			version, ok = r.Args[i+1], true
		}
		if ok && modules.MatchString(version) {
			flags += " --with " + version
		}
	}
	return flags
}

// modules matches MODULE@VERSION, as a shell takes it without quotes.
var modules = regexp.MustCompile(`^[\w./~-]+@[\w.+-]+$`)

// Interrupted says why a case of an incomplete run has no number, and which command goes
// on with the run.
func (r *Run) Interrupted() string {
	if r.Live {
		return "the run is still being measured"
	}
	if again := r.Resume(); again != "" {
		return "the run was interrupted (" + again + ")"
	}
	return "the run was interrupted"
}

// Command returns the name of the command that goes on with the run, as in assay COMMAND
// --resume RUN. It is empty if no command can.
func (r *Run) Command() string {
	if len(r.Plan.Cases) == 0 || len(r.Plan.Sides) > 0 {
		return ""
	}
	if len(r.Plan.Sources) > 0 {
		return "reproduce"
	}
	if r.Plan.Data != nil {
		return "try"
	}
	if r.Plan.Cases[0].Op == Building {
		return "buildcost"
	}
	return "run"
}

// Answers reports whether the run is one of assay try that has an answer, as it has
// unless it is of streams.
func (r *Run) Answers() bool { return r.Command() == "try" && r.Plan.Stream == nil }

// External reports whether the contender of that name is one of the run's external
// contenders.
func (r *Run) External(contender string) bool {
	return slices.ContainsFunc(r.Plan.Externals, func(g External) bool { return g.Name == contender })
}

// A Plan is what a run sets out to measure.
type Plan struct {
	Budget time.Duration `json:"budget"` // of measuring, ns
	Quick  bool          `json:"quick,omitempty"`
	// Precision is the half-width asked of each ratio's interval, as a share of
	// the ratio: 0.02 is ±2%. 0: none was asked.
	Precision float64 `json:"precision,omitempty"`
	// Rounds is the number of rounds asked for; 0: as the budget allows. Of build costs,
	// it is how many times each contender is built.
	Rounds int `json:"rounds,omitempty"`
	// Also are the passes that were asked for besides the launches and the exact
	// counts: cpu, cold, heap, rss.
	Also []string `json:"also,omitempty"`
	// CPUs are the numbers of goroutines whose scaling was asked for.
	CPUs []int `json:"cpus,omitempty"`
	// Footprints are how many bytes may be allocated before the garbage collector
	// runs between two batches. The first is that of the launches; with the others the
	// time of each case is compared. None: 3 MiB.
	Footprints []int64 `json:"footprints,omitempty"`
	// Externals are the external contenders: programs of their own, in any language. JSON
	// has the name that earlier versions gave them.
	Externals []External `json:"guests,omitempty"`
	// Data describes the values if they are a user's own records; nil: they are those of
	// built-in workloads.
	Data *Data `json:"data,omitempty"`
	// Sources are the published benchmarks that are run by their own method too.
	// JSON has the name that earlier versions gave them.
	Sources []string `json:"seeds,omitempty"`
	// Cases are all that the run sets out to measure, each once.
	Cases []Case `json:"cases"`
	// Untimed are cases that are counted, for memory and sizes, and not timed; each
	// says why.
	Untimed []Outcome `json:"untimed,omitempty"`
	// Sides are the labels of the two versions that are compared in lock step.
	Sides []string `json:"sides,omitempty"`
	// Memory is how much memory the values of one process, and a process, may take where
	// that was asked for, in bytes; 0: as much as by default.
	Memory int64 `json:"memory,omitempty"`
	// Stream is set where the cases are streams or whole values, which are measured by
	// themselves.
	Stream *StreamPlan `json:"stream,omitempty"`
	// Reference is the contender that ratios are taken to; a cell without it
	// uses its first verified subject.
	Reference string `json:"reference"`
	// Layouts are the seeds of the link layouts, one launch of each a cell; 0
	// is the ordinary layout.
	Layouts []uint64 `json:"layouts"`
}

// Data describes the records of a user. Their schema is in the run directory. The
// records themselves are not.
type Data struct {
	// Files are the names by which they were given.
	Files []string `json:"files"`
	// Hash is of all records in neutral form: equal hashes are equal values.
	Hash    string `json:"hash"`
	Records int64  `json:"records"`
	// Bytes are those of the records as they are in the files, uncompressed.
	Bytes int64 `json:"bytes"`
	// Measured is how many of the records are timed; they are spread evenly over all.
	// All are verified, or as many as a Verification says.
	Measured int `json:"measured"`
	// JSON compares the JSON that is measured with the sample's; nil if the sample is not
	// JSON, or has values that encoding/json cannot write.
	JSON *JSONSize `json:"json,omitempty"`
}

// A JSONSize is bytes of records.
type JSONSize struct {
	// Compact is of all records as they are in the sample, without spaces between
	// values.
	Compact int64 `json:"compact"`
	// Compared is the same of those that were compared with what encoding/json
	// writes: all, or of a large sample the first and some of the others. Written
	// is what it writes of these with the types of the schema.
	Compared int64 `json:"compared"`
	Written  int64 `json:"written"`
	// Unescaped says that encoding/json writes <, > and & as they are, as the sample
	// does.
	Unescaped bool `json:"unescaped,omitempty"`
	// Changes say why the two differ: their bytes add up to Written - Compared.
	Changes []JSONChange `json:"changes"`
}

// A JSONChange is what one cause does to the JSON of a sample.
type JSONChange struct {
	// Cause is a name of package jsonsize.
	Cause string `json:"cause"`
	// Bytes is how much longer the JSON becomes by it, below 0 how much shorter.
	Bytes int64 `json:"bytes"`
	// Count is how many values are changed.
	Count int64 `json:"count"`
	// Where are the paths at which it is found most often, Places how many paths
	// there are.
	Where  []string `json:"where"`
	Places int      `json:"places"`
	// Unions are those of Where at which numbers have values of other kinds beside them,
	// so that they keep their digits as the text of their JSON alone.
	Unions []string `json:"unions,omitempty"`
}

// An External is a contender that speaks the runner protocol itself.
type External struct {
	// Name is that of its contender.
	Name    string `json:"name"`
	Format  string `json:"format"`
	Title   string `json:"title"`
	Version string `json:"version"`
	// Modules are what its runner says that it is made of, by the names of its own
	// language.
	Modules []Module `json:"modules,omitempty"`
	// Dir is the directory that describes it, as it was named.
	Dir string `json:"dir"`
	// Command is how its runner is started in that directory.
	Command []string `json:"command"`
}

// A Host is what is known about the machine.
type Host struct {
	OS       string `json:"os"`
	Kernel   string `json:"kernel,omitempty"`
	Arch     string `json:"arch"`
	CPU      string `json:"cpu,omitempty"`
	CPUs     int    `json:"cpus"`
	MemoryMB int64  `json:"memory_mb,omitempty"`
	Governor string `json:"governor,omitempty"`
	// Load is the one-minute load average when the run began.
	Load float64 `json:"load"`
	// SentinelBest is the least median of a launch's Sentinel, in ns, that earlier
	// runs saw on this machine; 0 where none is remembered.
	SentinelBest int64 `json:"sentinel_best,omitempty"`
	// Virtual says that the machine is a guest, where that can be seen.
	Virtual bool `json:"virtual,omitempty"`
}

// A Build is what the runners were built with and from.
type Build struct {
	Go           string   `json:"go"`
	GOAMD64      string   `json:"goamd64,omitempty"`
	GOFLAGS      string   `json:"goflags,omitempty"`
	GOEXPERIMENT string   `json:"goexperiment,omitempty"`
	Modules      []Module `json:"modules"`
	// Key names the runner in the cache.
	Key string `json:"key"`
}

// A Module is a module and its exact version.
type Module struct {
	Path    string `json:"path"`
	Version string `json:"version"`
}

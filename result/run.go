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

// A Run is everything about a run but its samples: what the user asked for, the machine, and
// the versions. It is run.json in the run directory.
type Run struct {
	Schema  int       `json:"schema"`
	ID      string    `json:"id"`   // the name of the run directory
	Tool    string    `json:"tool"` // the version of assay
	Args    []string  `json:"args"` // the command line that began it
	Started time.Time `json:"started"`
	// Finished is zero while the run continues and after an interruption.
	Finished time.Time `json:"finished,omitzero"`
	Seed     uint64    `json:"seed"`
	Plan     Plan      `json:"plan"`
	Host     Host      `json:"host"`
	Build    Build     `json:"build"`
	// SecondBuild is what the second of Plan.Sides was built with, and Build is what the first was
	// built with. It is nil in runs of one version, and in runs of earlier versions of assay, which
	// do not know it.
	SecondBuild *Build `json:"second_build,omitempty"`
	// Name is how a command line names the run, quoted for a shell; empty: the ID. It is not
	// stored.
	Name string `json:"-"`
	// Live says that another process is writing the run. It is not stored.
	Live bool `json:"-"`
}

// Complete reports whether the run finished, so that it has everything it set out to measure.
func (r *Run) Complete() bool { return !r.Finished.IsZero() }

// Resume returns the command line that continues the run after an interruption, with the go
// command, the module versions and the cache that the run began with. It is empty if no command can continue the run,
// because its parts must be measured together.
func (r *Run) Resume() string {
	command := r.Command()
	if command == "" {
		return ""
	}
	return "assay " + command + " --resume " + cmp.Or(r.Name, r.ID) + r.with()
}

// with returns the flags of the command that began the run that say how its runners are built and
// where they are kept, each after a space and quoted for a shell.
func (r *Run) with() (flags string) {
	for i, arg := range r.Args {
		for _, flag := range builders {
			value, ok := strings.CutPrefix(arg, flag+"=")
			if !ok && arg == flag && i+1 < len(r.Args) {
				value, ok = r.Args[i+1], true
			}
			if !ok || value == "" {
				continue
			}
			values := []string{value}
			if flag == "--with" { // earlier versions took several at a time
				values = strings.Split(value, ",")
			}
			for _, v := range values {
				flags += " " + flag + " " + quoted(v)
			}
		}
	}
	return flags
}

// builders are the flags that say how runners are built and where they are kept.
var builders = []string{"--go", "--with", "--cache"}

// plain matches words that need no quotes in a shell.
var plain = regexp.MustCompile(`^[\w@%+=:,./-]+$`)

// quoted returns a text as one word of a POSIX shell. It does what phrase.ShellLine does, which
// runners, of which this package is a part, do not link.
func quoted(text string) string {
	if plain.MatchString(text) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// OfSide returns the run with Build set to what a side was built with: the first one for 0, the
// second one for 1. If that is not known, Build is zero.
func (r *Run) OfSide(side int) *Run {
	if side == 0 {
		return r
	}
	of := *r
	of.Build = Build{}
	if r.SecondBuild != nil {
		of.Build = *r.SecondBuild
	}
	return &of
}

// Interrupted says why a case of an incomplete run has no number, and which command continues
// the run.
func (r *Run) Interrupted() string {
	if r.Live {
		return "the run is still being measured"
	}
	if again := r.Resume(); again != "" {
		return "the run was interrupted (" + again + ")"
	}
	return "the run was interrupted"
}

// Command returns the name of the command that continues the run, as in assay COMMAND
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

// Answers reports whether the run is one of assay try that has an answer. Runs of streams
// have none.
func (r *Run) Answers() bool { return r.Command() == "try" && r.Plan.Stream == nil }

// External reports whether the run has an external contender of that name.
func (r *Run) External(contender string) bool {
	return slices.ContainsFunc(r.Plan.Externals, func(g External) bool { return g.Name == contender })
}

// A Plan is what a run sets out to measure.
type Plan struct {
	Budget time.Duration `json:"budget"` // for measuring, ns
	Quick  bool          `json:"quick,omitempty"`
	// Precision is the requested half-width of each ratio's confidence interval, as a share
	// of the ratio: 0.02 is ±2%. 0: no request.
	Precision float64 `json:"precision,omitempty"`
	// Originals is the budget of published benchmarks by their own method; 0: it depends on their
	// number, or the run is a quick one, where Budget is for both.
	Originals time.Duration `json:"originals,omitempty"`
	// Rounds is the requested number of rounds; 0: as many as the budget allows. For build
	// costs, it is the number of builds of each contender.
	Rounds int `json:"rounds,omitempty"`
	// Also are the requested passes besides the launches and the exact counts: cpu, cold,
	// heap, rss.
	Also []string `json:"also,omitempty"`
	// CPUs are the numbers of goroutines at which scaling is measured.
	CPUs []int `json:"cpus,omitempty"`
	// Footprints are the numbers of bytes that may be allocated before the garbage collector
	// runs between two batches. The launches use the first. The other footprints are for a
	// comparison of the times of each case. Empty: 3 MiB.
	Footprints []int64 `json:"footprints,omitempty"`
	// Externals are the external contenders: programs of their own, in any language. The JSON
	// name is an old one, kept for stored runs.
	Externals []External `json:"guests,omitempty"`
	// Data describes a user's own records; nil: the values are those of built-in workloads.
	Data *Data `json:"data,omitempty"`
	// Sources are the published benchmarks that also run by their own method. The JSON name
	// is an old one, kept for stored runs.
	Sources []string `json:"seeds,omitempty"`
	// Cases are all cases that the run sets out to measure, each once.
	Cases []Case `json:"cases"`
	// Counts says that a case that turns out to be too slow to be timed keeps its counts and joins
	// Untimed. Without it, such a case has an outcome instead.
	Counts bool `json:"counts,omitempty"`
	// Untimed are cases whose memory and sizes are counted, but not their times; each outcome
	// says why.
	Untimed []Outcome `json:"untimed,omitempty"`
	// Sides are the labels of the two versions that a lock step compares.
	Sides []string `json:"sides,omitempty"`
	// Memory is the requested limit, in bytes, of the values of one process and of a process;
	// 0: the default.
	Memory int64 `json:"memory,omitempty"`
	// Stream is set if the cases are streams or whole values, which are measured separately.
	Stream *StreamPlan `json:"stream,omitempty"`
	// Reference is the contender that ratios are relative to. A cell without it uses its
	// first verified subject.
	Reference string `json:"reference"`
	// Layouts are the seeds of the link layouts; each cell has one launch of each. 0 is the
	// ordinary layout.
	Layouts []uint64 `json:"layouts"`
}

// Data describes the records of a user. The run directory holds their schema, but not the
// records.
type Data struct {
	// Files are the names that the user gave.
	Files []string `json:"files"`
	// Hash is the hash of all records in neutral form: equal hashes mean equal values.
	Hash    string `json:"hash"`
	Records int64  `json:"records"`
	// Bytes is the size of the records as they are in the files, uncompressed.
	Bytes int64 `json:"bytes"`
	// Measured is how many records are timed. Their sizes are distributed like those of all
	// records; in runs of earlier versions, they are spread evenly over all records.
	// Verification covers all records, or as many as a Verification says.
	Measured int `json:"measured"`
	// MeasuredMean is the mean size of the timed records relative to the mean of all records,
	// both in neutral form; 0 in runs of earlier versions.
	MeasuredMean float64 `json:"measured_mean,omitempty"`
	// JSON compares the measured JSON with the sample's. It is nil if the sample is not JSON,
	// or has values that encoding/json cannot write.
	JSON *JSONSize `json:"json,omitempty"`
}

// A JSONSize compares the sizes of a sample's JSON and of the JSON that encoding/json writes,
// in bytes.
type JSONSize struct {
	// Compact is the size of all records as they are in the sample, without spaces between
	// values.
	Compact int64 `json:"compact"`
	// Compared is the size, in the same form, of the records that were compared with the
	// output of encoding/json: all, or for a large sample the first and some of the others.
	// Written is the size of the JSON that encoding/json writes for the compared records with
	// the types of the schema.
	Compared int64 `json:"compared"`
	Written  int64 `json:"written"`
	// Unescaped says that encoding/json leaves <, > and & unescaped, as the sample does.
	Unescaped bool `json:"unescaped,omitempty"`
	// Changes explain the difference: their bytes add up to Written - Compared.
	Changes []JSONChange `json:"changes"`
}

// A JSONChange is the effect of one cause on the JSON of a sample.
type JSONChange struct {
	// Cause is a jsonsize.Cause.
	Cause string `json:"cause"`
	// Bytes is how much longer the JSON becomes, in bytes; negative if it becomes shorter.
	Bytes int64 `json:"bytes"`
	// Count is the number of values that change.
	Count int64 `json:"count"`
	// Where lists the paths at which the cause is most frequent. Places is the number of all
	// such paths.
	Where  []string `json:"where"`
	Places int      `json:"places"`
	// Unions lists the paths in Where at which numbers are mixed with values of other kinds.
	// Numbers keep their digits there only as the text of their JSON.
	Unions []string `json:"unions,omitempty"`
}

// An External is a contender that speaks the runner protocol itself.
type External struct {
	// Name is the name of its contender.
	Name    string `json:"name"`
	Format  string `json:"format"`
	Title   string `json:"title"`
	Version string `json:"version"`
	// Modules are the modules that its runner says it uses, by their names in its own
	// language.
	Modules []Module `json:"modules,omitempty"`
	// Dir is the directory that describes the contender, as the user named it.
	Dir string `json:"dir"`
	// Command starts its runner in that directory.
	Command []string `json:"command"`
}

// A Host describes the machine.
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
	// SentinelBest is the smallest median of a launch's Sentinel, in ns, that earlier runs
	// saw on this machine; 0 if none is remembered.
	SentinelBest int64 `json:"sentinel_best,omitempty"`
	// Virtual says that the machine is known to be a virtual machine.
	Virtual bool `json:"virtual,omitempty"`
}

// Other reports whether two hosts are known to be different machines. What is unknown of one of them does
// not count.
func (h Host) Other(than Host) bool {
	differ := func(a, b string) bool { return a != b && a != "" && b != "" }
	return differ(h.OS, than.OS) || differ(h.Arch, than.Arch) || differ(h.CPU, than.CPU) ||
		h.CPUs != than.CPUs && h.CPUs > 0 && than.CPUs > 0
}

// A Build describes the toolchain and the modules that the runners were built with.
type Build struct {
	Go           string   `json:"go"`
	GOAMD64      string   `json:"goamd64,omitempty"`
	GOFLAGS      string   `json:"goflags,omitempty"`
	GOEXPERIMENT string   `json:"goexperiment,omitempty"`
	Modules      []Module `json:"modules"`
	// Key is the name of the runner in the cache.
	Key string `json:"key"`
}

// A Module is a module and its exact version.
type Module struct {
	Path    string `json:"path"`
	Version string `json:"version"`
}

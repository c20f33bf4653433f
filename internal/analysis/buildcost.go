package analysis

import (
	"assay/result"
)

// Names of the metrics of building.
const (
	BuildTime      = "build-time"
	BuildCPU       = "build-cpu"
	BuildTimeWarm  = "build-time-warm"
	BinaryGrowth   = "binary-growth"
	Modules        = "modules"
	GeneratedLines = "generated-lines"
)

// built are the metrics of building, for cases of op result.Building.
var built = func() []Metric {
	all := []Metric{
		{
			Name: BuildTime, Unit: "s", Title: "time of a first build", Better: -1,
			Text: "How long go build takes for a runner of one workload that links the contender and the floor. The build cache " +
				"has the standard library and the floor's runner, and nothing else. The build compiles the contender's modules and " +
				"its generated package, and links the program; the modules were downloaded before. The value is the " +
				"median of the builds by the wall clock, with the smallest and the largest as bounds. Other work of the machine " +
				"makes it larger. Linking counts too, because every program needs it.",
			of: timesOf(func(b *result.BuildCost) []result.BuildTime { return b.Cold }, wallOf),
		},
		{
			Name: BuildCPU, Unit: "s", Title: "CPU time of a first build", Better: -1,
			Text: "The CPU time of the builds of build-time: go command, compilers and linker together. " +
				"It says what a build costs however many processors share the work. It is missing where the system does not report it.",
			of: timesOf(func(b *result.BuildCost) []result.BuildTime { return b.Cold }, cpuOf),
		},
		{
			Name: BuildTimeWarm, Unit: "s", Title: "time of a build after a change", Better: -1,
			Text: "How long go build takes when the contender's modules are compiled and its generated package has changed: " +
				"it compiles that package and links the program. Every change of a schema costs this. Median and bounds " +
				"are as for build-time.",
			of: timesOf(func(b *result.BuildCost) []result.BuildTime { return b.Warm }, wallOf),
		},
		{
			Name: BinaryGrowth, Unit: "B", Title: "growth of the program", Better: -1, Exact: true,
			Text: "How many bytes larger the program of build-time is than one that links only the floor, both without " +
				"symbol table and debugging information. Parts of the standard library that only the contender needs count; " +
				"parts that the measuring engine needs too, such as encoding/json, do not.",
			of: exactlyOf(func(b *result.BuildCost) int64 { return b.Bytes - b.BaseBytes }),
		},
		{
			Name: Modules, Unit: "1", Title: "modules linked", Better: -1, Exact: true,
			Text: "How many modules the program of build-time links and the floor's program does not: the library's own module and its " +
				"dependencies, if the program links a package of them.",
			of: exactlyOf(func(b *result.BuildCost) int64 { return int64(len(b.Modules)) }),
		},
		{
			Name: GeneratedLines, Unit: "1", Title: "lines of generated code", Better: -1, Exact: true,
			Text: "How many lines of Go are generated for the contender and the workload: its types, and the methods that a code " +
				"generator writes for them. The code that binds it to the measuring engine does not count (bind.go and convert.go).",
			of: exactlyOf(func(b *result.BuildCost) int64 { return int64(b.Lines) }),
		},
	}
	for i := range all {
		all[i].Ops = []result.Op{result.Building}
	}
	return all
}()

func wallOf(t result.BuildTime) int64 { return t.Wall }
func cpuOf(t result.BuildTime) int64  { return t.CPU }

// timesOf returns the function that computes a metric of the given builds, in seconds.
func timesOf(builds func(*result.BuildCost) []result.BuildTime, clock func(result.BuildTime) int64) func(*measured) (Interval, int, bool) {
	return func(m *measured) (Interval, int, bool) {
		if m.built == nil {
			return Interval{}, 0, false
		}
		var all []int64
		for _, t := range builds(m.built) {
			all = append(all, clock(t))
		}
		ns, n, ok := middle(all)
		const second = 1e9 // ns
		return Interval{ns.Value / second, ns.Lo / second, ns.Hi / second}, n, ok
	}
}

// exactlyOf returns the function that computes a counted metric.
func exactlyOf(count func(*result.BuildCost) int64) func(*measured) (Interval, int, bool) {
	return func(m *measured) (Interval, int, bool) {
		if m.built == nil {
			return Interval{}, 0, false
		}
		return exactly(float64(count(m.built))), 1, true
	}
}

// buildRows returns the rows of one case of building. The first row is of BuildTime.
func (a *account) buildRows(one result.Case) []Row {
	b := a.passes.built[one]
	first := Row{Case: one, Metric: BuildTime, Unit: "s"}
	switch {
	case b == nil:
		first.Status = result.Timeout
		first.Reason = "not built: " + a.run.Interrupted()
		return []Row{first}
	case b.Status != "":
		first.Status, first.Reason = b.Status, b.Reason
		return []Row{first}
	}
	var rows []Row
	for _, metric := range built {
		if value, n, ok := metric.of(&measured{built: b}); ok {
			rows = append(rows, Row{Case: one, Metric: metric.Name, Unit: metric.Unit, Number: &value, N: n, Status: result.OK})
		}
	}
	if len(rows) == 0 {
		first.Status, first.Reason = result.Timeout, "not built"
		return []Row{first}
	}
	return rows
}

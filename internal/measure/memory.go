package measure

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"assay/internal/cachedir"
	"assay/internal/drive"
	"assay/internal/host"
	"assay/internal/plan"
	"assay/internal/verify"
	"assay/result"
)

// remembers is how long the result of an earlier run about a program is trusted. The key names
// everything on which the result is known to depend. The limit covers what the key cannot name.
const remembers = 7 * 24 * time.Hour

// A memory has the results of earlier runs about a program on this machine. It is stored in the
// cache, in one file for each question about a workload and size.
type memory struct {
	cache  cachedir.Dir
	part   cachedir.Part
	now    func() time.Time
	about  about
	values func(workload, size string) (string, error)
}

// about is what the answers to all questions depend on.
type about struct {
	Runner  string // the key of the program in the cache
	Machine string
	Env     []string // environment variables that the Go runtime reads
	Seed    uint64
	Inputs  int
}

// memory returns what is known about the current runner with the values that r loads. It returns
// nil if nothing is remembered: for a run that is not stored or compares versions, and for a
// runner that is not ours.
func (m *Measurement) memory(r drive.Runner) verify.Memory {
	if m.store == nil || m.versions != nil || r.External || m.at.Runner == nil {
		return nil
	}
	own := m.Run.Plan.Data != nil
	return &memory{
		cache: m.cfg.Cache, part: cachedir.Verified.Of(own), now: time.Now,
		about: about{m.at.Build.Key, host.Key(m.Run.Host), runtimeEnv(os.Environ()), r.Seed, r.Inputs},
		values: func(workload, size string) (string, error) {
			if r.Data == nil {
				return "", nil
			}
			return hashOf(r.Data(workload, size))
		},
	}
}

// runtimeEnv returns the variables for the Go runtime, such as GOGC and GODEBUG.
func runtimeEnv(all []string) []string {
	out := slices.DeleteFunc(slices.Clone(all), func(v string) bool { return !strings.HasPrefix(v, "GO") })
	slices.Sort(out)
	return out
}

// hashOf returns the hash of a file, or "" if there is no file.
func hashOf(file string) (string, error) {
	if file == "" {
		return "", nil
	}
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// key returns the hash of a question and of everything on which its answer depends.
func (k *memory) key(workload, size string, question any) (string, bool) {
	values, err := k.values(workload, size)
	if err != nil {
		return "", false
	}
	text, err := json.Marshal([]any{k.about, workload, size, values, question})
	if err != nil {
		return "", false
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:cachedir.KeySize]), true
}

// A remembered is a file of the memory.
type remembered struct {
	When  time.Time       `json:"when"`
	Found json.RawMessage `json:"found"`
}

// Recall implements verify.Memory.
func (k *memory) Recall(workload, size string, question, found any) (time.Time, bool) {
	key, ok := k.key(workload, size, question)
	if !ok {
		return time.Time{}, false
	}
	data, ok := k.cache.Recall(k.part, key)
	var r remembered
	if !ok || json.Unmarshal(data, &r) != nil || !k.recent(r.When) || json.Unmarshal(r.Found, found) != nil {
		return time.Time{}, false
	}
	return r.When, true
}

// recent says whether a time is neither in the future nor too long ago.
func (k *memory) recent(when time.Time) bool {
	age := k.now().Sub(when)
	return age >= 0 && age < remembers
}

// Keep implements verify.Memory. If the cache cannot be written, the answer is not remembered,
// and there is no error.
func (k *memory) Keep(workload, size string, question, found any) {
	key, ok := k.key(workload, size, question)
	if !ok {
		return
	}
	text, err := json.Marshal(found)
	if err != nil {
		return
	}
	if data, err := json.Marshal(remembered{k.now(), text}); err == nil {
		_ = k.cache.Keep(k.part, key, data)
	}
}

// spared returns the costs of steps. It sets the cost of steps to 0 whose results are known from
// earlier runs.
func (m *Measurement) spared(live []result.Case) plan.Costs {
	out := maps.Clone(m.costs)
	if out == nil {
		out = plan.Costs{}
	}
	unknown := map[plan.Step]bool{}
	for _, r := range m.runners {
		m.at = r
		cfg := m.tripsOf(m.runners.cases(live, r.group))
		trips := cfg.Known()
		k, _ := m.memory(cfg.Runner).(*memory)
		sized := map[verify.Place]int{}
		for _, c := range cfg.Cases {
			p := verify.Place{Workload: c.Workload, Size: c.Size}
			if _, asked := sized[p]; !asked && k != nil {
				sized[p] = len(k.sizes(p, ""))
			}
			a := anonymous(m.Run.Plan, c)
			of := func(phase string) plan.Step { return plan.Step{Phase: phase, Workload: a.Workload, Size: a.Size} }
			unknown[of(plan.Trips)] = unknown[of(plan.Trips)] || !trips[p]
			unknown[of(plan.Sizings)] = unknown[of(plan.Sizings)] || sized[p] == 0
		}
	}
	for s, not := range unknown {
		// A step of unknown cost costs what others of its phase do, unless it is spared.
		if out[s] = m.costs.Of(s.Phase, s.Workload, s.Size); !not {
			out[s] = 0
		}
	}
	return out
}

// A sizing is the question of how many operations make the batches of a workload and size.
type sizing struct {
	What string
	Role string
	// As in drive.CalibrateConfig.
	BatchNS int64
	MinOps  int
	MaxNS   int64
}

// size determines the batch sizes of cases, or of their floors. It reuses those of earlier runs:
// the length of a batch affects the precision of a sample but not its value, and batches of equal
// length make runs comparable.
func (m *Measurement) size(ctx context.Context, in drive.Runner, cases []result.Case, role string) (map[result.Case]result.Calibration, []result.Outcome, error) {
	known, err := m.sizedEarlier(in, cases, role)
	if err != nil {
		return nil, nil, err
	}
	rest := slices.DeleteFunc(slices.Clone(cases), func(c result.Case) bool { _, ok := known[c]; return ok })
	if len(known) > 0 {
		m.cfg.tell(Recalled{Phase: Calibrating, Steps: len(known)})
	}
	if len(rest) == 0 {
		return known, nil, nil
	}
	found, outcomes, err := drive.Calibrate(ctx, drive.CalibrateConfig{
		Runner: in, Cases: rest, Role: role,
		BatchNS: plan.Batch.BatchNS, MinOps: plan.Batch.MinOps, MaxNS: plan.Batch.MaxNS,
	}, m.sink, m.event)
	if err == nil {
		m.keepSizes(in, found, role)
	}
	for c, cal := range known {
		found[c] = cal
	}
	return found, outcomes, err
}

func sizingOf(role string) sizing {
	return sizing{"batches", role, plan.Batch.BatchNS, plan.Batch.MinOps, plan.Batch.MaxNS}
}

// sizedEarlier stores and returns the calibrations of cases that are known from earlier runs.
func (m *Measurement) sizedEarlier(in drive.Runner, cases []result.Case, role string) (map[result.Case]result.Calibration, error) {
	known := map[result.Case]result.Calibration{}
	k, ok := m.memory(in).(*memory)
	if !ok {
		return known, nil
	}
	files := map[verify.Place][]result.Calibration{}
	for _, c := range cases {
		p := verify.Place{Workload: c.Workload, Size: c.Size}
		if _, ok := files[p]; !ok {
			files[p] = k.sizes(p, role)
		}
		i := slices.IndexFunc(files[p], func(cal result.Calibration) bool { return cal.Case == c })
		if i < 0 {
			continue
		}
		cal := files[p][i]
		known[c] = cal
		if err := m.sink(result.Record{Calibration: &cal}); err != nil {
			return nil, err
		}
	}
	return known, nil
}

// sizes returns the remembered calibrations that are recent enough.
func (k *memory) sizes(p verify.Place, role string) []result.Calibration {
	var all []result.Calibration
	if _, ok := k.Recall(p.Workload, p.Size, sizingOf(role), &all); !ok {
		return nil
	}
	return slices.DeleteFunc(all, func(cal result.Calibration) bool { return !k.recent(cal.Earlier) })
}

// keepSizes adds new calibrations to the remembered ones.
func (m *Measurement) keepSizes(in drive.Runner, found map[result.Case]result.Calibration, role string) {
	k, ok := m.memory(in).(*memory)
	if !ok {
		return
	}
	files := map[verify.Place][]result.Calibration{}
	for c, cal := range found {
		p := verify.Place{Workload: c.Workload, Size: c.Size}
		if _, ok := files[p]; !ok {
			files[p] = k.sizes(p, role)
		}
		cal.Earlier = k.now()
		files[p] = append(files[p], cal)
	}
	for p, all := range files {
		k.Keep(p.Workload, p.Size, sizingOf(role), all)
	}
}

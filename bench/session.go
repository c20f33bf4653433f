package bench

import (
	"errors"
	"fmt"
	"hash/maphash"
	"reflect"
	"slices"
	"strings"
	"time"

	"assay/result"
	"assay/schema"
	"assay/workload"
)

// maxCount bounds every number of operations, rounds and inputs of a command, so that
// arithmetic on them fits an int on every platform.
const maxCount = 1 << 30

// A session is the state that a runner keeps between commands.
type session struct {
	program   Program
	loaded    *values  // nil before load
	ballast   [][]byte // see takeCollector; nil if there is none
	ballasted uint64   // bytes of ballast
	// warm says that a contender's code has run in this process.
	warm     bool
	sentinel *sentinel // nil before rounds with Rounds.Sentinel
	live     liveHeap
	guard    *guard // nil before rounds
	stay     *stay  // stay of the last command; nil if that was not rounds, or failed
	// checking is the total time of checks between batches.
	checking time.Duration
	// hash is the seed of digests, if seeded is set.
	hash   maphash.Seed
	seeded bool
}

// values are the values of one workload at one size, and the codecs bound to them.
type values struct {
	load     Load                       // the Load that asked for them
	losses   map[string]map[string]bool // load.Losses as sets, made on first use
	schema   *schema.Schema
	workload string
	root     string
	slice    any              // []T, where T is the root's model type
	models   []workload.Model // a *T for each
	digest   uint64           // digest of the models as they were made
	maps     bool             // the schema has maps
	// source makes as many other values; if the values are a user's, it makes variants of them.
	source func(set uint64) (any, error)
	// renewals is how many sets of values freshPass has used.
	renewals uint64
	mark     *mark // nil: no marks
	bound    map[seat]*bound
}

// A seat identifies a codec: its subject, and the role of a further codec of the subject.
type seat struct {
	result.Subject
	role string
	// inputs is how many of the values the codec is bound to, from the first on; 0 means all.
	inputs int
}

// A bound is a binding's codec with its cursor and its messages.
type bound struct {
	result.Subject
	codec  *Codec
	inputs int
	// from is the subject that wrote the messages that the codec reads; zero before Use.
	from result.Subject
	// last is the op that ran last, and next is the next input of each op. The ops of a codec
	// may share one cursor or have one each, so a change of op needs a seek.
	last result.Op
	next map[result.Op]int
	// messages are the messages that the codec reads; nil before Use.
	messages [][]byte
	unread   uint64 // digest of messages before the codec read them
	// mayVary says that messages of one input may differ in length from call to call, because
	// the schema has maps or the binding declares it.
	mayVary bool
	mark    *mark // nil: the codec gives no signs of life
	held    held
	// known are the sums of ops that ran once for each input to produce messages. A rounds
	// command clears them first.
	known    map[result.Op]sums
	followed map[result.Op]bool // the ops that follow has checked
	// unchecked is how many batches ran since the last spot check.
	unchecked int
}

// load makes the values of a workload. It first drops the earlier values and the codecs bound
// to them, because memory may not hold two large workloads. After an error, nothing is loaded.
func (s *session) load(l Load) (*Loaded, error) {
	s.drop()
	i := slices.IndexFunc(s.program.Workloads, func(w *workload.Workload) bool { return w.Name == l.Workload })
	if i < 0 {
		return nil, fmt.Errorf("no workload %q in this runner, which has %s", l.Workload, s.workloads())
	}
	w := s.program.Workloads[i]
	switch {
	case l.Data != "" && w.Read == nil:
		return nil, errors.New("this runner makes the values itself: leave data out")
	case l.Data == "" && w.Read != nil:
		return nil, fmt.Errorf("the values of workload %s are not in this runner: name their file in data", w.Name)
	}
	size, err := w.Size(l.Size)
	if err != nil {
		return nil, err
	}
	n := l.Inputs
	if n == 0 {
		n = size.Inputs()
	}
	if n < 1 || n > maxCount {
		return nil, fmt.Errorf("inputs is %d, want 1 to %d, or 0 for the size's own number", n, maxCount)
	}
	m, err := openMark(l.Mark)
	if err != nil {
		return nil, err
	}
	v := &values{load: l, schema: w.Schema, workload: w.Name, root: size.Root, mark: m, bound: map[seat]*bound{}}
	if w.Read != nil {
		v.slice, err = w.Read(size, l.Data)
		n = l.Inputs
		v.source = func(set uint64) (any, error) { return workload.Variants(v.slice, w.Schema, otherSeed(l.Seed, set)) }
	} else {
		v.slice, err = w.Generate(size, l.Seed, n)
		v.source = func(set uint64) (any, error) { return w.Generate(size, otherSeed(l.Seed, set), n) }
	}
	if err == nil {
		v.models, err = models(v.slice, n)
	}
	if err != nil {
		m.close()
		return nil, fmt.Errorf("generate %s %s: %w", w.Name, size.Key, err)
	}
	v.digest, v.maps = s.digest(v.models), v.schema != nil && v.schema.Has(schema.Map)
	s.loaded = v
	return &Loaded{Root: v.root, Inputs: len(v.models)}, nil
}

// otherSeed returns the seed of another set of values than the values of seed. Sets are
// numbered from 1 to 1<<32 - 1; each has another seed.
func otherSeed(seed, set uint64) uint64 { return seed ^ (set<<32 | set) }

// drop forgets the loaded values.
func (s *session) drop() {
	if s.loaded != nil {
		s.loaded.mark.close()
		s.loaded = nil
	}
}

// workloads lists the names of the program's workloads.
func (s *session) workloads() string {
	var names []string
	for _, w := range s.program.Workloads {
		names = append(names, w.Name)
	}
	if names == nil {
		return "none"
	}
	return strings.Join(names, ", ")
}

// models returns a pointer to each element of a slice of n model values. If n is 0, the slice
// may have any length except 0.
func models(slice any, n int) ([]workload.Model, error) {
	v := reflect.ValueOf(slice)
	if v.Kind() != reflect.Slice {
		return nil, fmt.Errorf("got a %T, want a slice of model values", slice)
	}
	switch {
	case v.Len() == 0:
		return nil, errors.New("got no values")
	case n > 0 && v.Len() != n:
		return nil, fmt.Errorf("got %d values, want %d", v.Len(), n)
	}
	out := make([]workload.Model, v.Len())
	for i := range out {
		m, ok := v.Index(i).Addr().Interface().(workload.Model)
		if !ok {
			return nil, fmt.Errorf("*%s has no method LeafSum", v.Type().Elem())
		}
		out[i] = m
	}
	return out, nil
}

// intact reports whether the inputs are as they were made.
func (s *session) intact() bool {
	defer s.loaded.mark.meanwhile()()
	return s.digest(s.loaded.models) == s.loaded.digest
}

// renew makes the values anew after a contender changed them, and drops the codecs bound to the
// old values.
func (s *session) renew() error {
	_, err := s.load(s.loaded.load)
	return err
}

// need returns the loaded values, or says that load must come first.
func (s *session) need() (*values, error) {
	if s.loaded == nil {
		return nil, errors.New("nothing is loaded: send load first")
	}
	return s.loaded, nil
}

// binding finds the binding of a subject to the loaded root.
func (s *session) binding(who result.Subject) (*Binding, error) {
	v := s.loaded
	var known bool
	for i := range s.program.Bindings {
		b := &s.program.Bindings[i]
		if b.Contender != who.Contender {
			continue
		}
		known = true
		if b.Workload == v.workload && b.Root == v.root && b.Mode == who.Mode {
			return b, nil
		}
	}
	if !known {
		return nil, fmt.Errorf("unknown contender %q: describe lists what this runner links", who.Contender)
	}
	return nil, fmt.Errorf("%s has no binding to %s of workload %s in this mode: describe lists the bindings", who, v.root, v.workload)
}

// offers reports whether the subject has a binding with op.
func (s *session) offers(who result.Subject, op result.Op) bool {
	b, err := s.binding(who)
	return err == nil && slices.Contains(b.Ops, op)
}

// bind returns the codec of a seat for use with op. It makes the codec on first use.
func (s *session) bind(who seat, op result.Op) (*bound, error) {
	if c := s.loaded.bound[who]; c != nil {
		if b, err := s.binding(who.Subject); err == nil && b.has(op) {
			return c, s.loaded.mark.set(who.Subject, op)
		}
	}
	values, inputs := s.loaded.slice, len(s.loaded.models)
	if who.inputs > 0 {
		inputs = who.inputs
		values = reflect.ValueOf(values).Slice(0, inputs).Interface()
	}
	c, err := s.attachTo(who.Subject, op, values, inputs)
	if err != nil {
		return nil, err
	}
	s.loaded.bound[who] = c
	return c, nil
}

// attach returns a new codec of the subject for use with op, bound to all values.
func (s *session) attach(who result.Subject, op result.Op) (*bound, error) {
	return s.attachTo(who, op, s.loaded.slice, len(s.loaded.models))
}

// attachTo returns a new codec of the subject for use with op, bound to values, of which inputs
// is the number. It sets the mark to the subject and op before the contender's code runs.
func (s *session) attachTo(who result.Subject, op result.Op, values any, inputs int) (*bound, error) {
	b, err := s.binding(who)
	if err != nil {
		return nil, err
	}
	if !b.has(op) {
		return nil, fmt.Errorf("%s offers no op %q here, but %v", who, op, b.Ops)
	}
	v := s.loaded
	if err := v.mark.set(who, op); err != nil {
		return nil, err
	}
	s.warm = true
	codec, err := b.New(values)
	if err == nil {
		err = codec.check(b.Ops)
	}
	if err != nil {
		return nil, fmt.Errorf("bind %s: %w", who, err)
	}
	c := newBound(who, codec, inputs)
	c.mayVary, c.mark = v.maps || b.Varies != "", v.mark
	return c, nil
}

func newBound(who result.Subject, codec *Codec, inputs int) *bound {
	return &bound{Subject: who, codec: codec, inputs: inputs, next: map[result.Op]int{}, known: map[result.Op]sums{}}
}

// prepare returns the subject's codec, ready to run op on its own bytes.
func (s *session) prepare(who result.Subject, op result.Op) (*bound, error) {
	return s.prepareSeat(seat{Subject: who}, op)
}

// prepareSeat returns a seat's codec, ready to run op on the subject's own
// bytes.
func (s *session) prepareSeat(who seat, op result.Op) (*bound, error) {
	c, err := s.bind(who, op)
	if err != nil || !reads(op) {
		return c, err
	}
	writes := written(op)
	writer := s.partner(who.Subject, writes)
	if c.from == writer {
		return c, nil
	}
	messages, err := s.outputs(writer, writes, who.inputs)
	if err != nil {
		return nil, err
	}
	if err := s.loaded.mark.set(who.Subject, op); err != nil {
		return nil, err
	}
	c.use(messages, writer)
	return c, nil
}

// prepareCase prepares the codec for a case's role, bound to so many of the values; 0 means
// all.
func (s *session) prepareCase(c CaseSpec, inputs int) (*bound, error) {
	switch c.Role {
	case "", result.Control:
		return s.prepareSeat(seat{c.Subject, c.Role, inputs}, c.Op)
	case result.Floor:
		if c.Op != result.Encode {
			return nil, fmt.Errorf("%s %s: the role %s is for op encode only", c.Subject, c.Op, c.Role)
		}
		return s.floor(c.Subject, inputs)
	}
	return nil, fmt.Errorf("%s %s: unknown role %q: want %s, %s or none", c.Subject, c.Op, c.Role, result.Control, result.Floor)
}

// partner returns the subject that does op for who: who itself or, if its mode does not offer
// op, the contender's default mode.
func (s *session) partner(who result.Subject, op result.Op) result.Subject {
	if s.offers(who, op) {
		return who
	}
	return result.Subject{Contender: who.Contender}
}

// messages returns the bytes of every input as the subject writes them.
func (s *session) messages(who result.Subject) ([][]byte, error) {
	return s.outputs(who, result.Encode, 0)
}

// outputs returns the results of op, encode or compress, for the first inputs; 0 means all
// inputs.
func (s *session) outputs(who result.Subject, op result.Op, inputs int) ([][]byte, error) {
	c, err := s.bind(seat{Subject: who, inputs: inputs}, op)
	if err != nil {
		return nil, fmt.Errorf("nobody to write the messages: %w", err)
	}
	last := c.codec.Encoded
	if op == result.Compress {
		last = c.codec.Compressed
	}
	c.restart(op)
	out, before := make([][]byte, c.inputs), make([]uint64, c.inputs+1)
	for i := range out {
		sum, err := c.run(op, 1)
		if err != nil {
			return nil, &elsewhere{input(i, failed(who, op, err)), op}
		}
		out[i], before[i+1] = slices.Clone(last()), before[i]+sum
	}
	c.known[op] = sums{before}
	return out, nil
}

// An elsewhere is a failure of another op than the requested one: no message could be written,
// or the messages could not be read.
type elsewhere struct {
	error
	op result.Op
}

func (e *elsewhere) Unwrap() error { return e.error }

// reads reports whether op reads messages.
func reads(op result.Op) bool {
	return op == result.Decode || op == result.Open || op == result.Scan || op == result.Decompress
}

// written returns the op that writes what op reads.
func written(op result.Op) result.Op {
	if op == result.Decompress {
		return result.Compress
	}
	return result.Encode
}

// sized reports whether the sum of op depends on the input. The sum of any other op is the
// number of operations.
func sized(op result.Op) bool {
	return op == result.Encode || op == result.Scan || op == result.Compress || op == result.Decompress
}

// input adds the number of the input to an error, unless it is the first input.
func input(i int, err error) error {
	if i == 0 || err == nil {
		return err
	}
	return fmt.Errorf("input %d: %w", i, err)
}

// failed adds the case to an error.
func failed(who result.Subject, op result.Op, err error) error {
	return fmt.Errorf("%s %s: %w", who, op, err)
}

// use makes the codec read messages that from wrote.
func (c *bound) use(messages [][]byte, from result.Subject) {
	c.unread = digestOf(messages)
	c.codec.Use(messages)
	c.messages, c.from, c.last = messages, from, ""
	clear(c.next)
}

// errChanged reports messages that a codec modified.
var errChanged = errors.New("it changes the messages that it reads")

// spares checks that the codec did not modify the messages that it read.
func (c *bound) spares() error {
	if len(c.messages) > 0 && digestOf(c.messages) != c.unread {
		return errChanged
	}
	return nil
}

// restart makes the first input the next input of op.
func (c *bound) restart(op result.Op) {
	c.last = ""
	c.next[op] = 0
}

// seek moves the codec to op's next input and returns its index. It does not call Seek if op
// itself ran last: after a Seek, a mode that sends type information once would have to send it
// again.
func (c *bound) seek(op result.Op) int {
	if c.last != op {
		c.codec.Seek(c.next[op])
		c.last = op
	}
	return c.next[op]
}

// advance records that op was done n times. The inputs are a ring.
func (c *bound) advance(op result.Op, n int) {
	c.next[op] = (c.next[op] + n) % c.inputs
}

// run runs op n times from its next input.
func (c *bound) run(op result.Op, n int) (uint64, error) {
	c.seek(op)
	sum, err := c.call(op, n)
	if err != nil {
		c.last = "" // the position is unknown
		return 0, err
	}
	c.advance(op, n)
	return sum, nil
}

// call runs op n times from the codec's current position, and gives a sign of life.
func (c *bound) call(op result.Op, n int) (uint64, error) {
	defer c.mark.beat()
	return c.codec.op(op)(n)
}

// op returns the codec's function for an op that it offers.
func (c *Codec) op(op result.Op) Op {
	switch op {
	case result.Encode:
		return c.Encode
	case result.Decode:
		return c.Decode
	case result.Open:
		return c.Open
	case result.Scan:
		return c.Scan
	case result.Convert:
		return c.Convert
	case result.Compress:
		return c.Compress
	case result.Decompress:
		return c.Decompress
	}
	return nil
}

// check reports a field that ops need and that the codec does not set.
func (c *Codec) check(ops []result.Op) error {
	if c == nil {
		return errors.New("its New returned no codec")
	}
	for _, op := range ops {
		missing := c.op(op) == nil
		switch op {
		case result.Encode:
			missing = missing || c.Encoded == nil
		case result.Decode:
			missing = missing || c.Decoded == nil || c.Use == nil
		case result.Open, result.Scan:
			missing = missing || c.Use == nil
		case result.Convert:
			missing = missing || c.Converted == nil
		case result.Compress:
			missing = missing || c.Compressed == nil || c.Plain == nil
		case result.Decompress:
			missing = missing || c.Decompressed == nil || c.Plain == nil || c.Use == nil
		}
		if missing || c.Seek == nil {
			return fmt.Errorf("the codec offers %s and does not set every field that it needs", op)
		}
	}
	return nil
}

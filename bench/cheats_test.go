package bench

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"assay/result"
)

// cheats are contenders with one fault each.
var cheats = []cheat{
	{name: "caches by pointer", by: "verify", found: "encode: it returns an earlier result for content that changed in place", change: func(f *fake, c *Codec) {
		cache := map[*item][]byte{}
		encode := f.encode
		f.encode = func(v *item) ([]byte, error) {
			if b, ok := cache[v]; ok {
				return slices.Clone(b), nil
			}
			b, err := encode(v)
			cache[v] = b
			return slices.Clone(b), err
		}
	}},
	{name: "caches by pointer and shares", by: "verify", found: "encode: it returns an earlier result for content that changed in place", change: func(f *fake, c *Codec) {
		cache := map[*item][]byte{}
		encode := f.encode
		f.encode = func(v *item) (b []byte, err error) {
			if cache[v] == nil {
				cache[v], err = encode(v)
			}
			return cache[v], err
		}
	}},
	{name: "caches by address", by: "verify", found: "decode: it returns an earlier result for content that changed in place", change: func(f *fake, c *Codec) {
		cache := map[*byte]*item{}
		decode := f.decode
		f.decode = func(b []byte) (v *item, err error) {
			if cache[&b[0]] == nil {
				cache[&b[0]], err = decode(b)
			}
			return cache[&b[0]], err
		}
	}},
	{name: "caches by content", by: "verify", found: "decode, after", change: func(f *fake, c *Codec) {
		cache := map[string]*item{}
		decode := f.decode
		f.decode = func(b []byte) (v *item, err error) {
			if cache[string(b)] == nil {
				cache[string(b)], err = decode(b)
			}
			return cache[string(b)], err
		}
	}},
	{name: "changes its input late", by: "verify", found: "encode, after", change: func(f *fake, c *Codec) {
		f.encode = after(400, f.encode, func(v *item) ([]byte, error) {
			v.Name = "changed"
			return json.Marshal(v)
		})
		f.values = slices.Clone(f.values)
	}},
	{name: "shares its output", by: "verify", found: "which is mode output=reuse", change: func(f *fake, c *Codec) {
		var buf bytes.Buffer
		f.encode = func(v *item) ([]byte, error) {
			buf.Reset()
			err := json.NewEncoder(&buf).Encode(v)
			return buf.Bytes(), err
		}
	}},
	{name: "shares its capacity", by: "verify", found: "whoever appends to a message overwrites the next one", change: func(f *fake, c *Codec) {
		var slab []byte
		f.encode = func(v *item) ([]byte, error) {
			b, err := json.Marshal(v)
			if cap(slab)-len(slab) < len(b) {
				slab = make([]byte, 0, 1<<16)
			}
			start := len(slab)
			slab = append(slab, b...)
			return slab[start:], err
		}
	}},
	{name: "shares its target", by: "verify", found: "which is mode target=reuse", change: func(f *fake, c *Codec) {
		var kept item
		f.decode = func(b []byte) (*item, error) {
			kept = item{}
			return &kept, json.Unmarshal(b, &kept)
		}
	}},
	{name: "lengths vary", by: "verify", found: "messages of different length from call to call", change: func(f *fake, c *Codec) {
		encode, calls := f.encode, 0
		f.encode = func(v *item) ([]byte, error) {
			b, err := encode(v)
			if calls++; calls%10 == 0 {
				b = append(b, "   "...)
			}
			return b, err
		}
	}},
	{name: "defers", by: "verify", found: "is not in memory after decoding: it is read only when somebody asks for it, which is op open", change: func(f *fake, c *Codec) {
		var raw []byte
		f.decode = func(b []byte) (*item, error) {
			raw = slices.Clone(b)
			return &item{}, nil
		}
		c.Decoded = func() any {
			v, _ := decodeItem(raw)
			*f.decoded = *v
			return f.decoded
		}
	}},
	{name: "leaves bytes over", by: "verify", found: "a message is read alike without its last byte: it writes bytes that are not read", change: func(f *fake, c *Codec) {
		encode := f.encode
		f.encode = func(v *item) ([]byte, error) {
			b, err := encode(v)
			return append(b, "abc"...), err
		}
		f.decode = func(b []byte) (*item, error) {
			v := new(item)
			return v, json.NewDecoder(bytes.NewReader(b)).Decode(v)
		}
	}},
	{name: "empty after 1000", by: "verify", found: "decode, after", change: func(f *fake, c *Codec) {
		f.decode = after(1000, f.decode, func([]byte) (*item, error) { return &item{}, nil })
	}},
	{name: "every 1000th empty", by: "verify", found: "decode, after", change: func(f *fake, c *Codec) {
		decode, calls := f.decode, 0
		f.decode = func(b []byte) (*item, error) {
			if calls++; calls%1000 == 0 {
				return &item{}, nil
			}
			return decode(b)
		}
	}},
	{name: "zero bytes after 500", by: "verify", found: "encode, after", change: func(f *fake, c *Codec) {
		encode := f.encode
		f.encode = after(500, encode, func(v *item) ([]byte, error) {
			b, err := encode(v)
			return make([]byte, len(b)), err
		})
	}},
	{name: "nothing when n > 64", by: "verify", found: "encode, after", change: func(f *fake, c *Codec) {
		encode := c.Encode
		lengths := f.lengths()
		c.Encode = func(n int) (sum uint64, err error) {
			if n <= 64 {
				return encode(n)
			}
			for range n {
				sum += lengths[f.next%len(lengths)]
				f.next++
			}
			f.next %= len(lengths)
			return sum, nil
		}
	}},
	{name: "sets GOMAXPROCS", by: "verify", found: "it sets GOMAXPROCS from ", change: func(f *fake, c *Codec) {
		f.encode = before(f.encode, func() { runtime.GOMAXPROCS(runtime.NumCPU() + 1) })
	}},
	{name: "switches the collector off", by: "verify", found: "it sets the garbage collector's percentage from 100 to off", change: func(f *fake, c *Codec) {
		f.decode = before(f.decode, func() { debug.SetGCPercent(-1) })
	}},
	{name: "sets a memory limit", by: "verify", found: "it sets the memory limit from 9223372036854775807 to 1073741824 bytes", change: func(f *fake, c *Codec) {
		f.decode = before(f.decode, func() { debug.SetMemoryLimit(1 << 30) })
	}},
	{name: "burns another processor", by: "verify", found: " behind, at work when nothing is asked of it", change: func(f *fake, c *Codec) {
		var once sync.Once
		f.encode = before(f.encode, func() { once.Do(func() { go burn() }) })
	}},
	{name: "only the last of a batch", by: "verify", found: "encode: a batch does not do all of its operations: with another value in it, ", change: func(f *fake, c *Codec) {
		encode := c.Encode
		lengths := f.lengths()
		c.Encode = func(n int) (sum uint64, err error) {
			for ; n > 1; n-- {
				sum += lengths[f.next%len(lengths)]
				f.next++
			}
			f.next %= len(lengths)
			one, err := encode(1)
			return sum + one, err
		}
	}},
	{name: "reads only the last of a batch", by: "verify", found: "decode: a batch does not do all of its operations: it cannot read one of its messages (", ops: []result.Op{result.Encode, result.Decode}, change: func(f *fake, c *Codec) {
		decode := c.Decode
		c.Decode = func(n int) (uint64, error) {
			f.next = (f.next + n - 1) % len(f.messages)
			_, err := decode(1)
			return uint64(n), err
		}
	}},
	{name: "every other one of a batch", by: "verify", found: "decode: a batch does not do all of its operations: it cannot read one of its messages (", ops: []result.Op{result.Encode, result.Decode}, change: func(f *fake, c *Codec) {
		c.Decode = skips(f, c.Decode, 64, func(i int) bool { return i%2 == 0 })
	}},
	{name: "one of a batch and its last", by: "verify", found: "decode: a batch does not do all of its operations: it cannot read one of its messages (", ops: []result.Op{result.Encode, result.Decode}, change: func(f *fake, c *Codec) {
		c.Decode = skips(f, c.Decode, 64, func(i int) bool { return i != 3 })
	}},
	{name: "each message of a batch once", by: "verify", found: "decode: a batch does not do all of its operations: it cannot read one of its messages (", ops: []result.Op{result.Encode, result.Decode}, change: func(f *fake, c *Codec) {
		decode := c.Decode
		c.Decode = func(n int) (uint64, error) {
			if left := n - 7; left > 0 {
				f.next = (f.next + left) % len(f.messages)
				sum, err := decode(7)
				return sum + uint64(left), err
			}
			return decode(n)
		}
	}},
	{name: "each value of a batch once", by: "verify", found: "encode: a batch does not do all of its operations: with another value in it, ", change: func(f *fake, c *Codec) {
		encode := c.Encode
		c.Encode = func(n int) (sum uint64, err error) {
			f.next %= len(f.values)
			var lengths [7]uint64
			for k := range n {
				i := f.next % len(f.values)
				if lengths[i%7] == 0 || k == n-1 {
					if lengths[i%7], err = encode(1); err != nil {
						return 0, err
					}
				} else {
					f.next = i + 1
				}
				sum += lengths[i%7]
			}
			return sum, nil
		}
	}},
	{name: "few of a batch that is timed", by: "calibrate", found: "a batch does not do all of its operations: it cannot read one of its messages (", ops: []result.Op{result.Encode, result.Decode}, change: func(f *fake, c *Codec) {
		c.Decode = skips(f, c.Decode, 700, func(i int) bool { return i%7 != 3 })
	}},
	{name: "writes every other one of a batch", by: "verify", found: "encode: a batch does not do all of its operations: with another value in it, ", change: func(f *fake, c *Codec) {
		lengths := f.lengths()
		encode := c.Encode
		c.Encode = func(n int) (sum uint64, err error) {
			if n <= 64 {
				return encode(n)
			}
			for k := range n {
				i := f.next % len(lengths)
				if i%2 == 0 && k < n-1 {
					sum += lengths[i]
					f.next = i + 1
					continue
				}
				one, err := encode(1)
				if err != nil {
					return 0, err
				}
				sum += one
			}
			return sum, nil
		}
	}},
	{name: "texts are in a buffer of its own", by: "verify", found: "a later decode changes the value of an earlier one, which is mode target=reuse", change: func(f *fake, c *Codec) {
		f.decode = scratched()
	}},
	{name: "texts are in a buffer of its own in rounds", by: "rounds", found: "a later decode changes the value of an earlier one, which is mode target=reuse", rounds: 150, change: func(f *fake, c *Codec) {
		f.decode = after(armed, f.decode, scratched())
	}},
	{name: "aliases messages but the first", by: "verify", found: "the decoded value changes with its message, which is mode strings=alias", change: func(f *fake, c *Codec) {
		decode, calls := f.decode, 0
		f.decode = func(b []byte) (*item, error) {
			v, err := decode(b)
			if calls++; err == nil && strings.HasPrefix(v.Name, "xx") {
				alias(v, b)
			}
			return v, err
		}
	}},
	{name: "aliases messages in rounds", by: "rounds", found: errAliases.Error(), ops: []result.Op{result.Encode, result.Decode}, rounds: 150, change: func(f *fake, c *Codec) {
		decode, calls := f.decode, 0
		f.decode = func(b []byte) (*item, error) {
			v, err := decode(b)
			if calls++; calls > armed && err == nil {
				alias(v, b)
			}
			return v, err
		}
	}},
	{name: "burns on a timer", by: "verify", found: " behind, at work when nothing is asked of it", change: func(f *fake, c *Codec) {
		var once sync.Once
		f.encode = before(f.encode, func() { once.Do(burnAgain) })
	}},
	{name: "changes its message", by: "verify", found: "decode: it changes the messages that it reads", change: func(f *fake, c *Codec) {
		decode := f.decode
		f.decode = func(b []byte) (*item, error) {
			c := slices.Clone(b)
			c[0] = '{'
			v, err := decode(c)
			b[0] = ' '
			return v, err
		}
	}},
	{name: "ends in what is not read", by: "verify", found: "a message is read alike with another last byte", change: func(f *fake, c *Codec) {
		encode, decode := f.encode, f.decode
		f.encode = func(v *item) ([]byte, error) {
			b, err := encode(v)
			return append(b, "abc"...), err
		}
		f.decode = func(b []byte) (*item, error) { return decode(b[:len(b)-3]) }
	}},
	{name: "lets go of its thread", by: "verify", found: "it calls runtime.UnlockOSThread", change: func(f *fake, c *Codec) {
		f.encode = before(f.encode, runtime.UnlockOSThread)
	}},
	{name: "makes faults panics", by: "verify", found: "it calls debug.SetPanicOnFault", change: func(f *fake, c *Codec) {
		f.encode = before(f.encode, func() { debug.SetPanicOnFault(true) })
	}},
	{name: "burns in finalizers", by: "verify", found: "finalizers or cleanups behind, at work when nothing is asked of it", change: func(f *fake, c *Codec) {
		f.encode = before(f.encode, func() {
			runtime.AddCleanup(new([64]byte), func(int) {
				for start := time.Now(); time.Since(start) < 100*time.Microsecond; {
				}
			}, 0)
		})
	}},
	{name: "converts by place", by: "verify", found: "convert: it returns an earlier result for content that changed in place", ops: []result.Op{result.Convert}, change: func(f *fake, c *Codec) {
		cache := map[int]*item{}
		c.Convert = f.each(func(i int) (uint64, error) {
			if cache[i] == nil {
				v := f.model[i]
				cache[i] = &v
			}
			f.decoded = cache[i]
			return 1, nil
		})
	}},
	{name: "hands out a part twice", by: "verify", found: "decode, after", change: func(f *fake, c *Codec) {
		cache := map[string]*item{}
		decode := f.decode
		f.decode = func(b []byte) (v *item, err error) {
			if cache[string(b)] == nil {
				cache[string(b)], err = decode(b)
			}
			if err != nil {
				return nil, err
			}
			v = new(item)
			*v = *cache[string(b)]
			return v, nil
		}
	}},
	{name: "recycles two buffers", by: "verify", found: "which is mode output=reuse", change: func(f *fake, c *Codec) {
		var bufs [2]bytes.Buffer
		calls := 0
		f.encode = func(v *item) ([]byte, error) {
			calls++
			buf := &bufs[calls%2]
			buf.Reset()
			err := json.NewEncoder(buf).Encode(v)
			return buf.Bytes(), err
		}
	}},
	{name: "overwrites the ends of messages late", by: "verify", found: "which is mode output=reuse", change: func(f *fake, c *Codec) {
		const size, second = 8192, 6000 // every second message begins within the one before
		padded := func(out []byte, v *item) ([]byte, error) {
			b, err := json.Marshal(v)
			copy(out[copy(out, b):], bytes.Repeat([]byte{' '}, size))
			return out, err
		}
		var slab []byte
		f.encode = after(400, func(v *item) ([]byte, error) { return padded(make([]byte, size), v) }, func(v *item) ([]byte, error) {
			if slab == nil {
				slab = make([]byte, second+size)
				return padded(slab[:size:size], v)
			}
			out := slab[second:]
			slab = nil
			return padded(out, v)
		})
	}},
	{name: "defers a number as text", by: "verify", found: "is not in memory after decoding: it is read only when somebody asks for it, which is op open", change: func(f *fake, c *Codec) {
		type lazy struct {
			ID   json.Number
			Name string
			Tags []string
			Rate float64
		}
		var kept *lazy
		f.decode = func(b []byte) (*item, error) {
			kept = new(lazy)
			return new(item), json.Unmarshal(b, kept)
		}
		c.Value = func() any { return kept }
		c.Decoded = func() any {
			id, _ := kept.ID.Int64()
			return &item{id, kept.Name, kept.Tags, kept.Rate}
		}
	}},
	{name: "defers a number in its message", by: "verify", found: "is not in memory after decoding: it is read only when somebody asks for it, which is op open", change: func(f *fake, c *Codec) {
		type lazy struct {
			name string
			tags []string
			rate float64
			raw  any
		}
		var kept *lazy
		decode := f.decode
		f.decode = func(b []byte) (*item, error) {
			v, err := decode(b)
			kept = &lazy{v.Name, v.Tags, v.Rate, json.RawMessage(slices.Clone(b))}
			return v, err
		}
		c.Value = func() any { return kept }
		c.Decoded = func() any {
			v, _ := decode(kept.raw.(json.RawMessage))
			return v
		}
	}},
	{name: "defers a number until it is asked for", by: "verify", found: "is not in memory after decoding: it is read only when somebody asks for it, which is op open", change: func(f *fake, c *Codec) {
		decode := f.decode
		var hidden int64
		f.decode = func(b []byte) (*item, error) {
			v, err := decode(b)
			hidden, v.ID = v.ID, 0
			return v, err
		}
		c.Decoded = func() any {
			f.decoded.ID = hidden
			return f.decoded
		}
	}},
	{name: "puts its message right later", by: "verify", found: "decode: it changes the messages that it reads", change: func(f *fake, c *Codec) {
		decode := f.decode
		right := func() {}
		f.decode = func(b []byte) (*item, error) {
			right()
			v, err := decode(b)
			was := b[0]
			b[0] = ' '
			right = func() { b[0] = was }
			return v, err
		}
	}},
	{name: "starts a process", by: "verify", found: "it starts other processes", change: func(f *fake, c *Codec) {
		var once sync.Once
		f.encode = before(f.encode, func() {
			once.Do(func() {
				if err := exec.Command(os.Args[0], "-test.run=^$").Run(); err != nil {
					panic(err)
				}
			})
		})
	}},
	{name: "sets a variable", by: "verify", found: "it changes the environment of the process: BENCH_TEST_CHEAT", change: func(f *fake, c *Codec) {
		f.encode = before(f.encode, func() { os.Setenv("BENCH_TEST_CHEAT", "on") })
	}},
	{name: "goes elsewhere", by: "verify", found: "it changes the working directory", change: func(f *fake, c *Codec) {
		f.encode = before(f.encode, func() { os.Chdir(os.TempDir()) })
	}},
	{name: "sets the time zone", by: "verify", found: "it sets time.Local from ", change: func(f *fake, c *Codec) {
		f.encode = before(f.encode, func() { time.Local = time.FixedZone("cheat", 3600) })
	}},
	{name: "sets a variable in rounds", by: "rounds", found: "it changes the environment of the process: BENCH_TEST_CHEAT", change: func(f *fake, c *Codec) {
		f.decode = after(armed, f.decode, func(b []byte) (*item, error) {
			os.Setenv("BENCH_TEST_CHEAT", "on")
			return decodeItem(b)
		})
	}},
	{name: "nothing while the collector is off", by: "rounds", found: "seen between timed batches: ", ops: []result.Op{result.Encode, result.Decode}, change: func(f *fake, c *Codec) {
		decode, reader := f.decode, newStateReader()
		f.decode = func(b []byte) (*item, error) {
			if percentText(reader.read().percent) == "off" {
				return &item{}, nil
			}
			return decode(b)
		}
	}},
	{name: "burns in rounds", by: "rounds", found: "it leaves 1 goroutine behind, at work when nothing is asked of it", change: func(f *fake, c *Codec) {
		f.decode = after(armed, f.decode, func(b []byte) (*item, error) {
			go burn()
			f.decode = newFake([]item{}).decode
			return f.decode(b)
		})
	}},
	{name: "collects in rounds", by: "rounds", found: "the garbage collector was run during a timed batch", change: func(f *fake, c *Codec) {
		f.decode = after(armed, f.decode, func(b []byte) (*item, error) {
			runtime.GC()
			f.decode = decodeItem
			return decodeItem(b)
		})
	}},
	{name: "sets GOMAXPROCS in rounds", by: "rounds", found: "it sets GOMAXPROCS from ", change: func(f *fake, c *Codec) {
		f.decode = after(armed, f.decode, func(b []byte) (*item, error) {
			runtime.GOMAXPROCS(runtime.NumCPU() + 1)
			return decodeItem(b)
		})
	}},
	{name: "empty in rounds", by: "rounds", found: "seen between timed batches: ", change: func(f *fake, c *Codec) {
		f.decode = after(armed, f.decode, func([]byte) (*item, error) { return &item{}, nil })
	}},
	{name: "zero bytes in rounds", by: "rounds", found: "seen between timed batches: ", change: func(f *fake, c *Codec) {
		encode := f.encode
		f.encode = after(armed, encode, func(v *item) ([]byte, error) {
			b, err := encode(v)
			return make([]byte, len(b)), err
		})
	}},
	// It leaves its previous result in place. With 7 inputs, this result is right after one
	// batch in seven.
	{name: "nothing in rounds", by: "rounds", found: "seen between timed batches: ", or: "it returns an earlier result for content that changed in place", ops: []result.Op{result.Encode, result.Decode}, change: func(f *fake, c *Codec) {
		decode, calls := c.Decode, 0
		c.Decode = func(n int) (uint64, error) {
			if calls += n; calls <= armed {
				return decode(n)
			}
			f.next = (f.next + n) % len(f.values)
			return uint64(n), nil
		}
	}},
	{name: "recycles a ring of values in rounds", by: "rounds", found: "the value of an earlier one, which is mode target=reuse", rounds: 150, change: func(f *fake, c *Codec) {
		var ring [1999]item // verification does fewer decodes
		calls := 0
		f.decode = func(b []byte) (*item, error) {
			v := &ring[calls%len(ring)]
			calls++
			*v = item{}
			return v, json.Unmarshal(b, v)
		}
	}},
	{name: "changes shared inputs in rounds", by: "rounds", found: "the contender changed its inputs: input 0: Tags[0]: ", change: func(f *fake, c *Codec) {
		f.encode = after(armed, f.encode, func(v *item) ([]byte, error) {
			b, err := json.Marshal(v)
			v.Tags[0] += "x"
			return b, err
		})
	}},
}

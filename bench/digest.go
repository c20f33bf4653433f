package bench

import (
	"encoding/binary"
	"hash/maphash"
	"io"
	"math"
	"reflect"
	"time"

	"assay/workload"
)

// A digester computes a digest of values that covers the order of lists and every byte. Leaf
// sums do not suffice: they ignore the order of elements and the middle of a text.
type digester struct {
	hash digest
	// entry returns a digester for an entry of a map.
	entry func() *digester
	// scratch is the buffer of number. A slice of a local variable would escape to the heap.
	scratch [8]byte
}

// A digest is the hash that a digester writes to.
type digest interface {
	io.Writer
	io.StringWriter
	Sum64() uint64
}

// quickDigester returns a fast digester. Its digests can be compared only within this process.
func quickDigester(seed maphash.Seed) *digester {
	hash := new(maphash.Hash)
	hash.SetSeed(seed)
	return &digester{hash: hash, entry: func() *digester { return quickDigester(seed) }}
}

// digest returns one digest of all models. It can be compared only with digests of the same
// session.
func (s *session) digest(models []workload.Model) uint64 {
	d := quickDigester(s.hashSeed())
	for _, m := range models {
		d.add(reflect.ValueOf(m))
	}
	return d.hash.Sum64()
}

// messageSeed is the seed of message digests.
var messageSeed = maphash.MakeSeed()

// digestOf returns the digest of messages, each with its length.
func digestOf(messages [][]byte) uint64 {
	d := quickDigester(messageSeed)
	for _, m := range messages {
		d.number(uint64(len(m)))
		d.hash.Write(m)
	}
	return d.hash.Sum64()
}

// hashSeed returns the session's seed, made on first use.
func (s *session) hashSeed() maphash.Seed {
	if !s.seeded {
		s.hash, s.seeded = maphash.MakeSeed(), true
	}
	return s.hash
}

// number adds 64 bits.
func (d *digester) number(v uint64) {
	binary.LittleEndian.PutUint64(d.scratch[:], v)
	d.hash.Write(d.scratch[:])
}

// length adds the length of a value, or a marker if the value is nil.
func (d *digester) length(v reflect.Value) {
	if v.IsNil() {
		d.number(math.MaxUint64)
		return
	}
	d.number(uint64(v.Len()))
}

// add adds a value of a model type.
func (d *digester) add(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			d.number(0)
			return
		}
		d.number(1)
		d.add(v.Elem())
	case reflect.String:
		d.number(uint64(v.Len()))
		d.hash.WriteString(v.String())
	case reflect.Bool:
		if v.Bool() {
			d.number(1)
		} else {
			d.number(0)
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		d.number(uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		d.number(v.Uint())
	case reflect.Float32, reflect.Float64:
		f := v.Float()
		if f != f {
			f = math.NaN() // any NaN equals any other
		}
		d.number(math.Float64bits(f))
	case reflect.Slice:
		d.length(v)
		if v.Type().Elem().Kind() == reflect.Uint8 {
			d.hash.Write(v.Bytes())
			return
		}
		d.elements(v)
	case reflect.Array:
		d.elements(v)
	case reflect.Map:
		d.dict(v)
	case reflect.Struct:
		d.fields(v)
	}
}

func (d *digester) elements(v reflect.Value) {
	for i := range v.Len() {
		d.add(v.Index(i))
	}
}

// dict adds the entries of a map independently of their order.
func (d *digester) dict(v reflect.Value) {
	d.length(v)
	var all uint64
	for it := v.MapRange(); it.Next(); {
		entry := d.entry()
		entry.add(it.Key())
		entry.add(it.Value())
		all += entry.hash.Sum64()
	}
	d.number(all)
}

func (d *digester) fields(v reflect.Value) {
	if v.Type() == reflect.TypeFor[time.Time]() && v.CanInterface() {
		t := v.Interface().(time.Time)
		_, offset := t.Zone()
		d.number(uint64(t.Unix()))
		d.number(uint64(t.Nanosecond()))
		d.number(uint64(offset))
		return
	}
	for i := range v.NumField() {
		if v.Type().Field(i).IsExported() {
			d.add(v.Field(i))
		}
	}
}

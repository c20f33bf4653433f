package behaviour

import (
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"assay/contender"
	"assay/contender/emit"
	"assay/result"
)

// A plant is a contender with a planted fault. Its statements belong to a codec of encoding/json;
// they may use the words of emit.Usage, the functions of testdata/planted, and DISK, the name of a
// file that outlives the process.
type plant struct {
	name string
	// fields, start, encode and decode have the meaning of emit.Usage. If encode or decode is
	// empty, it is the one without a fault.
	fields, start, encode, decode string
	// op is the op that must have no number. status is its status; empty means unverified.
	op     result.Op
	status result.Status
	// reason is a part of the reason that must be reported. warning is a part of the warning
	// beside its numbers, if it has numbers. If both are set, either is enough: which of the two
	// is reported depends on how soon the processor is free.
	reason, warning string
	// least is a contender without a fault. The plant must not be four times as fast as it in
	// either op. If least is empty, there is no such limit.
	least string
	// holds is the type, and model the conversion, of what decode stores in v instead of a value,
	// as in emit.Usage.
	holds, model string
	// own says that the plant is also tried on a user's own records: faults that checks on such
	// records could miss, and one fault of each other kind.
	own bool
	// late says that the fault shows only in the last pass. Other faults can use up the budget
	// before that pass, so this one is measured only beside contenders without faults.
	late bool
	// stops says that the fault stops the timing of all contenders, which then begins again
	// without it. Such faults have a run of their own, so that few contenders are timed again.
	stops bool
}

const (
	soundEncode = "out, err = json.Marshal(in[i])"
	soundDecode = "v = new($T)\nerr = json.Unmarshal(data, v)"
)

// contender returns the contender. Its Emit writes the package of encoding/json with the fault in
// it.
func (p plant) contender(t *testing.T) *contender.Contender {
	t.Helper()
	help, err := os.ReadFile("testdata/planted/fault.go")
	if err != nil {
		t.Fatal(err)
	}
	disk := strconv.Quote(filepath.Join(t.TempDir(), "disk"))
	return &contender.Contender{
		Name: p.name, Title: "planted", Text: "Planted.", Choose: "never", Format: p.name, Group: "planted", License: "MIT",
		Ops: []result.Op{result.Encode, result.Decode},
		Emit: func(req contender.Request) (contender.Output, error) {
			style := emit.JSONStyle(req.Schema)
			types := emit.NewSource(req.Package, "assay")
			style.Types(types, req.Schema, emit.Tag("json"), [2]string{})
			emit.JSONMethods(types, style, "json.Marshal", "json.Unmarshal")
			named := strings.NewReplacer("DISK", disk)
			usage := emit.Usage{Fields: p.fields, Start: named.Replace(p.start), Encode: named.Replace(p.encode), Decode: p.decode, Only: []result.Op{result.Encode, result.Decode}}
			if usage.Encode == "" {
				usage.Encode = soundEncode
			}
			if usage.Decode == "" {
				usage.Decode = soundDecode
			}
			usage.Holds, usage.Model = p.holds, p.model
			binder := &emit.Binder{Direct: p.holds != "", Imports: []string{"encoding/json"}, Usages: []emit.Usage{usage}}
			for _, name := range []string{"os", "time", "runtime", "runtime/debug"} {
				if strings.Contains(p.start+p.encode+p.decode, path.Base(name)+".") {
					binder.Imports = append(binder.Imports, name)
				}
			}
			out, err := emit.Package(req, types, style, binder)
			text := strings.Replace(string(help), "package planted", "package "+path.Base(req.Package), 1)
			out.Files = append(out.Files, contender.File{Name: "fault.go", Data: []byte(text)})
			return out, err
		},
	}
}

// unless returns the encode without a fault, followed by statements that run only during the
// given commands of the runner.
func unless(commands, encode string) string {
	return soundEncode + "\nif within(" + commands + ") {\n" + encode + "\n}"
}

// sound lists contenders without faults, which are measured beside the plants.
var sound = []plant{{name: "sound"}, {name: "sound-too"}}

// plants lists the faults. Each reported reason begins with the op that showed the fault.
var plants = []plant{
	// Faults that remember something from one call to the next.
	{name: "caches-pointer", own: true, fields: "cache map[*$T][]byte", start: "c.cache = map[*$T][]byte{}", op: result.Encode,
		encode: "if out = c.cache[in[i]]; out == nil {\nout, err = json.Marshal(in[i])\nc.cache[in[i]] = out\n}\nout = append([]byte(nil), out...)",
		reason: "it returns an earlier result for content that changed in place"},
	{name: "caches-content", own: true, fields: "cache map[string][]byte", start: "c.cache = map[string][]byte{}", op: result.Encode,
		encode: "k := key(in[i])\nif out = c.cache[k]; out == nil {\nout, err = json.Marshal(in[i])\nc.cache[k] = out\n}",
		reason: "encode, after"},
	{name: "caches-results", own: true, fields: "cache map[string][]byte", start: "c.cache = map[string][]byte{}",
		encode:  "k := in[i].Title\nif out = c.cache[k]; out == nil {\nout, err = json.Marshal(in[i])\nc.cache[k] = out\n}\nout = append([]byte(nil), out...)",
		warning: "timed on new values: gains ", least: "sound"},
	{name: "caches-values", own: true, fields: "cache map[string]$T", start: "c.cache = map[string]$T{}",
		decode:  "v = new($T)\nif kept, ok := c.cache[string(data)]; ok {\n*v = copied(kept)\n} else if err = json.Unmarshal(data, v); err == nil {\nc.cache[string(data)] = copied(*v)\n}",
		warning: "timed on new values: gains ", least: "sound"},
	{name: "caches-long", own: true, fields: "cache map[string][]byte\nhot int", start: "c.cache = map[string][]byte{}",
		encode: "if n > 64 {\nc.hot = n\n}\nk := in[i].Title\nif c.hot--; c.hot > 0 && c.cache[k] != nil {\nout = append([]byte(nil), c.cache[k]...)\n} else {\n" +
			"out, err = json.Marshal(in[i])\nc.cache[k] = append([]byte(nil), out...)\n}",
		op: result.Encode, reason: "it remembers those that it has seen", warning: "timed on new values: gains ", least: "sound"},
	{name: "caches-timed", stops: true, own: true, fields: "cache map[string][]byte", start: "c.cache = map[string][]byte{}", op: result.Encode,
		encode: "k := in[i].Title\nif c.cache[k] != nil && within(\"rounds\") {\nout = append([]byte(nil), c.cache[k]...)\n} else {\nfor range 256 {\nout, err = json.Marshal(in[i])\n}\nc.cache[k] = append([]byte(nil), out...)\n}",
		reason: "it remembers those that it has seen"},
	{name: "caches-on-disk", fields: "cache map[string][]byte", start: "c.cache = restored(DISK)",
		encode:  "k := in[i].Title\nif out = c.cache[k]; out == nil {\nfor range 8 {\nout, err = json.Marshal(in[i])\n}\nc.cache[k] = out\nstore(DISK, k, out)\n}\nout = append([]byte(nil), out...)",
		warning: "timed on new values: gains ", least: "sound"},
	{name: "caches-copies", fields: "cache map[string][]byte", start: "c.cache = map[string][]byte{}",
		encode:  "k := in[i].Title\nif out = c.cache[k]; out == nil {\nfor range 8 {\nout, err = json.Marshal(in[i])\n}\nc.cache[k] = out\n}\nout = append([]byte(nil), out...)",
		warning: "from seeing the same values again"},
	{name: "returns-the-last", fields: "last []byte", op: result.Encode,
		encode: "if c.last == nil {\nc.last, err = json.Marshal(in[i])\n}\nout = append([]byte(nil), c.last...)",
		reason: " became "},
	{name: "first-value-only", op: result.Encode, encode: "out, err = json.Marshal(in[0])", reason: " became "},
	{name: "decodes-shared", own: true, fields: "shared $T", op: result.Decode,
		decode: "c.shared = $T{}\nv = &c.shared\nerr = json.Unmarshal(data, v)", reason: "which is mode target=reuse"},
	{name: "shares-output", fields: "buf []byte", op: result.Encode,
		encode: soundEncode + "\nc.buf = append(c.buf[:0], out...)\nout = c.buf", reason: "which is mode output=reuse"},
	{name: "recycles-two", fields: "bufs [2][]byte\nk int", op: result.Encode,
		encode: soundEncode + "\nc.k ^= 1\nc.bufs[c.k] = append(c.bufs[c.k][:0], out...)\nout = c.bufs[c.k]", reason: "which is mode output=reuse"},
	{name: "aliases-input", own: true, op: result.Decode, decode: soundDecode + "\nalias(v, data)", reason: "which is mode strings=alias"},
	{name: "memoizes", own: true, fields: "was map[*$T]$T\ncache map[*$T][]byte", start: "c.was, c.cache = map[*$T]$T{}, map[*$T][]byte{}",
		encode:  "if w, ok := c.was[in[i]]; !ok || !same(w, *in[i]) {\nc.was[in[i]] = copied(*in[i])\nfor range 4 {\nc.cache[in[i]], err = json.Marshal(in[i])\n}\n}\nout = append([]byte(nil), c.cache[in[i]]...)",
		warning: "timed on new values: gains ", least: "sound"},
	{name: "prefetches", fields: "next chan []byte", op: result.Encode,
		encode: "if c.next == nil {\nc.next = make(chan []byte, 64)\ngo func() {\nfor j := i; ; j = (j + 1) % len(in) {\nb, _ := json.Marshal(in[j])\nc.next <- b\n}\n}()\n}\nout = <-c.next", reason: "encode"},
	{name: "aliases-scratch", op: result.Decode, fields: "buf []byte",
		decode: soundDecode + "\nc.buf = append(c.buf[:0], data...)\nalias(v, c.buf)", reason: "a later decode changes the value of an earlier one"},
	{name: "aliases-some", own: true, op: result.Decode, decode: soundDecode + "\nif i > 0 {\nalias(v, data)\n}", reason: "which is mode strings=alias"},
	// Faults that skip work.
	{name: "defers", own: true, holds: "[]byte", op: result.Decode, decode: "v = append([]byte(nil), data...)", model: "_ = json.Unmarshal(v, m)",
		reason: "is not in memory after decoding"},
	{name: "decodes-nothing", op: result.Decode, decode: "v = new($T)\n_ = data", reason: " became "},
	{name: "decodes-half", op: result.Decode, decode: soundDecode + "\nhalf(v)", reason: " became "},
	{name: "does-the-first", op: result.Encode,
		encode: soundEncode + "\nif n > 64 {\nsum += uint64(len(out)) * uint64(n-1)\ni = (i + n - 1) % len(in)\nn = 1\n}", reason: "encode"},
	{name: "does-the-last", own: true, op: result.Encode,
		encode: "if n > 64 {\ni = (i + n - 1) % len(in)\n}\n" + soundEncode + "\nif n > 64 {\nsum += uint64(len(out)) * uint64(n-1)\nn = 1\n}", reason: "encode"},
	{name: "decodes-the-last", own: true, op: result.Decode,
		decode: "if n > 64 {\ni = (i + n - 1) % len(messages)\ndata = messages[i]\n}\n" + soundDecode + "\nif n > 64 {\nsum += uint64(n-1)\nn = 1\n}", reason: "decode"},
	{name: "zeros-late", own: true, op: result.Encode, encode: soundEncode + "\nif after(500) {\nout = zeros(out)\n}", reason: "encode"},
	{name: "empty-late", op: result.Decode, decode: soundDecode + "\nif after(1000) {\n*v = $T{}\n}", reason: "decode"},
	{name: "trailing", op: result.Encode, encode: soundEncode + "\nout = append(out, \"abc\"...)", decode: "v = new($T)\nerr = json.Unmarshal(data[:len(data)-3], v)", reason: "it writes bytes that are not read"},
	{name: "varies", op: result.Encode, encode: soundEncode + "\nif calls.Add(1)%10 == 0 {\nout = append(out, ' ')\n}", reason: "encode"},
	{name: "decodes-every-other", own: true, op: result.Decode,
		decode: "if n > 64 && i%2 == 0 && i+1 < len(messages) {\nsum++\ni++\nn--\ndata = messages[i]\n}\n" + soundDecode, reason: "a batch does not do all of its operations"},
	{name: "decodes-the-last-pass", op: result.Decode,
		decode: "for n > 64 {\nsum++\nn--\nif i++; i == len(messages) {\ni = 0\n}\ndata = messages[i]\n}\n" + soundDecode, reason: "a batch does not do all of its operations"},
	{name: "handles", own: true, op: result.Encode,
		encode: "x := copied(*in[i])\nout = handle(&x)",
		decode: "v = new($T)\nvar h any\nif h, err = behind(data); err == nil {\n*v = copied(*h.(*$T))\n}", reason: "its bytes cannot be read in another process"},
	{name: "handles-panics", op: result.Decode,
		encode: "x := *in[i]\nout = handle(&x)",
		decode: "h, _ := behind(data)\nx := *h.(*$T)\nv = &x", reason: "its bytes cannot be read in another process"},
	// Faults that affect other contenders.
	{name: "changes-model", op: result.Encode, encode: soundEncode + "\nif after(400) {\nfirst(&c.model[0])\n}", reason: "the contender changed its inputs"},
	{name: "changes-own", own: true, op: result.Encode, encode: soundEncode + "\nif after(400) {\nfirst(in[0])\n}", reason: "encode"},
	{name: "changes-message", stops: true, op: result.Decode, decode: soundDecode + "\ndata[2] ^= 32", reason: "decode"},
	{name: "sets-procs", op: result.Encode, encode: soundEncode + "\nruntime.GOMAXPROCS(runtime.NumCPU() + 1)", reason: "it sets GOMAXPROCS from "},
	{name: "sets-gogc", op: result.Encode, encode: soundEncode + "\ndebug.SetGCPercent(-1)", reason: "it sets the garbage collector's percentage"},
	{name: "sets-limit", op: result.Encode, encode: soundEncode + "\ndebug.SetMemoryLimit(1 << 30)", reason: "it sets the memory limit"},
	{name: "sets-fault", op: result.Encode, encode: soundEncode + "\ndebug.SetPanicOnFault(true)", reason: "debug.SetPanicOnFault"},
	{name: "unlocks", op: result.Encode, encode: soundEncode + "\nruntime.UnlockOSThread()", reason: "runtime.UnlockOSThread"},
	{name: "sets-variable", op: result.Encode, encode: soundEncode + "\nos.Setenv(\"PLANTED\", \"on\")", reason: "it changes the environment of the process: PLANTED"},
	{name: "starts-process", op: result.Encode, encode: soundEncode + "\nonce(start)", reason: "it starts other processes"},
	{name: "starts-process-timed", stops: true, op: result.Encode, encode: unless(`"rounds"`, "once(start)"), reason: "it starts other processes"},
	{name: "hoards", own: true, encode: soundEncode + "\nkept = append(kept, make([]byte, 1<<10))", warning: " of encode for good"},
	{name: "empty-uncollected", op: result.Decode, decode: soundDecode + "\nif uncollected() {\n*v = $T{}\n}", reason: "decode"},
	{name: "locks", encode: soundEncode + "\nonce(runtime.LockOSThread)"},
	{name: "frees", stops: true, op: result.Encode, encode: unless(`"rounds"`, "debug.FreeOSMemory()"), reason: "the garbage collector was run during a timed batch"},
	{name: "burns", own: true, op: result.Encode, encode: soundEncode + "\nonce(func() { go burn(time.Hour) })", reason: "at work when nothing is asked of it"},
	{name: "burns-afterwards", stops: true, op: result.Encode, encode: soundEncode + "\ngo burn(20 * time.Microsecond)", reason: "at work when nothing is asked of it", warning: "uses other threads"},
	// Three timers, so that they get enough CPU time to be seen even on a busy machine.
	{name: "burns-by-timer", op: result.Encode, encode: soundEncode + "\nonce(func() {\nfor range 3 {\ntime.AfterFunc(time.Millisecond, tick)\n}\n})", reason: "at work when nothing is asked of it"},
	{name: "cleans-up-little", encode: soundEncode + "\nruntime.AddCleanup(new([64]byte), func(int) { burn(10 * time.Microsecond) }, 0)", warning: "leaves finalizers or cleanups behind"},
	{name: "finalizes", op: result.Encode, encode: soundEncode + "\nlater(false)", reason: "finalizer"},
	{name: "cleans-up", op: result.Encode, encode: soundEncode + "\nlater(true)", reason: "finalizer"},
	// Faults with other threads.
	{name: "elsewhere", encode: "x, done := in[i], make(chan []byte)\ngo func() {\nb, _ := json.Marshal(x)\ndone <- b\n}()\nout = <-done", warning: "waits"},
	{name: "does-not-wait", fields: "done chan []byte", start: "c.done = make(chan []byte, 1)\nc.done <- nil", op: result.Encode,
		encode: "x := in[i]\nout = <-c.done\ngo func() {\nb, _ := json.Marshal(x)\nc.done <- b\n}()", reason: "encode"},
	{name: "sleeps", own: true, encode: soundEncode + "\nif i == 0 {\ntime.Sleep(time.Millisecond)\n}", warning: "wait"},
	{name: "leaves-goroutine", encode: soundEncode + "\nonce(func() { go forever() })", warning: "1 goroutine"},
	{name: "leaves-files", encode: soundEncode + "\nonce(func() { open(3) })", warning: "3 files"},
	{name: "leaves-threads", encode: soundEncode + "\nonce(func() { lock(40) })", warning: "threads"},
	// Faults that end the process or use its output.
	{name: "panics", op: result.Encode, status: result.Panic, encode: soundEncode + "\nif after(1000) {\npanic(\"planted\")\n}", reason: "planted"},
	{name: "exits", own: true, op: result.Encode, status: result.Panic, encode: soundEncode + "\nif after(1000) {\nos.Exit(0)\n}", reason: "exited with status 0"},
	{name: "prints", encode: soundEncode + "\nonce(func() { os.Stdout.WriteString(\"planted\\n\") })"},
	{name: "closes", encode: soundEncode + "\nos.Stdout.Close()"},
	{name: "allocates", op: result.Encode, status: result.OOM, encode: soundEncode + "\nif after(1000) {\nmore()\n}", reason: "more memory than before, which is the limit of this case"},
	{name: "eats-commands", op: result.Encode, status: result.Timeout, encode: soundEncode + "\nonce(func() { os.Stdin.Read(make([]byte, 512)) })", reason: "no answer in "},
	{name: "closes-all", op: result.Encode, status: result.Panic, encode: soundEncode + "\nonce(shut)"},
	{name: "hangs-timed", stops: true, op: result.Encode, status: result.Timeout, encode: unless(`"rounds"`, "forever()"), reason: "no answer in "},
	// Faults that occur only during timing, which the contender detects from its callers.
	{name: "panics-timed", stops: true, own: true, op: result.Encode, status: result.Panic, encode: unless(`"rounds"`, "panic(\"planted\")"), reason: "planted"},
	{name: "zeros-timed", stops: true, own: true, op: result.Encode, encode: unless(`"rounds"`, "out = zeros(out)"), reason: "encode"},
	{name: "zeros-unverified", op: result.Encode, encode: soundEncode + "\nif !within(\"verify\") {\nout = zeros(out)\n}", reason: "its bytes cannot be read in another process"},
	{name: "zeros-counted", op: result.Encode, encode: unless(`"memory"`, "out = zeros(out)"), reason: "encode"},
	{name: "zeros-steady", late: true, op: result.Encode, encode: unless(`"steady"`, "out = zeros(out)"), reason: "encode"},
	{name: "empty-steady", late: true, op: result.Decode, decode: soundDecode + "\nif within(\"steady\") {\n*v = $T{}\n}", reason: "decode"},
	{name: "empty-counted", op: result.Decode, decode: soundDecode + "\nif within(\"memory\") {\n*v = $T{}\n}", reason: "decode"},
}

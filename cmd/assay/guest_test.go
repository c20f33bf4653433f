package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"
	"unsafe"

	"assay/bench"
	"assay/result"
	"assay/schema/neutral"
	"assay/workload"
	"assay/workload/movie"
)

// guest is the program of an external contender: a runner that knows the workload movie and reads
// its values from a file, as a runner in another language does. It runs in the directory that
// describes it, and its contender has the name of that directory. Its argument names its fault
// and the command at which the fault occurs: FAULT@COMMAND.
func guest() {
	dir, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	p := guestProgram(filepath.Base(dir), os.Args[1])
	fault, at, _ := strings.Cut(os.Args[1], "@")
	answers, err := bench.Answers()
	if err != nil {
		panic(err)
	}
	out := io.Writer(answers)
	if lie := lies[fault]; lie != nil {
		out = &liar{answers, lie}
	}
	in, commands := io.Pipe()
	go func() {
		defer commands.Close()
		for lines := bufio.NewReader(os.Stdin); ; {
			line, err := lines.ReadBytes('\n')
			if err != nil {
				return
			}
			if at == "" || !bytes.Contains(line, []byte(`"cmd":"`+at+`"`)) {
				commands.Write(line)
				continue
			}
			switch fault {
			case "exit":
				fmt.Fprintln(os.Stderr, "the licence has expired")
				os.Exit(9)
			case "hang":
				time.Sleep(time.Hour)
			case "family": // hangs together with another process
				exec.Command("sleep", "1000").Run()
			case "rubbish":
				fmt.Fprintln(out, "Welcome!")
			case "trusted":
				fmt.Fprintln(out, `{"verified":{"ok":true}}`)
			case "old":
				fmt.Fprintln(out, `{"described":{"protocol":0,"bindings":[]}}`)
			case "instant":
				fmt.Fprintln(out, `{"measured":{"series":[]}}`)
			}
		}
	}()
	if err := bench.Serve(p, in, out); err != nil {
		panic(err)
	}
}

// lies maps a fault to how the guest falsifies its own answers.
var lies = map[string]func(*bench.Answer){
	"hundredth": func(a *bench.Answer) { shorten(a, 100, 100) },
	"half":      func(a *bench.Answer) { shorten(a, 2, 2) },
	"wall":      func(a *bench.Answer) { shorten(a, 100, 1) },
	"cpu":       func(a *bench.Answer) { shorten(a, 1, 100) },
	"launches": func(a *bench.Answer) { // honest if batches are long
		if a.Measured != nil && len(a.Measured.Series[0].Wall) > 0 && a.Measured.Series[0].Wall[0] < 2e6 {
			shorten(a, 5, 5)
		}
	},
	"longer": func(a *bench.Answer) {
		if a.Measured != nil {
			a.Measured.Series[0].Wall[0] += 1e9
		}
	},
	"fewer": func(a *bench.Answer) {
		if a.Measured != nil {
			a.Measured.Series[0].N = max(1, a.Measured.Series[0].N/2)
		}
	},
	"ops": func(a *bench.Answer) {
		if a.Counted != nil {
			a.Counted.Ops *= 10
		}
	},
	"sizes": func(a *bench.Answer) {
		if a.Counted != nil {
			a.Counted.Encoded /= 2
		}
	},
	"allocs": func(a *bench.Answer) {
		if a.Counted != nil {
			a.Counted.Allocs = 0
		}
	},
}

// shorten divides the times that an answer reports by wall and cpu.
func shorten(a *bench.Answer, wall, cpu int64) {
	for i := range a.Calibrated {
		a.Calibrated[i].NS /= float64(wall)
	}
	if a.Measured == nil {
		return
	}
	for _, s := range a.Measured.Series {
		for i := range s.Wall {
			s.Wall[i] = max(1, s.Wall[i]/wall)
		}
		for i := range s.CPU {
			s.CPU[i] = max(1, s.CPU[i]/cpu)
		}
	}
}

// A liar is a writer of answers. It falsifies each answer before it passes it on.
type liar struct {
	to  io.Writer
	lie func(*bench.Answer)
}

func (l *liar) Write(line []byte) (int, error) {
	var a bench.Answer
	if err := json.Unmarshal(line, &a); err != nil {
		return 0, err
	}
	l.lie(&a)
	text, err := json.Marshal(a)
	if err != nil {
		return 0, err
	}
	_, err = l.to.Write(append(text, '\n'))
	return len(line), err
}

// guestProgram links the guest's contender. Its format is the neutral form of values, JSON that
// other contenders can also read and write.
func guestProgram(name, fault string) bench.Program {
	w := *movie.Workload
	w.Generate, w.Read = nil, func(size workload.Size, file string) (any, error) {
		data, err := os.ReadFile(file)
		_, values, ok := bytes.Cut(data, []byte("\n"))
		if err != nil || !ok {
			return nil, errors.Join(err, fmt.Errorf("%s has no header", file))
		}
		var all []movie.Metadata
		for line := range bytes.Lines(values) {
			var one movie.Metadata
			if err := json.Unmarshal(line, &one); err != nil {
				return nil, err
			}
			all = append(all, one)
		}
		return all, nil
	}
	return bench.Program{
		Workloads: []*workload.Workload{&w},
		Bindings: []bench.Binding{{
			Contender: name, Workload: w.Name, Root: "Metadata", Ops: []result.Op{result.Encode, result.Decode},
			New: func(values any) (*bench.Codec, error) { return guestCodec(values.([]movie.Metadata), fault) },
		}},
	}
}

// rarely counts decodes.
var rarely atomic.Int64

// hoard holds memory that a guest never frees.
var hoard [][]byte

func guestCodec(values []movie.Metadata, fault string) (*bench.Codec, error) {
	form, err := neutral.Of(movie.Schema, "Metadata")
	if err != nil {
		return nil, err
	}
	var messages [][]byte
	var encoded []byte
	var decoded *movie.Metadata
	next := 0
	calls := 0
	var buf []byte
	cache := map[*movie.Metadata][]byte{}
	known := map[string]movie.Metadata{}
	var later []byte
	done := make(chan []byte)
	each := func(one func(i int) (uint64, error)) bench.Op {
		return func(n int) (sum uint64, err error) {
			for range n {
				i := next % len(values)
				next = i + 1
				s, err := one(i)
				if err != nil {
					return 0, err
				}
				sum += s
			}
			return sum, nil
		}
	}
	c := &bench.Codec{
		Encode: each(func(i int) (uint64, error) {
			calls++
			if kept := cache[&values[i]]; fault == "pointer" && kept != nil {
				encoded = bytes.Clone(kept)
				return uint64(len(encoded)), nil
			}
			encoded, err = form.Append(nil, &values[i])
			switch {
			case fault == "first":
				encoded, err = form.Append(nil, &values[0])
			case fault == "zeros" && calls > 5000:
				clear(encoded)
			case fault == "panic" && calls > 5000:
				panic("planted")
			case fault == "spin" && calls > 5000:
				for {
					calls++
				}
			case fault == "exit" && calls > 5000:
				os.Exit(0)
			case fault == "pointer":
				for range 8 {
					cache[&values[i]], err = form.Append(nil, &values[i])
				}
			case fault == "shares":
				buf = append(buf[:0], encoded...)
				encoded = buf
			case fault == "varies" && calls%10 == 0:
				encoded = append(encoded, "   "...)
			case fault == "reverses":
				values[i].Title, values[i].Director = values[i].Director, values[i].Title
			case fault == "procs":
				runtime.GOMAXPROCS(runtime.NumCPU() + 1)
			case fault == "percent":
				debug.SetGCPercent(-1)
			case fault == "burns" && calls == 1:
				go func() {
					for {
						calls++
					}
				}()
			case fault == "elsewhere":
				go func() {
					b, _ := form.Append(nil, &values[i])
					done <- b
				}()
				encoded = <-done
			case fault == "naps":
				time.Sleep(50 * time.Microsecond)
			case fault == "hoards":
				hoard = append(hoard, bytes.Repeat([]byte{1}, 1<<20))
			}
			return uint64(len(encoded)), err
		}),
		Encoded: func() []byte { return encoded },
		Use:     func(m [][]byte) { messages, next = m, 0 },
		Decode: each(func(i int) (uint64, error) {
			decoded = new(movie.Metadata)
			if fault == "lazy" || fault == "defers" {
				later = bytes.Clone(messages[i])
				return 1, nil
			}
			if kept, ok := known[string(messages[i])]; ok {
				*decoded = kept
				return 1, nil
			}
			err := form.Parse(messages[i], decoded)
			if strings.HasPrefix(fault, "trusted") {
				decoded.Title = strings.ToUpper(decoded.Title)
			}
			switch {
			// Verification of a contender lasts 100 ms. A busy machine decodes a few hundred
			// values in that time.
			case fault == "empty", fault == "every" && rarely.Add(1)%100 == 0:
				decoded = new(movie.Metadata)
			case fault == "drops":
				decoded.Director = ""
			case fault == "aliases":
				if at := bytes.Index(messages[i], []byte(decoded.Title)); at >= 0 {
					decoded.Title = unsafe.String(&messages[i][at], len(decoded.Title))
				}
			case fault == "content":
				for range 8 {
					err = form.Parse(messages[i], decoded)
				}
				known[string(messages[i])] = *decoded
			}
			return 1, err
		}),
		Decoded: func() any {
			if later != nil {
				if err := form.Parse(later, decoded); err != nil {
					panic(err)
				}
			}
			return decoded
		},
		Seek: func(i int) { next = i },
	}
	if fault == "defers" { // and lets the runner look at the value
		c.Value = func() any { return decoded }
	}
	return c, nil
}

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
	"strings"
	"time"

	"assay/bench"
	"assay/result"
	"assay/schema/neutral"
	"assay/workload"
	"assay/workload/movie"
)

// guest is a contender from outside: a runner that knows the workload movie and
// gets its values from a file, as one in another language does. It runs in the
// directory that describes it, and its contender is called like that. Its
// argument says what it does wrong, and with which command: FAULT@COMMAND.
func guest() {
	dir, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	p := guestProgram(filepath.Base(dir), os.Args[1])
	fault, at, _ := strings.Cut(os.Args[1], "@")
	out, err := bench.Answers()
	if err != nil {
		panic(err)
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
			case "family": // hangs with others
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

// guestProgram links the guest's contender, whose format is the neutral form of
// values, which is the JSON that others write and read too.
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

func guestCodec(values []movie.Metadata, fault string) (*bench.Codec, error) {
	form, err := neutral.Of(movie.Schema, "Metadata")
	if err != nil {
		return nil, err
	}
	var messages [][]byte
	var encoded []byte
	var decoded *movie.Metadata
	next := 0
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
	return &bench.Codec{
		Encode: each(func(i int) (uint64, error) {
			encoded, err = form.Append(nil, &values[i])
			return uint64(len(encoded)), err
		}),
		Encoded: func() []byte { return encoded },
		Use:     func(m [][]byte) { messages, next = m, 0 },
		Decode: each(func(i int) (uint64, error) {
			decoded = new(movie.Metadata)
			err := form.Parse(messages[i], decoded)
			if strings.HasPrefix(fault, "trusted") {
				decoded.Title = strings.ToUpper(decoded.Title)
			}
			return 1, err
		}),
		Decoded: func() any { return decoded },
		Seek:    func(i int) { next = i },
	}, nil
}

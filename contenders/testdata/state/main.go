// Command state prints, as JSON, global state that all packages of a program share and that a
// linked package could change before main begins. A test in contenders builds it with
// contenders and without: the variable bindings exists only in those builds.
package main

import (
	"encoding/json"
	"expvar"
	"flag"
	"fmt"
	"log"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"
	"time"

	"assay/bench"
)

var _ []bench.Binding = bindings

func main() {
	dir, err := os.Getwd()
	s := map[string]any{
		"working directory": fmt.Sprint(dir, err),
		"GOMAXPROCS":        runtime.GOMAXPROCS(0),
		"GOGC":              debug.SetGCPercent(100),
		"GOMEMLIMIT":        debug.SetMemoryLimit(-1),
		"stack limit":       debug.SetMaxStack(1 << 20),
		"thread limit":      debug.SetMaxThreads(1 << 14),
		"panics on faults":  debug.SetPanicOnFault(false),
		"memory profile":    runtime.MemProfileRate,
		"mutex profile":     runtime.SetMutexProfileFraction(-1),
		"goroutines":        runtime.NumGoroutine(),
		"environment":       os.Environ(),
		"arguments":         os.Args[1:],
		"time zone":         time.Unix(0, 0).Format(time.RFC3339) + " " + time.Local.String(),
		"standard files":    []string{os.Stdin.Name(), os.Stdout.Name(), os.Stderr.Name()},
		"log":               fmt.Sprint(log.Flags(), log.Prefix(), log.Writer() == os.Stderr),
		"slog":              fmt.Sprintf("%T", slog.Default().Handler()),
		"interrupts":        fmt.Sprint(signal.Ignored(os.Interrupt), signal.Ignored(syscall.SIGTERM)),
		"HTTP client":       fmt.Sprintf("%+v %T", *http.DefaultClient, http.DefaultTransport),
		"flags":             flags(),
		"variables":         variables(),
		"HTTP handlers":     handlers(),
	}
	if err := json.NewEncoder(os.Stdout).Encode(s); err != nil {
		log.Fatal(err)
	}
}

func flags() []string {
	var names []string
	flag.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
	return names
}

func variables() []string {
	var names []string
	expvar.Do(func(v expvar.KeyValue) { names = append(names, v.Key) })
	return names
}

// handlers returns the patterns that serve paths which packages often register when imported.
func handlers() []string {
	var patterns []string
	for _, path := range []string{"/", "/debug/vars", "/debug/pprof/", "/debug/pprof/profile", "/debug/requests", "/metrics", "/healthz"} {
		r, err := http.NewRequest(http.MethodGet, path, nil)
		if err != nil {
			log.Fatal(err)
		}
		_, pattern := http.DefaultServeMux.Handler(r)
		patterns = append(patterns, path+" → "+pattern)
	}
	return patterns
}

package build

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
)

// CheckGo returns an error if the go command cannot be run, or if its environment or go env -w
// sets it up so that its programs could not run here or would differ from what was asked for.
// GoCmd names the go command; empty means the one on PATH. CheckGo runs it in dir.
func CheckGo(ctx context.Context, goCmd, dir string) error {
	_, err := envIn(ctx, goCmd, dir)
	return err
}

// envIn returns the settings of a go command in a directory, or the error of CheckGo.
func envIn(ctx context.Context, goCmd, dir string) (goEnv, error) {
	path, err := findGo(goCmd)
	if err != nil {
		return nil, err
	}
	return gocmd{path: path, dir: dir}.readEnv(ctx)
}

// check returns why the go command cannot be used as it is set up. Host is the part of go env
// that describes the machine that the command runs on.
func (e goEnv) check(host goEnv) error {
	if err := e.checkPlatform(host["GOHOSTOS"], host["GOHOSTARCH"]); err != nil {
		return err
	}
	if level := e["GOAMD64"]; e["GOARCH"] == "amd64" && runtime.GOARCH == "amd64" {
		if err := checkVariable("GOAMD64", level); err != nil {
			_, remedy := setting("GOAMD64")
			return fmt.Errorf("%w; %s", err, remedy)
		}
	}
	return e.checkFlags()
}

// checkPlatform returns an error if the go command builds programs for another platform than
// this machine's.
func (e goEnv) checkPlatform(hostOS, hostArch string) error {
	name := "GOOS"
	switch {
	case e["GOOS"] != hostOS:
	case e["GOARCH"] != hostArch && !(e["GOARCH"] == "386" && hostArch == "amd64"):
		name = "GOARCH"
	default:
		return nil
	}
	where, remedy := setting(name)
	return fmt.Errorf("%s is %s %s, and programs for %s/%s do not run on this machine, which is %s/%s: %s, or run assay on such a machine",
		name, e[name], where, e["GOOS"], e["GOARCH"], hostOS, hostArch, remedy)
}

// setting says where a variable of the go command is set, and how to remove it.
func setting(name string) (where, remedy string) {
	if os.Getenv(name) != "" {
		return "in the environment", "unset it"
	}
	return "by go env -w", "take it away with go env -u " + name
}

// overridden are the flags that GOFLAGS may hold but a variant may not: assay overrides them on
// the command line.
var overridden = []string{"mod", "ldflags"}

// checkFlags returns an error if GOFLAGS has a flag with which runners would not be built, or
// would differ from what their key says.
func (e goEnv) checkFlags() error {
	for _, flag := range splitFlags(e["GOFLAGS"]) {
		name, reason := refusedFlag(flag)
		if reason == "" || slices.Contains(overridden, name) {
			continue
		}
		where, remedy := setting("GOFLAGS")
		return fmt.Errorf("GOFLAGS holds -%s %s, and runners cannot be built with it: %s; %s, or set GOFLAGS without it", name, where, reason, remedy)
	}
	return nil
}

// splitFlags splits the value of GOFLAGS as the go command does: at white space, except within
// a field that begins and ends with the same quotation mark.
func splitFlags(s string) []string {
	var flags []string
	for {
		s = strings.TrimLeft(s, " \t\r\n")
		if s == "" {
			return flags
		}
		if quote := s[:1]; quote == `"` || quote == "'" {
			flag, rest, _ := strings.Cut(s[1:], quote)
			flags, s = append(flags, flag), rest
			continue
		}
		end := strings.IndexAny(s, " \t\r\n")
		if end < 0 {
			end = len(s)
		}
		flags, s = append(flags, s[:end]), s[end:]
	}
}

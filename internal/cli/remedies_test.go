package cli

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"assay/internal/console"
)

// The reason of a size that takes too much memory names only flags that the command has, and streams
// and whole values only if the command measures them.
func TestRemediesOfTooLarge(t *testing.T) {
	const none, one = "blocks=100000,txs=30000", "txs=300000" // how many contenders fit into a process
	for _, test := range []struct {
		args   []string
		size   string
		remedy string
	}{
		{[]string{"run", "--plan", "-c", "gob"}, none, "allow more with --memory (one contender takes about 13601.2 GiB), or measure each contender in a process of its own with -m whole, or as a stream with -m stream"},
		{[]string{"run", "--with", "google.golang.org/protobuf@v1.36.0", "-c", "gob"}, none, "no single contender fits (one takes about 13601.2 GiB): select a smaller size"},
		{[]string{"compare", "--with", "google.golang.org/protobuf@v1.36.0", "-c", "gob"}, none, "no single contender fits (one takes about 13601.2 GiB): select a smaller size"},
		{[]string{"verify", "-c", "gob"}, none, "no single contender fits (one takes about 13601.2 GiB): select a smaller size"},
		{[]string{"run", "--plan", "--full"}, one, "select at most 1 contender with -c, or allow more with --memory"},
		{[]string{"verify", "-c", "json"}, one, "select at most 1 contender with -c"},
	} {
		name := strings.Join(test.args, " ")
		a := &app{Console: console.Console{Out: &bytes.Buffer{}, Err: &bytes.Buffer{}}}
		cmd, _, err := a.root().Find(test.args[:1])
		if err != nil {
			t.Fatal(err)
		}
		stdout, stderr, _ := assayed(t, append(test.args, "-w", "chain", "--size", test.size, "--results", t.TempDir())...)
		said := strings.Join(strings.Fields(stdout+stderr), " ")
		if !strings.Contains(said, "GiB allowed; ") || !strings.Contains(said, test.remedy) {
			t.Errorf("%s: %.500s\nwant %q", name, said, test.remedy)
		}
		for _, flag := range regexp.MustCompile(` --([a-z]+)`).FindAllStringSubmatch(test.remedy, -1) {
			if cmd.Flags().Lookup(flag[1]) == nil {
				t.Errorf("assay %s has no flag --%s", test.args[0], flag[1])
			}
		}
	}
}

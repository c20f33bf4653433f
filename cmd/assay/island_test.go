package main

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"io"
	"regexp"

	"github.com/rogpeppe/go-internal/testscript"
)

// islandOf finds the data of a page's script.
var islandOf = regexp.MustCompile(`(?s)id="island">(.*?)</script>`)

// island PAGE REGEXP checks that the data of a page's script matches.
func island(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: island PAGE REGEXP")
	}
	found := islandOf.FindStringSubmatch(ts.ReadFile(args[0]))
	if found == nil {
		ts.Fatalf("%s has no data for a script", args[0])
	}
	packed, err := base64.RawURLEncoding.DecodeString(found[1])
	ts.Check(err)
	z, err := gzip.NewReader(bytes.NewReader(packed))
	ts.Check(err)
	text, err := io.ReadAll(z)
	ts.Check(err)
	if !regexp.MustCompile(args[1]).Match(text) {
		ts.Fatalf("nothing in the data of %s matches %q", args[0], args[1])
	}
}

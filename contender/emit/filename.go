package emit

import (
	"go/build"
	"io"
	"strings"
)

// Conditional reports whether the go command leaves out a Go file of this name on some platforms, or
// in every ordinary build, because the name ends as build constraints do or as tests do, or begins
// with an underscore or a dot. Generators name files after schemas.
func Conditional(file string) bool {
	nowhere := build.Default
	nowhere.GOOS, nowhere.GOARCH = "none", "none"
	nowhere.OpenFile = func(string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("package x")), nil
	}
	match, err := nowhere.MatchFile("", file)
	return strings.HasSuffix(file, "_test.go") || !match || err != nil
}

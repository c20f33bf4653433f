package tomldoc_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"assay/internal/tomldoc"
)

// named reads the id and the text of a file. The directory must have the id as its name.
func named(name string, data []byte) ([2]string, error) {
	t, err := tomldoc.Parse(name, data)
	if err != nil {
		return [2]string{}, err
	}
	t.SameAsDir("id")
	return [2]string{t.Text("id"), t.Paragraph("text")}, t.Err()
}

func TestParseAll(t *testing.T) {
	tree := fstest.MapFS{
		"all/b/x.toml": {Data: []byte("id = \"b\"\ntext = \"\"\"\none\n  line \"\"\"")},
		"all/a/x.toml": {Data: []byte("id = \"a\"\ntext = \"A\"")},
		"all/a/y.toml": {Data: []byte("not read")},
		"all/x.toml":   {Data: []byte("not read")},
	}
	got, err := tomldoc.ParseAll(tree, "all/*/x.toml", named)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][2]string{{"a", "A"}, {"b", "one line"}}, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}

	tree["all/c/x.toml"] = &fstest.MapFile{Data: []byte("text = \"C\"\nid = \"sea\"")}
	tree["all/d/x.toml"] = &fstest.MapFile{Data: []byte("text = ")}
	tree["all/e/x.toml"] = &fstest.MapFile{Mode: fs.ModeDir}
	_, err = tomldoc.ParseAll(tree, "all/*/x.toml", named)
	for _, want := range []string{`all/c/x.toml:2:6: the id is "sea", but the directory is "c"`, "all/d/x.toml:1:", "all/e/x.toml"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	var placed *tomldoc.Error
	if !errors.As(err, &placed) {
		t.Errorf("%v has no place", err)
	}
}

package behaviour

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"assay/internal/cli"
	"assay/internal/plaintext"
)

// Hostile names cannot control a terminal in errors, warnings, hints or results.
func TestHostileNames(t *testing.T) {
	const hostile = "a\x1b[2J\u202e\u009bx"
	dir := t.TempDir()
	results := filepath.Join(dir, hostile)
	readStored(t, "passes").Write(t, results, hostile)
	bad := filepath.Join(dir, hostile+".toml")
	if err := os.WriteFile(bad, []byte("claim = [[["), 0o600); err != nil {
		t.Skip(err) // some systems do not allow such names
	}
	samples := filepath.Join(dir, hostile+".json")
	if err := os.WriteFile(samples, []byte(`{"`+"\u202e"+`": 1, "b": [1,"x",{}]} {`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"show", hostile, "--results", results},
		{"show", hostile, "--results", results, "--format", "json"},
		{"show", hostile, "--results", results, "--format", "md"},
		{"show", "--results", results, "-o", "scan"},
		{"list", "runs", "--results", results},
		{"list", "runs", "--results", results, "--format", "json"},
		{"compare", hostile, "latest", "--results", results},
		{"compare", hostile, "latest", "--results", results, "-w", "tick"},
		{"show", "nowhere" + hostile},
		{"run", "-w", hostile},
		{"run", "--size", hostile},
		{"run", "--resume", hostile, "--results", results},
		{"run", "--runner", filepath.Join(dir, hostile)},
		{"explain", hostile},
		{hostile},
		{"run", "--" + hostile},
		{"claims", bad},
		{"claims", filepath.Join(dir, "no"+hostile)},
		{"data", "infer", samples},
		{"data", "anonymize", filepath.Join(dir, "no"+hostile)},
		{"export", hostile, "--results", results, "--out", filepath.Join(dir, "no", hostile)},
		{"reproduce", hostile},
		{"exhibits", hostile},
	} {
		var out, errs bytes.Buffer
		cli.Run(t.Context(), args, &out, &errs, os.DirFS(t.TempDir()))
		for _, text := range []string{out.String(), errs.String()} {
			if plaintext.Text(text) != text {
				t.Errorf("assay %q prints %q", args, text)
			}
		}
	}
}

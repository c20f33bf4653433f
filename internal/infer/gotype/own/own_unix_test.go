//go:build unix

package own

import (
	"encoding/json"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"assay/schema"
	"assay/schema/neutral"
)

// Other users cannot read the copy of the values without their header.
func TestWithoutHeader(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0))
	t.Setenv("TMPDIR", t.TempDir())
	s := &schema.Schema{Name: "items", Roots: []string{"Item"}, Messages: []*schema.Message{
		{Name: "Item", Fields: []*schema.Field{{Name: "id", Number: 1, Type: schema.Type{Kind: schema.Int64}}}},
	}}
	head, err := json.Marshal(neutral.Header{Workload: "items", Size: "records=1", Root: "Item", Inputs: 1, Schema: neutral.SchemaOf(s)})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "values.jsonl")
	if err := os.WriteFile(file, append(head, "\n{\"id\":1}\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	bare, err := withoutHeader(file)
	if err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(bare); string(data) != "{\"id\":1}\n" {
		t.Errorf("it holds %q, %v", data, err)
	}
	if info, err := os.Stat(bare); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("it has the mode %v, %v", info.Mode(), err)
	}
	if same, err := withoutHeader(bare); err != nil || same != bare {
		t.Errorf("a file without a header became %s, %v", same, err)
	}
}

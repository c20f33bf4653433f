package tried

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/contender"
	"assay/internal/answer"
	"assay/internal/infer/gotype"
	"assay/result"
)

// A question is stored in a private file, and the flags of a later question replace its values one by
// one.
func TestQuestionsAreKept(t *testing.T) {
	dir := t.TempDir()
	asked := answer.Asked{Have: "sonic", Prices: answer.Prices{Rate: 500, Retention: 10, Core: 0.05, Network: 0.01, Storage: 0.02, Codec: "zstd", Batch: true}}
	if err := KeepQuestion(dir, asked, nil); err != nil {
		t.Fatal(err)
	}
	kept, err := Kept(dir, &result.Run{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(asked, kept.Asked); diff != "" {
		t.Errorf("what was asked (-want +got):\n%s", diff)
	}
	if info, err := os.Stat(filepath.Join(dir, QuestionFile)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v: rates and prices are the user's own", info.Mode(), err)
	}
	all := Asking{Given: Flags(), Asked: answer.Asked{Have: "h", Must: []string{"safe"}, Prices: answer.Prices{Rate: 1, Retention: 2, Core: 3, Network: 4, Storage: 5, Codec: "lz4"}}}
	if diff := cmp.Diff(all.Asked, all.Over(asked)); diff != "" {
		t.Errorf("all asked anew (-want +got):\n%s", diff)
	}
	none := Asking{Asked: all.Asked}
	if diff := cmp.Diff(asked, none.Over(asked)); diff != "" {
		t.Errorf("nothing asked anew (-want +got):\n%s", diff)
	}
}

// Contenders that are not built in are stored with the question. Of a run without a question, they are those
// of its plan, and a user's own type is the contender in use.
func TestContendersAreKept(t *testing.T) {
	dir := t.TempDir()
	run := &result.Run{ID: "r"}
	run.Plan.Externals = []result.External{{Name: "rust", Format: "bincode", Title: "in Rust"}, {Name: gotype.ExternalName, Format: "json"}}
	kept, err := Kept(dir, run)
	if err != nil || kept.Have != gotype.ExternalName || len(kept.About()) != 2 || kept.About()[0].Format != "bincode" {
		t.Errorf("without a question: %+v, %v", kept, err)
	}
	others := []*contender.Contender{{Name: "own/protobuf", Format: "protobuf", Title: "yours", Traits: []contender.Trait{contender.Codegen}}}
	if err := KeepQuestion(dir, answer.Asked{Have: "sonic", Prices: answer.DefaultPrices}, others); err != nil {
		t.Fatal(err)
	}
	kept, err = Kept(dir, run)
	if err != nil || kept.Have != "sonic" {
		t.Errorf("with a question: %s, %v", kept.Have, err)
	}
	if diff := cmp.Diff(others, kept.About(), cmp.Comparer(func(a, b *contender.Contender) bool {
		return a.Name == b.Name && a.Format == b.Format && a.Title == b.Title && slices.Equal(a.Traits, b.Traits)
	})); diff != "" {
		t.Errorf("contenders (-want +got):\n%s", diff)
	}
	if err := KeepQuestion(dir, Default(), nil); err != nil {
		t.Fatal(err)
	}
	if kept, err = Kept(dir, run); err != nil || kept.Have != Default().Have || len(kept.About()) != 0 {
		t.Errorf("asked again: %+v, %v", kept, err)
	}
}

// A stored question that no command line can ask is an error that names the file.
func TestQuestionsAreChecked(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, QuestionFile)
	for text, want := range map[string]string{
		`{"have": "sonic", "must": ["cheap"], "codec": "zstd"}`:                     `there is no condition "cheap"`,
		`{"have": "sonic", "rate": -1, "codec": "zstd"}`:                            "--rate is -1",
		`{"have": "sonic", "price_gb_month": 2e15, "codec": "zstd"}`:                "--price-gb-month is 2e+15",
		`{"have": "sonic", "codec": "rar"}`:                                         `--codec is "rar"`,
		`{"have": "sonic"`:                                                          "unexpected end of JSON input",
		`{"have": "sonic", "rate": 1e15, "must": ["safe", "safe"], "codec": "lz4"}`: "",
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		kept, err := Kept(dir, &result.Run{ID: "r"})
		switch {
		case want == "" && (err != nil || len(kept.Must) != 1 || kept.Retention != answer.DefaultPrices.Retention):
			t.Errorf("%s: %+v, %v", text, kept.Asked, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), file)):
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

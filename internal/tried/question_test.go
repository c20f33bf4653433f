package tried

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/internal/answer"
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

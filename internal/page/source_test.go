package page

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWithoutConditions(t *testing.T) {
	got := withoutConditions([]string{"try", "a=b.ndjson", "--only", "customer.email=alice@example.com", "--only=type=order", "--only", "customer", "-q"})
	want := []string{"try", "a=b.ndjson", "--only", "customer.email=…", "--only=type=…", "--only", "customer", "-q"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

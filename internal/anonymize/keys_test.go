package anonymize

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"assay/internal/infer"
)

// Keys that are times are replaced quickly. Permuting all texts of their form, few of which are times,
// would take too long.
func TestTimeKeys(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"at":{`)
	const n = 200
	at := time.Date(2031, 5, 6, 7, 8, 9, 0, time.UTC)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `"%s":%d`, at.Add(time.Duration(i)*time.Minute).Format(time.RFC3339), i)
	}
	b.WriteString(`}}`)
	start := time.Now()
	s, out := sampleOf(t, []byte(b.String()), infer.Options{Name: "f"})
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("%d keys took %v", n, d)
	}
	check(t, s, infer.Options{Name: "f"})
	var got struct{ At map[time.Time]int }
	if err := json.Unmarshal([]byte(out[0]), &got); err != nil || len(got.At) != n || !s.Same {
		t.Errorf("%d keys are times: %v", len(got.At), err)
	}
	if strings.Contains(out[0], "2031-05-06T07:0") {
		t.Errorf("a key is as it was: %.200s", out[0])
	}
}

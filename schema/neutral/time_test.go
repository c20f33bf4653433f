package neutral

import (
	"strconv"
	"testing"
	"time"
)

// A time has its own offset, or UTC, wherever it is read: the zones known on the machine do not matter.
func TestTimeOfNoMachine(t *testing.T) {
	defer func(old *time.Location) { time.Local = old }(time.Local)
	for text, want := range map[string]string{"2023-04-04T14:07:22Z": "UTC", "2023-04-04T14:07:22+00:00": "UTC", "2023-04-04T14:07:22.5+02:00": ""} {
		for _, hours := range []int{0, 2} {
			time.Local = time.FixedZone("here", hours*3600)
			got, ok := readTime([]byte(strconv.Quote(text)))
			if !ok || got.Location() == time.Local || got.Location().String() != want {
				t.Errorf("where the zone is %d hours, %s has the location %q", hours, text, got.Location())
			}
		}
	}
}

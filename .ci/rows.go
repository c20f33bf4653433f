// Command rows checks the JSON that assay run prints. Every row has a plausible value or a reason
// for having none. Something was measured. The sizes that are known beforehand are there.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"slices"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: rows FILE")
	}
	data, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	var answer answer
	if err := json.Unmarshal(data, &answer); err != nil {
		log.Fatalf("the answer of assay run is not JSON: %v", err)
	}
	if answer.Schema != 1 || len(answer.Run) == 0 || len(answer.Rows) == 0 {
		log.Fatalf("schema %d with %d facts of the run and %d rows; want schema 1 and some of each", answer.Schema, len(answer.Run), len(answer.Rows))
	}
	count := map[string]int{}
	bad := 0
	for i, r := range answer.Rows {
		count[r.Status]++
		if why := r.fault(); why != "" {
			bad++
			log.Printf("row %d, %+v: %s", i, r, why)
		}
	}
	fmt.Println("rows by status:", count)
	for k, want := range sizes {
		if !answer.has(k, want) {
			bad++
			log.Printf("no row says that %s takes %v B", k, want)
		}
	}
	for _, name := range answer.untimed() {
		bad++
		log.Printf("%s has no time of an encode or decode", name)
	}
	if bad > 0 || count["ok"] == 0 {
		log.Fatalf("%d of %d rows are wrong, %d are ok", bad, len(answer.Rows), count["ok"])
	}
}

// An answer is the part of the output that the check reads.
type answer struct {
	Schema int            `json:"schema"`
	Run    map[string]any `json:"run"`
	Rows   []row          `json:"rows"`
}

// untimed returns the contenders that have a row and no time of theirs, in alphabetical order.
func (a answer) untimed() []string {
	timed := map[string]bool{}
	for _, r := range a.Rows {
		timed[r.Contender] = timed[r.Contender] || r.Metric == "time" && r.Value != nil && (r.Op == "encode" || r.Op == "decode")
	}
	var none []string
	for name, ok := range timed {
		if !ok {
			none = append(none, name)
		}
	}
	slices.Sort(none)
	return none
}

// has reports whether a row has the given encoded size of a message.
func (a answer) has(k known, want float64) bool {
	for _, r := range a.Rows {
		if (known{r.Workload, r.Size, r.Contender}) == k && r.Mode == "" && r.Metric == "encoded-size" && r.Value != nil && *r.Value == want {
			return true
		}
	}
	return false
}

// A known identifies a message whose size is known beforehand.
type known struct{ workload, size, contender string }

// sizes are the published sizes of the movie record in bytes.
var sizes = map[known]float64{
	{"movie", "record=one", "encoding/json"}: 108,
	{"movie", "record=one", "protobuf"}:      65,
	{"movie", "record=one", "encoding/xml"}:  150,
}

// A row is the part of a row that the check reads.
type row struct {
	Workload  string   `json:"workload"`
	Size      string   `json:"size"`
	Mode      string   `json:"mode"`
	Contender string   `json:"contender"`
	Op        string   `json:"op"`
	Metric    string   `json:"metric"`
	Unit      string   `json:"unit"`
	Value     *float64 `json:"value"`
	Lo        *float64 `json:"lo"`
	Hi        *float64 `json:"hi"`
	Status    string   `json:"status"`
	Reason    string   `json:"reason"`
}

// fault describes what is wrong with the row, or returns the empty string.
func (r row) fault() string {
	measured := r.Status == "ok" || r.Status == "noisy"
	switch {
	case r.Workload == "" || r.Contender == "" || r.Metric == "":
		return "it does not say what it is about"
	case measured && r.Value == nil:
		return "it was measured and has no value"
	case !measured && r.Value != nil:
		return "it was not measured and has a value"
	case !measured && r.Reason == "":
		return "it has neither value nor reason"
	case !measured:
		return ""
	case *r.Value < 0, *r.Value == 0 && (r.Metric == "time" || r.Metric == "encoded-size"):
		return "it has a value that nothing can have"
	case r.Metric == "time" && *r.Value > 60e9:
		return "an operation of a quick run takes a minute"
	case r.Lo != nil && *r.Lo > *r.Value, r.Hi != nil && *r.Hi < *r.Value:
		return "its value lies outside of its interval"
	}
	return ""
}

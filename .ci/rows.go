// Command rows checks the JSON that assay run prints: every row has a value or
// a reason for having none, and there is something that was measured.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
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
	var answer struct {
		Schema int            `json:"schema"`
		Run    map[string]any `json:"run"`
		Rows   []row          `json:"rows"`
	}
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
	if bad > 0 || count["ok"] == 0 {
		log.Fatalf("%d of %d rows are wrong, %d are ok", bad, len(answer.Rows), count["ok"])
	}
}

// A row is what the check reads of a row.
type row struct {
	Workload  string   `json:"workload"`
	Contender string   `json:"contender"`
	Op        string   `json:"op"`
	Metric    string   `json:"metric"`
	Unit      string   `json:"unit"`
	Value     *float64 `json:"value"`
	Status    string   `json:"status"`
	Reason    string   `json:"reason"`
}

// fault says what is wrong with the row, empty when nothing is.
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
	}
	return ""
}

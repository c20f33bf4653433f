package result_test

import (
	"fmt"
	"os"
	"time"

	"assay/result"
)

// A run is a directory. It holds run.json and samples.jsonl, which has one line for each
// thing that was measured.
func Example() {
	results, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(results)

	c := result.Case{Workload: "movie", Size: "record=one", Contender: "encoding/json", Op: result.Encode}
	run := &result.Run{
		Tool: "example", Started: time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC),
		Plan: result.Plan{Cases: []result.Case{c}, Reference: "encoding/json"},
	}
	store, err := result.Create(results, run)
	if err != nil {
		fmt.Println(err)
		return
	}
	err = store.Append(result.Record{Launch: &result.Launch{
		Cell:   c.Cell(),
		Series: []result.Series{{Subject: c.Subject(), N: 1000, Round: []int{0, 1}, Wall: []int64{290_000, 291_000}}},
	}})
	if err == nil {
		err = store.Finish(run)
	}
	if err != nil {
		fmt.Println(err)
		return
	}

	read, records, warnings, err := result.Read(store.Dir())
	if err != nil || len(warnings) > 0 {
		fmt.Println(err, warnings)
		return
	}
	fmt.Println(read.ID[:15], "finished:", read.Complete())
	for _, r := range records {
		for _, s := range r.Launch.Series {
			fmt.Println(r.Launch.Cell.Case(s.Subject))
			for i, round := range s.Round {
				fmt.Printf("round %d: %d ns/op\n", round, s.Wall[i]/int64(s.N))
			}
		}
	}
	// Output:
	// 20260102-150405 finished: true
	// movie/record=one/encoding/json/encode
	// round 0: 290 ns/op
	// round 1: 291 ns/op
}

// A row without a number has a status. Statuses explains each status; a later status explains
// more.
func ExampleStatus() {
	fmt.Println(result.Timeout.Rank() < result.Panic.Rank())
	for _, s := range result.Statuses[:2] {
		fmt.Printf("%s: %s\n", s.Status, s.Text)
	}
	// Output:
	// true
	// ok: measured and verified
	// noisy: measured, but too disturbed for the precision that was asked for
}

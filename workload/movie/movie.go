package movie

import (
	"fmt"

	"assay/workload"
)

// Workload is one small record of strings.
var Workload = &workload.Workload{
	Name:  "movie",
	Title: "one movie: four short strings",
	Text: "The smallest document of the five: a movie's id, title, description and director. " +
		"It shows what a call costs when there is almost nothing to do in it. " +
		"The first value is the published one with the id \"12345\" of the published text, which gives the published sizes; " +
		"the published program has \"123\". The other values replace letters by letters and digits by digits, " +
		"so that each encodes to as many bytes.",
	Source:   "\"Just a simple benchmark for different serialization protocols\", with the data model of ugurcancaykara/odd-service",
	Schema:   Schema,
	Sizes:    []workload.Size{record},
	Generate: generate,
}

var record = workload.Size{
	Key:     "record=one",
	Root:    "Metadata",
	Text:    "the published record",
	Bytes:   160,
	Typical: true,
	Default: true,
	Quick:   true,
	Items:   1,
}

func generate(size workload.Size, seed uint64, n int) (any, error) {
	if size.Key != record.Key {
		return nil, fmt.Errorf("workload movie has no size %q; its only size is %s", size.Key, record.Key)
	}
	values := make([]Metadata, n)
	for i := range values {
		v := workload.NewVary(seed, i)
		values[i] = Metadata{
			Id:          v.Text("12345"),
			Title:       v.Text("The Movie 2"),
			Description: v.Text("Sequel of the legendary The Movie"),
			Director:    v.Text("Foo Bars"),
		}
	}
	return values, nil
}

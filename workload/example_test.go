package workload_test

import (
	"fmt"

	"assay/schema"
	"assay/workload"
)

// A Point stands for a model type, which is generated from a schema.
type Point struct {
	Name string
	Tags []string
}

// A workload makes the same values from a seed wherever it runs.
func Example() {
	points := &workload.Workload{
		Name:   "points",
		Schema: &schema.Schema{Name: "points", Roots: []string{"Point"}},
		Sizes:  []workload.Size{{Key: "point=one", Root: "Point", Bytes: 64, Items: 1}},
		Generate: func(_ workload.Size, seed uint64, n int) (any, error) {
			out := make([]Point, n)
			for i := range out {
				out[i] = Point{Name: string('a' + rune(workload.Rand(seed, i).IntN(26)))}
			}
			return out, nil
		},
	}
	size, err := points.Size("point=one")
	if err != nil {
		fmt.Println(err)
		return
	}
	one, _ := points.Generate(size, 1, 2)
	again, _ := points.Generate(size, 1, 3)
	fmt.Println("the same:", one.([]Point)[1].Name == again.([]Point)[1].Name)
	fmt.Println("a case cycles through", size.Inputs(), "values")
	_, err = points.Size("point=two")
	fmt.Println(err)
	// Output:
	// the same: true
	// a case cycles through 64 values
	// workload points has no size "point=two"
}

// Diff describes the first difference, and forgives the losses that a contender declares.
func ExampleDiff() {
	want, got := &Point{Name: "a", Tags: []string{}}, &Point{Name: "a"}
	diff, _ := workload.Diff(want, got, nil)
	fmt.Println(diff)
	diff, suffered := workload.Diff(want, got, map[string]bool{"nil-empty": true})
	fmt.Printf("%q %v\n", diff, suffered)
	// Output:
	// Tags: empty became nil
	// "" [nil-empty]
}

// Variants of a published value have the same number of bytes in every format.
func ExampleVary() {
	const published = "tt0111161"
	fmt.Println(workload.NewVary(1, 0).Text(published))
	for i := 1; i < 3; i++ {
		fmt.Println(len(workload.NewVary(1, i).Text(published)), workload.NewVary(1, i).Int(1994, 1900, 1999) >= 1900)
	}
	// Output:
	// tt0111161
	// 9 true
	// 9 true
}

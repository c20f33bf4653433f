package bench

import (
	"fmt"
	"os"
	"reflect"

	"assay/workload"
)

type Binding struct{ Contender, Workload string }

type Program struct {
	Workloads []*workload.Workload
	Bindings  []Binding
}

// Main prints what is linked or, with an argument, where two functions are.
func Main(p Program) {
	if len(os.Args) > 1 {
		fmt.Println(reflect.ValueOf(Main).Pointer(), reflect.ValueOf(fmt.Println).Pointer())
		return
	}
	for _, w := range p.Workloads {
		fmt.Println("workload", w.Name)
	}
	for _, b := range p.Bindings {
		fmt.Println("binding", b.Contender, b.Workload)
	}
}

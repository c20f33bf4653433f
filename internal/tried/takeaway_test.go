package tried

import (
	"testing"

	"assay/internal/userdata"
)

// Made describes the source of a schema, also for a stored run, which does not have the name of the Go
// type.
func TestMade(t *testing.T) {
	orders := userdata.Source{Files: []string{"in/orders.ndjson"}, Total: 2}
	inferred := orders
	inferred.Spelled = true
	for _, test := range []struct {
		of           userdata.Source
		goType, want string
	}{
		{inferred, "", "inferred from 2 records of orders.ndjson"},
		{orders, "./model.Order", "made of the Go type ./model.Order"},
		{orders, "", "made of a Go type"},
	} {
		if got := Made(test.of, test.goType); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}

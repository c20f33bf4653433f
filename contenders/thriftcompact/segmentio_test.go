//go:build generated

package thriftcompact_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/segmentio/encoding/thrift"

	customergen "assay/contenders/thriftcompact/gen/customer"
	model "assay/workload/customer"
)

// The types of package customer as another library of the format requires them. They have no
// doubles, which that library reads in another byte order than the protocol specifies.
type (
	person struct {
		FirstName   string              `thrift:"1"`
		LastName    string              `thrift:"2"`
		Age         int64               `thrift:"3"`
		Friends     []person            `thrift:"6"`
		Addresses   map[string]location `thrift:"7"`
		Preferences *preferences        `thrift:"8,optional"`
	}
	preferences struct {
		DarkMode     bool          `thrift:"1"`
		Language     string        `thrift:"2"`
		Notification *notification `thrift:"3,optional"`
	}
	notification struct {
		SMS   bool `thrift:"1"`
		Push  bool `thrift:"2"`
		Email bool `thrift:"3"`
	}
	location struct {
		Address string `thrift:"1"`
		Active  bool   `thrift:"4"`
	}
)

// TestSegmentio makes another library decode our messages.
func TestSegmentio(t *testing.T) {
	values := []model.Customer{{
		FirstName: "Ada", LastName: "Lovelace", Age: 1<<32 - 1,
		Friends: []*model.Customer{{FirstName: "Charles"}, {}},
		Addresses: map[string]*model.Location{
			"home": {Address: "St James's Square", Active: true},
		},
		Preferences: &model.Preferences{Language: "en", Notification: &model.Notification{Push: true}},
	}}
	want := person{
		FirstName: "Ada", LastName: "Lovelace", Age: 1<<32 - 1,
		Friends: []person{{FirstName: "Charles", Friends: []person{}, Addresses: map[string]location{}}, {Friends: []person{}, Addresses: map[string]location{}}},
		Addresses: map[string]location{
			"home": {Address: "St James's Square", Active: true},
		},
		Preferences: &preferences{Language: "en", Notification: &notification{Push: true}},
	}
	codec, err := customergen.Bindings[0].New(values)
	if err != nil {
		t.Fatal(err)
	}
	codec.Seek(0)
	if _, err := codec.Encode(1); err != nil {
		t.Fatal(err)
	}
	var got person
	if err := thrift.Unmarshal(new(thrift.CompactProtocol), codec.Encoded(), &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("as segmentio/encoding reads it (-want +got):\n%s", diff)
	}
}

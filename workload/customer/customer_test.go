package customer

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/workload"
	"assay/workload/workloadtest"
)

func TestWorkload(t *testing.T) { workloadtest.Check(t, Workload) }

func TestPublished(t *testing.T) {
	got := workloadtest.Values(t, Workload, "level=1", 1, 1)[0]
	want := &Customer{
		FirstName: "Common First Name", LastName: "Common Last Name", Age: 999,
		Balance: 99994859059012502541295.993269264, Debt: 450505050.9139519591259,
		Addresses: map[string]*Location{
			"my Common address # 1": {Address: "street # 1 NY city", Latitude: 40.6895541, Longitude: -74.0446034, Active: true},
		},
		Preferences: &Preferences{DarkMode: true, Language: "en_us", Notification: &Notification{true, true, true}},
	}
	if diff := cmp.Diff(workload.Model(want), got); diff != "" {
		t.Error(diff)
	}

	friend := workloadtest.Values(t, Workload, "level=3", 1, 1)[0].(*Customer).Friends[199]
	if at := friend.Addresses["my Common address # 100"]; at == nil || at.Address != "street # 100 NY city" {
		t.Errorf("the last address of the last friend is %+v", at)
	}
	friend.Addresses = nil
	wantFriend := &Customer{
		FirstName: "Common Nested First Name", LastName: "Common Nested Last Name", Age: 888,
		Balance: 77774859059012502541295.883269264, Debt: 77774859059012502541295.883269264,
		Preferences: &Preferences{DarkMode: true, Language: "en_gb", Notification: &Notification{true, true, true}},
	}
	if diff := cmp.Diff(wantFriend, friend); diff != "" {
		t.Error(diff)
	}
}

func TestSizes(t *testing.T) {
	proto := func(v workload.Model) int { return workloadtest.ProtoSize(Schema, "Customer", v) }
	for _, test := range []struct {
		key                        string
		proto                      int
		addresses, friends, nested int
		except                     []string
	}{
		{"level=1", 144, 1, 0, 0, []string{".Friends"}},
		{"level=2", 9_099, 20, 10, 10, []string{".Friends[].Friends"}},
		{"level=3", 1_402_561, 100, 200, 100, []string{".Friends[].Friends"}},
	} {
		values := workloadtest.Values(t, Workload, test.key, 1, 3)
		workloadtest.Filled(t, values, test.except...)
		if got := proto(values[0]); got != test.proto {
			t.Errorf("%s takes %d bytes in protobuf, want %d", test.key, got, test.proto)
		}
		for i, v := range values {
			c := v.(*Customer)
			if len(c.Addresses) != test.addresses || len(c.Friends) != test.friends {
				t.Errorf("%s: value %d has %d addresses and %d friends", test.key, i, len(c.Addresses), len(c.Friends))
			}
			for _, f := range c.Friends {
				if len(f.Addresses) != test.nested {
					t.Errorf("%s: a friend of value %d has %d addresses", test.key, i, len(f.Addresses))
				}
			}
		}
		formats := map[string]func(workload.Model) int{"protobuf": proto, "json": workloadtest.JSON, "gob": workloadtest.Gob}
		if test.key != "level=3" {
			formats["yaml"] = workloadtest.YAML // slow, and the same leaves
		}
		workloadtest.SameSizes(t, Workload, test.key, formats)
	}
}

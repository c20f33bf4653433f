package sharedstrings

import (
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"

	"assay/contenders/flatbuffers/gen/customer"
	"assay/published/publishedtest"
)

func BenchmarkPublished(b *testing.B) { Published(b) }
func BenchmarkCorrected(b *testing.B) { Corrected(b) }

func TestExhibit(t *testing.T) { publishedtest.CheckExhibit(t, Set, "encoded-bytes") }

// Both messages must read the same.
func TestSameStrings(t *testing.T) {
	each, once := flatbuffers.NewBuilder(0), flatbuffers.NewBuilder(0)
	for _, data := range [][]byte{encode(each, each.CreateString), encode(once, once.CreateSharedString)} {
		root := customer.GetRootAsCustomer(data, 0)
		for i := range friends {
			var friend customer.Customer
			if !root.Friends(&friend, i) || friend.AddressesLength() != len(names) {
				t.Fatalf("friend %d has %d addresses", i, friend.AddressesLength())
			}
			for k := range names {
				var entry customer.CustomerAddressesEntry
				friend.Addresses(&entry, k)
				if got := entry.Value(nil); string(entry.Key()) != names[k] || string(got.Address()) != streets[k] {
					t.Fatalf("address %d of friend %d is %q, %q", k, i, entry.Key(), got.Address())
				}
			}
		}
	}
}

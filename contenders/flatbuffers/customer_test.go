package flatbuffers_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	fb "github.com/google/flatbuffers/go"

	"assay/contenders/flatbuffers/gen/customer"
	"assay/result"
	model "assay/workload/customer"
)

// TestCustomerSizes compares with the sizes of the published customers that flatc's own code
// wrote: 296, 13,720 and 2,039,848 bytes. The order of a table's parts decides how much padding
// aligns them, and nothing else differs: the same builder functions, called in the order of the
// function published, give those sizes. The generated code writes the parts of a table in the
// order of the field numbers, which needs a little less padding.
func TestCustomerSizes(t *testing.T) {
	for _, test := range []struct {
		size            string
		published, want uint64
	}{
		{"level=1", 296, 296},
		{"level=2", 13_720, 13_672},
		{"level=3", 2_039_848, 2_038_292},
	} {
		size, err := model.Workload.Size(test.size)
		if err != nil {
			t.Fatal(err)
		}
		values, err := model.Workload.Generate(size, 1, 2)
		if err != nil {
			t.Fatal(err)
		}
		for _, binding := range customer.Bindings {
			// The order of map entries changes their padding.
			if !slices.Contains(binding.Ops, result.Encode) || strings.Contains(binding.Mode, "order=any") {
				continue
			}
			codec, err := binding.New(values)
			if err != nil {
				t.Fatal(err)
			}
			if sum, err := codec.Encode(2); err != nil || sum != 2*test.want {
				t.Errorf("%s: mode %q: two values take %d bytes, want %d each; error %v", test.size, binding.Mode, sum, test.want, err)
			}
		}

		value := &values.([]model.Customer)[0]
		b := fb.NewBuilder(0)
		b.Finish(published(b, value))
		if got := uint64(len(b.FinishedBytes())); got != test.published {
			t.Errorf("%s: in the published order it takes %d bytes, want %d", test.size, got, test.published)
		}
		if got := customer.GetRootAsCustomer(b.FinishedBytes(), 0); string(got.LastName()) != value.LastName || got.AddressesLength() != len(value.Addresses) {
			t.Errorf("%s: in the published order %q has %d addresses", test.size, got.LastName(), got.AddressesLength())
		}
	}
}

// published writes a customer in the order that gives the published sizes:
// friends, first name, preferences, last name, addresses; and in the table,
// preferences before friends.
func published(b *fb.Builder, c *model.Customer) fb.UOffsetT {
	var friends fb.UOffsetT
	if c.Friends != nil {
		var list []fb.UOffsetT
		for _, f := range c.Friends {
			list = append(list, published(b, f))
		}
		friends = b.CreateVectorOfTables(list)
	}
	first := b.CreateString(c.FirstName)

	language := b.CreateString(c.Preferences.Language)
	customer.NotificationStart(b)
	customer.NotificationAddSms(b, c.Preferences.Notification.Sms)
	customer.NotificationAddPush(b, c.Preferences.Notification.Push)
	customer.NotificationAddEmail(b, c.Preferences.Notification.Email)
	notification := customer.NotificationEnd(b)
	customer.PreferencesStart(b)
	customer.PreferencesAddDarkMode(b, c.Preferences.DarkMode)
	customer.PreferencesAddLanguage(b, language)
	customer.PreferencesAddNotification(b, notification)
	preferences := customer.PreferencesEnd(b)

	last := b.CreateString(c.LastName)
	var entries []fb.UOffsetT
	for _, name := range slices.Sorted(maps.Keys(c.Addresses)) {
		entries = append(entries, address(b, name, c.Addresses[name]))
	}
	addresses := b.CreateVectorOfTables(entries)

	customer.CustomerStart(b)
	customer.CustomerAddFirstName(b, first)
	customer.CustomerAddLastName(b, last)
	customer.CustomerAddAge(b, c.Age)
	customer.CustomerAddBalance(b, c.Balance)
	customer.CustomerAddDebt(b, c.Debt)
	customer.CustomerAddPreferences(b, preferences)
	customer.CustomerAddFriends(b, friends)
	customer.CustomerAddAddresses(b, addresses)
	return customer.CustomerEnd(b)
}

// address writes one entry of a customer's addresses.
func address(b *fb.Builder, name string, at *model.Location) fb.UOffsetT {
	key := b.CreateString(name)
	street := b.CreateString(at.Address)
	customer.LocationStart(b)
	customer.LocationAddAddress(b, street)
	customer.LocationAddLatitude(b, at.Latitude)
	customer.LocationAddLongitude(b, at.Longitude)
	customer.LocationAddActive(b, at.Active)
	location := customer.LocationEnd(b)
	customer.CustomerAddressesEntryStart(b)
	customer.CustomerAddressesEntryAddKey(b, key)
	customer.CustomerAddressesEntryAddValue(b, location)
	return customer.CustomerAddressesEntryEnd(b)
}

package customer

import (
	"fmt"

	flatbuffers "github.com/google/flatbuffers/go"

	fb "assay/contenders/flatbuffers/gen/customer"
)

func encodeFlatBuffers(l level) ([]byte, error) {
	b := makeFlatBuffers(l)
	b.Finish(fb.CustomerEnd(b))
	return b.FinishedBytes(), nil
}

// makeFlatBuffers writes the customer, except for its end, into a new builder that begins small. It
// makes no objects. Addresses and friends end up in reverse order. Addresses are not sorted,
// although the schema has a key for them.
func makeFlatBuffers(l level) *flatbuffers.Builder {
	b := flatbuffers.NewBuilder(256)
	first := b.CreateString("FlatBuf First Name")
	last := b.CreateString("FlatBuf Last Name")
	language := b.CreateString(rootLanguage)
	addresses := addressesFlatBuffers(b, l.addresses)
	friends := friendsFlatBuffers(b, l)
	preferences := preferencesFlatBuffers(b, language)

	fb.CustomerStart(b)
	fb.CustomerAddFirstName(b, first)
	fb.CustomerAddLastName(b, last)
	fb.CustomerAddAge(b, rootAge)
	fb.CustomerAddBalance(b, rootBalance)
	fb.CustomerAddDebt(b, rootBalance) // unlike the other formats
	fb.CustomerAddPreferences(b, preferences)
	fb.CustomerAddAddresses(b, addresses)
	fb.CustomerAddFriends(b, friends)
	return b
}

// openFlatBuffers finds the root table.
func openFlatBuffers(data []byte) {
	if fb.GetRootAsCustomer(data, 0) == nil {
		panic("no customer")
	}
}

func friendsFlatBuffers(b *flatbuffers.Builder, l level) flatbuffers.UOffsetT {
	var friends []flatbuffers.UOffsetT
	for i := 1; i <= l.friends; i++ {
		first := b.CreateString(fmt.Sprintf("FlatBuf Nested First Name # %d", i))
		last := b.CreateString(fmt.Sprintf("FlatBuf Nested Last Name # %d", i))
		language := b.CreateString(friendTongue)
		addresses := addressesFlatBuffers(b, l.theirAddresses)
		preferences := preferencesFlatBuffers(b, language)

		fb.CustomerStart(b)
		fb.CustomerAddFirstName(b, first)
		fb.CustomerAddLastName(b, last)
		fb.CustomerAddAge(b, friendAge)
		fb.CustomerAddBalance(b, friendBalance)
		fb.CustomerAddDebt(b, friendBalance)
		fb.CustomerAddPreferences(b, preferences)
		fb.CustomerAddAddresses(b, addresses)
		friends = append(friends, fb.CustomerEnd(b))
	}
	fb.CustomerStartFriendsVector(b, len(friends))
	for _, f := range friends {
		b.PrependUOffsetT(f)
	}
	return b.EndVector(len(friends))
}

func preferencesFlatBuffers(b *flatbuffers.Builder, language flatbuffers.UOffsetT) flatbuffers.UOffsetT {
	fb.NotificationStart(b)
	fb.NotificationAddSms(b, true)
	fb.NotificationAddPush(b, true)
	fb.NotificationAddEmail(b, true)
	notification := fb.NotificationEnd(b)

	fb.PreferencesStart(b)
	fb.PreferencesAddDarkMode(b, true)
	fb.PreferencesAddLanguage(b, language)
	fb.PreferencesAddNotification(b, notification)
	return fb.PreferencesEnd(b)
}

func addressesFlatBuffers(b *flatbuffers.Builder, n int) flatbuffers.UOffsetT {
	var entries []flatbuffers.UOffsetT
	for i := 1; i <= n; i++ {
		key := b.CreateString(fmt.Sprintf("my FlatBuf address # %d", i))
		address := b.CreateString(fmt.Sprintf("street # %d NY city", i))

		fb.LocationStart(b)
		fb.LocationAddAddress(b, address)
		fb.LocationAddActive(b, true)
		fb.LocationAddLatitude(b, latitude)
		fb.LocationAddLongitude(b, longitude)
		location := fb.LocationEnd(b)

		fb.CustomerAddressesEntryStart(b)
		fb.CustomerAddressesEntryAddKey(b, key)
		fb.CustomerAddressesEntryAddValue(b, location)
		entries = append(entries, fb.CustomerAddressesEntryEnd(b))
	}
	fb.CustomerStartAddressesVector(b, len(entries))
	for _, e := range entries {
		b.PrependUOffsetT(e)
	}
	return b.EndVector(len(entries))
}

package customer

import (
	"fmt"
	"strconv"

	"assay/workload"
)

// Workload is a customer with addresses and friends.
var Workload = &workload.Workload{
	Name:  "customer",
	Title: "a customer with addresses by name, and friends with theirs",
	Text: "A tree of customers, two deep, with a map of addresses in each: short strings, floats and booleans, many small " +
		"structs behind pointers. level=1 has one address; level=2 has 20, and 10 friends with 10 each, as the published " +
		"program has (its text says 10); level=3 has 100, and 200 friends with 100 each. " +
		"The published program gave each format names, and one format debts, of its own; here all are given the same. " +
		"The first value has the published strings. The others replace letters by letters, ages by ages and coordinates by " +
		"coordinates with as many digits, so that each encodes to as many bytes, but for the padding of FlatBuffers, which moves with the order of keys.",
	Source:   "\"X-buffers Bench\", which compares JSON, Protocol Buffers, gogo protobuf and FlatBuffers",
	Schema:   Schema,
	Sizes:    sizes(),
	Generate: generate,
}

// A level is a size of the workload: the numbers of addresses and friends.
type level struct {
	key, text      string
	addresses      int
	friends        int
	theirAddresses int // the number of addresses of each friend
	bytes          int64
	typical        bool
	byDefault      bool
	quick          bool
}

var levels = []level{
	{"level=1", "1 address", 1, 0, 0, 540, false, true, true},
	{"level=2", "20 addresses, 10 friends with 10 each", 20, 10, 10, 20_000, true, true, false},
	{"level=3", "100 addresses, 200 friends with 100 each", 100, 200, 100, 2_700_000, false, false, false},
}

func sizes() []workload.Size {
	var out []workload.Size
	for _, l := range levels {
		out = append(out, workload.Size{
			Key: l.key, Root: "Customer", Text: l.text, Bytes: l.bytes,
			Typical: l.typical, Default: l.byDefault, Quick: l.quick, Items: 1 + l.friends,
		})
	}
	return out
}

func generate(size workload.Size, seed uint64, n int) (any, error) {
	for _, l := range levels {
		if l.key != size.Key {
			continue
		}
		values := make([]Customer, n)
		for i := range values {
			values[i] = root(workload.NewVary(seed, i), l)
		}
		return values, nil
	}
	return nil, fmt.Errorf("workload customer has no size %q; its sizes are level=1, level=2 and level=3", size.Key)
}

// root returns the customer that is encoded.
func root(v workload.Vary, l level) Customer {
	c := Customer{
		FirstName:   v.Text("Common First Name"),
		LastName:    v.Text("Common Last Name"),
		Age:         age(v, 999),
		Balance:     99994859059012502541295.993269264,
		Debt:        450505050.9139519591259,
		Preferences: preferences(v, "en_us"),
		Addresses:   addresses(v, l.addresses),
	}
	for range l.friends {
		c.Friends = append(c.Friends, friend(v, l.theirAddresses))
	}
	return c
}

// friend returns a customer with n addresses and no friends.
func friend(v workload.Vary, n int) *Customer {
	return &Customer{
		FirstName:   v.Text("Common Nested First Name"),
		LastName:    v.Text("Common Nested Last Name"),
		Age:         age(v, 888),
		Balance:     77774859059012502541295.883269264,
		Debt:        77774859059012502541295.883269264,
		Preferences: preferences(v, "en_gb"),
		Addresses:   addresses(v, n),
	}
}

// age returns a number of three digits that takes two bytes as a varint and in every other
// integer encoding.
func age(v workload.Vary, published int64) uint32 {
	return uint32(v.Int(published, 256, 999))
}

// preferences returns settings in which every flag is set.
func preferences(v workload.Vary, language string) *Preferences {
	return &Preferences{
		DarkMode:     true,
		Language:     v.Text(language),
		Notification: &Notification{Sms: true, Push: true, Email: true},
	}
}

// addresses returns n locations around New York by name. Names and addresses contain the
// numbers from 1, so that no two names are equal.
func addresses(v workload.Vary, n int) map[string]*Location {
	if n == 0 {
		return nil
	}
	m := make(map[string]*Location, n)
	for i := 1; i <= n; i++ {
		number := strconv.Itoa(i)
		m[v.Text("my Common address # ")+number] = &Location{
			Address:   v.Text("street # ") + number + " NY city",
			Latitude:  v.Decimal(40.6895541, 40_0000001, 40_9999999, 1e7),
			Longitude: v.Decimal(-74.0446034, -74_9999999, -74_0000001, 1e7),
			Active:    true,
		}
	}
	return m
}

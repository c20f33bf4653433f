package customer

import (
	"fmt"

	"github.com/gogo/protobuf/proto"

	pb "assay/contenders/gogoprotobuf/gen/customer"
)

func encodeGogo(l level) ([]byte, error) { return proto.Marshal(makeGogo(l)) }

func decodeGogo(data []byte) error { return proto.Unmarshal(data, new(pb.Customer)) }

// makeGogo returns the customer for gogo protobuf. The root's texts begin with "ProtoF", and all
// others with "Proto".
func makeGogo(l level) *pb.Customer {
	c := &pb.Customer{
		FirstName:   "ProtoF First Name",
		LastName:    "ProtoF Last Name",
		Age:         rootAge,
		Balance:     rootBalance,
		Debt:        rootDebt,
		Preferences: makePreferencesGogo(rootLanguage),
		Addresses:   makeAddressesGogo(l.addresses),
	}
	for range l.friends {
		c.Friends = append(c.Friends, &pb.Customer{
			FirstName:   "Proto Nested First Name",
			LastName:    "Proto Nested Last Name",
			Age:         friendAge,
			Balance:     friendBalance,
			Debt:        friendBalance,
			Preferences: makePreferencesGogo(friendTongue),
			Addresses:   makeAddressesGogo(l.theirAddresses),
		})
	}
	return c
}

func makePreferencesGogo(language string) *pb.Preferences {
	return &pb.Preferences{
		DarkMode:     true,
		Language:     language,
		Notification: &pb.Notification{Sms: true, Push: true, Email: true},
	}
}

// makeAddressesGogo returns n addresses. It makes the map without a size, so the map grows.
func makeAddressesGogo(n int) map[string]*pb.Location {
	m := make(map[string]*pb.Location)
	for i := 1; i <= n; i++ {
		m[fmt.Sprintf("my Proto address # %d", i)] = &pb.Location{
			Address:   fmt.Sprintf("street # %d NY city", i),
			Latitude:  latitude,
			Longitude: longitude,
			Active:    true,
		}
	}
	return m
}

package customer

import (
	"fmt"

	"google.golang.org/protobuf/proto"

	pb "assay/contenders/protobuf/gen/customer"
)

func encodeProtobuf(l level) ([]byte, error) { return proto.Marshal(makeProtobuf(l)) }

func decodeProtobuf(data []byte) error { return proto.Unmarshal(data, new(pb.Customer)) }

// makeProtobuf returns the customer for protobuf. The root's texts begin with "ProtoF", and all
// others with "Proto".
func makeProtobuf(l level) *pb.Customer {
	c := &pb.Customer{
		FirstName:   "ProtoF First Name",
		LastName:    "ProtoF Last Name",
		Age:         rootAge,
		Balance:     rootBalance,
		Debt:        rootDebt,
		Preferences: makePreferencesProtobuf(rootLanguage),
		Addresses:   makeAddressesProtobuf(l.addresses),
	}
	for range l.friends {
		c.Friends = append(c.Friends, &pb.Customer{
			FirstName:   "Proto Nested First Name",
			LastName:    "Proto Nested Last Name",
			Age:         friendAge,
			Balance:     friendBalance,
			Debt:        friendBalance,
			Preferences: makePreferencesProtobuf(friendTongue),
			Addresses:   makeAddressesProtobuf(l.theirAddresses),
		})
	}
	return c
}

func makePreferencesProtobuf(language string) *pb.Preferences {
	return &pb.Preferences{
		DarkMode:     true,
		Language:     language,
		Notification: &pb.Notification{Sms: true, Push: true, Email: true},
	}
}

// makeAddressesProtobuf returns n addresses. It makes the map without a size, so the map grows.
func makeAddressesProtobuf(n int) map[string]*pb.Location {
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

package customer

import (
	"encoding/json"
	"fmt"
)

type customerJSON struct {
	FirstName   string                   `json:"first_name,omitempty"`
	LastName    string                   `json:"last_name,omitempty"`
	Age         uint32                   `json:"age,omitempty"`
	Balance     float64                  `json:"balance,omitempty"`
	Debt        float64                  `json:"debt,omitempty"`
	Preferences *preferencesJSON         `json:"preferences,omitempty"`
	Friends     []*customerJSON          `json:"friends,omitempty"`
	Addresses   map[string]*locationJSON `json:"addresses,omitempty"`
}

type preferencesJSON struct {
	DarkMode     bool              `json:"dark_mode,omitempty"`
	Language     string            `json:"language,omitempty"`
	Notification *notificationJSON `json:"notification,omitempty"`
}

type notificationJSON struct {
	SMS   bool `json:"sms,omitempty"`
	Email bool `json:"email,omitempty"`
	Push  bool `json:"push,omitempty"`
}

type locationJSON struct {
	Address   string  `json:"address,omitempty"`
	Latitude  float64 `json:"latitude,omitempty"`
	Longitude float64 `json:"longitude,omitempty"`
	Active    bool    `json:"is_active,omitempty"`
}

func encodeJSON(l level) ([]byte, error) { return json.Marshal(makeJSON(l)) }

func decodeJSON(data []byte) error { return json.Unmarshal(data, new(customerJSON)) }

func makeJSON(l level) *customerJSON {
	c := &customerJSON{
		FirstName:   "Native First Name",
		LastName:    "Native Last Name",
		Age:         rootAge,
		Balance:     rootBalance,
		Debt:        rootDebt,
		Preferences: makePreferencesJSON(rootLanguage),
		Addresses:   makeAddressesJSON(l.addresses),
	}
	for range l.friends {
		c.Friends = append(c.Friends, &customerJSON{
			FirstName:   "Native Nested First Name",
			LastName:    "Native Nested Last Name",
			Age:         friendAge,
			Balance:     friendBalance,
			Debt:        friendBalance,
			Preferences: makePreferencesJSON(friendTongue),
			Addresses:   makeAddressesJSON(l.theirAddresses),
		})
	}
	return c
}

func makePreferencesJSON(language string) *preferencesJSON {
	return &preferencesJSON{
		DarkMode:     true,
		Language:     language,
		Notification: &notificationJSON{SMS: true, Push: true, Email: true},
	}
}

// makeAddressesJSON returns n addresses. It makes the map without a size, so the map grows.
func makeAddressesJSON(n int) map[string]*locationJSON {
	m := make(map[string]*locationJSON)
	for i := 1; i <= n; i++ {
		m[fmt.Sprintf("my Native address # %d", i)] = &locationJSON{
			Address:   fmt.Sprintf("street # %d NY city", i),
			Latitude:  latitude,
			Longitude: longitude,
			Active:    true,
		}
	}
	return m
}

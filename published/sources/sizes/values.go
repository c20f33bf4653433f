package sizes

import (
	"strconv"
	"time"
)

// Tiny is the smallest struct. Its name and those of Medium, Big and Huge are the root elements of
// their XML.
type Tiny struct {
	TinyID  int    `json:"tiny_id" xml:"tiny_id" yaml:"tiny_id"`
	SomeStr string `json:"some_str" xml:"some_str" yaml:"some_str"`
}

// Medium has pointers to a string and a number.
type Medium struct {
	MediumID           int       `json:"medium_id" xml:"medium_id" yaml:"medium_id"`
	FirstName          string    `json:"first_name" xml:"first_name" yaml:"first_name"`
	LastName           *string   `json:"last_name" xml:"last_name" yaml:"last_name"`
	MediumMoneyBalance *float64  `json:"medium_money_balance" xml:"medium_money_balance" yaml:"medium_money_balance"`
	CreatedAt          time.Time `json:"created_at" xml:"created_at" yaml:"created_at"`
	TinyField          Tiny      `json:"tiny_field" xml:"tiny_field" yaml:"tiny_field"`
}

// Big has a Tiny and two Medium values.
type Big struct {
	BigID          int       `json:"big_id" xml:"big_id" yaml:"big_id"`
	Age            uint      `json:"age" xml:"age" yaml:"age"`
	Country        *string   `json:"country" xml:"country" yaml:"country"`
	CountryBytes   []byte    `json:"country_bytes" xml:"country_bytes" yaml:"country_bytes"`
	CreatedAt      time.Time `json:"created_at" xml:"created_at" yaml:"created_at"`
	UpdatedAt      time.Time `json:"updated_at" xml:"updated_at" yaml:"updated_at"`
	DeletedAt      time.Time `json:"deleted_at" xml:"deleted_at" yaml:"deleted_at"`
	TinyField      Tiny      `json:"tiny_field" xml:"tiny_field" yaml:"tiny_field"`
	MediumField    Medium    `json:"medium_field" xml:"medium_field" yaml:"medium_field"`
	MediumFieldPtr *Medium   `json:"medium_field_ptr" xml:"medium_field_ptr" yaml:"medium_field_ptr"`
}

// Huge has slices of Big.
type Huge struct {
	BigSlice        []Big  `json:"big_slice" xml:"big_slice" yaml:"big_slice"`
	BigPtrSlice     []*Big `json:"big_ptr_slice" xml:"big_ptr_slice" yaml:"big_ptr_slice"`
	BiggerSlice     []Big  `json:"bigger_slice" xml:"bigger_slice" yaml:"bigger_slice"`
	TheBiggestSlice []Big  `json:"the_biggest_slice" xml:"the_biggest_slice" yaml:"the_biggest_slice"`
}

type hugeMap map[string]Huge

// ComplexAndHuge has maps, so only gob and JSON encode it: encoding/xml has no maps. It has no
// tags.
type ComplexAndHuge struct {
	ComplexMapsSlice []hugeMap
}

// A clock returns the time that goes into values. In benchmarks it is time.Now, so the sizes of
// texts differ by a few bytes from run to run.
type clock func() time.Time

func (now clock) tiny() Tiny { return Tiny{TinyID: 1, SomeStr: "foo bar"} }

func (now clock) medium() Medium {
	last, balance := "bar", 10.24
	return Medium{
		MediumID:           1,
		FirstName:          "foo",
		LastName:           &last,
		MediumMoneyBalance: &balance,
		CreatedAt:          now(),
		TinyField:          now.tiny(),
	}
}

func (now clock) big() Big {
	country, deleted, medium := "Ukraine", now(), now.medium()
	return Big{
		BigID:          1,
		Age:            26,
		Country:        &country,
		CountryBytes:   []byte(country),
		CreatedAt:      deleted.AddDate(0, 0, -2),
		UpdatedAt:      deleted.AddDate(0, 0, -1),
		DeletedAt:      deleted,
		TinyField:      now.tiny(),
		MediumField:    now.medium(),
		MediumFieldPtr: &medium,
	}
}

func (now clock) huge() Huge {
	return Huge{
		BigSlice:        doubled(50, now.big),
		BigPtrSlice:     pointers(50, now.big),
		BiggerSlice:     doubled(256, now.big),
		TheBiggestSlice: doubled(1024, now.big),
	}
}

func (now clock) complex() ComplexAndHuge {
	var c ComplexAndHuge
	for range 10 {
		m := hugeMap{}
		for key := 1; key <= 5; key++ {
			m[strconv.Itoa(key)] = now.huge()
		}
		c.ComplexMapsSlice = append(c.ComplexMapsSlice, m)
	}
	return c
}

// doubled returns n zero values followed by n values made by one: it makes the slice with a length,
// and then appends to it.
func doubled[T any](n int, one func() T) []T {
	s := make([]T, n)
	for range n {
		s = append(s, one())
	}
	return s
}

// filled returns n values made by one.
func filled[T any](n int, one func() T) []T {
	var s []T
	for range n {
		s = append(s, one())
	}
	return s
}

// pointers returns pointers to n values made by one, without any zero values.
func pointers[T any](n int, one func() T) []*T {
	var s []*T
	for range n {
		v := one()
		s = append(s, &v)
	}
	return s
}

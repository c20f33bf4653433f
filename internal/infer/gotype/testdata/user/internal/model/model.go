// Package model has a type with what Go engineers put into theirs.
package model

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/big"
	"net/netip"
	"os"
	"strings"
	"time"

	"example.com/user/other"
)

// Status is how far an order is.
type Status int

const (
	StatusNew Status = iota + 1
	StatusPaid
	StatusSent
)

// UnmarshalJSON reads the names that the outside world uses.
func (s *Status) UnmarshalJSON(data []byte) error {
	switch string(data) {
	case `"new"`:
		*s = StatusNew
	case `"paid"`:
		*s = StatusPaid
	case `"sent"`:
		*s = StatusSent
	default:
		return fmt.Errorf("no status is called %s", data)
	}
	return nil
}

// MarshalJSON writes them.
func (s Status) MarshalJSON() ([]byte, error) {
	switch s {
	case StatusPaid:
		return []byte(`"paid"`), nil
	case StatusSent:
		return []byte(`"sent"`), nil
	}
	return []byte(`"new"`), nil
}

// Flags are a set, not an enum.
type Flags uint8

const (
	FlagGift Flags = 1 << iota
	FlagRush
)

// Level is slog's way: constants and numbers between them.
type Level int8

const (
	LevelLow  Level = -4
	LevelHigh Level = 4
)

type Base struct {
	ID      int64     `json:"id"`
	Created time.Time `json:"created"`
	secret  string
}

type Audit struct {
	By string `json:"by,omitempty"`
}

// Stamp is how Kubernetes wraps a time.
type Stamp struct{ time.Time }

func (s *Stamp) UnmarshalJSON(data []byte) error {
	return s.Time.UnmarshalJSON(data)
}

// Price hides what it holds.
type Price struct{ cents int64 }

func (p Price) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, `"%d.%02d"`, p.cents/100, p.cents%100), nil
}

func (p *Price) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return err
	}
	var whole, part int64
	if _, err := fmt.Sscanf(text, "%d.%d", &whole, &part); err != nil {
		return err
	}
	p.cents = whole*100 + part
	return nil
}

// Loose is a number or a text.
type Loose struct{ raw string }

func (l Loose) MarshalJSON() ([]byte, error) {
	if l.raw == "" {
		return []byte("null"), nil
	}
	return []byte(l.raw), nil
}
func (l *Loose) UnmarshalJSON(data []byte) error { l.raw = string(data); return nil }

type Tree struct {
	Name     string  `json:"name"`
	Children []*Tree `json:"children"`
}

type Nested [][]Nested

type Page[T any] struct {
	Items []T `json:"items"`
	Next  *int
}

type Orders Page[Order]

// Order is what a customer asked for.
//
// More is not part of the doc.
type Order struct {
	Sound
	Hidden  string       `json:"-"`
	Done    chan int     `json:"done"`
	Call    func()       `json:"call"`
	Writer  fmt.Stringer `json:"writer"`
	Complex complex128
	private int
}

// Sound is what encoding/json can write of an order.
type Sound struct {
	Base
	*Audit
	Status Status             `json:"status"`
	Flags  Flags              `json:"flags"`
	Level  Level              `json:"level"`
	Note   *string            `json:"note"` // written by hand
	Lines  []Line             `json:"lines"`
	Stock  map[string]int     `json:"stock"`
	ByID   map[int32]*Line    `json:"by_id"`
	ByAddr map[netip.Addr]int `json:"by_addr"`
	Matrix [][]float64        `json:"matrix"`
	Deep   Nested             `json:"deep"`
	Groups map[string][]string
	Digest [4]byte         `json:"digest"`
	Point  [2]int          `json:"point"`
	Blob   []byte          `json:"blob"`
	Raw    json.RawMessage `json:"raw"`
	Any    any             `json:"any"`
	Addr   netip.Addr      `json:"addr"`
	Big    *big.Int        `json:"big"`
	Took   time.Duration   `json:"took"`
	Seen   *Stamp          `json:"seen"`
	Price  Price           `json:"price"`
	Loose  Loose           `json:"loose"`
	Root   *Tree           `json:"root"`
	Page   Page[Line]      `json:"page"`
	Inline struct {
		X, Y int
	} `json:"inline"`
	Set   map[string]struct{} `json:"set"`
	Tags  []*string           `json:"tags"`
	Size  uint64              `json:"size"`
	Ratio float32             `json:"ratio"`
}

// Line is one line of an order.
type Line struct {
	SKU   string `json:"sku"`
	Count uint16 `json:"count,omitempty"`
	Codes []int  `json:"codes,omitempty"`
	// Since and what follows it are left out when they are zero.
	Since time.Time       `json:"since,omitzero"`
	Box   struct{ W int } `json:"box,omitzero"`
	Notes []string        `json:"notes,omitzero"`
	Rank  int             `json:"rank,omitzero"`
}

// Sample makes orders.
func Sample() []*Order {
	return []*Order{
		{Sound: Sound{Base: Base{ID: 1}, Audit: &Audit{By: "me"}, Status: StatusPaid, Lines: []Line{{SKU: "a", Count: 1, Codes: []int{}, Notes: []string{}}}}},
		{Sound: Sound{Base: Base{ID: 2}, Price: Price{150}, Loose: Loose{`1`}}},
	}
}

// Sounds makes what can be written.
func Sounds() ([]Sound, error) {
	return []Sound{{Status: StatusSent, Loose: Loose{`[]`}, Raw: json.RawMessage(`{}`)}}, nil
}

// Failing says why it cannot.
func Failing() ([]Order, error) { return nil, fmt.Errorf("no sample today") }

// Leaving ends the program while it makes records, as if all were well.
func Leaving() []small {
	os.Exit(0)
	return nil
}

// Few takes what the program cannot give.
func Few(n int) []Order { return nil }

type small struct{ A, B int }

// Loud prints where answers are written, and panics.
type Loud struct{ Name string }

func init() { fmt.Println("a line of the user's own") }

func (l *Loud) UnmarshalJSON(data []byte) error {
	fmt.Println("decoding", string(data))
	switch name := strings.Trim(string(data), `"`); name {
	case "panic":
		panic("oops")
	case "stop":
		stop()
	case "exit":
		os.Exit(0)
	default:
		l.Name = name
	}
	return nil
}

// Silent holds one that is loud.
type Silent struct {
	Loud Loud
}

var stop = func() {
	go func() { panic("beyond recovery") }()
	select {}
}

type Nothing struct {
	Done chan int
	priv int
}

type Text string

// Pair has type parameters.
type Pair[A, B any] struct {
	First  A
	Second B
}

// SmallPair and Foreign are other names of types.
type (
	SmallPair = Pair[small, int]
	Foreign   = other.Thing
)

func Pairs() []*Pair[small, string] { return []*Pair[small, string]{{small{1, 2}, "x"}, {}} }

func Foreigners() (other.Things, error) {
	return other.Things{{N: 1, Tags: []string{"a"}}, {N: 2}}, nil
}

// Lifted has fields that are there only if an embedded pointer is not nil.
type Lifted struct {
	*Extra
	A     int             `json:"a"`
	Any   any             `json:"any,omitempty"`
	Raw   json.RawMessage `json:"raw,omitempty"`
	Words *[]string       `json:"words,omitempty"`
	Ratio float64         `json:"ratio,omitempty"`
}

type Extra struct {
	Ref   string    `json:"ref"`
	Count int       `json:"count,omitempty"`
	Tags  []string  `json:"tags,omitempty"`
	Share float64   `json:"share,omitempty"`
	Made  int       `json:"made,omitzero"`
	When  time.Time `json:"when,omitempty"`
	Dim   [2]int    `json:"dim"`
	*Deeper
}

type Deeper struct {
	Deep bool `json:"deep"`
}

// Attrs are bytes that are JSON, as gorm and sqlx have them.
type Attrs json.RawMessage

func (a Attrs) MarshalJSON() ([]byte, error) { return json.RawMessage(a).MarshalJSON() }

func (a *Attrs) UnmarshalJSON(data []byte) error {
	return (*json.RawMessage)(a).UnmarshalJSON(data)
}

// Digits are bytes that are hexadecimal digits in JSON.
type Digits []byte

func (d Digits) MarshalJSON() ([]byte, error) { return json.Marshal(hex.EncodeToString(d)) }

func (d *Digits) UnmarshalJSON(data []byte) error {
	var text string
	err := json.Unmarshal(data, &text)
	if err == nil {
		*d, err = hex.DecodeString(text)
	}
	return err
}

// Written has bytes that write themselves.
type Written struct {
	Attrs Attrs  `json:"attrs"`
	More  Attrs  `json:"more,omitempty"`
	Sum   Digits `json:"sum"`
}

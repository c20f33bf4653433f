// Package other has types that another package's records are of.
package other

// Thing is of this package.
type Thing struct {
	N    int      `json:"n"`
	Tags []string `json:"tags,omitempty"`
}

// Things are many.
type Things []Thing

type hidden struct {
	A int
	B map[string]int
}

// Hiddens has records of a type that nobody else can name.
func Hiddens() []*hidden { return []*hidden{{A: 1, B: map[string]int{"x": 2}}, {}} }

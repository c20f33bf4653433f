package analysis

import (
	"math"

	"assay/result"
)

// stdJSON is the contender whose JSON is compared with the user's.
const stdJSON = "encoding/json"

// jsonLimit is how far the size of the JSON that is measured, or what one cause
// does to it, may be from the user's before it is a warning.
const jsonLimit = 0.02

// A JSONSize is the size of a user's JSON and of what is measured in its place, in
// bytes of all records.
type JSONSize struct {
	Records int64
	// Compact is the user's, without spaces between values.
	Compact int64
	// Written is what encoding/json wrote of all records when they were verified
	// or, when it was not there, what it would have.
	Written int64
	// Compared is how much of Compact was compared with what is written, and
	// Changes say how that differs, the heaviest first. Unexplained is how many
	// bytes of the difference they do not say, where all was compared.
	Compared    int64
	Changes     []result.JSONChange
	Unexplained int64
	// Unescaped says that encoding/json was told not to escape for HTML.
	Unescaped bool
}

// jsonSize returns the sizes of a run on a user's JSON, or nil.
func (a *account) jsonSize() *JSONSize {
	d := a.run.Plan.Data
	if d == nil || d.JSON == nil || d.JSON.Compact == 0 {
		return nil
	}
	j := &JSONSize{Records: d.Records, Compact: d.JSON.Compact, Compared: d.JSON.Compared, Changes: d.JSON.Changes, Unescaped: d.JSON.Unescaped}
	j.Written = int64(float64(d.JSON.Written) * float64(j.Compact) / float64(max(1, j.Compared)))
	for _, v := range a.verified {
		if v.Subject == (result.Subject{Contender: stdJSON}) && v.OK && v.Encoded > 0 && v.Values == 0 {
			j.Written = v.Encoded
		}
	}
	if j.Compared == j.Compact {
		j.Unexplained = j.Written - d.JSON.Written
	}
	return j
}

// Share returns bytes as a share of the user's JSON.
func (j *JSONSize) Share(bytes int64) float64 { return float64(bytes) / float64(j.Compact) }

// Changed returns what a change makes of the JSON that was compared, as a share of
// it.
func (j *JSONSize) Changed(c result.JSONChange) float64 {
	return float64(c.Bytes) / float64(max(1, j.Compared))
}

// Off reports whether what is measured is so far from the user's JSON that a
// reader has to know: on the whole, or by one cause that another makes up for.
func (j *JSONSize) Off() bool {
	far := func(share float64) bool { return math.Abs(share) > jsonLimit }
	for _, c := range j.Changes {
		if far(j.Changed(c)) {
			return true
		}
	}
	return far(j.Share(j.Written-j.Compact)) || far(j.Share(j.Unexplained))
}

package analysis

import (
	"math"

	"assay/result"
)

// stdJSON is the contender whose JSON is compared with the user's JSON.
const stdJSON = "encoding/json"

// jsonLimit is the largest difference that is no warning, as a share: between the sizes of the
// measured JSON and the user's JSON, or by one cause.
const jsonLimit = 0.02

// A JSONSize has the size of a user's JSON and of the JSON that is measured in its place, in bytes
// of all records.
type JSONSize struct {
	Records int64
	// Compact is the size of the user's JSON without spaces between values.
	Compact int64
	// Written is the size of what encoding/json wrote of all records when they were verified or, if
	// encoding/json was not verified, an estimate of it.
	Written int64
	// Compared is how much of Compact was compared with the JSON that encoding/json writes. Changes
	// are the differences by cause, the heaviest first. Unexplained is how many bytes of the
	// difference no cause explains, if everything was compared.
	Compared    int64
	Changes     []result.JSONChange
	Unexplained int64
	// Unescaped says that encoding/json was told not to escape for HTML.
	Unescaped bool
}

// jsonSize returns the sizes for a run on a user's JSON; nil for other runs.
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

// Changed returns the bytes of a change as a share of the JSON that was compared.
func (j *JSONSize) Changed(c result.JSONChange) float64 {
	return float64(c.Bytes) / float64(max(1, j.Compared))
}

// Off reports whether the measured JSON is so far from the user's JSON that a reader has to know:
// in total, or by one cause even if another one compensates for it.
func (j *JSONSize) Off() bool {
	far := func(share float64) bool { return math.Abs(share) > jsonLimit }
	for _, c := range j.Changes {
		if far(j.Changed(c)) {
			return true
		}
	}
	return far(j.Share(j.Written-j.Compact)) || far(j.Share(j.Unexplained))
}

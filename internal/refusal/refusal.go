// Package refusal is errors of what was asked for, not of what happened. Who asked has
// to ask for something else; the command line exits with 2.
package refusal

import "fmt"

// An Error is such an error. errors.As finds it, whatever wraps it.
type Error struct{ err error }

func (e *Error) Error() string { return e.err.Error() }

// Unwrap returns the error that Of was given.
func (e *Error) Unwrap() error { return e.err }

// Of makes an error one of what was asked for. Of nil it is nil.
func Of(err error) error {
	if err == nil {
		return nil
	}
	return &Error{err}
}

// Errorf is fmt.Errorf for an error of what was asked for.
func Errorf(format string, args ...any) error { return &Error{fmt.Errorf(format, args...)} }

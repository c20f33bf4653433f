// Package refusal marks errors in the user's request, as opposed to errors in its execution. The
// user has to make another request; the command line exits with 2.
package refusal

import "fmt"

// An Error is an error in the user's request. errors.As finds it, whatever wraps it.
type Error struct{ err error }

func (e *Error) Error() string { return e.err.Error() }

// Unwrap returns the error that Of was given.
func (e *Error) Unwrap() error { return e.err }

// Of marks an error as one in the user's request. Of(nil) is nil.
func Of(err error) error {
	if err == nil {
		return nil
	}
	return &Error{err}
}

// Errorf is fmt.Errorf for an error in the user's request.
func Errorf(format string, args ...any) error { return &Error{fmt.Errorf(format, args...)} }

package refusal

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"
)

func TestOf(t *testing.T) {
	if Of(nil) != nil {
		t.Error("nothing is refused")
	}
	for _, err := range []error{Of(fs.ErrNotExist), Errorf("reading: %w", fs.ErrNotExist), fmt.Errorf("again: %w", Of(fs.ErrNotExist))} {
		var refused *Error
		if !errors.As(err, &refused) || !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%v is no refusal, or hides its cause", err)
		}
	}
	if errors.As(fs.ErrNotExist, new(*Error)) {
		t.Error("what happened is taken for a refusal")
	}
}

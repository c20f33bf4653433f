package drive

import (
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"
)

// longestText is the largest number of bytes that is kept of a text from a runner.
const longestText = 1 << 10

// brief returns the form in which a text from a runner is kept: valid UTF-8 of at most
// longestText bytes. If bytes are left out, it appends their number; before is the number of
// bytes that the caller has left out already.
func brief(text string, before int) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	end := min(len(text), longestText)
	for end < len(text) && !utf8.RuneStart(text[end]) {
		end--
	}
	if before += len(text) - end; before == 0 {
		return text
	}
	return fmt.Sprintf("%s… (%d bytes left out)", text[:end], before)
}

// shorten makes every text of an answer brief. v holds a pointer to the answer.
func shorten(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			shorten(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				shorten(v.Field(i))
			}
		}
	case reflect.Slice:
		switch v.Type().Elem().Kind() {
		case reflect.String, reflect.Struct, reflect.Pointer:
			for i := range v.Len() {
				shorten(v.Index(i))
			}
		}
	case reflect.Map: // its keys are texts, and its values are numbers
		for _, key := range v.MapKeys() {
			if text := brief(key.String(), 0); text != key.String() {
				v.SetMapIndex(reflect.ValueOf(text), v.MapIndex(key))
				v.SetMapIndex(key, reflect.Value{})
			}
		}
	case reflect.String:
		v.SetString(brief(v.String(), 0))
	}
}

package drive

import (
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"
)

// longestText is how many bytes of a text that comes from a runner are kept.
const longestText = 1 << 10

// brief returns a text that comes from a runner as it is kept: valid UTF-8 without what
// is past longestText. Where something is left out, it says how much; before is what
// was left out already.
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

// shorten makes every text of an answer brief. v is a pointer to it.
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
	case reflect.Map: // its keys are texts, and its values numbers
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

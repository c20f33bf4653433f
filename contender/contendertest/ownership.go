package contendertest

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"

	"assay/bench"
	"assay/contender"
	"assay/result"
	"assay/workload"
)

// misowned returns where the results of a mode do not have the lifetime that its name promises.
// Without output=reuse, encoded bytes must outlive the next call, and with it they must not. Without
// target=reuse or pool=on, a decoded value must outlive the next call, and with target=reuse the next
// value must be in the same place. Without strings=alias, a decoded value must also outlive its
// message. In every mode, two codecs must not share results.
func misowned(c *contender.Contender, bindings []bench.Binding, values any) ([]string, error) {
	var wrong []string
	for _, b := range bindings {
		complain := func(format string, args ...any) {
			wrong = append(wrong, fmt.Sprintf("mode %q: ", b.Mode)+fmt.Sprintf(format, args...))
		}
		shared, err := shares(c, bindings, b, values)
		if err != nil {
			return nil, err
		}
		if shared != "" {
			complain("%s, and two of them may work at a time", shared)
		}
		if slices.Contains(b.Ops, result.Encode) {
			kept, told, err := keepsOutput(b, values)
			if err != nil {
				return nil, err
			}
			switch reuse := has(b.Mode, "output=reuse"); {
			case !reuse && !kept:
				complain("the next encode overwrites the bytes of the last, which is output=reuse")
			case reuse && kept && told:
				complain("encoded bytes outlive every later encode: the mode reuses no output")
			}
		}
		if !slices.Contains(b.Ops, result.Decode) {
			continue
		}
		if has(b.Mode, "target=reuse") {
			moved, err := movesTarget(bindings, b, values)
			if err != nil {
				return nil, err
			}
			if moved {
				complain("the next decoded value is in another place: the mode reuses no target")
			}
		}
		if !has(b.Mode, "target=reuse") && !has(b.Mode, "pool=on") {
			diff, err := keepsTarget(c, bindings, b, values)
			if err != nil {
				return nil, err
			}
			if diff != "" {
				complain("the next decode changes the value of the last, which is target=reuse: %s", diff)
			}
		}
		if !has(b.Mode, "strings=alias") {
			diff, err := keepsStrings(c, bindings, b, values)
			if err != nil {
				return nil, err
			}
			if diff != "" {
				complain("the decoded value changes with the message, which is strings=alias: %s", diff)
			}
		}
	}
	return wrong, nil
}

// shares describes what the last result of one codec shares with another codec's, because of
// global state in the contender's code. It is empty if nothing is shared.
func shares(c *contender.Contender, all []bench.Binding, b bench.Binding, values any) (string, error) {
	if slices.Contains(b.Ops, result.Encode) {
		one, err := b.New(values)
		if err != nil {
			return "", err
		}
		two, err := b.New(values)
		if err != nil {
			return "", err
		}
		one.Seek(0)
		two.Seek(0)
		if _, err := one.Encode(1); err != nil {
			return "", err
		}
		before := slices.Clone(one.Encoded())
		if _, err := two.Encode(2); err != nil {
			return "", err
		}
		if !bytes.Equal(one.Encoded(), before) {
			return "encode of one codec overwrites the bytes of another", nil
		}
	}
	if !slices.Contains(b.Ops, result.Decode) {
		return "", nil
	}
	one, _, err := reader(all, b, values)
	if err != nil {
		return "", err
	}
	two, _, err := reader(all, b, values)
	if err != nil {
		return "", err
	}
	if _, err := one.Decode(1); err != nil {
		return "", err
	}
	if _, err := two.Decode(2); err != nil {
		return "", err
	}
	if diff := differ(c, b.Mode, model(values, 0), one.Decoded()); diff != "" {
		return "decode of one codec changes the value of another: " + diff, nil
	}
	return "", nil
}

// keepsOutput reports whether encoded bytes outlive the next encodes. It encodes every value
// twice: a buffer that is too small for the next value is replaced rather than overwritten, but
// the second time the buffer fits the largest value. told says that messages differ, so that
// overwriting one would show.
func keepsOutput(b bench.Binding, values any) (ok, told bool, err error) {
	codec, err := b.New(values)
	if err != nil {
		return false, false, err
	}
	codec.Seek(0)
	var kept, before [][]byte
	for range 2 * reflect.ValueOf(values).Len() {
		if _, err := codec.Encode(1); err != nil {
			return false, false, err
		}
		kept = append(kept, codec.Encoded())
		before = append(before, slices.Clone(codec.Encoded()))
		told = told || !bytes.Equal(before[0], codec.Encoded())
	}
	return slices.EqualFunc(kept, before, bytes.Equal), told, nil
}

// movesTarget reports whether two values that were decoded one after the other are in different places.
func movesTarget(all []bench.Binding, b bench.Binding, values any) (bool, error) {
	codec, _, err := reader(all, b, values)
	if err != nil {
		return false, err
	}
	if _, err := codec.Decode(1); err != nil {
		return false, err
	}
	first := own(codec)
	_, err = codec.Decode(1)
	return first != nil && own(codec) != first, err
}

// keepsTarget describes how the next decode changes a decoded value. Decoded may convert and so
// share little with the library's own value, so keepsTarget also compares the pointers of the
// library's own values.
func keepsTarget(c *contender.Contender, all []bench.Binding, b bench.Binding, values any) (string, error) {
	codec, _, err := reader(all, b, values)
	if err != nil {
		return "", err
	}
	if _, err := codec.Decode(1); err != nil {
		return "", err
	}
	decoded, first := codec.Decoded(), own(codec)
	_, err = codec.Decode(1)
	if first != nil && own(codec) == first {
		return "both are in the same place", err
	}
	return differ(c, b.Mode, model(values, 0), decoded), err
}

// own returns the library's own value that was decoded last, or nil if the codec has none or
// the value is not a pointer.
func own(codec *bench.Codec) any {
	if codec.Value == nil {
		return nil
	}
	if v := codec.Value(); reflect.ValueOf(v).Kind() == reflect.Pointer {
		return v
	}
	return nil
}

// keepsStrings describes how a decoded value changes when its message does.
func keepsStrings(c *contender.Contender, all []bench.Binding, b bench.Binding, values any) (string, error) {
	codec, messages, err := reader(all, b, values)
	if err != nil {
		return "", err
	}
	if _, err := codec.Decode(1); err != nil {
		return "", err
	}
	for i := range messages[0] {
		messages[0][i] = '#'
	}
	return differ(c, b.Mode, model(values, 0), codec.Decoded()), nil
}

// reader returns a codec of a mode, ready to decode the values' messages, and the messages.
func reader(all []bench.Binding, b bench.Binding, values any) (*bench.Codec, [][]byte, error) {
	own, err := messages(all, b, values)
	if err != nil {
		return nil, nil, err
	}
	codec, err := b.New(values)
	if err != nil {
		return nil, nil, err
	}
	codec.Use(own)
	codec.Seek(0)
	return codec, own, nil
}

// differ describes the first difference between values that is not a declared loss of the mode.
func differ(c *contender.Contender, mode string, want, got any) string {
	forgive := map[string]bool{}
	for _, l := range LossesIn(c, mode) {
		forgive[l] = true
	}
	diff, _ := workload.Diff(want, got, forgive)
	return diff
}

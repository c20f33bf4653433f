//go:build generated

package contenders_test

import (
	"bufio"
	"bytes"
	stdjson "encoding/json"
	"errors"
	"io"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/bytedance/sonic"
	json2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	goccyjson "github.com/goccy/go-json"
	jsoniter "github.com/json-iterator/go"
	segmentio "github.com/segmentio/encoding/json"
	shamaton "github.com/shamaton/msgpack/v3"
	yaml4 "go.yaml.in/yaml/v4"
	"gopkg.in/yaml.v3"
)

// TestConcatenatedJSON checks that the decoders of all JSON contenders with encoder and decoder
// streams read messages with a newline between them, and without anything between them.
func TestConcatenatedJSON(t *testing.T) {
	type message struct{ A, B int }
	type decode = func(any) error
	coders := map[string]func(io.Reader) decode{
		"encoding/json": func(r io.Reader) decode { return stdjson.NewDecoder(r).Decode },
		"goccy/go-json": func(r io.Reader) decode { return goccyjson.NewDecoder(r).Decode },
		"jsoniter": func(r io.Reader) decode {
			d := jsoniter.NewDecoder(r)
			return func(v any) error {
				if !d.More() {
					return io.EOF
				}
				return d.Decode(v)
			}
		},
		"segmentio/json": func(r io.Reader) decode { return segmentio.NewDecoder(r).Decode },
		"sonic":          func(r io.Reader) decode { return sonic.ConfigDefault.NewDecoder(r).Decode },
		"go-json-experiment": func(r io.Reader) decode {
			d := jsontext.NewDecoder(r)
			return func(v any) error { return json2.UnmarshalDecode(d, v) }
		},
	}
	want := []message{{1, 2}, {3, 4}, {5, 6}}
	for _, between := range []string{"\n", ""} {
		var file bytes.Buffer
		enc := segmentio.NewEncoder(&file)
		enc.SetAppendNewline(between != "")
		for _, m := range want {
			if err := enc.Encode(m); err != nil {
				t.Fatal(err)
			}
		}
		if got := strings.Count(file.String(), "\n"); got != len(want)*len(between) {
			t.Errorf("segmentio/json wrote %d newlines: %q", got, file.String())
		}
		for name, open := range coders {
			next := open(bytes.NewReader(file.Bytes()))
			var got []message
			for {
				var m message
				if err := next(&m); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				got = append(got, m)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s read %v, want %v", name, got, want)
			}
		}
	}
}

// TestNoStreamOfShamaton shows why shamaton/msgpack has no streams: it misreads a message that
// continues beyond a buffer. If this test fails, it can have streams.
func TestNoStreamOfShamaton(t *testing.T) {
	type message struct{ Text string }
	want := message{strings.Repeat("ab", 40)}
	data, err := shamaton.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got message
	if err := shamaton.UnmarshalRead(bufio.NewReaderSize(bytes.NewReader(data), 32), &got); err == nil && got == want {
		t.Error("shamaton/msgpack reads a message across the end of a buffer: its reason for having no streams is gone")
	}
}

// TestYAMLKeepsEvents shows why YAML streams take more memory the longer they are. If it fails,
// an encoder no longer keeps what it has written, and the text about these streams must change.
func TestYAMLKeepsEvents(t *testing.T) {
	const documents, least = 200, 1 << 20
	list := make([]int, 100)
	four, err := yaml4.NewDumper(io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	for name, encode := range map[string]func(any) error{"yaml.v3": yaml.NewEncoder(io.Discard).Encode, "yaml/v4": four.Dump} {
		before := liveHeap()
		for range documents {
			if err := encode(list); err != nil {
				t.Fatal(err)
			}
		}
		if kept := liveHeap() - before; kept < least {
			t.Errorf("%s keeps %d bytes of %d documents", name, kept, documents)
		}
		runtime.KeepAlive(encode)
	}
}

// liveHeap returns the bytes of the heap after a garbage collection.
func liveHeap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

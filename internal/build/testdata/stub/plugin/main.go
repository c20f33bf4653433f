// Command plugin answers like a code generator of protoc, with one file that holds the request.
package main

import (
	"io"
	"os"
)

func main() {
	content, err := io.ReadAll(os.Stdin)
	if err != nil {
		panic(err)
	}
	file := field(1, []byte("made.pb.go"))
	file = append(file, field(15, content)...)
	os.Stdout.Write(field(15, file))
}

// field encodes a length-delimited protobuf field of fewer than 128 bytes.
func field(number byte, data []byte) []byte {
	return append([]byte{number<<3 | 2, byte(len(data))}, data...)
}

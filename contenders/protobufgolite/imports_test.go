//go:build generated

package protobufgolite

// Packages that the code for schemas with times imports, but the code for the committed
// workload does not. These imports make go mod tidy keep their modules.
import (
	_ "github.com/aperturerobotics/protobuf-go-lite/types/known/durationpb"
	_ "github.com/aperturerobotics/protobuf-go-lite/types/known/timestamppb"
)

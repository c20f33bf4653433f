//go:build generated

package protobufgolite

// What the code for schemas with times imports besides what that for the committed
// workload does. go mod tidy keeps the modules of both.
import (
	_ "github.com/aperturerobotics/protobuf-go-lite/types/known/durationpb"
	_ "github.com/aperturerobotics/protobuf-go-lite/types/known/timestamppb"
)

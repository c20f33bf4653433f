package emit

import "testing"

func TestConditional(t *testing.T) {
	for file, want := range map[string]bool{
		"orders.go": false, "linux.go": false, "orders_pb.go": false, "orders.linux.go": false,
		"orders_linux.go": true, "orders_arm64.go": true, "orders_linux.pb.go": true, "orders_js_wasm.go": true, "orders_linux_data.go": false,
		"orders_test.go": true, "orders_linux_test.pb.go": true, "_orders.go": true, ".orders.go": true,
	} {
		if got := Conditional(file); got != want {
			t.Errorf("%s: %v, want %v", file, got, want)
		}
	}
}

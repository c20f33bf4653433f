package tick

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/workload"
	"assay/workload/workloadtest"
)

func TestWorkload(t *testing.T) { workloadtest.Check(t, Workload) }

func protoSize(v workload.Model) int { return workloadtest.ProtoSize(Schema, "TickData", v) }

func TestPublished(t *testing.T) {
	for i, v := range workloadtest.Values(t, Workload, "payload=published", 1, 3) {
		want := &TickData{
			ComputorIndex: 3, Epoch: 4, TickNumber: 2, Timestamp: 1,
			VarStruct: make([]byte, 100), TimeLock: make([]byte, 100),
			TransactionIds: make([]string, 100), ContractFees: make([]int64, 100),
			SignatureHex: strings.Repeat("a", 43),
		}
		if diff := cmp.Diff(workload.Model(want), v); diff != "" {
			t.Errorf("value %d: %s", i, diff)
		}
		if got := protoSize(v); got != 559 {
			t.Errorf("value %d takes %d bytes in protobuf, published are 559", i, got)
		}
	}
}

func TestRealistic(t *testing.T) {
	// without is the size of everything but the fees. 100 fees take 400 to 500 bytes: they
	// are varints of one to five bytes, of which nearly all take four or five.
	const without = 3 + 2 + 5 + 7 + 102 + 102 + 100*62 + 3 + 131
	values := workloadtest.Values(t, Workload, "payload=realistic", 1, 64)
	workloadtest.Filled(t, values)
	for i, v := range values {
		tick := v.(*TickData)
		if tick.ComputorIndex < 256 || tick.ComputorIndex > 675 || tick.Epoch != 112 ||
			tick.TickNumber != 14500123+uint32(i) || tick.Timestamp != 1718000000123+uint64(i)*5000 {
			t.Errorf("value %d: %+v", i, tick)
		}
		for _, id := range tick.TransactionIds {
			if len(id) != 60 || strings.Trim(id, "abcdefghijklmnopqrstuvwxyz") != "" {
				t.Errorf("value %d: id %q", i, id)
			}
		}
		for _, fee := range tick.ContractFees {
			if fee < 0 || fee >= 1e9 {
				t.Errorf("value %d: fee %d", i, fee)
			}
		}
		if len(tick.SignatureHex) != 128 || strings.Trim(tick.SignatureHex, "0123456789abcdef") != "" {
			t.Errorf("value %d: signature %q", i, tick.SignatureHex)
		}
		if got := protoSize(v); got < without+400 || got > without+500 {
			t.Errorf("value %d takes %d bytes in protobuf, want %d to %d", i, got, without+400, without+500)
		}
	}
}

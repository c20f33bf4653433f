//go:build generated

package vtprotobuf_test

import (
	"bytes"
	"slices"
	"testing"

	tickgen "assay/contenders/vtprotobuf/gen/tick"
)

// A message of the mode strings=alias,pool=on keeps slices of earlier inputs while it is in its pool.
// Neither it nor a message of the mode pool=on writes into them, and no field keeps an earlier
// message's value.
func TestPoolsLeaveInputsAlone(t *testing.T) {
	var inputs [][]byte
	for _, m := range []*tickgen.TickData{
		{VarStruct: []byte("a long payload"), TimeLock: []byte("lock"), TransactionIds: []string{"one", "two"}, ContractFees: []int64{1, 2}, SignatureHex: "00ff"},
		{VarStruct: []byte("short"), TransactionIds: []string{"three"}},
		{Epoch: 1},
	} {
		data, err := m.MarshalVT()
		if err != nil {
			t.Fatal(err)
		}
		inputs = append(inputs, data)
	}
	before := slices.Clone(inputs)
	for i := range before {
		before[i] = slices.Clone(before[i])
	}
	check := func(pool string, m *tickgen.TickData, err error, input []byte) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", pool, err)
		}
		if back, err := m.MarshalVT(); err != nil || !bytes.Equal(back, input) {
			t.Errorf("%s: %q became %q (%v)", pool, input, back, err)
		}
	}
	copying, aliasing := tickgen.TickDataFromVTPool(), tickgen.TickDataFromVTUnsafePool()
	for range 3 {
		for i, input := range inputs {
			aliasing.ReturnToVTUnsafePool()
			aliasing = tickgen.TickDataFromVTUnsafePool()
			check("strings=alias,pool=on", aliasing, aliasing.UnmarshalVTUnsafePool(input), before[i])
			copying.ReturnToVTPool()
			copying = tickgen.TickDataFromVTPool()
			check("pool=on", copying, copying.UnmarshalVTPool(input), before[i])
		}
	}
	if !slices.EqualFunc(inputs, before, bytes.Equal) {
		t.Errorf("the inputs became %q, they were %q", inputs, before)
	}
}

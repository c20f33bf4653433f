package tick

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"assay/workload"
)

// Workload is the data of one tick of a ledger.
var Workload = &workload.Workload{
	Name:  "tick",
	Title: "one tick of a ledger: counters, byte strings, ids and fees",
	Text: "Four counters, two byte strings of 100, 100 transaction ids, 100 fees and a signature. " +
		"payload=published is the published value: its ids are empty and its bytes and fees all zero, so a format that " +
		"spends a byte on each looks smaller and faster than it is. It has no variants: " +
		"all its inputs are equal, each in memory of its own. " +
		"payload=realistic has the same shape and honest contents: random bytes, ids of 60 letters, fees below a " +
		"thousand million and a signature of 128 hexadecimal digits. Each input is the next tick, and as the fees " +
		"differ in length, encoded sizes differ by a few bytes.",
	Source:   "\"Protobuf proto.Marshall vs protojson.Marshall\", linckode/go-protobuf-marshall-test",
	Schema:   Schema,
	Sizes:    []workload.Size{published, realistic},
	Generate: generate,
}

var (
	published = workload.Size{
		Key:     "payload=published",
		Root:    "TickData",
		Text:    "ids empty, bytes and fees zero, as published",
		Bytes:   3_100,
		Default: true,
		Quick:   true,
		Items:   1,
	}
	realistic = workload.Size{
		Key:     "payload=realistic",
		Root:    "TickData",
		Text:    "random ids, bytes and fees",
		Bytes:   9_600,
		Typical: true,
		Default: true,
		Items:   1,
	}
)

// entries is the number of transaction ids and of fees of a tick.
const entries = 100

func generate(size workload.Size, seed uint64, n int) (any, error) {
	values := make([]TickData, n)
	switch size.Key {
	case published.Key:
		for i := range values {
			values[i] = publishedTick()
		}
	case realistic.Key:
		for i := range values {
			values[i] = realisticTick(workload.Rand(seed, i), i)
		}
	default:
		return nil, fmt.Errorf("workload tick has no size %q; its sizes are %s and %s", size.Key, published.Key, realistic.Key)
	}
	return values, nil
}

func publishedTick() TickData {
	return TickData{
		ComputorIndex:  3,
		Epoch:          4,
		TickNumber:     2,
		Timestamp:      1,
		VarStruct:      make([]byte, 100),
		TimeLock:       make([]byte, 100),
		TransactionIds: make([]string, entries),
		ContractFees:   make([]int64, entries),
		SignatureHex:   strings.Repeat("a", 43),
	}
}

// realisticTick returns tick i; ticks are five seconds apart. ComputorIndex stays above 255,
// so that it has the same encoded length in every tick.
func realisticTick(r *rand.Rand, i int) TickData {
	t := TickData{
		ComputorIndex:  675 - uint32(i%400),
		Epoch:          112,
		TickNumber:     14_500_123 + uint32(i),
		Timestamp:      1_718_000_000_123 + 5_000*uint64(i),
		VarStruct:      workload.RandBytes(r, 100),
		TimeLock:       workload.RandBytes(r, 100),
		TransactionIds: make([]string, entries),
		ContractFees:   make([]int64, entries),
		SignatureHex:   randText(r, "0123456789abcdef", 128),
	}
	for k := range entries {
		t.TransactionIds[k] = randText(r, "abcdefghijklmnopqrstuvwxyz", 60)
		t.ContractFees[k] = r.Int64N(1_000_000_000)
	}
	return t
}

// randText returns n random characters of an alphabet.
func randText(r *rand.Rand, alphabet string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[r.IntN(len(alphabet))]
	}
	return string(b)
}

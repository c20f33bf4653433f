// Command rich serves the runner protocol for the schema beside it. A test in contenders builds
// it. The package assay/workload/rich, the contenders' packages for it and the variable
// bindings exist only in that build.
package main

import (
	"fmt"
	"math"
	"time"

	"assay/bench"
	"assay/workload"
	model "assay/workload/rich"
)

func main() {
	bench.Main(bench.Program{Workloads: []*workload.Workload{rich}, Bindings: bindings})
}

// rich has values that survive every contender. It has one size for each root, and a second one
// with nil where a list or map is an element or the document.
var rich = &workload.Workload{
	Name:   "rich",
	Schema: model.Schema,
	Custom: func(key string) (workload.Size, error) {
		switch key {
		case "root=items", "nil=items":
			return workload.Size{Key: key, Root: "Items"}, nil
		case "root=index", "nil=index":
			return workload.Size{Key: key, Root: "Index"}, nil
		}
		return workload.Size{Key: key, Root: "Everything"}, nil
	},
	Generate: func(size workload.Size, _ uint64, n int) (any, error) {
		switch size.Key {
		case "root=items":
			return ring(n, model.Items{}, model.Items{{}}, items()), nil
		case "root=index":
			return ring(n, model.Index{}, model.Index{"a": items(), "b": {}}), nil
		case "nil=items":
			return ring[model.Items](n, nil), nil
		case "nil=index":
			return ring(n, nil, model.Index{"": nil}), nil
		}
		values, ok := everything[size.Key]
		if !ok {
			return nil, fmt.Errorf("no size %q", size.Key)
		}
		return ring(n, values()...), nil
	},
}

// ring returns n values, which repeat the given ones in order.
func ring[T any](n int, values ...T) []T {
	out := make([]T, n)
	for i := range out {
		out[i] = values[i%len(values)]
	}
	return out
}

// everything are the values of the sizes with root Everything. The full value comes first, so
// that the values after it show what a decoder leaves of it.
var everything = map[string]func() []model.Everything{
	"root=everything": func() []model.Everything { return []model.Everything{full(), {}, zeros()} },

	"nil=everything": func() []model.Everything {
		return []model.Everything{{
			ListBytes: [][]byte{nil}, ListItems: []model.Items{nil}, ListIndex: []model.Index{nil},
			MapBytes: map[string][]byte{"": nil}, MapItems: map[string]model.Items{"": nil},
		}}
	},
}

// zeros has every optional value, each of them zero. The optional bytes are empty: bytes that
// are present and nil exist in Go but in no data.
func zeros() model.Everything {
	return model.Everything{
		OptBool: new(bool), OptInt32: new(int32), OptInt64: new(int64), OptUint32: new(uint32), OptUint64: new(uint64),
		OptFloat32: new(float32), OptFloat64: new(float64), OptString: new(string), OptBytes: &[]byte{},
		OptTimestamp: new(time.Time), OptDuration: new(time.Duration), OptColor: new(model.Color2D), OptVec: new(model.Vec3D),
		ListBool: []bool{false}, ListInt32: []int32{0}, ListString: []string{""}, ListBytes: [][]byte{{}},
		ListTimestamp: []time.Time{{}}, ListDuration: []time.Duration{0}, ListColor: []model.Color2D{0},
		ListVec: []model.Vec3D{{}}, ListVecPtr: []*model.Vec3D{{}}, ListItems: []model.Items{{}}, ListIndex: []model.Index{{}},
		MapBool: map[string]bool{"": false}, MapInt32: map[int32]int32{0: 0}, MapVec: map[int32]model.Vec3D{0: {}},
		MapVecPtr: map[string]*model.Vec3D{"": {}}, MapItems: map[string]model.Items{"": {}},
		Self: new(model.Everything),
	}
}

// full has every value, none of them zero.
func full() model.Everything {
	e := scalars()
	e.OptBool, e.OptInt32, e.OptInt64 = new(true), new(int32(math.MaxInt32)), new(int64(-1))
	e.OptUint32, e.OptUint64 = new(uint32(7)), new(uint64(1<<53+1))
	e.OptFloat32, e.OptFloat64 = new(float32(1.5)), new(math.MaxFloat64)
	e.OptString, e.OptBytes = new("o\x00\t\"<&>"), new([]byte{0})
	e.OptTimestamp, e.OptDuration = new(time.Unix(-1, 1).UTC()), new(-time.Nanosecond)
	e.OptColor, e.OptVec = new(model.Color2D_RED), &model.Vec3D{X: 3}
	e.ListBool = []bool{true, false}
	e.ListInt32 = []int32{math.MinInt32, 1}
	e.ListInt64 = []int64{math.MinInt64, 1}
	e.ListUint32 = []uint32{math.MaxUint32}
	e.ListUint64 = []uint64{math.MaxUint64, 0}
	e.ListFloat32 = []float32{math.SmallestNonzeroFloat32, 0.1}
	e.ListFloat64 = []float64{math.SmallestNonzeroFloat64, 0.1}
	e.ListString = []string{"", "b", "日本"}
	e.ListBytes = [][]byte{{}, {1, 2}}
	e.ListTimestamp = []time.Time{time.Date(9999, 12, 31, 23, 59, 59, 999_999_999, time.UTC), time.Date(2023, 4, 4, 14, 7, 22, 123_456_789, time.FixedZone("", 3600))}
	e.ListDuration = []time.Duration{math.MaxInt64, math.MinInt64}
	e.ListColor = []model.Color2D{model.Color2D_RED, model.Color2D_NONE}
	e.ListVec = items()
	e.ListVecPtr = []*model.Vec3D{{X: 1}, {A1B: 2}}
	e.ListItems = []model.Items{items(), items()}
	e.ListIndex = []model.Index{{"a": items()}}
	e.MapBool = map[string]bool{"t": true}
	e.MapInt32 = map[int32]int32{-1: -2, 3: 4}
	e.MapInt64 = map[int64]int64{-1: -2, math.MinInt64: math.MaxInt64}
	e.MapUint32 = map[uint32]uint32{1: 2, math.MaxUint32: 0}
	e.MapUint64 = map[uint64]uint64{1: 2, math.MaxUint64: 0}
	e.MapFloat32 = map[string]float32{"a": 0.1}
	e.MapFloat64 = map[string]float64{"a": 0.1, "": 1}
	e.MapString = map[string]string{"k": "v", "": ""}
	e.MapBytes = map[string][]byte{"k": {1}, "e": {}}
	e.MapTimestamp = map[string]time.Time{"t": time.Unix(1, 2).UTC()}
	e.MapDuration = map[string]time.Duration{"d": time.Hour}
	e.MapColor = map[string]model.Color2D{"c": model.Color2D_RED}
	e.MapVec = map[int32]model.Vec3D{-5: {X: 5}}
	e.MapVecPtr = map[string]*model.Vec3D{"v": {X: 6}}
	e.MapItems = map[string]model.Items{"i": items()}
	e.OmitInt64, e.OmitString, e.OmitList = 1, "there", []int64{1}
	e.OmitMap, e.OmitVec = map[string]int64{"a": 1}, &model.Vec3D{X: 7}
	inner := scalars()
	e.Self = &inner
	e.X_Y = items()
	return e
}

func scalars() model.Everything {
	return model.Everything{
		Bool_1: true, Int32_2: math.MinInt32, Int64_3: math.MinInt64, Uint32_4: math.MaxUint32, Uint64_5: math.MaxUint64,
		Float32_6: 0.1, Float64_7: -0.1, String_8: "text", Bytes_9: []byte{0, 255},
		Timestamp_10: time.Date(2024, 2, 29, 1, 2, 3, 4, time.UTC), Duration_11: 1_000_000_001,
		Color_12: model.Color2D_BLUE_2, Vec_13: model.Vec3D{X: 1, A1B: 2, OptA1B: new(int64(3))},
	}
}

func items() model.Items {
	return model.Items{{X: 1}, {A1B: -1}, {}, {OptA1B: new(int64)}}
}

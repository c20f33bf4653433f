package ugorjicbor

import (
	"assay/contender"
	"assay/contender/emit"
	"assay/contender/emit/ugorji"
	"assay/result"
)

// unix has the library's default way to write times.
var unix = ugorji.Setting{
	Mode: contender.Mode{
		Key: "time=unix", Ops: []result.Op{result.Encode, result.Decode, result.Scan},
		Text:    "The handle without TimeRFC3339, as it is by default: a time is rounded to microseconds and written with the CBOR tag for seconds since 1970, as an integer if it is whole seconds and as a float64 otherwise, which holds every microsecond up to the year 2242.",
		Refuses: emit.NeedsTimes,
	},
	Session: "session=stream,time=unix", Handle: "unix", Sets: "h.TimeRFC3339 = false",
}

func emitPackage(req contender.Request) (contender.Output, error) {
	return ugorji.Emit(req, "CborHandle", "h.TimeRFC3339 = true", unix)
}

package ugorjicbor

import (
	"assay/contender"
	"assay/contenders/ugorjimsgpack/ugorji"
)

func emitPackage(req contender.Request) (contender.Output, error) {
	return ugorji.Emit(req, "CborHandle", "h.TimeRFC3339 = true")
}

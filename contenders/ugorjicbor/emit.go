package ugorjicbor

import (
	"assay/contender"
	"assay/contender/emit/ugorji"
)

func emitPackage(req contender.Request) (contender.Output, error) {
	return ugorji.Emit(req, "CborHandle", "h.TimeRFC3339 = true")
}

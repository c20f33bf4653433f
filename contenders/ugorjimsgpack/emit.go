package ugorjimsgpack

import (
	"assay/contender"
	"assay/contender/emit/ugorji"
)

func emitPackage(req contender.Request) (contender.Output, error) {
	return ugorji.Emit(req, "MsgpackHandle", "h.WriteExt = true")
}

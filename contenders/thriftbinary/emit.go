package thriftbinary

import (
	"assay/contender"
	"assay/contenders/thriftbinary/structs"
)

func emitPackage(req contender.Request) (contender.Output, error) {
	return structs.Emit(req, "NewTBinaryProtocolFactoryConf")
}

package thriftbinary

import (
	"assay/contender"
	"assay/contender/emit/thrift"
)

func emitPackage(req contender.Request) (contender.Output, error) {
	return thrift.Emit(req, "NewTBinaryProtocolFactoryConf")
}

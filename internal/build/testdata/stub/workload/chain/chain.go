package chain

import "assay/workload"

var Workload = &workload.Workload{Name: "chain"}

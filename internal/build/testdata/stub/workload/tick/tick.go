package tick

import "assay/workload"

var Workload = &workload.Workload{Name: "tick"}

package workload

type Workload struct{ Name string }

package assay

// These two programs generate all generated code of this repository, in this order: the first
// writes the models and the tables, with which the second is compiled. Golden files are written
// by go test -update.

//go:generate go run ./internal/generate/tables
//go:generate go run ./internal/generate

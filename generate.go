package assay

// All generated code of this repository is made by these two programs, in this order: the
// first writes the models and the tables that the second is compiled with. Golden files are
// made by go test -update.

//go:generate go run ./internal/generate/tables
//go:generate go run ./internal/generate

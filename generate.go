package assay

// Everything generated in this repository is made by these two programs, in
// this order: the first writes the models and the tables that the second is
// compiled with.

//go:generate go run ./internal/generate/tables
//go:generate go run ./internal/generate

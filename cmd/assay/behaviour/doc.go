// Package behaviour tests what the commands of assay print and how they exit, in one process: on
// stored runs, whole and damaged, and with contenders that have planted faults.
package behaviour

module assay

go 1.26.0

require example.com/absent v1.2.3

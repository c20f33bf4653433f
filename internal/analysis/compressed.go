package analysis

import (
	"fmt"
	"slices"
	"strings"

	"assay/bench/compress"
	"assay/result"
)

// CompressedSize returns the name of the metric for the size of a message after a codec of package
// compress, by itself or in a batch: "zstd-size" or "zstd-batch-size".
func CompressedSize(codec string, batch bool) string {
	if batch {
		return codec + "-batch-size"
	}
	return codec + "-size"
}

// PackedSize is the name of the metric for the size of a message after the codec that the case's
// mode names.
const PackedSize = "compressed-size"

// CompressedSizes returns the names that CompressedSize can return, in the order of Metrics.
func CompressedSizes() []string {
	var names []string
	for _, m := range compressed {
		names = append(names, m.Name)
	}
	return names
}

// compressed are the metrics of compression: of single messages, of batches, and of the ops of
// package compress.
var compressed = func() []Metric {
	ops := []result.Op{result.Encode, result.Decode}
	var all []Metric
	for _, batch := range []bool{false, true} {
		for _, c := range compress.Codecs {
			m := Metric{
				Name: CompressedSize(c.Name, batch), Unit: "B", Title: "encoded size after " + c.Name, Better: -1, Exact: true, Ops: ops,
				Text: fmt.Sprintf("How many bytes one message takes when compressed by itself, the mean over the distinct "+
					"messages of the case: %s. This is what a program sends that compresses messages one by one, without a dictionary. "+
					"A format that is larger uncompressed may be smaller compressed, and a small message may grow.", c.Text),
				of: func(m *measured) (Interval, int, bool) { return m.after(c.Name, batch) },
			}
			if batch {
				m.Title += ", in a batch"
				m.Text = fmt.Sprintf("How many bytes one message takes in a batch that is compressed as a whole: all distinct "+
					"messages of the case in turn, each after its length as a base-128 varint, compressed, and the bytes divided "+
					"by the number of messages. %s-size says in which form. This is what a log, a queue or a file "+
					"of records takes. A batch has at most 64 messages, of one kind and with independent values. A longer batch, or "+
					"one with more similar values, compresses better.", c.Name)
			}
			all = append(all, m)
		}
	}
	return append(all, Metric{
		Name: PackedSize, Unit: "B", Title: "encoded size after the mode's codec", Better: -1, Exact: true, Ops: compress.Ops,
		Text: "How many bytes one message takes after the codec that the mode names, by itself, the mean over the distinct " +
			"messages of the case: the result of op compress. It is that codec's size without a batch, " +
			"such as zstd-size for codec=zstd.",
		of: func(m *measured) (Interval, int, bool) {
			return m.after(strings.TrimPrefix(m.mode, compress.Axis+"="), false)
		},
	})
}()

// after returns the mean size of a message after the codec.
func (m *measured) after(codec string, batch bool) (Interval, int, bool) {
	if m.compressed == nil || m.compressed.Messages <= 0 {
		return Interval{}, 0, false
	}
	i := slices.IndexFunc(m.compressed.Codecs, func(s result.CompressedSizes) bool { return s.Codec == codec })
	if i < 0 {
		return Interval{}, 0, false
	}
	bytes := m.compressed.Codecs[i].Bytes
	if batch {
		bytes = m.compressed.Codecs[i].Batch
	}
	return exactly(float64(bytes) / float64(m.compressed.Messages)), m.compressed.Messages, true
}

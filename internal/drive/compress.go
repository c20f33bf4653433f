package drive

import (
	"context"
	"crypto/sha256"
	"fmt"

	"assay/bench"
	"assay/bench/compress"
	"assay/result"
)

// CompressConfig configures Compress.
type CompressConfig struct {
	Runner
	Layout uint64
	Cases  []result.Case // verified cases of the ops encode and decode
	// Bytes limits the total size of the messages of a case.
	Bytes  int64
	Codecs []compress.Codec
	// Libraries are the modules of the codecs, for the records.
	Libraries []result.Module
}

// Compress finds the size of each case's messages after compression. Runners write the messages
// and this process compresses them, so that no runner links a compressor. A case whose messages
// are too large gets a note and no sizes.
func Compress(ctx context.Context, cfg CompressConfig, sink func(result.Record) error, event func(Event)) ([]result.Outcome, error) {
	p := &press{CompressConfig: cfg, known: map[[sha256.Size]byte][]result.CompressedSizes{}}
	for _, c := range cfg.Codecs {
		coder, err := c.New()
		if err != nil {
			return nil, err
		}
		p.coders = append(p.coders, coder)
	}
	s := survey{
		// An error of a coder ends the pass before the wrong record is stored.
		ledger: ledger{event: event, sink: func(r result.Record) error {
			if p.err != nil {
				return p.err
			}
			return sink(r)
		}},
		Runner: cfg.Runner, pass: "compress", layout: cfg.Layout, auxiliary: true,
		group: func(c result.Case) result.Case {
			return result.Case{Workload: c.Workload, Size: c.Size, Contender: c.Contender}
		},
		command: func(c result.Case) bench.Command {
			return bench.Command{Cmd: "write", Write: &bench.Write{Subject: c.Subject(), Bytes: cfg.Bytes}}
		},
		answer: func(c result.Case, a bench.Answer) result.Record { return p.record(c, a.Written.Messages) },
	}
	err := s.run(ctx, cfg.Cases)
	return s.outcomes, err
}

// A press compresses messages.
type press struct {
	CompressConfig
	coders []*compress.Coder
	buffer []byte
	// known caches the sizes of batches by their hash, because many modes of a contender write
	// the same bytes.
	known map[[sha256.Size]byte][]result.CompressedSizes
	err   error // the first error of a coder
}

// record compresses the messages of a case.
func (p *press) record(c result.Case, messages [][]byte) result.Record {
	batch := compress.Batch(messages)
	out := &result.Compressed{Case: c, Messages: len(messages), Batch: int64(len(batch)), Libraries: p.Libraries}
	for _, m := range messages {
		out.Encoded += int64(len(m))
	}
	hash := sha256.Sum256(batch)
	if p.known[hash] == nil {
		p.known[hash] = p.sizes(messages, batch)
	}
	out.Codecs = p.known[hash]
	return result.Record{Compressed: out}
}

func (p *press) sizes(messages [][]byte, batch []byte) []result.CompressedSizes {
	var all []result.CompressedSizes
	for i, codec := range p.Codecs {
		s := result.CompressedSizes{Codec: codec.Name, Batch: p.size(i, batch)}
		for _, m := range messages {
			s.Bytes += p.size(i, m)
		}
		all = append(all, s)
	}
	return all
}

// size returns the size of data after codec i.
func (p *press) size(i int, data []byte) int64 {
	out, err := p.coders[i].Compress(p.buffer, data)
	if err != nil {
		if p.err == nil {
			p.err = fmt.Errorf("%s: %w", p.Codecs[i].Name, err)
		}
		return 0
	}
	p.buffer = out
	return int64(len(out))
}

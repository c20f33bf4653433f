package measure

import (
	"cmp"
	"context"
	"os"
	"slices"

	"assay/contender"
	"assay/internal/drive"
	"assay/internal/plan"
	"assay/result"
)

// Streaming is the phase in which streams are written and read. Wholes is the phase in which
// whole values are encoded and decoded.
const (
	Streaming = "stream"
	Wholes    = "whole"
)

// StreamMemory is n if one process of a stream may take one part in n of the free memory by
// default.
const StreamMemory = 2

// diskLeft is n if streams leave one part in n of a disk's free space.
const diskLeft = 20

// Streams says whether the cases, which are all of one kind, are streams.
func Streams(cases []result.Case) bool {
	return len(cases) > 0 && contender.Streams(cases[0].Mode)
}

// Alone says whether the cases are streams or whole values, which are measured separately from
// other cases.
func Alone(cases []result.Case) bool {
	return len(cases) > 0 && contender.Alone(cases[0].Mode)
}

// streams measures the cases of a run of streams or whole values, one after the other.
func (m *Measurement) streams(ctx context.Context, live []result.Case) error {
	var stored []result.Stream
	for _, r := range m.Records {
		if r.Stream != nil {
			stored = append(stored, *r.Stream)
		}
	}
	dir, err := m.streamDir()
	if err != nil {
		return err
	}
	if p := m.Run.Plan.Stream; p.Disk == nil && slices.ContainsFunc(live, func(c result.Case) bool { return contender.Streams(c.Mode) }) {
		disk, err := drive.Disk(ctx, dir)
		if err != nil {
			return err
		}
		p.Disk = disk
	}
	for _, r := range m.runners {
		cases := m.runners.cases(live, r.group)
		if len(cases) == 0 {
			continue
		}
		m.at = r
		in := m.drive()
		in.Limits = drive.Limits{Memory: m.Run.Plan.Stream.Memory}
		cfg := drive.StreamConfig{
			Runner: in, Cases: cases, Dir: dir, Losses: losses(), Data: m.cfg.Input.streamed(),
			Room: func() int64 { return roomIn(dir) }, Repeats: m.Run.Plan.Stream.Repeats, Stored: stored, Together: m.sinkAll,
			Messages: func(c result.Case) int64 { return plan.StreamMessages(m.cfg.Input.Workloads(), c) },
		}
		if _, kind := cut(r.group); kind == whole {
			cfg.Values = func(c result.Case) int64 { return plan.StreamValues(m.cfg.Input.Workloads(), c) }
		}
		if _, err := drive.Streams(ctx, cfg, m.sink, m.event); err != nil {
			return err
		}
	}
	return m.store.Finish(m.Run)
}

// streamDir returns the directory for streams. Streams may be gigabytes of a user's own records.
// In a directory that the user named, they are written to a directory of ours, which another
// command finds if this one is killed.
func (m *Measurement) streamDir() (string, error) {
	dir := m.Run.Plan.Stream.Dir
	if dir == "" {
		return os.TempDir(), nil
	}
	if m.cfg.Temporary == nil {
		return dir, nil
	}
	made, err := m.cfg.Temporary(dir)
	if err != nil {
		return "", refuse("streams cannot be written to %s: %w", dir, err)
	}
	return made, nil
}

// roomIn returns the number of bytes that a stream in a directory may take; 0: unknown.
func roomIn(dir string) int64 {
	free := drive.DiskFree(dir)
	return free - free/diskLeft
}

// RoomFor returns the number of bytes that a stream may take in a directory, by default the one
// for temporary files; 0: unknown.
func RoomFor(dir string) int64 { return roomIn(cmp.Or(dir, os.TempDir())) }

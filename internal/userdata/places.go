package userdata

import (
	"cmp"
	"math"
	"slices"
)

// mostPlaces is the largest number of offsets kept for a file.
const mostPlaces = 1 << 16

// places holds the offsets at which records of a file begin, and their sizes: of every record, or
// in a long file of every second record, every fourth, and so on. So it takes at most 1 MiB.
type places struct {
	every int64   // at[i] is the offset of record i·every
	at    []int64 // offsets
	sizes []int64 // sizes in bytes, of the same records; the last may be missing
	n     int64   // number of records
}

// add records that the next record begins at offset.
func (p *places) add(offset int64) {
	if p.every == 0 {
		p.every = 1
	}
	p.finish(offset)
	if p.n%p.every == 0 {
		if len(p.at) == mostPlaces {
			p.at, p.sizes, p.every = second(p.at), second(p.sizes), 2*p.every
		}
		if p.n%p.every == 0 {
			p.at = append(p.at, offset)
		}
	}
	p.n++
}

// finish records that the last record ends at offset.
func (p *places) finish(offset int64) {
	if len(p.sizes) < len(p.at) {
		p.sizes = append(p.sizes, offset-p.at[len(p.at)-1])
	}
}

// second returns every second element of an even number of elements, the first one included.
func second(all []int64) []int64 {
	for i := range len(all) / 2 {
		all[i] = all[2*i]
	}
	return all[:len(all)/2]
}

// before returns the last record up to record k whose offset is known, and the offset.
func (p *places) before(k int64) (record, offset int64) {
	i := k / p.every
	return i * p.every, p.at[i]
}

// golden spreads what is chosen of many equal candidates: its multiples, without whole numbers, are
// spread over 0 to 1 however many there are.
const golden = 0.6180339887498949

// representative returns the numbers of n records, ascending, whose sizes are distributed like those
// of all records. It orders the records by size, divides them into n equal parts, and takes from
// each part a record of about the part's mean size. So a few large records count for as much as in
// all records, however few there are. Of records of equal size it takes those that are spread over
// the file.
func (p *places) representative(n int64) []int64 {
	if n*2 > int64(len(p.sizes)) && p.every > 1 {
		return p.even(n)
	}
	bySize := make([]int64, len(p.sizes))
	for i := range bySize {
		bySize[i] = int64(i)
	}
	slices.SortStableFunc(bySize, func(a, b int64) int { return cmp.Compare(p.sizes[a], p.sizes[b]) })
	chosen := make([]int64, n)
	m := int64(len(bySize))
	for i := range n {
		chosen[i] = p.every * p.typical(bySize[i*m/n:(i+1)*m/n], math.Mod(0.5+float64(i)*golden, 1))
	}
	slices.Sort(chosen)
	return chosen
}

// typical returns the index in p.sizes of a record whose size is next to the mean of a part. If
// several have that size, they are ordered, and it takes the one after the given share of them.
func (p *places) typical(part []int64, share float64) int64 {
	mean := 0.0
	for _, i := range part {
		mean += float64(p.sizes[i]) / float64(len(part))
	}
	away := func(i int64) float64 { return math.Abs(float64(p.sizes[i]) - mean) }
	var next []int64
	for _, i := range part {
		switch {
		case len(next) == 0 || away(i) < away(next[0]):
			next = append(next[:0], i)
		case p.sizes[i] == p.sizes[next[0]]:
			next = append(next, i)
		}
	}
	return next[int(share*float64(len(next)))]
}

// even returns the numbers of n records: the middle one of each of n equal parts of the file.
func (p *places) even(n int64) []int64 {
	chosen := make([]int64, n)
	for i := range n {
		chosen[i] = (2*i + 1) * p.n / (2 * n)
	}
	return chosen
}

// mean returns the mean size of some records, relative to the mean of all of them, of which the
// file has the given size. The sizes of the records must be known.
func (p *places) mean(records []int64, size int64) float64 {
	sum := 0.0
	for _, k := range records {
		if k%p.every != 0 {
			return 1
		}
		sum += float64(p.sizes[k/p.every])
	}
	return sum / float64(len(records)) / (float64(size) / float64(p.n))
}

package userdata

// mostPlaces is the largest number of offsets kept for a file.
const mostPlaces = 1 << 16

// places holds the offsets at which records of a file begin: of every record, or in a long
// file of every second record, every fourth, and so on. So it takes at most 512 KiB.
type places struct {
	every int64   // at[i] is the offset of record i·every
	at    []int64 // offsets
	n     int64   // number of records
}

// add records that the next record begins at offset.
func (p *places) add(offset int64) {
	if p.every == 0 {
		p.every = 1
	}
	if p.n%p.every == 0 {
		if len(p.at) == mostPlaces {
			for i := range len(p.at) / 2 {
				p.at[i] = p.at[2*i]
			}
			p.at, p.every = p.at[:len(p.at)/2], 2*p.every
		}
		if p.n%p.every == 0 {
			p.at = append(p.at, offset)
		}
	}
	p.n++
}

// before returns the last record up to record k whose offset is known, and the offset.
func (p *places) before(k int64) (record, offset int64) {
	i := k / p.every
	return i * p.every, p.at[i]
}

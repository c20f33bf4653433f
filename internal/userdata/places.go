package userdata

// mostPlaces is how many places are remembered of a file, however many records it has.
const mostPlaces = 1 << 16

// places are where the records of a file begin: every one, or of a long file every
// second one, every fourth, and so on, so that they take 512 KiB at most.
type places struct {
	every int64   // place i is where record i·every begins
	at    []int64 // offsets
	n     int64   // records
}

// add says that a record begins at an offset behind those before.
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

// before returns the last record that has a place, of those up to record k, and where
// it begins.
func (p *places) before(k int64) (record, offset int64) {
	i := k / p.every
	return i * p.every, p.at[i]
}

package anonymize

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"math/bits"
	"math/rand/v2"
)

// rounds is the number of rounds of the Feistel network, as in FF1 of NIST SP 800-38G.
const rounds = 10

// A permuter permutes the values of a domain. The key and the domain's name determine the permutation:
// each value becomes another value or itself, and no two values become the same.
//
// It is a Feistel network that adds, like FF1. Its round function is the SHA-256 of the key and the
// input; the domain's name determines the length of the input. If 32 bytes are not enough, ChaCha8
// extends them.
type permuter struct {
	key    [32]byte
	input  []byte
	random *rand.ChaCha8
}

func newPermuter(key [32]byte) *permuter {
	return &permuter{key: key, random: rand.NewChaCha8(key)}
}

// vector permutes the vectors in which each element v[i] is less than size[i]. It changes v in place.
func (p *permuter) vector(domain []byte, v, size []uint64) {
	if len(v) == 1 {
		v[0] = p.integer(domain, v[0], size[0])
		return
	}
	half := len(v) / 2
	for r := range rounds {
		lo, hi := 0, half // the elements that this round changes, depending on the others
		other := v[half:]
		if r%2 == 1 {
			lo, hi, other = half, len(v), v[:half]
		}
		p.round(domain, r, other, v[lo:hi], size[lo:hi])
	}
}

// integer permutes the numbers less than n and returns the new value of x.
func (p *permuter) integer(domain []byte, x, n uint64) uint64 {
	if n < 2 {
		return x
	}
	a := max(2, uint64(math.Sqrt(float64(n))))
	b := n/a + 1
	size := [2]uint64{a, b}
	for {
		v := [2]uint64{x % a, x / a}
		for r := range rounds {
			p.round(domain, r, v[1-r%2:2-r%2], v[r%2:r%2+1], size[r%2:r%2+1])
		}
		if x = v[1]*a + v[0]; x < n {
			return x
		}
	}
}

// round adds to v the values of the round function for the other half.
func (p *permuter) round(domain []byte, r int, other, v, size []uint64) {
	in := append(p.input[:0], p.key[:]...)
	in = binary.BigEndian.AppendUint32(in, uint32(len(domain)))
	in = append(append(in, domain...), byte(r))
	for _, o := range other {
		in = binary.BigEndian.AppendUint64(in, o)
	}
	p.input = in
	sum := sha256.Sum256(in)
	if len(v) > len(sum)/8 {
		p.random.Seed(sum)
	}
	for i := range v {
		var word uint64
		if len(v) > len(sum)/8 {
			word = p.random.Uint64()
		} else {
			word = binary.BigEndian.Uint64(sum[8*i:])
		}
		add, _ := bits.Mul64(word, size[i])
		v[i] += add
		if v[i] >= size[i] || v[i] < add {
			v[i] -= size[i]
		}
	}
}

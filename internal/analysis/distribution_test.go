package analysis

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The quantiles are from the table in the NIST/SEMATECH e-Handbook of Statistical Methods,
// 1.3.6.7.2.
func TestTQuantile(t *testing.T) {
	tests := []struct{ p, df, want float64 }{
		{0.975, 1, 12.706}, {0.975, 2, 4.303}, {0.975, 3, 3.182}, {0.975, 5, 2.571},
		{0.975, 7, 2.365}, {0.975, 15, 2.131}, {0.975, 31, 2.040}, {0.975, 100, 1.984},
		{0.95, 4, 2.132}, {0.99, 10, 2.764}, {0.995, 20, 2.845}, {0.999, 8, 4.501},
		{0.975, math.Inf(1), 1.960}, {0.5, 7, 0},
	}
	for _, test := range tests {
		if got := tQuantile(test.p, test.df); math.Abs(got-test.want) > 6e-4 {
			t.Errorf("tQuantile(%v, %v) = %.4f, want %.3f", test.p, test.df, got, test.want)
		}
	}
}

func TestTCDF(t *testing.T) {
	for _, df := range []float64{1, 2, 7, 30, 1e6, math.Inf(1)} {
		if got := tCDF(0, df); math.Abs(got-0.5) > 1e-12 {
			t.Errorf("tCDF(0, %v) = %v", df, got)
		}
		if sum := tCDF(1.7, df) + tCDF(-1.7, df); math.Abs(sum-1) > 1e-12 {
			t.Errorf("df %v: the tails of ±1.7 add up to %v", df, sum)
		}
	}
	// With one degree of freedom it is the Cauchy distribution.
	if got, want := tCDF(2, 1), 0.5+math.Atan(2)/math.Pi; math.Abs(got-want) > 1e-12 {
		t.Errorf("tCDF(2, 1) = %v, want %v", got, want)
	}
}

// The ranks are from the tables of nonparametric intervals for a median in Conover, Practical
// Nonparametric Statistics.
func TestSignRank(t *testing.T) {
	tests := []struct{ n, want int }{
		{0, 0}, {1, 0}, {5, 0}, {6, 1}, {8, 1}, {9, 2}, {10, 2}, {15, 4}, {20, 6},
		{25, 8}, {30, 10}, {40, 14}, {100, 40},
	}
	for _, test := range tests {
		if got := signRank(test.n, 0.95); got != test.want {
			t.Errorf("signRank(%d) = %d, want %d", test.n, got, test.want)
		}
	}
	// The sum from its beginning.
	whole := func(n int, confidence float64) (k int) {
		lfact := func(v int) float64 { l, _ := math.Lgamma(float64(v) + 1); return l }
		below := 0.0
		for j := range n / 2 {
			if below += math.Exp(lfact(n) - lfact(j) - lfact(n-j) - float64(n)*math.Ln2); 2*below > 1-confidence {
				break
			}
			k = j + 1
		}
		return k
	}
	for n := range 1500 {
		for _, confidence := range []float64{0.5, 0.95, 0.999, 0.9999999} {
			if got, want := signRank(n, confidence), whole(n, confidence); got != want {
				t.Fatalf("signRank(%d, %v) = %d, want %d", n, confidence, got, want)
			}
		}
	}
	// Far past the n where 2⁻ⁿ underflows, the normal approximation holds.
	const n = 10000
	want := n/2 - 1.96*math.Sqrt(n)/2
	if got := float64(signRank(n, 0.95)); math.Abs(got-want) > 2 {
		t.Errorf("signRank(%d) = %v, want about %v", n, got, want)
	}
}

func TestSignRankCoverage(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{6, 15, 40, 200} {
		const tries = 4000
		covered := 0
		for range tries {
			values := make([]float64, n)
			for i := range values {
				values[i] = math.Exp(2*rng.NormFloat64()) - 1 // skewed, median 0
			}
			slices.Sort(values)
			k := signRank(n, 0.95)
			if values[k-1] <= 0 && 0 <= values[n-k] {
				covered++
			}
		}
		if got := float64(covered) / tries; got < 0.94 || got > 0.985 {
			t.Errorf("n = %d: %.3f of the intervals cover the median", n, got)
		}
	}
}

// The quantile must agree with bisection to the last digits of the distribution, whatever the
// degrees of freedom.
func TestQuantileByHalving(t *testing.T) {
	halving := func(p, df float64) float64 {
		lo, hi := 0.0, 1.0
		for tCDF(hi, df) < p {
			lo, hi = hi, 2*hi
		}
		for range 60 {
			if mid := (lo + hi) / 2; tCDF(mid, df) < p {
				lo = mid
			} else {
				hi = mid
			}
		}
		return (lo + hi) / 2
	}
	for _, df := range []float64{0.5, 1, 1.3, 2, 3, 4.7, 7, 15, 47.5, 200, 1e4, 1e7, math.Inf(1)} {
		for _, p := range []float64{0.5, 0.500001, 0.6, 0.75, 0.9, 0.975, 0.99, 0.995, 0.9995, 0.99999, 0.9999999} {
			got, want := tQuantile(p, df), halving(p, df)
			// A tail of 1e-7 is known to 1e-16, which is 1e-9 of it.
			if math.Abs(got-want) > 1e-12+want*math.Max(1e-12, 1e-15/(1-p))*math.Max(1, 1/df) {
				t.Errorf("p %v, %v degrees of freedom: %v, want %v", p, df, got, want)
			}
		}
	}
}

func BenchmarkQuantile(b *testing.B) {
	for b.Loop() {
		tQuantile(0.975, 7.3)
	}
}

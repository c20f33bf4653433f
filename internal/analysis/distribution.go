package analysis

import "math"

// tCDF returns P(T ≤ t) of Student's t distribution with df degrees of freedom,
// by the regularised incomplete beta function (Abramowitz and Stegun, 26.7.1).
// df may be +Inf: the normal distribution.
func tCDF(t, df float64) float64 {
	if math.IsInf(df, 1) {
		return math.Erfc(-t/math.Sqrt2) / 2
	}
	tail := incompleteBeta(df/2, 0.5, df/(df+t*t)) / 2
	if t > 0 {
		return 1 - tail
	}
	return tail
}

// tQuantile returns the t with P(T ≤ t) = p, for 0.5 ≤ p < 1.
func tQuantile(p, df float64) float64 {
	z := math.Sqrt2 * math.Erfinv(2*p-1)
	if math.IsInf(df, 1) || z == 0 {
		return z
	}
	above, _ := math.Lgamma((df + 1) / 2)
	below, _ := math.Lgamma(df / 2)
	scale := math.Exp(above-below) / math.Sqrt(df*math.Pi)
	density := func(t float64) float64 { return scale * math.Pow(1+t*t/df, -(df+1)/2) }

	// Newton's method starts from the first terms of the expansion in 1/df (Abramowitz and Stegun,
	// 26.7.5). From below the quantile it never overshoots, because the density falls. From above
	// it may overshoot; then the middle of the bounds is the next guess.
	lo, hi := 0.0, math.Inf(1)
	t := z + z*(z*z+1)/(4*df)
	for range 200 {
		off := tCDF(t, df) - p
		if off < 0 {
			lo = t
		} else {
			hi = t
		}
		next := t - off/density(t)
		if !(next > lo && next < hi) { // also if next is NaN
			if next = (lo + hi) / 2; math.IsInf(hi, 1) {
				next = 2 * t
			}
		}
		if math.Abs(next-t) <= 1e-13*t { // the error of the next step would be the square of this one
			return next
		}
		t = next
	}
	return t
}

// incompleteBeta returns the regularised incomplete beta function I_x(a, b) by
// its continued fraction, evaluated with Lentz's method (Press et al.,
// Numerical Recipes, 6.4).
func incompleteBeta(a, b, x float64) float64 {
	if x <= 0 {
		return 0
	}
	if x >= 1 {
		return 1
	}
	// The fraction converges fast only for x up to this limit.
	if x > (a+1)/(a+b+2) {
		return 1 - incompleteBeta(b, a, 1-x)
	}
	lgamma := func(v float64) float64 { l, _ := math.Lgamma(v); return l }
	front := math.Exp(lgamma(a+b) - lgamma(a) - lgamma(b) + a*math.Log(x) + b*math.Log1p(-x))

	const tiny, precision, limit = 1e-300, 1e-15, 500
	nonzero := func(v float64) float64 {
		if math.Abs(v) < tiny {
			return tiny
		}
		return v
	}
	c := 1.0
	d := 1 / nonzero(1-(a+b)*x/(a+1))
	fraction := d
	for i := 1; i <= limit; i++ {
		m := float64(i)
		even := m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m))
		d = 1 / nonzero(1+even*d)
		c = nonzero(1 + even/c)
		fraction *= d * c
		odd := -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))
		d = 1 / nonzero(1+odd*d)
		c = nonzero(1 + odd/c)
		fraction *= d * c
		if math.Abs(d*c-1) < precision {
			break
		}
	}
	return front * fraction / a
}

// signRank returns the k for which the k-th smallest and the k-th largest of n samples enclose the
// median of their distribution with a probability of at least confidence, as close to it as
// possible. It inverts the sign test, which is exact for every continuous distribution. The result
// is 0 if n is too small: 5 or less for 95%.
func signRank(n int, confidence float64) int {
	// This sums P(X ≤ j) of the binomial distribution with p = ½. It begins 14 standard deviations
	// below the median, where the sum is less than 1e-40. The first term comes from logarithms,
	// because 2⁻ⁿ underflows a float64 for large n, and each further one from the one before.
	lfact := func(v int) float64 { l, _ := math.Lgamma(float64(v) + 1); return l }
	j := max(0, n/2-int(7*math.Sqrt(float64(n))))
	term := math.Exp(lfact(n) - lfact(j) - lfact(n-j) - float64(n)*math.Ln2)
	k, below := j, 0.0
	for ; j < n/2; j++ {
		if below += term; 2*below > 1-confidence {
			break
		}
		k = j + 1
		term *= float64(n-j) / float64(j+1)
	}
	return k
}

package bench

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/result"
)

func TestVerify(t *testing.T) {
	tests := []struct {
		contender, mode string
		losses          []string
		from            *result.Subject
		want            Verified
	}{
		{contender: "json", want: Verified{OK: true}},
		{contender: "json", mode: "output=reuse", want: Verified{OK: true}},
		{contender: "json", mode: "target=reuse", want: Verified{OK: true}},
		{contender: "json", mode: "output=broken", want: Verified{Changed: true, Op: "decode", Reason: "bytes of json (output=broken) read by json: decode: ID: "}},
		{contender: "varying", want: Verified{OK: true}},
		{contender: "lossy", want: Verified{Changed: true, Op: "decode", Reason: "decode: Tags: 1 element became 2 elements"}},
		{contender: "late", want: Verified{Changed: true, Op: "decode", Reason: `input 2: decode: Name: "xxx" became "y"`}},
		{contender: "negzero", want: Verified{Changed: true, Op: "decode", Reason: "decode: Rate: 0 became -0"}},
		{contender: "negzero", losses: []string{"neg-zero", "nil-empty"}, want: Verified{OK: true, Losses: []string{"neg-zero"}}},
		{contender: "wrongsum", want: Verified{Op: "encode", Reason: "encode: the sum is "}},
		{contender: "wrongcount", want: Verified{Op: "decode", Reason: "decode: 1 operations returned the sum 2, want 1"}},
		{contender: "wrongscan", want: Verified{Changed: true, Op: "scan", Reason: "scan: the leaves add up to "}},
		{contender: "wrongconvert", want: Verified{Changed: true, Op: "convert", Reason: "convert: ID: "}},
		{contender: "failing", want: Verified{Op: "decode", Reason: "decode: cannot read"}},
		{contender: "mute", want: Verified{Op: "encode", Reason: "encode: cannot write"}},
		{contender: "unopened", want: Verified{Op: "open", Reason: "open: cannot open"}},
		{contender: "lazy", want: Verified{Op: "encode", Reason: "encode of 8 inputs in turn: 8 operations from input 0 returned the sum "}},
		{contender: "stuck", want: Verified{Changed: true, Op: "decode", Reason: "input 7: decode of inputs in turn: ID: "}},
		{contender: "mutating", want: Verified{Reason: "the contender changed its inputs"}},
		{contender: "half", want: Verified{Op: "encode", Reason: "bind half: the codec offers decode and does not set every field that it needs"}},
		{contender: "unbound", want: Verified{Op: "encode", Reason: "bind unbound: does not fit"}},
		{contender: "json", from: &result.Subject{Contender: "late"}, want: Verified{OK: true}},
		{contender: "json", from: &result.Subject{Contender: "json", Mode: "target=reuse"}, want: Verified{OK: true}},
		{contender: "late", from: &result.Subject{Contender: "json"}, want: Verified{Changed: true, Op: "decode", Reason: `bytes of json read by late: input 2: decode: Name: "xxx" became "y"`}},
		{contender: "json", from: &result.Subject{Contender: "mute"}, want: Verified{Op: "encode", Reason: "mute encode: cannot write"}},
	}
	for _, test := range tests {
		subject := result.Subject{Contender: test.contender, Mode: test.mode}
		a := ask(t, program(), 8, Command{Cmd: "verify", Verify: &Verify{Subject: subject, Losses: test.losses, From: test.from}})
		if a.Verified == nil {
			t.Errorf("%v: %+v", subject, a)
			continue
		}
		got := *a.Verified
		if strings.HasPrefix(got.Reason, test.want.Reason) && test.want.Reason != "" {
			got.Reason = test.want.Reason
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%v from %v (-want +got):\n%s", subject, test.from, diff)
		}
	}
}

// TestVerifyAfterForeign: after a contender has read another subject's messages, it reads its
// own messages again.
func TestVerifyAfterForeign(t *testing.T) {
	answers := serve(t, program(),
		`{"cmd":"load","load":{"workload":"items","size":"n=1","seed":1,"inputs":3}}`,
		`{"cmd":"verify","verify":{"contender":"json","mode":"","from":{"contender":"json","mode":"output=broken"}}}`,
		`{"cmd":"verify","verify":{"contender":"json","mode":""}}`,
		`{"cmd":"memory","memory":{"contender":"json","mode":"","op":"decode","ops":3}}`,
	)
	if v := answers[1].Verified; v == nil || v.OK {
		t.Errorf("broken bytes: %+v", answers[1])
	}
	if v := answers[2].Verified; v == nil || !v.OK {
		t.Errorf("own bytes: %+v", answers[2].Verified)
	}
	if c := answers[3].Counted; c == nil || c.Encoded < 100 {
		t.Errorf("memory: %+v", answers[3])
	}
}

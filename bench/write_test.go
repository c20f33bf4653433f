package bench

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/result"
)

func TestWrite(t *testing.T) {
	p := program()
	own := func(name, mode string) result.Subject { return result.Subject{Contender: name, Mode: mode} }
	small := []string{`{"ID":`, `{"ID":`, `{"ID":`}
	tests := []struct {
		write Write
		error string
		// begins are the first bytes of the messages.
		begins []string
	}{
		{write: Write{Subject: own("json", ""), Bytes: 1000}, begins: small},
		// For a mode that only decodes, the default mode writes the messages.
		{write: Write{Subject: own("json", "target=reuse"), Bytes: 1000}, begins: small},
		{write: Write{Subject: own("json", "output=broken"), Bytes: 6}, begins: []string{"{}", "{}", "{}"}},
		{write: Write{Subject: own("json", "output=broken"), Bytes: 5}, error: "write: the messages have 6 bytes together, more than the 5 allowed"},
		{write: Write{Subject: own("json", ""), Bytes: 0}, error: "write: bytes is 0, want 1 to 1073741824"},
		{write: Write{Subject: own("json", ""), Bytes: 1 << 40}, error: "write: bytes is 1099511627776, want 1 to 1073741824"},
		{write: Write{Subject: own("mute", ""), Bytes: 1000}, error: "write: mute encode: cannot write"},
		{write: Write{Subject: own("wrongconvert", ""), Bytes: 1000}, error: `write: nobody to write the messages: wrongconvert offers no op "encode" here, but [convert]`},
		{write: Write{Subject: own("nobody", ""), Bytes: 1000}, error: `write: unknown contender "nobody": describe lists what this runner links`},
		{write: Write{Subject: own("json", "output=none"), Bytes: 1000}, error: "write: json (output=none) has no binding to Item of workload items in this mode: describe lists the bindings"},
	}
	for _, tt := range tests {
		a := ask(t, p, 3, Command{Cmd: "write", Write: &tt.write})
		if a.Error != tt.error {
			t.Errorf("%+v: error %q, want %q", tt.write, a.Error, tt.error)
			continue
		}
		var got []string
		if a.Written != nil {
			for i, m := range a.Written.Messages {
				got = append(got, string(m[:min(len(m), len(tt.begins[i]))]))
			}
		}
		if diff := cmp.Diff(tt.begins, got); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", tt.write, diff)
		}
	}
	for line, want := range map[string]string{
		`{"cmd":"write"}`: `the field "write" with its arguments is missing`,
		`{"cmd":"write","write":{"contender":"json","mode":"","bytes":1}}`: "nothing is loaded",
	} {
		if got := serve(t, p, line)[0].Error; !strings.Contains(got, want) {
			t.Errorf("%s: error %q, want %q", line, got, want)
		}
	}
}

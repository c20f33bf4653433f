package cli

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/bench/compress"
	"assay/contenders"
	"assay/internal/analysis"
	"assay/result"
)

func TestPartyNames(t *testing.T) {
	for _, test := range []struct {
		contender, op, mode string
		want                []string
	}{
		{"^protobuf$", "", "", []string{""}},
		{"^protobuf$", "compress", "", []string{"codecs"}},
		{"^protobuf$", "", "codec=zstd", []string{"codecs"}},
		{"^protobuf$", "encode|decompress", "", []string{"", "codecs"}},
		{"^encoding/json$", "^compress$", "", []string{"codecs"}},
		{"^(protobuf|jsoniter)$", "^compress$", "", []string{"codecs", "more+codecs"}},
		{"^jsoniter$", "encode|^compress$", "", []string{"more", "more+codecs"}},
	} {
		var s selection
		s.include.workload, s.include.contender, s.include.op, s.include.mode = "movie", test.contender, test.op, test.mode
		sel, err := s.plan(true)
		if err != nil {
			t.Fatal(err)
		}
		got := partyNames(sel)
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", test, diff)
		}
		var ps parties
		for _, name := range got {
			ps = append(ps, party{group: name})
		}
		met := map[result.Op]bool{}
		for _, c := range sel.Cases {
			of := ps.of(c)
			if _, packed := cutCodecs(of); packed != compresses(c.Op) {
				t.Errorf("%+v: %s is measured in %q", test, c, of)
			}
			if len(ps.cases([]result.Case{c}, of)) != 1 {
				t.Errorf("%+v: %s is measured nowhere", test, c)
			}
			met[c.Op] = met[c.Op] || c.Contender == reference
		}
		if strings.Contains(test.contender, "jsoniter") {
			for op, ok := range met {
				if !ok {
					t.Errorf("%+v: %s is not in the cells of %s: ratios of two runners would not meet", test, reference, op)
				}
			}
		}
	}
}

func TestPartiesWithCodecs(t *testing.T) {
	ps := parties{{group: ""}, {group: "codecs"}, {group: "more+codecs"}}
	for _, test := range []struct {
		contender string
		op        result.Op
		want      string
	}{
		{reference, result.Encode, ""}, {reference, result.Compress, "codecs"}, {"protobuf", result.Decompress, "codecs"},
		{"jsoniter", result.Compress, "more+codecs"}, {"jsoniter", result.Decode, "more"},
	} {
		if got := ps.of(result.Case{Contender: test.contender, Op: test.op}); got != test.want {
			t.Errorf("%s %s is measured in the runner of %q, want %q", test.contender, test.op, got, test.want)
		}
	}
}

func TestCodecModes(t *testing.T) {
	for _, c := range contenders.All() {
		got := codecModes(c, result.Compress)
		want := compress.Modes()
		if c.Name == analysis.Floor || !strings.Contains(strings.Join(names(c.Ops), " "), "encode") {
			want = nil
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.Name, diff)
		}
		if got := codecModes(c, result.Encode); got != nil {
			t.Errorf("%s encodes in the modes %v", c.Name, got)
		}
	}
	for _, mode := range compress.Modes() {
		if _, ok := codecOf(mode); !ok {
			t.Errorf("no codec of %s", mode)
		}
	}
	for _, mode := range []string{"", "output=reuse", "codec=lzw", "codec=gzip,output=reuse"} {
		if c, ok := codecOf(mode); ok {
			t.Errorf("%q has the codec %s", mode, c.Name)
		}
	}
}

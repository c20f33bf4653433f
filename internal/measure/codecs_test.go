package measure

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/bench/compress"
	"assay/contenders"
	"assay/internal/analysis"
	"assay/result"
)

func TestGroupNames(t *testing.T) {
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
		choice := choose("movie", test.contender, test.op, test.mode)
		choice.Quick = true
		sel, err := choice.Select()
		if err != nil {
			t.Fatal(err)
		}
		got := groupNames(sel)
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", test, diff)
		}
		var rs runners
		for _, name := range got {
			rs = append(rs, runner{group: name})
		}
		met := map[result.Op]bool{}
		for _, c := range sel.Cases {
			of := rs.of(c)
			if _, packed := cutCodecs(of); packed != compresses(c.Op) {
				t.Errorf("%+v: %s is measured in %q", test, c, of)
			}
			if len(rs.cases([]result.Case{c}, of)) != 1 {
				t.Errorf("%+v: %s is measured nowhere", test, c)
			}
			met[c.Op] = met[c.Op] || c.Contender == Reference
		}
		if strings.Contains(test.contender, "jsoniter") {
			for op, ok := range met {
				if !ok {
					t.Errorf("%+v: %s is not in the cells of %s: ratios of two runners would not meet", test, Reference, op)
				}
			}
		}
	}
}

func TestRunnersWithCodecs(t *testing.T) {
	rs := runners{{group: ""}, {group: "codecs"}, {group: "more+codecs"}}
	for _, test := range []struct {
		contender string
		op        result.Op
		want      string
	}{
		{Reference, result.Encode, ""}, {Reference, result.Compress, "codecs"}, {"protobuf", result.Decompress, "codecs"},
		{"jsoniter", result.Compress, "more+codecs"}, {"jsoniter", result.Decode, "more"},
	} {
		if got := rs.of(result.Case{Contender: test.contender, Op: test.op}); got != test.want {
			t.Errorf("%s %s is measured in the runner of %q, want %q", test.contender, test.op, got, test.want)
		}
	}
}

func TestCodecModes(t *testing.T) {
	for _, c := range contenders.All() {
		got := CodecModes(c, result.Compress)
		want := compress.Modes()
		if c.Name == analysis.Floor || !slices.Contains(c.Ops, result.Encode) {
			want = nil
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.Name, diff)
		}
		if got := CodecModes(c, result.Encode); got != nil {
			t.Errorf("%s encodes in the modes %v", c.Name, got)
		}
	}
	for _, mode := range compress.Modes() {
		if _, ok := CodecOf(mode); !ok {
			t.Errorf("no codec of %s", mode)
		}
	}
	for _, mode := range []string{"", "output=reuse", "codec=lzw", "codec=gzip,output=reuse"} {
		if c, ok := CodecOf(mode); ok {
			t.Errorf("%q has the codec %s", mode, c.Name)
		}
	}
}

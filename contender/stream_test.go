package contender

import "testing"

func TestStreamWay(t *testing.T) {
	for mode, want := range map[string]StreamWay{
		"stream=file":                   {"", 1},
		"stream=file,codec=zstd":        {"zstd", 1},
		"stream=file,cpus=2":            {"", 2},
		"stream=file,codec=lz4,cpus=16": {"lz4", 16},
	} {
		if got, ok := StreamWayOf(mode); !ok || got != want || got.Mode() != mode {
			t.Errorf("%s: %+v, %v, %s", mode, got, ok, got.Mode())
		}
	}
	for _, mode := range []string{
		"", "codec=zstd", "session=stream", "stream=files", "stream=file,cpus=1", "stream=file,cpus=x", "stream=file,cpus=-2",
		"stream=file,cpus=2,codec=zstd", "stream=file,output=reuse", "stream=file,",
	} {
		if got, ok := StreamWayOf(mode); ok {
			t.Errorf("%q is %+v", mode, got)
		}
	}
}

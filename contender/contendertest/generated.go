package contendertest

import (
	"encoding/json"
	"os"
	"path/filepath"
)

// OverlayEnv names the variable with the file of the overlay that a test program was
// built with, where code was generated for it; see the go command's -overlay.
const OverlayEnv = "ASSAY_TEST_OVERLAY"

// Overlay returns what the overlay of this program replaces: where files of the module,
// by their absolute paths, really are. It is empty where there is none.
func Overlay() (map[string]string, error) {
	list := os.Getenv(OverlayEnv)
	if list == "" {
		return map[string]string{}, nil
	}
	data, err := os.ReadFile(list)
	if err != nil {
		return nil, err
	}
	var overlay struct{ Replace map[string]string }
	if err := json.Unmarshal(data, &overlay); err != nil {
		return nil, err
	}
	return overlay.Replace, nil
}

// Generated returns where other programs find a file of the module that may exist in the
// overlay only, such as a schema beside generated code.
func Generated(file string) (string, error) {
	file, err := filepath.Abs(file)
	if err != nil {
		return "", err
	}
	overlay, err := Overlay()
	if real := overlay[file]; real != "" {
		return real, err
	}
	return file, err
}

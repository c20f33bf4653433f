package contendertest

import (
	"encoding/json"
	"os"
	"path/filepath"
)

// OverlayEnv names the variable with the overlay file that a test program was built with, if
// code was generated for the program; see the go command's flag -overlay.
const OverlayEnv = "ASSAY_TEST_OVERLAY"

// Overlay returns the replacements of this program's overlay: a map from the absolute paths of
// the module's files to the files that replace them. It is empty if there is no overlay.
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

// Generated returns the path at which other programs find a file of the module. The file, such
// as a schema beside generated code, may exist only in the overlay.
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

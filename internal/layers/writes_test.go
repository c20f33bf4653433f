package layers

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// A writer is a function that may remove, replace or change a file.
type writer struct {
	in    string   // the package's directory and the name of the function
	calls []string // the calls that do it, one for each place
	why   string   // why the file is one that assay made, or is new
}

// writers are all such functions. Each has a reason why the file cannot belong to somebody else.
// Files that are kept between runs go through internal/cachedir, and files that a user names go
// through internal/outfile.
var writers = []writer{
	{"bench openMark", []string{"os.OpenFile"}, parent},
	{"bench session.stream", []string{"os.OpenFile"}, parent},
	{"bench lane.create", []string{"os.OpenFile"}, parent},
	{"bench whole.write", []string{"os.OpenFile"}, parent},
	{"bench resetPeak", []string{"os.WriteFile"}, "a number that the kernel takes, in /proc"},
	{"bench session.export", []string{"os.OpenFile"}, parent},
	{"contender/contendertest golden", []string{"os.WriteFile"}, golden},
	{"workload/workloadtest compare", []string{"os.WriteFile"}, golden},
	{"contenders/capnp/generator run", []string{"os.RemoveAll"}, temp},
	{"contenders/easyjson/generator overlay.add", []string{"os.WriteFile"}, temp},
	{"contenders/easyjson/generator overlay.write", []string{"os.WriteFile"}, temp},
	{"contenders/easyjson/generator stage", []string{"os.RemoveAll"}, temp},
	{"contenders/msgp/generator run", []string{"os.RemoveAll", "os.WriteFile"}, temp},
	{"internal/build usualEnv", []string{"os.RemoveAll", "os.WriteFile"}, temp},
	{"internal/cachedir Dir.AppendLearned", []string{"Root.OpenFile"}, marked},
	{"internal/cachedir Dir.Keep", []string{"Root.WriteFile"}, marked},
	{"internal/cachedir Dir.create", []string{"os.Remove", "os.Remove", "os.Rename"}, "a directory and a mark that were just made under a random name; a directory in their place makes the rename fail"},
	{"internal/cachedir Dir.open", []string{"os.OpenRoot"}, "it is what checks the mark"},
	{"internal/cachedir Entry.touch", []string{"Root.Chtimes"}, marked},
	{"internal/cachedir Entry.WriteFile", []string{"Root.WriteFile"}, marked},
	{"internal/cachedir Entry.within", []string{"Root.OpenRoot"}, marked},
	{"internal/cachedir erase", []string{"Root.RemoveAll", "Root.RemoveAll"}, "the one place that removes something from the cache: the directory has the mark, and the name is that of an entry"},
	{"internal/cachedir Temp.Copy", []string{"Root.Link", "Root.WriteFile"}, marked},
	{"internal/cachedir Temp.Fill", []string{"Root.OpenRoot"}, marked},
	{"internal/cachedir Temp.KeepWhole", []string{"Root.Remove"}, marked},
	{"internal/cachedir Temp.keep", []string{"Root.Rename"}, marked},
	{"internal/cachedir Writer.write", []string{"Root.OpenFile", "Root.Remove", "Root.Rename"}, marked},
	{"internal/cachedir restrict", []string{"Root.Chmod"}, "directories of this user in a marked cache, whose other users lose access"},
	{"internal/cachedir writeNew", []string{"os.OpenFile"}, onlyNew},
	{"internal/cachedir/cachetest open", []string{"os.Chtimes", "os.Remove"}, ofTests},
	{"internal/cachedir/cachetest pass", []string{"os.WriteFile"}, ofTests},
	{"internal/cachedir/cachetest prune", []string{"os.RemoveAll"}, ofTests},
	{"internal/chaos Run", []string{"os.WriteFile"}, ofChaos},
	{"internal/chaos fill", []string{"os.OpenFile", "os.Remove"}, ofChaos},
	{"internal/chaos harness.start", []string{"os.Create", "os.Create"}, ofChaos},
	{"internal/chaos mount", []string{"unix.Mount", "unix.Unmount", "unix.Unmount"}, ofChaos},
	{"internal/drive memoryOf", []string{"syscall.Open"}, "what the system says of a process, for reading"},
	{"internal/drive Process.removeMark", []string{"os.Remove"}, temp},
	{"internal/drive writable", []string{"os.Remove"}, temp},
	{"internal/drive streams.alone", []string{"os.Remove"}, temp},
	{"internal/drive streams.files", []string{"os.Remove"}, "a file that was made under a random name, in the directory that the user named or for temporary files"},
	{"internal/drive Disk", []string{"os.Remove"}, "a file that was made under a random name, in the directory that the user named or for temporary files"},
	{"internal/drive raiseOOMScore", []string{"os.WriteFile"}, "a setting of the kernel for a process that was started here"},
	{"internal/export Module.compiles", []string{"os.RemoveAll"}, temp},
	{"internal/export Module.finish", []string{"os.RemoveAll"}, temp},
	{"internal/hurt Run.Write", []string{"os.WriteFile", "os.WriteFile", "os.WriteFile"}, "tests only, in a directory that the test made"},
	{"internal/infer/gotype Result.Close", []string{"os.RemoveAll"}, temp},
	{"internal/infer/gotype Result.External", []string{"os.RemoveAll"}, temp},
	{"internal/infer/gotype overlay.add", []string{"os.WriteFile"}, temp},
	{"internal/infer/gotype overlay.file", []string{"os.WriteFile"}, temp},
	{"internal/infer/gotype/own Main", []string{"os.Remove"}, temp},
	{"internal/infer/gotype/own withoutHeader", []string{"os.Remove"}, temp},
	{"internal/live/screen open", []string{"unix.Open"}, terminal},
	{"internal/live/screen other", []string{"unix.Open"}, terminal},
	{"internal/live/record record", []string{"os.RemoveAll"}, temp},
	{"internal/measure Config.Writable", []string{"os.Remove"}, "a file that was just made under a random name"},
	{"internal/measure Config.verifyExternals", []string{"os.RemoveAll"}, temp},
	{"internal/measure Measurement.visit", []string{"os.RemoveAll"}, temp},
	{"internal/outfile checkDir", []string{"os.OpenRoot"}, "nothing is written"},
	{"internal/outfile RemoveGenerated", []string{"os.Remove", "os.Remove"}, "files that have the line of generated files, and the directory when it is empty"},
	{"internal/outfile replaceAs", []string{"os.Remove", "os.Rename"}, "the caller recognised what is replaced"},
	{"internal/outfile takes", []string{"os.Remove"}, "a file that was just made under a random name"},
	{"internal/outfile writeAs", []string{"os.OpenFile", "os.Remove"}, "a device or a pipe is opened; what is removed was just made under a random name"},
	{"internal/outfile writeDir", []string{"os.OpenRoot"}, "files are checked against the list before any is written"},
	{"internal/outfile CheckOwn", []string{"os.OpenRoot"}, "reads the list of what assay wrote to a directory"},
	{"internal/outfile remove", []string{"Root.Remove", "Root.Remove"}, "a file that is on the list of what assay wrote, with its hash, and the directories that are empty without it"},
	{"internal/outfile WriteNew", []string{"os.OpenFile", "os.Remove"}, "only a new file is made, and what was just made is removed"},
	{"internal/outfile beside", []string{"os.OpenFile"}, onlyNew},
	{"internal/outfile", []string{"os.Link"}, "place links"},
	{"internal/outfile place", []string{"os.Remove", "os.Rename"}, "a link takes no name that is taken; without links the name is first taken by a file of ours"},
	{"internal/outfile write", []string{"Root.OpenFile", "Root.Remove", "Root.Rename"}, "WriteDir checked what is replaced"},
	{"internal/prove plant.write", []string{"os.CopyFS", "os.WriteFile", "os.WriteFile"}, "in a directory that it made"},
	{"internal/prove scratch", []string{"os.RemoveAll"}, temp},
	{"internal/runlock Lock.Release", []string{"os.Remove", "os.Remove", "os.Remove"}, "the two files of the lock, which is held"},
	{"internal/runlock Lock.claim", []string{"os.Link"}, "the lock's own file, where there is none of its name"},
	{"internal/runlock Lock.sign", []string{"os.Remove", "os.Remove", "os.Rename"}, "the lock's own file, which is held"},
	{"internal/runlock create", []string{"os.OpenFile", "os.Remove"}, "a file that it makes where there is none, and takes back if it is not whole"},
	{"internal/scaffold remove", []string{"os.Remove"}, "the files that Write has just made, and their directory, which it made"},
	{"internal/scratch Dir.Make", []string{"os.RemoveAll"}, temp},
	{"internal/scratch removeAll", []string{"os.Chmod", "os.RemoveAll", "os.RemoveAll"}, "the directory of this process, or one with our mark whose process has ended, which is locked"},
	{"internal/scratch sign", []string{"os.Rename"}, temp},
	{"internal/userdata blockElsewhere", []string{"os.OpenFile", "os.RemoveAll"}, temp},
	{"internal/userfile Stream.Close", []string{"os.Remove"}, temp},
	{"internal/userfile openPipe", []string{"os.OpenFile"}, "it is opened to be read"},
	{"internal/userfile unnamed", []string{"os.Remove"}, temp},
	{"internal/verify encounter.compared", []string{"os.Remove"}, temp},
	{"internal/verify turnBack", []string{"os.Remove", "os.Rename"}, temp},
	{"result Store.undo", []string{"os.Remove", "os.Remove"}, "the directory that was made just now, and the file in it; what is not empty stays"},
	{"result guard", []string{"os.Chmod", "os.Chmod"}, ofRun},
	{"result Store.open", []string{"os.OpenFile"}, ofRun},
	{"result Resume", []string{"os.Remove"}, "it has the name of a run.json that is being written, and the run is locked"},
	{"result Tidy", []string{"os.Remove"}, "an empty file by the name of those that try whether runs can be written, an hour old"},
	{"result tidyRun", []string{"os.Remove", "os.Remove"}, "a directory by the name of a run, an hour old, with nothing in it but files by the names of run.json that are being written"},
	{"result replace", []string{"os.Remove", "os.Rename"}, ofRun},
}

// Reasons that several writers share.
const (
	temp     = "a file, or a directory with what is in it, that this program made under a random name in the directory for temporary files, or in one of those"
	onlyNew  = "it is opened so that it must not be there"
	marked   = "it is in a directory that has the mark of the cache"
	parent   = "a file of the process that started this one, which named it"
	golden   = "the golden file of a test that was told to rewrite it"
	ofChaos  = "it is in the empty directory that whoever disturbs commands made for it"
	ofTests  = "it is in a directory of tests in the go command's build cache, and has a name of the shape that tests give"
	terminal = "it is a device, for a terminal of our own"
	ofRun    = "it is in a run directory, which was made for the run and is told by its run.json"
)

// changing are the functions that remove, replace or change existing files, by import path. The
// methods of an os.Root do too.
var changing = map[string][]string{
	"os": {
		"Remove", "RemoveAll", "Rename", "Create", "WriteFile", "OpenFile", "Truncate", "Link", "Symlink", "CopyFS",
		"Chmod", "Chown", "Lchown", "Chtimes", "OpenRoot", "OpenInRoot", "Root",
	},
	"io/ioutil":                {"WriteFile"},
	"syscall":                  calls,
	"golang.org/x/sys/unix":    calls,
	"golang.org/x/sys/windows": calls,
}

// calls are the system calls that remove, replace or change files.
var calls = []string{
	"Unlink", "Unlinkat", "Rename", "Renameat", "Renameat2", "Rmdir", "Open", "Openat", "Openat2", "Creat", "Truncate", "Ftruncate", "Fallocate",
	"Link", "Linkat", "Symlink", "Symlinkat", "Chmod", "Fchmod", "Fchmodat", "Chown", "Lchown", "Fchown", "Fchownat", "Mount", "Unmount",
	"CreateFile", "MoveFile", "MoveFileEx", "DeleteFile", "RemoveDirectory",
}

// rooted are the packages that may use an os.Root, whose methods change files in one directory.
// Their calls of methods with such names are listed too, as Root.RemoveAll.
var rooted = []string{"internal/cachedir", "internal/outfile"}

// TestWriters checks that only the listed functions can remove or overwrite a file.
func TestWriters(t *testing.T) {
	found, err := writes(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{}
	for _, w := range writers {
		if w.why == "" {
			t.Errorf("%s is listed without a reason", w.in)
		}
		if want[w.in] != nil {
			t.Errorf("%s is listed twice", w.in)
		}
		want[w.in] = slices.Sorted(slices.Values(w.calls))
	}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("functions that remove or write files (-listed +found): write through internal/cachedir or internal/outfile, or list the function with the reason why the file is ours:\n%s", diff)
	}
}

// writes returns the uses of changing functions in a module, keyed by directory and function. It
// omits tests, test data and generated packages.
func writes(root fs.FS) (map[string][]string, error) {
	found := map[string][]string{}
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			_, isGen := gen(name)
			if base := d.Name(); name != "." && (base == "testdata" || base[0] == '.' || base[0] == '_' || isGen) {
				return fs.SkipDir
			}
			return nil
		}
		if path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		data, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, data, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		return writesIn(f, path.Dir(name), found)
	})
	for _, calls := range found {
		slices.Sort(calls)
	}
	return found, err
}

// writesIn adds the uses in a file to found.
func writesIn(f *ast.File, dir string, found map[string][]string) error {
	packages := map[string]string{} // import paths by the package names in the file
	for _, spec := range f.Imports {
		imp, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return err
		}
		if changing[imp] == nil {
			continue
		}
		name := path.Base(imp)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if name == "." {
			return fmt.Errorf("a file in %s imports %s without a name", dir, imp)
		}
		packages[name] = imp
	}
	for _, decl := range f.Decls {
		where := dir
		if fn, ok := decl.(*ast.FuncDecl); ok {
			where += " " + functionName(fn)
		}
		ast.Inspect(decl, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && readsOnly(call) {
				return false
			}
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			imp := ""
			if x, ok := sel.X.(*ast.Ident); ok {
				imp = packages[x.Name]
			}
			in := slices.Contains(rooted, dir)
			switch name := sel.Sel.Name; {
			case in && imp == "os" && name == "Root":
			case slices.Contains(changing[imp], name):
				found[where] = append(found[where], path.Base(imp)+"."+name)
			case in && imp == "" && slices.Contains(changing["os"], name):
				found[where] = append(found[where], "Root."+name)
			}
			return true
		})
	}
	return nil
}

// readsOnly reports whether a call opens a file only for reading.
func readsOnly(call *ast.CallExpr) bool {
	fn, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || fn.Sel.Name != "OpenFile" || len(call.Args) != 3 {
		return false
	}
	flag, ok := call.Args[1].(*ast.SelectorExpr)
	return ok && flag.Sel.Name == "O_RDONLY"
}

// functionName returns the name of a function, preceded by the receiver's type for a method.
func functionName(fn *ast.FuncDecl) string {
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		return fn.Name.Name
	}
	t := fn.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name + "." + fn.Name.Name
	}
	return fn.Name.Name
}

// TestWrites checks that writes finds each kind of use.
func TestWrites(t *testing.T) {
	tree := fstest.MapFS{}
	add := func(name, body string) { tree[name] = &fstest.MapFile{Data: []byte(body)} }
	add("a/a.go", `package a

import (
	"os"
	sys "syscall"
	own "example.com/os"

	"golang.org/x/sys/unix"
)

var remove = os.Remove

type T struct{ file *os.File }

func (t *T) close() error {
	defer os.RemoveAll("x")
	defer os.RemoveAll("y")
	f := func() { sys.Unlink("z") }
	own.Remove("x")
	f()
	_, err := os.OpenFile("x", os.O_RDONLY, 0)
	_, err = os.OpenFile("x", os.O_RDWR, 0)
	return err
}

func read() { os.ReadFile("x"); os.MkdirTemp("", ""); remove("x") }

func mount() { unix.Mount("x", "y", "z", 0, "") }
`)
	add("a/a_test.go", "package a\n\nimport \"os\"\n\nfunc f() { os.Remove(\"x\") }\n")
	add("a/testdata/x.go", "package x\n\nimport \"os\"\n\nfunc f() { os.Remove(\"x\") }\n")
	add("contenders/x/gen/tick/x.go", "package x\n\nimport \"os\"\n\nfunc f() { os.Remove(\"x\") }\n")
	add("b/b.go", "package b\n\nimport \"os\"\n\nfunc f(r *os.Root) { r.Remove(\"x\") }\n")
	add("internal/cachedir/c.go", "package cachedir\n\nimport \"os\"\n\nfunc f(r *os.Root) { r.Remove(\"x\"); r.ReadFile(\"x\") }\n")
	got, err := writes(tree)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{
		"a": {"os.Remove"}, "a T.close": {"os.OpenFile", "os.RemoveAll", "os.RemoveAll", "syscall.Unlink"}, "a mount": {"unix.Mount"},
		"b f": {"os.Root"}, "internal/cachedir f": {"Root.Remove"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	add("d/d.go", "package d\n\nimport . \"os\"\n\nfunc f() { Remove(\"x\") }\n")
	if _, err := writes(tree); err == nil {
		t.Error("an import without a name passes")
	}
}

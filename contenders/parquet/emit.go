package parquet

import (
	"slices"

	"assay/contender"
	"assay/contender/emit"
	"assay/result"
	"assay/schema"
)

const module = "github.com/parquet-go/parquet-go"

func emitPackage(req contender.Request) (contender.Output, error) {
	for _, root := range req.Schema.Roots {
		check := tabular
		if req.Stream { // the rows of a stream are its messages
			check = func(s *schema.Schema, m *schema.Message) error { return tree(s, m, nil) }
		}
		if err := check(req.Schema, req.Schema.Message(root)); err != nil {
			return contender.Output{}, err
		}
	}
	style := &emit.Style{
		Wrapped: true,
		Leaf: map[schema.Kind]emit.Leaf{
			schema.Timestamp: {Go: "int64", From: "(%).UnixNano()", To: "time.Unix(0, %).UTC()"},
		},
	}
	types := emit.NewSource(req.Package, "assay")
	if req.Stream {
		style.Types(types, req.Schema, tag, [2]string{})
		return emit.Package(req, types, style, &emit.Binder{Stream: rowGroups})
	}
	types.Import("bytes", "encoding/binary", "errors", "io")
	types.ImportAs("parquet", module)
	style.Types(types, req.Schema, tag, [2]string{})
	types.P(read)
	for _, root := range req.Schema.Roots {
		f := req.Schema.Message(root).Fields[0]
		row, rows := style.Type(req.Schema.Message(root), f, *f.Type.Elem), schema.GoName(f.Name)
		types.P("type row%s = %s\n", root, row)
		types.P("func rows%s(v *%s) *[]%s { return &v.%s }\n", root, root, row, rows)
	}
	binder := &emit.Binder{
		Imports: []string{"bytes"},
		Named:   map[string]string{module: "parquet"},
		Usages: []emit.Usage{
			{
				Encode: "buf := new(bytes.Buffer)\nerr = parquet.Write(buf, *rows$R(in[i]))\nout = buf.Bytes()",
				Decode: "v = new($T)\n*rows$R(v), err = read[row$R](data)",
			},
			{
				Mode:   "output=reuse",
				Only:   []result.Op{result.Encode},
				Fields: "buf bytes.Buffer",
				Encode: "c.buf.Reset()\nerr = parquet.Write(&c.buf, *rows$R(in[i]))\nout = c.buf.Bytes()",
			},
		},
	}
	return emit.Package(req, types, style, binder)
}

// rowGroups writes a file of row groups, with one message per row. The library keeps a group in
// memory until a flush, so Write flushes from 64 MiB on.
var rowGroups = &emit.Stream{
	Fields: "enc *parquet.GenericWriter[$T]\ndec *parquet.GenericReader[$T]\nrows [1]$T\nflushed int64",
	Create: "c.enc = parquet.NewGenericWriter[$T](c.w)",
	Write:  "c.rows[0] = *in\nif _, err = c.enc.Write(c.rows[:]); err == nil && c.enc.Size()-c.flushed >= 64<<20 {\nerr = c.enc.Flush()\nc.flushed = c.enc.Size()\n}",
	Close:  "err = c.enc.Close()",
	OpenAt: "var file *parquet.File\nif file, err = parquet.OpenFile(c.f, c.size); err == nil {\nc.dec = parquet.NewGenericReader[$T](file)\n}",
	Read:   "v = new($T)\nc.rows[0] = *v\nif n, e := c.dec.Read(c.rows[:]); n == 1 {\n*v = c.rows[0]\n} else {\nerr = e\n}",
	Named:  map[string]string{module: "parquet"},
}

// read declares a function of the generated package.
const read = `
// read is parquet.Read with two checks before it: the library makes room for the
// footer and for the rows by numbers that damaged input can make as large as
// they get.
func read[T any](data []byte) ([]T, error) {
	const footer, maxRows = 8, 1 << 21
	at := len(data) - footer
	if at < 0 || uint64(binary.LittleEndian.Uint32(data[at:])) > uint64(at) {
		return nil, errors.New("the file is shorter than its metadata")
	}
	file, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	n := file.NumRows()
	if n < 0 || n > maxRows {
		return nil, errors.New("the file has more than 1<<21 rows")
	}
	rows := make([]T, n)
	reader := parquet.NewGenericReader[T](file)
	defer reader.Close()
	done, err := reader.Read(rows)
	if err == io.EOF {
		err = nil
	}
	return rows[:done], err
}`

// tag returns the tag of a field. Without the option list, a list is a bare repeated field. Few
// other readers take that for a list, and the library then misreads optional fields of elements
// that are held by pointer.
func tag(_ *schema.Message, f *schema.Field) string {
	options := ""
	switch f.Type.Kind {
	case schema.Timestamp:
		options = ",timestamp(nanosecond)"
	case schema.List:
		options = ",list"
	}
	return `parquet:"` + f.Name + options + `"`
}

// tabular returns nil if a root is a list of messages, and no message in it contains itself.
func tabular(s *schema.Schema, root *schema.Message) error {
	if !root.Bare || root.Fields[0].Type.Kind != schema.List || root.Fields[0].Type.Elem.Kind != schema.MessageKind {
		return &contender.Unsupported{Field: root.Name, Reason: "Parquet is a file of many records, so the document must be a list of them; a file for each record would be nearly all metadata"}
	}
	return tree(s, root, nil)
}

// tree returns nil if a message contains neither itself nor a message without fields, which
// would have no columns.
func tree(s *schema.Schema, m *schema.Message, above []string) error {
	if len(m.Fields) == 0 {
		return &contender.Unsupported{Field: m.Name, Reason: "Parquet has nothing but columns, and a message without fields has none"}
	}
	above = append(slices.Clip(above), m.Name)
	for _, f := range m.Fields {
		t := f.Type
		if t.Elem != nil {
			t = *t.Elem
		}
		if t.Kind != schema.MessageKind {
			continue
		}
		if slices.Contains(above, t.Ref) {
			return &contender.Unsupported{Field: m.Name + "." + f.Name, Reason: "Parquet's columns are the leaves of a tree, and " + t.Ref + " contains itself"}
		}
		if err := tree(s, s.Message(t.Ref), above); err != nil {
			return err
		}
	}
	return nil
}

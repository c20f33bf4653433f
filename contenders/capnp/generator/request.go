package main

import (
	"errors"
	"path"

	"capnproto.org/go/capnp/v3"
	capnpschema "capnproto.org/go/capnp/v3/std/capnp/schema"

	idl "assay/contender/emit/capnp"
	"assay/schema"
)

// The annotations that capnpc-go requires of every file, and the discriminant of a field
// outside of unions.
const (
	annotationPackage = 0xbea97f1023792be0
	annotationImport  = 0xe130b601260e44b5
	noUnion           = 0xffff
)

// request returns the request that the capnp compiler would send for a layout: a message whose
// root is a CodeGeneratorRequest.
func request(l *idl.Layout) (*capnp.Message, error) {
	msg, seg, err := capnp.NewMessage(capnp.SingleSegment(nil))
	if err != nil {
		return nil, err
	}
	root, err := capnpschema.NewRootCodeGeneratorRequest(seg)
	if err != nil {
		return nil, err
	}
	nodes, err := root.NewNodes(int32(1 + len(l.Structs)))
	if err != nil {
		return nil, err
	}
	if err := fileNode(nodes.At(0), l); err != nil {
		return nil, err
	}
	for i, st := range l.Structs {
		if err := structNode(nodes.At(1+i), l, st); err != nil {
			return nil, err
		}
	}
	files, err := root.NewRequestedFiles(1)
	if err != nil {
		return nil, err
	}
	files.At(0).SetId(l.ID)
	return msg, files.At(0).SetFilename(l.FileName())
}

// fileNode fills the node of the file.
func fileNode(n capnpschema.Node, l *idl.Layout) error {
	n.SetId(l.ID)
	n.SetFile()
	nested, err := n.NewNestedNodes(int32(len(l.Structs)))
	if err != nil {
		return err
	}
	for i, st := range l.Structs {
		nested.At(i).SetId(st.ID)
		if err := nested.At(i).SetName(st.Name); err != nil {
			return err
		}
	}
	annotations, err := n.NewAnnotations(2)
	if err != nil {
		return err
	}
	return errors.Join(
		n.SetDisplayName(l.FileName()),
		annotate(annotations.At(0), annotationPackage, path.Base(l.Package)),
		annotate(annotations.At(1), annotationImport, l.Package),
	)
}

func annotate(a capnpschema.Annotation, id uint64, text string) error {
	a.SetId(id)
	value, err := a.NewValue()
	if err != nil {
		return err
	}
	return value.SetText(text)
}

// structNode fills the node of a struct.
func structNode(n capnpschema.Node, l *idl.Layout, st *idl.Struct) error {
	prefix := l.FileName() + ":"
	n.SetId(st.ID)
	n.SetScopeId(l.ID)
	n.SetDisplayNamePrefixLength(uint32(len(prefix)))
	if err := n.SetDisplayName(prefix + st.Name); err != nil {
		return err
	}
	n.SetStructNode()
	body := n.StructNode()
	body.SetDataWordCount(uint16(st.DataWords))
	body.SetPointerCount(uint16(st.Pointers))
	body.SetPreferredListEncoding(capnpschema.ElementSize_inlineComposite)
	fields, err := body.NewFields(int32(len(st.Fields)))
	if err != nil {
		return err
	}
	for i, f := range st.Fields {
		if err := fillField(fields.At(i), i, f); err != nil {
			return err
		}
		if st.Union {
			fields.At(i).SetDiscriminantValue(uint16(i))
		}
	}
	if st.Union {
		body.SetDiscriminantCount(uint16(len(st.Fields))) // the discriminant is at the beginning
	}
	return nil
}

// fillField fills a field. Its ordinal is also its index in the code order.
func fillField(dst capnpschema.Field, ordinal int, f *idl.Field) error {
	dst.SetCodeOrder(uint16(ordinal))
	dst.SetDiscriminantValue(noUnion)
	dst.Ordinal().SetExplicit(uint16(ordinal))
	dst.SetSlot()
	slot := dst.Slot()
	slot.SetOffset(uint32(f.Offset))
	typ, err := slot.NewType()
	if err != nil {
		return err
	}
	value, err := slot.NewDefaultValue()
	if err != nil {
		return err
	}
	return errors.Join(dst.SetName(f.Name), fillType(typ, f.Type), zero(value, f.Type))
}

// fillType fills a type.
func fillType(dst capnpschema.Type, t idl.Type) error {
	if t.List {
		dst.SetList()
		elem, err := dst.List().NewElementType()
		if err != nil {
			return err
		}
		t.List = false
		return fillType(elem, t)
	}
	switch t.Kind {
	case schema.Bool:
		dst.SetBool()
	case schema.Int32:
		dst.SetInt32()
	case schema.Int64:
		dst.SetInt64()
	case schema.Uint32:
		dst.SetUint32()
	case schema.Uint64:
		dst.SetUint64()
	case schema.Float32:
		dst.SetFloat32()
	case schema.Float64:
		dst.SetFloat64()
	case schema.String:
		dst.SetText()
	case schema.Bytes:
		dst.SetData()
	case schema.MessageKind:
		dst.SetStructType()
		dst.StructType().SetTypeId(t.Struct.ID)
	}
	return nil
}

// zero sets a default value to the zero value of its type, which is null for pointers.
func zero(dst capnpschema.Value, t idl.Type) error {
	if t.List {
		return dst.SetList(capnp.Ptr{})
	}
	switch t.Kind {
	case schema.Bool:
		dst.SetBool(false)
	case schema.Int32:
		dst.SetInt32(0)
	case schema.Int64:
		dst.SetInt64(0)
	case schema.Uint32:
		dst.SetUint32(0)
	case schema.Uint64:
		dst.SetUint64(0)
	case schema.Float32:
		dst.SetFloat32(0)
	case schema.Float64:
		dst.SetFloat64(0)
	case schema.String:
		return dst.SetText("")
	case schema.Bytes:
		return dst.SetData(nil)
	case schema.MessageKind:
		return dst.SetStructValue(capnp.Ptr{})
	}
	return nil
}

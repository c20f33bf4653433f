package emit

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/schema"
)

// The Go expression of a schema evaluates to that schema, whatever values its fields have.
func TestLiteral(t *testing.T) {
	want := &schema.Schema{}
	setAll(reflect.ValueOf(want).Elem(), 0)
	for _, s := range []*schema.Schema{want, {Name: "bare", Roots: []string{"A"}, Messages: []*schema.Message{{Name: "A", Fields: []*schema.Field{{Name: "a", Type: schema.Type{Kind: schema.Bool}}}}}}} {
		e, err := parser.ParseExpr(literal(s))
		if err != nil {
			t.Fatal(err)
		}
		var got *schema.Schema
		if err := evaluate(reflect.ValueOf(&got).Elem(), e); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(s, got); diff != "" {
			t.Errorf("-want +got\n%s", diff)
		}
	}
}

// setAll sets every field of a value to something other than zero. It follows recursive types a
// few levels deep.
func setAll(v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprintf("a \"text\" %d\n", depth))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int32:
		v.SetInt(int64(1 + depth))
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		setAll(v.Index(0), depth+1)
		setAll(v.Index(1), depth+2)
	case reflect.Pointer:
		if depth < 9 {
			v.Set(reflect.New(v.Type().Elem()))
			setAll(v.Elem(), depth+1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			setAll(v.Field(i), depth+1)
		}
	default:
		panic("the schema has a " + v.Type().String())
	}
}

// evaluate sets a value to the value of an expression of literals.
func evaluate(v reflect.Value, e ast.Expr) error {
	if v.Kind() == reflect.Pointer {
		if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
			e = u.X
		}
		v.Set(reflect.New(v.Type().Elem()))
		return evaluate(v.Elem(), e)
	}
	switch e := e.(type) {
	case *ast.BasicLit:
		return basic(v, e)
	case *ast.Ident:
		v.SetBool(e.Name == "true")
		return nil
	case *ast.SelectorExpr:
		for k, name := range kindName {
			if name == e.Sel.Name {
				v.Set(reflect.ValueOf(k))
				return nil
			}
		}
		return fmt.Errorf("there is no kind %s", e.Sel.Name)
	case *ast.CompositeLit:
		return composite(v, e)
	}
	return fmt.Errorf("a %T in the place of a %s", e, v.Type())
}

func basic(v reflect.Value, e *ast.BasicLit) error {
	if e.Kind == token.STRING {
		text, err := strconv.Unquote(e.Value)
		v.SetString(text)
		return err
	}
	n, err := strconv.ParseInt(e.Value, 10, 64)
	v.SetInt(n)
	return err
}

func composite(v reflect.Value, e *ast.CompositeLit) error {
	if v.Kind() == reflect.Slice {
		v.Set(reflect.MakeSlice(v.Type(), len(e.Elts), len(e.Elts)))
	}
	for i, elt := range e.Elts {
		into, from := v, elt
		if pair, ok := elt.(*ast.KeyValueExpr); ok {
			into, from = v.FieldByName(pair.Key.(*ast.Ident).Name), pair.Value
		} else {
			into = v.Index(i)
		}
		if err := evaluate(into, from); err != nil {
			return err
		}
	}
	return nil
}

// Every kind has a name for expressions.
func TestKindNames(t *testing.T) {
	var kinds []schema.Kind
	for k := range kindName {
		kinds = append(kinds, k)
	}
	slices.Sort(kinds)
	for i, k := range kinds {
		if int(k) != i+1 {
			t.Fatalf("the kind %d has no name", i+1)
		}
	}
	if last := kinds[len(kinds)-1]; last != schema.Map {
		t.Errorf("the last kind is %d", last)
	}
}

package infer

import (
	"github.com/go-json-experiment/json/jsontext"

	"assay/schema"
)

// row converts a list to a message: the i-th element is the i-th field.
func (c *converter) row(t *target) error {
	s := t.message
	c.result.loose = c.result.loose || !s.only
	if err := c.deeper(); err != nil {
		return err
	}
	if _, err := c.decoder.ReadToken(); err != nil {
		return err
	}
	if t.optional && c.decoder.PeekKind() == ']' {
		c.depth--
		return c.null()
	}
	c.out = append(c.out, '{')
	for i, f := range s.fields {
		if c.decoder.PeekKind() == ']' {
			return c.ahead("the list ends here with %s, and %s has %d", plural(int64(i), "element"), s.name, len(s.fields))
		}
		c.out = append(c.out, f.label...)
		if err := c.value(f.target); err != nil {
			return err
		}
		c.out = append(c.out, ',')
	}
	if c.decoder.PeekKind() != ']' {
		return c.ahead("the list has more elements than the %d of %s", len(s.fields), s.name)
	}
	_, err := c.decoder.ReadToken()
	c.close('}')
	c.depth--
	return err
}

func (c *converter) items(t *target, kind jsontext.Kind) error {
	switch kind {
	case 'n':
		return c.null()
	case '[':
	default:
		if t.many {
			return c.alone(t)
		}
		return c.wrong(t, kind)
	}
	if err := c.deeper(); err != nil {
		return err
	}
	if _, err := c.decoder.ReadToken(); err != nil {
		return err
	}
	c.out = append(c.out, '[')
	for c.decoder.PeekKind() != ']' {
		if err := c.value(t.elem); err != nil {
			return err
		}
		c.out = append(c.out, ',')
	}
	_, err := c.decoder.ReadToken()
	c.close(']')
	c.depth--
	return err
}

// alone converts a value that stands for a list with that one element.
func (c *converter) alone(t *target) error {
	c.out = append(c.out, '[')
	if err := c.value(t.elem); err != nil {
		return err
	}
	c.out = append(c.out, ']')
	return nil
}

func (c *converter) entries(t *target, kind jsontext.Kind) error {
	switch kind {
	case 'n':
		return c.null()
	case '{':
	default:
		return c.wrong(t, kind)
	}
	if err := c.deeper(); err != nil {
		return err
	}
	if _, err := c.decoder.ReadToken(); err != nil {
		return err
	}
	c.out = append(c.out, '{')
	for c.decoder.PeekKind() != '}' {
		raw, err := c.decoder.ReadValue()
		if err != nil {
			return err
		}
		if t.key != schema.String && !wholeFits(unquote(raw), t.key) {
			return c.fail(raw, "the key %s is no %s as it would be written again; keep the keys of %s as text with map[string]", raw, keyNames[t.key], c.whereMap(t))
		}
		c.out = append(append(c.out, raw...), ':')
		if err := c.value(t.elem); err != nil {
			return err
		}
		c.out = append(c.out, ',')
	}
	_, err := c.decoder.ReadToken()
	c.close('}')
	c.depth--
	return err
}

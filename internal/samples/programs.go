package samples

// programs are samples of syntax trees, as parsers print them.
var programs = []Sample{
	{Name: "estree", Text: "syntax trees of JavaScript: nodes of forty kinds, each within many others, told by their type; null where a part is left out, in lists too",
		lines: true, size: 60, each: func(m *maker, i int) any {
			t := tree{m, 0}
			return t.node("Program", "body", t.list(1, 3, func() any { return t.statement(3) }), "sourceType", m.pick("module|script"))
		}},
}

// A tree makes the nodes of a program. Each node starts after the one before.
type tree struct {
	*maker
	at int
}

func (t *tree) node(kind string, fields ...any) object {
	start := t.at
	t.at += 1 + t.IntN(9)
	return append(object{"type", kind, "start", start, "end", t.at}, fields...)
}

func (t *tree) list(least, most int, node func() any) []any {
	return t.maker.list(least+t.IntN(most-least+1), func(int) any { return node() })
}

// part returns a node in so many percent of the calls, and otherwise nil.
func (t *tree) part(percent int, node func() any) any {
	if t.IntN(100) < percent {
		return node()
	}
	return nil
}

func (t *tree) name() any { return t.node("Identifier", "name", t.word()) }

func (t *tree) literal() any {
	switch t.IntN(6) {
	case 0:
		return t.node("Literal", "value", t.decimals(90, 1), "raw", "1.5")
	case 1:
		return t.node("Literal", "value", t.IntN(2) == 0, "raw", "true")
	case 2:
		return t.node("Literal", "value", nil, "raw", "null")
	case 3:
		return t.node("Literal", "value", object{}, "raw", "/x+/g", "regex", object{"pattern", "x+", "flags", t.pick("|g|gi")})
	case 4:
		return t.node("Literal", "value", t.IntN(900), "raw", "7")
	}
	return t.node("Literal", "value", t.word(), "raw", "'x'")
}

// pattern returns a node that a value is bound to.
func (t *tree) pattern() any {
	switch t.IntN(12) {
	case 0:
		return t.node("ObjectPattern", "properties", t.list(1, 3, func() any { return t.property(t.name()) }))
	case 1:
		return t.node("ArrayPattern", "elements", t.list(1, 4, func() any { return t.part(70, t.name) }))
	case 2:
		return t.node("AssignmentPattern", "left", t.name(), "right", t.expression(0))
	}
	return t.name()
}

func (t *tree) property(value any) any {
	return t.node("Property", "method", false, "shorthand", t.IntN(3) == 0, "computed", false, "key", t.name(), "value", value, "kind", t.pick("init|get"))
}

func (t *tree) function(kind string, id any, depth int) any {
	return t.node(kind, "id", id, "expression", false, "generator", t.IntN(9) == 0, "async", t.IntN(4) == 0, "params", t.list(0, 3, t.pattern), "body", t.block(depth-1))
}

func (t *tree) template(depth int) any {
	text := t.word()
	return t.node("TemplateLiteral", "expressions", t.list(0, 2, func() any { return t.expression(depth - 1) }),
		"quasis", t.list(1, 3, func() any {
			return t.node("TemplateElement", "value", object{"raw", text, "cooked", text}, "tail", false)
		}))
}

// element returns an element of a list: an expression, or sometimes a spread of one.
func (t *tree) element(depth int) any {
	if t.IntN(8) == 0 {
		return t.node("SpreadElement", "argument", t.expression(depth-1))
	}
	return t.expression(depth - 1)
}

func (t *tree) expression(depth int) any {
	inner := func() any { return t.expression(depth - 1) }
	elements := func() []any { return t.list(0, 3, func() any { return t.element(depth) }) }
	if depth <= 0 {
		if t.IntN(2) == 0 {
			return t.name()
		}
		return t.literal()
	}
	switch t.IntN(19) {
	case 0:
		return t.node("BinaryExpression", "left", inner(), "operator", t.pick("+|-|===|<"), "right", inner())
	case 1, 2:
		return t.node("CallExpression", "callee", inner(), "arguments", elements(), "optional", false)
	case 3, 4:
		return t.node("MemberExpression", "object", inner(), "property", t.name(), "computed", false, "optional", t.IntN(9) == 0)
	case 5:
		if t.IntN(2) == 0 {
			return t.node("ArrowFunctionExpression", "id", nil, "expression", true, "async", false, "params", t.list(0, 2, t.pattern), "body", inner())
		}
		return t.node("ArrowFunctionExpression", "id", nil, "expression", false, "async", false, "params", t.list(0, 2, t.pattern), "body", t.block(depth-1))
	case 6:
		return t.function("FunctionExpression", t.part(40, t.name), depth)
	case 7:
		return t.node("ObjectExpression", "properties", t.list(0, 4, func() any {
			if t.IntN(8) == 0 {
				return t.node("SpreadElement", "argument", inner())
			}
			return t.property(inner())
		}))
	case 8:
		return t.node("ArrayExpression", "elements", t.list(0, 4, func() any { return t.part(90, func() any { return t.element(depth) }) }))
	case 9:
		return t.template(depth)
	case 10:
		return t.node("ConditionalExpression", "test", inner(), "consequent", inner(), "alternate", inner())
	case 11:
		return t.node("LogicalExpression", "left", inner(), "operator", t.pick("&&|??"), "right", inner())
	case 12:
		return t.node("UnaryExpression", "operator", t.pick("!|typeof"), "prefix", true, "argument", inner())
	case 13:
		return t.node("UpdateExpression", "operator", "++", "prefix", t.IntN(2) == 0, "argument", t.name())
	case 14:
		return t.node("AssignmentExpression", "operator", "=", "left", t.pattern(), "right", inner())
	case 15:
		return t.node("NewExpression", "callee", inner(), "arguments", elements())
	case 16:
		return t.node("ThisExpression")
	case 17:
		return t.node("AwaitExpression", "argument", inner())
	}
	return t.node("TaggedTemplateExpression", "tag", inner(), "quasi", t.template(depth-1))
}

func (t *tree) block(depth int) any {
	return t.node("BlockStatement", "body", t.list(0, 3, func() any { return t.statement(depth) }))
}

func (t *tree) variables(depth int) any {
	return t.node("VariableDeclaration", "declarations", t.list(1, 2, func() any {
		return t.node("VariableDeclarator", "id", t.pattern(), "init", t.part(80, func() any { return t.expression(depth - 1) }))
	}), "kind", t.pick("const|let|var"))
}

func (t *tree) statement(depth int) any {
	test := func() any { return t.expression(depth - 1) }
	inner := func() any { return t.statement(depth - 1) }
	block := func() any { return t.block(depth - 1) }
	if depth <= 0 {
		return t.node("ExpressionStatement", "expression", t.expression(1))
	}
	switch t.IntN(16) {
	case 0, 1, 2:
		return t.variables(depth)
	case 3, 4:
		return t.node("ExpressionStatement", "expression", t.expression(depth))
	case 5:
		return t.node("ReturnStatement", "argument", t.part(80, test))
	case 6, 7:
		return t.node("IfStatement", "test", test(), "consequent", inner(), "alternate", t.part(40, inner))
	case 8:
		start := func() any {
			if t.IntN(3) == 0 {
				return test()
			}
			return t.variables(depth - 1)
		}
		return t.node("ForStatement", "init", t.part(80, start), "test", t.part(80, test), "update", t.part(70, test), "body", inner())
	case 9:
		return t.node("ForOfStatement", "await", false, "left", t.variables(0), "right", test(), "body", block())
	case 10:
		return t.node("SwitchStatement", "discriminant", test(), "cases", t.list(1, 3, func() any {
			return t.node("SwitchCase", "test", t.part(70, test), "consequent", t.list(0, 2, func() any {
				if t.IntN(2) == 0 {
					return t.node("BreakStatement", "label", nil)
				}
				return inner()
			}))
		}))
	case 11:
		return t.node("TryStatement", "block", block(), "handler", t.part(80, func() any {
			return t.node("CatchClause", "param", t.part(80, t.name), "body", block())
		}), "finalizer", t.part(40, block))
	case 12:
		return t.function("FunctionDeclaration", t.name(), depth)
	case 13:
		return t.node("ClassDeclaration", "id", t.name(), "superClass", t.part(50, t.name), "body", t.node("ClassBody", "body", t.list(0, 3, func() any {
			if t.IntN(3) == 0 {
				return t.node("PropertyDefinition", "static", t.IntN(2) == 0, "computed", false, "key", t.name(), "value", t.part(70, test))
			}
			return t.node("MethodDefinition", "static", t.IntN(2) == 0, "computed", false, "key", t.name(), "kind", "method", "value", t.function("FunctionExpression", nil, depth-1))
		})))
	case 14:
		return t.node("ThrowStatement", "argument", test())
	}
	return t.node("WhileStatement", "test", test(), "body", block())
}

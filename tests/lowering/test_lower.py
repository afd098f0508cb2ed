"""The shapes that code is lowered to."""

from __future__ import annotations

from pathlib import Path

import libcst as cst
import pytest

from ddl_lint.analysis.syntactic.mentions import inside
from ddl_lint.lowering import LoweredFile, lower
from ddl_lint.lowering.by_libcst import lower_tree
from ddl_lint.lowering.pieces import PieceCache
from ddl_lint.program import code
from ddl_lint.source import Document, load
from ddl_lint.syntax.parse import parse


def lowered(text: str, name: str = "pkg.mod", *, is_package: bool = False) -> code.Module:
    return lower(Document("mod.py", text), name, is_package=is_package).module


def statement(text: str) -> code.Statement:
    (found,) = lowered(text).body
    return found


def show(node: object) -> object:
    """A node as nested tuples: its class and fields, without positions and without fields that are empty."""
    if isinstance(node, (list, tuple)):
        return [show(part) for part in node]
    if isinstance(node, frozenset):
        return set(node)
    if isinstance(node, code.Name):
        return node.id
    if isinstance(node, code.Literal):
        return ("=", node.value)
    if not type(node).__module__.startswith("ddl_lint"):
        return node
    hidden = {"start", "end", "name_start", "qualname", "mentions", "bound"}
    fields = [(name, show(getattr(node, name))) for name in type(node).__slots__ if name not in hidden]
    return (type(node).__name__, *(value for _, value in fields if value not in (None, [], False, "")))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a", "a"),
        ("(a)", "a"),
        ("a.b.c", ("Attribute", ("Attribute", "a", "b"), "c")),
        ("None", ("=", None)),
        ("0x_ff", ("=", 255)),
        ("-2.5", ("=", -2.5)),
        ("-a", ("Unary", "-", "a")),
        ("not a", ("Unary", "not", "a")),
        ("...", ("=", ...)),
        ("'a' \"b\"", ("=", "ab")),
        ("b'a' b'b'", ("=", b"")),
        (r"r'\d'", ("=", r"\d")),
        ("f'{{a}}{b!r:>3}' 'c'", ("FormattedString", ["{a}", "b", "c"])),
        ("'a' f'{b}' f'{c}'", ("FormattedString", ["a", "b", "c"])),
        ("t'a{b}'", ("FormattedString", ["a", "b"])),
        ("'\\N{no such}'", ("FormattedString",)),
        ("9" * 5000, ("FormattedString",)),
        ("a + b * c", ("Binary", "+", "a", ("Binary", "*", "b", "c"))),
        ("a or b and c", ("Boolean", "or", "a", ("Boolean", "and", "b", "c"))),
        ("a < b is not c not in d", ("Compare", "a", [["<", "b"], ["is not", "c"], ["not in", "d"]])),
        ("a if b else c", ("Conditional", "b", "a", "c")),
        ("a[0]", ("Subscript", "a", ("=", 0))),
        ("a[1:, b]", ("Subscript", "a", ("Display", "tuple", [("Slice", ("=", 1)), "b"]))),
        ("a[*b]", ("Subscript", "a", ("Starred", "b"))),
        ("a, *b", ("Display", "tuple", ["a", ("Starred", "b")])),
        ("[]", ("Display", "list")),
        ("{a, b}", ("Display", "set", ["a", "b"])),
        ("{a: b, **c}", ("Dictionary", [["a", "b"], [None, "c"]])),
        ("f(a, *b, c=d, **e)", ("Call", "f", ["a", ("Starred", "b")], [("Keyword", "c", "d"), ("Keyword", "e")])),
        ("(a := b)", ("Walrus", "a", "b")),
        ("await a", "a"),
        ("[a for b in c if d if e]", ("Comprehension", "list", "a", [("Generator", "b", "c", ["d", "e"])])),
        ("{a: b for c in d}", ("Comprehension", "dict", "b", "a", [("Generator", "c", "d")])),
        (
            "{a for b in c for d in e}",
            ("Comprehension", "set", "a", [("Generator", "b", "c"), ("Generator", "d", "e")]),
        ),
        ("(a async for b in c)", ("Comprehension", "generator", "a", [("Generator", "b", "c")])),
        ("[*a for b in c]", ("Comprehension", "list", ("Starred", "a"), [("Generator", "b", "c")])),
        ("{**a for b in c}", ("Comprehension", "dict", "a", [("Generator", "b", "c")])),
    ],
)
def test_expressions(text: str, expected: object) -> None:
    node = statement(text)
    assert isinstance(node, code.Evaluate)
    assert show(node.value) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a = b.c = d", ("Assign", ["a", ("Attribute", "b", "c")], "d")),
        ("a: int = 1", ("Assign", ["a"], ("=", 1), "int")),
        ("a: int", ("Assign", ["a"], "int")),
        ("a //= b", ("Augment", "a", "//", "b")),
        ("raise", ("Raise",)),
        ("raise a from b", ("Raise", "a")),
        ("assert a, b", ("Assert", "a")),
        ("del a, b[0]", ("Delete", ["a", ("Subscript", "b", ("=", 0))])),
        ("global a, b", ("Scope", "global", ["a", "b"])),
        ("import a.b as c", ("Import", "a.b", "c")),
        ("lazy import a", ("Import", "a")),
        ("from ..a import b, c as d", ("ImportFrom", "a", 2, [["b", None], ["c", "d"]])),
        ("from a import *", ("ImportFrom", "a", [["*", None]])),  # level 0 is not shown
        ("if a: b\nelif c: d\nelse: e",
         ("If", "a", [("Evaluate", "b")], [("If", "c", [("Evaluate", "d")], [("Evaluate", "e")])])),
        ("for a in b: continue\nelse: c", ("For", "a", "b", [("Jump", "continue")], [("Evaluate", "c")])),
        ("while a: break\nelse: c", ("While", "a", [("Jump", "break")], [("Evaluate", "c")])),
        ("with a as b, c: d", ("With", [["a", "b"], ["c", None]], [("Evaluate", "d")])),
        ("try: a\nexcept B as c: d\nexcept: e\nelse: f\nfinally: g",
         ("Try", [("Evaluate", "a")], [("Handler", "B", "c", [("Evaluate", "d")]), ("Handler", [("Evaluate", "e")])],
          [("Evaluate", "f")], [("Evaluate", "g")])),
        ("try: a\nexcept* B: c", ("Try", [("Evaluate", "a")], [("Handler", "B", [("Evaluate", "c")])])),
        ("class A(B, *C, m=D, **E): x",
         ("Class", "A", ["B"], [("Keyword", "m", "D"), ("Keyword", "E")], [("Evaluate", "x")])),
        ("@a\n@b()\nasync def f() -> c: pass", ("Function", "f", ["a", ("Call", "b")], "c")),
    ],
)  # fmt: skip
def test_statements(text: str, expected: object) -> None:
    assert show(statement(text)) == expected


@pytest.mark.parametrize("text", ["pass", "type A = int", "# nothing"])
def test_what_does_nothing_is_left_out(text: str) -> None:
    assert lowered(text).body == []


@pytest.mark.parametrize(
    ("pattern", "values", "irrefutable", "names"),
    [
        ("1 | 'a' | None | -2", [1, "a", None, -2], False, []),
        ("1 as a", [1], False, ["a"]),
        ("_", None, True, []),
        ("a", None, True, ["a"]),
        ("A()", None, False, []),
        ("A(b, c=d)", None, False, ["b", "d"]),
        ("[a, *b]", None, False, ["a", "b"]),
        ("{'a': b, **c}", None, False, ["b", "c"]),
        ("1 | [2]", None, False, []),
    ],
)
def test_patterns(pattern: str, values: list[object] | None, irrefutable: bool, names: list[str]) -> None:
    node = statement(f"match x:\n  case {pattern} if y:\n    z\n")
    assert isinstance(node, code.Match)
    (case,) = node.cases
    found = None if case.values is None else [part.value for part in case.values if isinstance(part, code.Literal)]
    assert (found, case.irrefutable, sorted(case.names)) == (values, irrefutable, names)
    assert show(case.guard) == "y"


def test_parameters() -> None:
    function = statement("def f(a, /, b=1, *c, d: int, e=2, **g): pass")
    assert isinstance(function, code.Function)
    assert [(p.name, p.kind, show(p.default), show(p.annotation)) for p in function.parameters] == [
        ("a", "positional", None, None),
        ("b", "positional", ("=", 1), None),
        ("c", "var_positional", None, None),
        ("d", "keyword", None, "int"),
        ("e", "keyword", ("=", 2), None),
        ("g", "var_keyword", None, None),
    ]


def functions(body: list[code.Statement]) -> dict[str, code.Function]:
    """All functions below some statements by qualified name, lambdas in simple assignments too."""
    found: dict[str, code.Function] = {}
    for node in body:
        if isinstance(node, code.Assign) and isinstance(node.value, code.Lambda):
            found[node.value.function.qualname] = node.value.function
        if isinstance(node, (code.Function, code.Class)):
            found |= functions(node.body)
        if isinstance(node, code.Function):
            found[node.qualname] = node
    return found


NESTED = """
class A:
    class B:
        def f(self):
            def g():
                yield self.h
            k = lambda: n
            return g
    async def m(self):
        return [(yield)]
"""


def test_qualified_names_and_generators() -> None:
    found = functions(lowered(NESTED).body)
    assert {name: function.is_generator for name, function in found.items()} == {
        "A.B.f": False, "A.B.f.g": True, "A.B.f.<lambda>": False, "A.m": True,
    }  # fmt: skip


def test_mentions_include_inner_functions() -> None:
    found = functions(lowered(NESTED).body)
    assert found["A.B.f.g"].mentions == {"self", "h"}
    assert found["A.B.f"].mentions == {"self", "h", "n", "k", "g"}
    assert not found["A.m"].mentions


@pytest.mark.parametrize(
    ("body", "bound"),
    [
        ("a = b.c = 1", {"a", "b.c"}),
        ("(a, [b, *c]) = d", {"a", "b", "c"}),
        ("a += 1; b: int = 2", {"a", "b"}),
        ("a[0] = 1; b.c[1] += 2", {"a", "b.c"}),
        ("f(a := 1)", {"a"}),
        ("a.append(1); b.c.update(d); e.read()", {"a", "b.c"}),
        ("f().x = 1", set()),
        ("import a.b, c as d; from e import f as g, h", {"a", "d", "g", "h"}),
        ("with a as (b, c): d = 1", {"b", "c", "d"}),
        ("for a in b: c = 1", {"a", "c"}),
        ("def f(): a = 1", {"f"}),
        ("class A: a = 1", {"A"}),
        ("a = lambda: (b := 1)", {"a", "b"}),
    ],
)
def test_names_that_a_loop_binds(body: str, bound: set[str]) -> None:
    loop = statement(f"for i in x:\n  {body}\n")
    assert isinstance(loop, code.For)
    assert loop.bound == bound | {"i"}
    other = statement(f"while x:\n  {body}\n")
    assert isinstance(other, code.While)
    assert other.bound == bound


@pytest.mark.parametrize(
    ("text", "name", "is_package", "imported"),
    [
        ("import a.b, c", "pkg.mod", False, {"a.b", "c"}),
        ("def f():\n    from a import b", "pkg.mod", False, {"a", "a.b"}),
        ("from . import a", "pkg.mod", False, {"pkg", "pkg.a"}),
        ("from .a.b import c", "pkg.mod", False, {"pkg.a.b", "pkg.a.b.c"}),
        ("from .. import a", "pkg.sub.mod", False, {"pkg", "pkg.a"}),
        ("from .a import b", "pkg.sub", True, {"pkg.sub.a", "pkg.sub.a.b"}),
        ("from ..a import b", "pkg.sub", True, {"pkg.a", "pkg.a.b"}),
        ("from .... import a", "mod", False, {""}),
    ],
)
def test_imported_modules_are_absolute(text: str, name: str, is_package: bool, imported: set[str]) -> None:
    assert lowered(text, name, is_package=is_package).imported == imported


TEXT = """import a

@deco(x)
def f(p: int = 1):
	if a.b:
		return g(1, k=[2])
class C: y = 'é🔥'; z = 3
""".replace("\n", "\r\n")


def test_positions_are_those_of_the_document() -> None:
    module = lowered(TEXT)
    imported, function, definition = module.body
    assert isinstance(imported, code.Import)
    assert isinstance(function, code.Function)
    assert isinstance(definition, code.Class)
    branch = function.body[0]
    assert isinstance(branch, code.If)
    returned = branch.body[0]
    assert isinstance(returned, code.Return)
    call = returned.value
    assert isinstance(call, code.Call)
    last = definition.body[1]
    texts = [
        TEXT[node.start : node.end]
        for node in (imported, function.parameters[0], branch.test, returned, call.keywords[0], last)
    ]
    assert texts == ["import a", "p: int = 1", "a.b", "return g(1, k=[2])", "k=[2]", "z = 3"]
    assert TEXT[function.start :].startswith("def f")
    assert TEXT[function.name_start :].startswith("f(")
    assert TEXT[definition.name_start :].startswith("C:")


def test_libcst_s_own_positions_are_used_where_the_sums_fail() -> None:
    text = "try:\n    a\nexcept (B) :\n    c = d\n"  # libcst forgets the blank before the colon
    document = Document("mod.py", text)
    assert cst.parse_module(text).code != text
    (node,) = lower_tree(document, parse(document), "mod").module.body
    assert isinstance(node, code.Try)
    assert text[node.body[0].start : node.body[0].end] == "a"
    assert text[node.handlers[0].body[0].start : node.handlers[0].body[0].end] == "c = d"


_PIECES = "import torch\n\n\ndef f(x):\n    return x.y\n\n\nclass C:\n    z = 1\n\n\nf(C.z)\n"


def test_what_stands_before_a_change_is_lowered_once() -> None:
    pieces: PieceCache = {}

    def again(text: str, name: str = "mod") -> code.Module:
        return lower(Document("mod.py", text), name, pieces=pieces).module

    def alike(first: code.Module, second: code.Module) -> list[bool]:
        return [one is other for one, other in zip(first.body, second.body, strict=True)]

    before = again(_PIECES)
    assert alike(before, again(_PIECES)) == [True, True, True, True]
    longer = again(_PIECES.replace("z = 1", "z = 12"))
    assert alike(before, longer) == [True, True, False, False]
    for text in (_PIECES.replace("z = 1", "z = 12"), _PIECES.replace("f(x)", "f(long)"), _PIECES):
        changed, fresh = again(text), lower(Document("mod.py", text), "mod", pieces={}).module
        assert repr(changed) == repr(fresh)
        assert (changed.imported, changed.words) == (fresh.imported, fresh.words)
    assert not any(alike(again(_PIECES), again(_PIECES, "pkg.other")))


def test_the_words_of_a_file() -> None:
    text = "from a.b import c as d\nimport e.f as g\n\n"
    text += "def h(i=j):\n    with k.l(m) as n:\n        return [o.p for q in 'r']\n"
    assert lowered(text).words == set("abcefjklmnopq")


@pytest.mark.parametrize("path", sorted((Path(__file__).parents[2] / "ddl_lint/analysis").glob("*.py")))
def test_the_words_are_those_of_the_program(path: Path) -> None:
    module = lower(load(path.as_posix()), "mod").module
    found = {
        node.id if isinstance(node, code.Name) else node.attr
        for node in inside(module.body)
        if isinstance(node, (code.Name, code.Attribute))
    }
    imported = {
        word
        for node in inside(module.body)
        if isinstance(node, code.ImportFrom)
        for name, _ in node.names
        for word in (name, *node.module.split("."))
    }
    imported |= {
        word for node in inside(module.body) if isinstance(node, code.Import) for word in node.module.split(".")
    }
    assert module.words == found | imported


def damaged(text: str) -> LoweredFile:
    return lower(Document("mod.py", text), "mod")


@pytest.mark.parametrize(
    ("text", "count", "faults"),
    [
        ("a = 1\nb = = 2\nc = 3\n", 3, 1),
        ("def f():\n    a b\n    return c\nd = 1\n", 2, 1),
        ("x = $\ny = 1\n", 2, 1),
    ],
)
def test_damaged_chunks_cost_only_themselves(text: str, count: int, faults: int) -> None:
    found = damaged(text)
    assert len(found.faults) == faults
    assert len(found.module.body) == count
    last = found.module.body[-1]
    assert isinstance(last, code.Assign)
    assert text[last.start : last.end] == text.splitlines()[-1]


def test_every_form_is_lowered() -> None:
    """No node of the language is unknown to lowering."""
    text = (Path(__file__).parent / "every_form.txt").read_text(encoding="utf-8")
    found = lower(Document("mod.py", text), "mod")
    assert not found.faults
    assert len(found.module.body) > 60

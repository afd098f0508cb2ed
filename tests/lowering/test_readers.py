"""Both readers give the same program, positions included; libcst's is the one to be equal to."""

from __future__ import annotations

import random
import re
import sysconfig
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

from ddl_lint.lowering import LoweredFile, lower
from ddl_lint.lowering.by_libcst import read_by_libcst
from ddl_lint.lowering.pieces import PieceCache, read_by_pieces
from ddl_lint.lowering.quick import read_quickly
from ddl_lint.program.stored import decoded, encoded
from ddl_lint.source import Document, SourceError, load
from ddl_lint.syntax.parse import parse

ROOT = Path(__file__).parents[2]
EVERY_FORM = (Path(__file__).parent / "every_form.txt").read_text(encoding="utf-8")
LIBRARY = Path(sysconfig.get_path("stdlib"))
PARTS = 8


def quickly(document: Document) -> LoweredFile | None:
    return read_quickly(document, "pkg.mod", is_package=False)


def by_libcst(document: Document) -> LoweredFile:
    return read_by_libcst(document, "pkg.mod", is_package=False)


def by_pieces(document: Document, pieces: PieceCache | None = None) -> LoweredFile:
    return read_by_pieces(document, "pkg.mod", is_package=False, pieces=pieces)


def difference(one: object, other: object, way: str = "") -> str:
    """Where two programs differ first; empty if they do not."""
    if type(one) is not type(other):
        return f"{way}: {one!r:.100} / {other!r:.100}"
    if is_dataclass(one):
        parts = ((f".{each.name}", getattr(one, each.name), getattr(other, each.name)) for each in fields(one))
    elif isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        if len(one) != len(other):
            return f"{way}: {len(one)} / {len(other)} parts"
        parts = ((f"[{index}]", *pair) for index, pair in enumerate(zip(one, other, strict=True)))
    else:  # -0.0 is 0.0, but it is written in another way
        same = one == other if isinstance(one, frozenset) else repr(one) == repr(other)
        return "" if same else f"{way}: {one!r:.100} / {other!r:.100}"
    return next(filter(None, (difference(left, right, way + step) for step, left, right in parts)), "")


def read_alike(document: Document) -> bool:
    """Whether a document is read quickly; as a whole and in pieces it is read as libcst reads it."""
    quick, careful = quickly(document), by_libcst(document)
    found = difference(by_pieces(document), careful) if quick is not None or not careful.faults else ""
    assert not found, f"{document.path} in pieces: {found}\n{document.text[:2000]}"
    if quick is None:
        return False
    found = difference(quick, careful)
    assert not found, f"{document.path}: {found}\n{document.text[:2000]}"
    return True


def share_read_quickly(files: Sequence[Path]) -> float:
    documents: list[Document] = []
    for file in files:
        try:
            documents.append(load(file.as_posix()))
        except SourceError:
            continue
    sound = [document for document in documents if quickly(document) is not None or not by_libcst(document).faults]
    return sum(map(read_alike, sound)) / max(1, len(sound))


OURS = sorted(file for name in ("ddl_lint", "rules", "server", "tests", "benchmarks", "examples")
              for file in (ROOT / name).rglob("*.py"))  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_our_own_programs_and_those_of_the_tests(part: int) -> None:
    assert share_read_quickly(OURS[part::PARTS]) > 0.97


@pytest.mark.slow
@pytest.mark.parametrize("file", random.Random(5).sample(sorted(LIBRARY.glob("*.py")), 12), ids=lambda file: file.stem)
def test_modules_of_the_standard_library(file: Path) -> None:
    share_read_quickly([file])


@pytest.mark.nightly
@pytest.mark.parametrize("part", range(PARTS))
def test_the_standard_library(part: int) -> None:
    files = [file for file in sorted(LIBRARY.rglob("*.py")) if "site-packages" not in file.parts]
    assert share_read_quickly(random.Random(11).sample(files, len(files) // 2)[part::PARTS]) > 0.9


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_every_form(newline: str) -> None:
    """All that Python itself knows of it; what is younger, libcst reads."""
    text = EVERY_FORM.replace("\n", newline)
    pieces = [chunk.source for chunk in parse(Document("mod.py", text)).chunks]
    read = [read_alike(Document("mod.py", piece)) for piece in pieces]
    assert sum(read) > 0.8 * len(read)


FORMS = """
x = ((a, b), (c)), (d)
x = (a), (b)
x = (((a)), b,  # c)
     )
x = ( )
f((a and b)); f(a and b); f((a and b),); f(c, (a or b)); f(c, a or b); f(k=(a or b)); f(*(a or b))
if (a and b) or not (c or d) and (e) and (f): pass
if (  # (
    a  # )
    and b
): pass
x = (a) and (b) and (c or d and (e)) and f
x = (a and b and
     c)
f(x for x in (y)); f((x for x in y if (z) )); g(  (x) for x in y if (z)  )
x[a, b], x[(a, b)], x[(a), b], x[a,], x[()], x[:, ::2, (a):(b)], x[((a, b))]
lambda a=(1), *b, c=((2)), **d: (a, b)
def f(a=(1), *, b: int = ( (2) ), ** c): return (yield)
def f(  # (
    a = (  # (
        1 ) , * args : int): pass
async  def  g (a): await (b)
del (a, b)
del a, (b, c)
del (a), b
x = -1, -1.5, -0.0, - (1), -True, -1j, 0x_ff, 1_000, 1e400, 10 ** 5
x = b'a' b'b', b'a', b'''a
b''', 'a' 'b', ('a'
  'b'), u'a', r'\\d', '\\x41\\u00e9\\
c'
f'', f'a', f'{a}', f'{{a}}', f'{{{a}}}', f'{a!r:>{b}}', f'{a=}', f'{a = !s}', f'{a.b["c"]}', f"{(a, b)}", f'{a, b}'
f'{a and b}', f'{(a and b)}', f'{f(x for x in y)}', f'{lambda_ if a != b else c}', f'{a == b}', f'{a:{b}.{c!r}}'
f'{ a :%Y-%m}', f'{a:=5}', f'{(a:=5)}', f'{ {1: 2}[1] }', f'{"}"}', f'{not a}', f'{yield}', f'{a >= b}'
'a' f'{b}' 'c' 'd' f'{e}', f'a' 'b', rf'\\d{a}', Rb'a', f'\\{a}', f'{True}', f'{None!r}', f'{print}'
f'''{
  a
} {b:
}''', f'{f"{a}"} {b}'
with (a, b): pass
with (a as b, c as d): pass
with (a): pass
with a as (b, c), d: pass
import a . b, c as d; from . import (e, f as g,); from .. a . b import *
match (a):
    case (1 | 'b') | None if c: pass
    case [a, *b] | (a, b): pass
    case {'a': 1, **c}: pass
    case A(b, c=d) as e: pass
    case -1 | 1+2j | a.b: pass
    case(d): pass
    case _: pass
try: a
except (B, C) as d: e
else: f
finally: g
for a, b in c, d: e
else: f
while (a): break
@a . b ( c )
class C ( A , * B , k = D , ** E ) : x = 1 ; y = 2
if a: b
elif c: d
else:
    if e: f
x: (int) = (1)
x: int
assert (a, b)
return_ = (yield_) = 5
x = a if b else (c) if d else e
x = (a < b) < (c), not (a), ~ b
x = {**a, 'b': (c)}, {a: b for a, b in c if (d) if e}, {*a, b}, [*a, (b)]
print((a := 5), (yield_), [(a) for a in (b) for (c) in d])
x = '\\d \\{', 'é🔥', é, f'é{é}é{ñ}', {'ü': ö . ä}
"""


def statements_of(text: str) -> list[str]:
    return [chunk.source for chunk in parse(Document("mod.py", text)).chunks]


@pytest.mark.parametrize("text", statements_of(FORMS))
def test_forms_that_are_read_quickly(text: str) -> None:
    nested = "def f():\n    async def g():\n        " + text.replace("\n", "\n        ").rstrip() + "\n"
    read = [read_alike(Document("mod.py", each)) for each in (text, text.replace("\n", "\r\n"), nested)]
    assert all(read)


@pytest.mark.parametrize(
    "text",
    [
        "x = 1\f\n",
        "x = 1\rif x:\r    y\r",
        "if a:\n        b\n\tc\n",
        "if a:\n  \tb\n",
        "x = '\0'\n",
        "\ufeffx = 1\n",
        "x = '\ud800'\n",
        "print 'a'\nexec b\n",
        "lazy import a\n",
        "x = ﬁt\n",
        "x = Å\n",
        "x = {\n",
        "if a: b;\n",
        "del (a, b),\n",
        "with (a and b): pass\n",
        "class A(b and c): pass\n",
        "(x): int\n",
        "x = f'\\N{DASH}'\n",
        "x = '\\N{no such}'\n",
        "x = " + "9" * 5000 + "\n",
        "x = " + "(" * 150 + "1" + ")" * 150 + "\n",
        "x = " + " + ".join("a" * 1500) + "\n",
        "x = " + "-" * 5000 + "a\n",
        "x = a" + ".b" * 5000 + "\n",
        "x = 'a'" + " 'b'" * 3000 + "\n",
        "if a: b\n" + "elif c: d\n" * 1500,
    ],
)
def test_what_is_left_to_libcst(text: str) -> None:
    document = Document("mod.py", text)
    quick = quickly(document)
    careful = by_libcst(document)
    assert quick is None or not difference(quick, careful)
    assert not difference(lower(document, "pkg.mod"), careful)


def test_notebooks_are_left_to_libcst() -> None:
    assert quickly(Document("a.ipynb", "x = 1\n", "notebook")) is None


def test_names_are_those_that_are_written() -> None:
    """Python reads both as `fit`; the text, which fixes and messages cite, does not say so."""
    assert quickly(Document("mod.py", "\ufb01t = 1\n")) is None
    assert quickly(Document("mod.py", "x = '\uff0c\u3002\u26a0\ufe0f'  # é\né = 1\n")) is not None


@pytest.mark.parametrize("is_package", [False, True])
def test_what_is_stored_is_the_same(is_package: bool) -> None:
    document = Document("mod.py", FORMS)
    quick = read_quickly(document, "a.b", is_package=is_package)
    careful = read_by_libcst(document, "a.b", is_package=is_package)
    assert quick is not None
    stored = [decoded(encoded(each), "mod.py", "a.b", is_package) for each in (quick, careful)]
    assert not difference(*stored)
    assert not difference(stored[0], careful)


def test_a_broken_statement_costs_the_others_nothing() -> None:
    document = Document("mod.py", "x = (1\n" + FORMS + "y = = 2\n" + FORMS)
    read = by_pieces(document)
    assert not difference(read, by_libcst(document))
    assert len(read.faults) == 2


@pytest.mark.parametrize("seed", range(8))
def test_pieces_that_are_kept_are_those_of_the_text(seed: int) -> None:
    """After each of many changes, the program is that of the text as it is."""
    chance = random.Random(seed)
    statements = re.split(r"(?m)^(?=\S)", EVERY_FORM + FORMS)
    pieces: PieceCache = {}
    text = "".join(chance.sample(statements, 12))
    for _ in range(12):
        place = chance.randrange(len(text) + 1)
        kind = chance.randrange(3)
        if kind == 0:
            text = changed(text, chance)
        elif kind == 1:
            text = text[:place] + chance.choice(statements) + text[place:]
        else:
            text = text[:place] + text[place + chance.randrange(80) :]
        document = Document("mod.py", text or "\n")
        assert not difference(by_pieces(document, pieces), by_pieces(document)), text
        text = text or "x = 1\n"


# --- programs made at random ----------------------------------------------------------------------------------------


class Author:
    """Writes expressions and statements with odd white space, comments and parentheses."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._depth = 0
        self._brackets = 0

    def _one(self, *choices: str) -> str:
        return self._random.choice(choices)

    def _gap(self) -> str:
        inside = ("\n", " # c )\n  ", "  \n\n ", '  # "(" \n') if self._brackets else ()
        return self._one("", " ", " ", "  ", *inside)

    def _within(self, opening: str, make: Callable[[], str], closing: str) -> str:
        self._brackets += 1
        text = f"{opening}{self._gap()}{make()}{self._gap()}{closing}"
        self._brackets -= 1
        return text

    def _name(self) -> str:
        return self._one("a", "bc", "é", "self", "x1")

    def _atom(self) -> str:
        return self._one(self._name(), self._name(), "1", "-2.5", "'s'", "'\\n' \"é\"", "b'a' b'b'", "None", "...")

    def _many(self) -> str:
        comma = f"{self._gap()},{self._gap()}"
        items = comma.join(self.expression() for _ in range(self._random.randint(1, 3)))
        return items + self._one("", "", ",")

    def _odd_arguments(self) -> str:
        return f"*{self._operand()}, k{self._gap()}={self._gap()}{self._operand()}"

    def _clause(self) -> str:
        test = f" if {self._operand()}" if self._random.random() < 0.4 else ""
        return f"{self._operand()}{self._gap()} for {self._name()} in {self._operand()}{test}"

    def _operand(self) -> str:
        if self._random.random() < 0.4:
            return self._within("(", self.expression, ")")
        return self._atom()

    def _field(self) -> str:
        brackets, self._brackets = self._brackets, 0
        text = self.expression().replace("\\n", "")
        self._brackets = brackets
        if {"'", '"', "\\", "#", "\n"} & set(text) or text.startswith("{"):
            text = self._name()
        return "{" + text + self._one("", "", "!r", ":>5", ":{a}", " = ") + "}"

    def _formatted(self) -> str:
        quote = self._one("'", '"', "'''")
        parts = "".join(self._one("é", "{{", "}}", " ", self._field()) for _ in range(self._random.randint(0, 4)))
        return f"{self._one('f', 'rf', 'F')}{quote}{parts}{quote}"

    def expression(self) -> str:
        if self._depth > 3:
            return self._atom()
        self._depth += 1
        gap, forms = self._gap, [
            self._atom,
            lambda: self._within("(", self.expression, ")"),
            lambda: self._within("(", lambda: self._many().rstrip(",") + ",", ")"),
            lambda: self._within("[", self._many, "]"),
            lambda: self._within("{", self._many, "}"),
            lambda: self._operand() + f"{gap()}{self._one('+', '*', '@', '<', '==')}{gap()}" + self._operand(),
            lambda: f" {self._one('and', 'or')} ".join(self._operand() for _ in range(self._random.randint(2, 4))),
            lambda: f"not {self._operand()}",
            lambda: f"{self._operand()} if {self._operand()} else {self._operand()}",
            lambda: self._name() + gap() + self._within("(", self._many, ")"),
            lambda: self._name() + self._within("(", self._odd_arguments, ")"),
            lambda: self._name() + self._within("(", self._clause, ")"),
            lambda: self._within("(", self._clause, ")"),
            lambda: self._within("[", self._clause, "]"),
            lambda: f"{self._name()}{gap()}.{gap()}{self._name()}",
            lambda: self._name() + self._within("[", self._many, "]"),
            lambda: self._name() + self._within("[", lambda: f"{self._operand()}{gap()}:{gap()}{self._operand()}", "]"),
            lambda: f"(lambda a, b={self._operand()}, *c: {self._operand()})",
            self._formatted,
            lambda: self._within("(", lambda: f"{self._formatted()} {self._formatted()} 'a'", ")"),
        ]  # fmt: skip
        text = self._random.choice(forms)()
        self._depth -= 1
        return text

    def statement(self) -> str:
        value = self.expression
        return self._random.choice([
            lambda: f"{self._name()} = {value()}",
            value,
            lambda: f"assert {value()}, {value()}",
            lambda: f"if {value()}:\n    return {value()}\nelif {value()}: x = {value()}; y",
            lambda: f"for a, b in {value()}:  # c\n\n    a.append({value()})\n  # c\nelse:\n    pass",
            lambda: f"with {value()} as a:\n    yield {value()}",
            lambda: f"@a\ndef f(a{self._gap()}: int = {value()}, *b, c=({value()}), **d): return {value()}",
            lambda: f"class A(B, k={value()}): x: int = {value()}",
            lambda: f"while ({value()}): del a[{value()}]",
            lambda: f"try:\n  raise {value()}\nexcept (A, B) as c:\n  global d",
        ])()  # fmt: skip


def changed(text: str, chance: random.Random) -> str:
    """A text with a few of its signs left out, doubled, or changed for others."""
    for _ in range(chance.randint(1, 3)):
        place = chance.randrange(len(text))
        new = chance.choice(
            ["", text[place] * 2, "(", ")", ",", " ", "\n", "'", "{", ";", "#", "é", "\\", ":", "f'", "*"]
        )
        text = text[:place] + new + text[place + 1 :]
    return text


def made_up(seeds: range) -> Iterator[str]:
    for seed in seeds:
        author = Author(seed)
        yield "\n".join(author.statement() for _ in range(4)) + "\n"


def assert_read_alike(text: str) -> bool:
    """Like `read_alike`, but for texts that libcst itself cannot read."""
    document = Document("mod.py", text)
    return bool(by_libcst(document).faults) or read_alike(document)


@pytest.mark.slow
def test_random_programs() -> None:
    assert sum(map(assert_read_alike, made_up(range(60)))) > 56


@pytest.mark.nightly
@pytest.mark.parametrize("part", range(PARTS))
def test_many_random_programs(part: int) -> None:
    for text in made_up(range(1000 * (part + 1), 1000 * (part + 2))):
        assert_read_alike(text)


def damaged(seed: int) -> str:
    chance = random.Random(seed)
    pieces = re.split(r"(?m)^(?=\S)", EVERY_FORM + FORMS)
    return changed("".join(chance.sample(pieces, 3)), chance)


@pytest.mark.slow
def test_damaged_programs() -> None:
    for seed in range(150):
        assert_read_alike(damaged(seed))


@pytest.mark.nightly
@pytest.mark.parametrize("part", range(PARTS))
def test_many_damaged_programs(part: int) -> None:
    for seed in range(1000 * (part + 1), 1000 * (part + 2)):
        assert_read_alike(damaged(seed))

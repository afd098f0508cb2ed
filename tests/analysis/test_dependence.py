"""What a change of a program concerns: what has looked into a function that is another one now, and nothing else."""

from __future__ import annotations

import gc
import textwrap
import weakref

import pytest

from ddl_lint.analysis.dependence import Index, Reads
from ddl_lint.analysis.syntactic.per_file import per_class, per_file
from ddl_lint.lowering import lower
from ddl_lint.program import code
from ddl_lint.program.moving import Unmovable, moved_data, mover, places_in
from ddl_lint.program.shift import Change, Shift, outer_classes, outer_functions
from ddl_lint.source import Document
from ddl_lint.source.span import Location

PATH = "/project/a.py"
TEXT = """
    import torch

    LIMIT = 3

    def first(x, y=LIMIT):
        def inner():
            return x
        return inner() + y

    class Net(torch.nn.Module):
        size = 4

        def forward(self, x):
            return self.head(x)

        def reset(self):
            self.head = None

    if torch.cuda.is_available():
        def second():
            return [lambda: 3]

    KEY = lambda x: x.name
"""


def program(text: str = TEXT) -> code.Module:
    """The program of a file."""
    return lower(Document(PATH, textwrap.dedent(text)), "a", is_package=False).module


def change(old: str, new: str) -> Change | None:
    """What a replacement in the text changes."""
    assert old in TEXT
    return Change.between(program(), program(TEXT.replace(old, new)))


def test_functions_and_classes_are_counted_in_the_order_of_the_text() -> None:
    module = program()
    assert [each.qualname for each in outer_functions(module)] == ["first", "Net.forward", "Net.reset", "second"]
    assert [each.qualname for each in outer_classes(module)] == ["Net"]
    same = Change.between(module, program())
    assert same is not None
    assert [before for before, _ in same.functions] == list(outer_functions(module))
    assert [before for before, _ in same.classes] == list(outer_classes(module))


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        ("LIMIT = 3", "LIMIT = 3  # more", 0b0000),
        ("return inner() + y", "return inner() - y", 0b0001),
        ("            return x\n", "            return y\n", 0b0001),
        ("return self.head(x)", "return self.tail(x)", 0b0010),
        ("return [lambda: 3]", "return [lambda: 4]", 0b1000),
        ("self.head = None", "self.head = None\n            self.tail = 3", 0b0100),
    ],
)
def test_what_is_inside_of_functions_may_change(old: str, new: str, changed: int) -> None:
    found = change(old, new)
    assert found is not None
    assert found.changed == changed
    assert found.is_same is (changed == 0)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("LIMIT = 3", "LIMIT = 4"),
        ("y=LIMIT", "y=None"),
        ("(x, y=LIMIT)", "(x, y=LIMIT, *z)"),
        ("def second():", "def third():"),
        ("        def second():", "        @torch.no_grad()\n        def second():"),
        ("size = 4", "size = 5"),
        ("torch.nn.Module", "torch.nn.Linear"),
        ("KEY = lambda x: x.name", "KEY = lambda x: x.size"),
        ("return inner() + y", "yield inner() + y"),
        ("is_available", "device_count"),
        ("import torch", "import torch, os"),
        ("return self.head(x)", "import os\n            return self.head(x)"),
    ],
)
def test_anything_else_makes_another_program(old: str, new: str) -> None:
    assert change(old, new) is None


def test_places_move_with_the_text() -> None:
    found = change("return inner() + y", "return 1")
    assert found is not None
    before, after = textwrap.dedent(TEXT), textwrap.dedent(TEXT.replace("return inner() + y", "return 1"))
    for word in ("class Net", "self.head(x)", "lambda x", "def first"):
        assert found.shift.at(before.index(word)) == after.index(word)
    assert found.shift.at(before.index("inner() +")) is None
    move = mover({PATH: found.shift})
    place = Location(PATH, before.index("class Net"), before.index("class Net") + 5)
    assert moved_data((place, ["a", 1]), move) == (Location(PATH, after.index("class Net"), place.end - 10), ["a", 1])
    assert places_in({"a": (place, Location("/b.py", 0, 0))}) == {PATH, "/b.py"}
    with pytest.raises(Unmovable):
        moved_data(Location(PATH, before.index("inner() +"), before.index("inner() +")), move)
    with pytest.raises(Unmovable):
        moved_data(object(), move)
    assert Shift.between(program(), program(TEXT.replace("return inner() + y", "return 1"))) is None


@per_file
def _numbers(module: code.Module) -> frozenset[object]:
    return frozenset(
        statement.value.value
        for function in outer_functions(module)
        for statement in function.body
        if isinstance(statement, code.Return) and isinstance(statement.value, code.Literal)
    )


@per_file
def _places(module: code.Module) -> list[Location]:
    return [Location(module.path, each.start, each.end) for each in outer_classes(module)]


@per_class
def _methods(definition: code.Class) -> int:
    return sum(isinstance(part, code.Function) and len(part.body) for part in definition.body)


def reads(module: code.Module, *, body: int = -1, words: bool = False, ask: bool = False) -> Reads:
    """What it takes to look into one function, to read the words of the file, or to ask about it."""
    noted: set[code.Read] = set()
    with code.noting(noted):
        if body >= 0:
            assert list(outer_functions(module))[body].body
        if words:
            assert module.words
        if ask:
            _numbers(module)
            _places(module)
            for each in outer_classes(module):
                _methods(each)
    index = Index()
    index.take_in([module, None])
    return index.reads(noted)


@pytest.mark.parametrize(
    ("old", "new", "look", "holds"),
    [
        ("return inner() + y", "return inner() - y", {"body": 0}, False),
        ("return inner() + y", "return inner() - y", {"body": 1}, True),
        ("return inner() + y", "return inner() - y", {"words": True}, True),
        ("return inner() + y", "return inner() - z", {"words": True}, False),
        ("return inner() + y", "return inner() - z", {"body": 2}, True),
        ("return inner() + y", "return inner() - z", {"ask": True}, True),
        ("return inner() + y", "return 3", {"ask": True}, False),
        ("self.head = None", "self.head = None; self.tail = 3", {"ask": True}, False),
        ("return self.head(x)", "return self.head(x + x)", {"ask": True}, True),
    ],
)
def test_what_was_read_decides(old: str, new: str, look: dict[str, int], holds: bool) -> None:
    before, after = program(), program(TEXT.replace(old, new))
    found = Change.between(before, after)
    assert found is not None
    assert reads(before, **look).hold("a", before, after, found) is holds


def test_answers_are_noted_each_time_and_what_they_read_is_not() -> None:
    module = program()
    first, second = reads(module, ask=True), reads(module, ask=True)
    assert first == second
    assert not first.functions
    assert {question for question, _ in first.answers["a"]} == {_numbers, _places, _methods}


def test_what_is_read_while_none_notes_it_is_not_held() -> None:
    module = program()
    assert module.words
    assert all(each.body is not None and each.bound is not None for each in outer_functions(module))
    with code.noting(set()):
        assert module.words
    held = weakref.ref(module), weakref.ref(next(outer_classes(module)))
    del module
    gc.collect()
    assert [each() for each in held] == [None, None]


def test_an_index_forgets_what_has_gone() -> None:
    index, before, after = Index(), program(), program()
    index.take_in([before])
    index.take_in([after])
    assert index.reads(outer_functions(before)) == Reads()
    assert index.reads(outer_functions(after)).functions == {"a": 0b1111}

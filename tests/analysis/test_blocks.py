"""Loops, exceptions, context managers and generators: what happens, in which order, and inside what."""

from __future__ import annotations

import pytest

from ddl_lint.analysis.values.lattice import alternatives
from ddl_lint.program.trace import Event
from ddl_lint.program.values import Const, Object, Unknown, Value


def kinds(event: Event) -> list[str]:
    """The circumstances of an event, outermost first, without the start of the run."""
    return [node.kind for node in event.context.chain()][-2::-1]


def plain(value: Value) -> list[object]:
    return [option.value if isinstance(option, Const) else option for option in alternatives(value)]


def saves(program: str) -> str:
    """A program in which `save("label")` is `torch.save`."""
    head = "import torch\nfrom contextlib import contextmanager\ndef save(label, value=0): torch.save(value, label)\n"
    return f"{head}{program}\nsave('end')\n"


@pytest.mark.parametrize(
    ("program", "labels"),
    [
        ("for i in torch.many(): save('body')", ["body"]),
        ("for i in ('a', 'b'): save(i)", ["a", "b"]),
        ("for i in (): save(i)", []),
        ("for i in torch.many(): pass\nelse: save('else')", ["else"]),
        ("while torch.more(): save('body')\nelse: save('else')", ["body", "else"]),
        ("while False: save('body')\nelse: save('else')", ["else"]),
        ("def f():\n    while True: torch.work()\n    save('never')\nf()", ["never"]),
        ("def f():\n    while True:\n        if torch.c(): return\n    save('never')\nf()", []),
        ("def f():\n    while True:\n        if torch.c(): break\n    save('after')\nf()", ["after"]),
        ("def f():\n    for i in torch.a():\n        if i: break\n    else: return\n    save('after')\nf()", ["after"]),
        ("def f():\n    for i in torch.many(): pass\n    else: return\n    save('never')\nf()", []),
        ("try: save('try')\nexcept ValueError: save('except')\nelse: save('else')\nfinally: save('finally')",
         ["try", "else", "except", "finally"]),
        ("def f():\n    try: return\n    finally: save('finally')\n    save('never')\nf()", ["finally"]),
        ("def f():\n    try: torch.a()\n    except ValueError: return\n    save('after')\nf()", ["after"]),
        ("try: import a\nexcept ImportError: save('never')", []),
        ("import sys\nif torch.c():\n    sys.exit(1)\n    save('never')", []),
        ("with torch.no_grad(), open('a') as f: save('with')", ["with"]),
    ],
)  # fmt: skip
def test_what_happens(follow_project, program: str, labels: list[str]) -> None:
    assert follow_project(saves(program)).labels == [*labels, "end"]


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("for i in (1, 2, 3): x += i", [6]),
        ("for i in (1, 2):\n    if torch.c(): break\n    x += 1", [2, 0, 1]),
        ("for i in torch.many(): x = 1", [1]),
        (
            "class A: pass\na = A()\na.v = 0\nfor i in torch.many():\n    if a.v > 0: x = 7\n    a.v = i",
            [7, Unknown(("loop", "/project/main.py", 49, "x"))],
        ),
        (
            "found = False\nfor i in torch.many():\n    if found: x = 7\n    found = True",
            [7, Unknown(("loop", "/project/main.py", 33, "x"))],
        ),
        ("try:\n    x = 1\n    torch.f()\nexcept ValueError: x = 2", [1, 2]),
        ("try: torch.f()\nexcept ValueError: raise\nelse: x = 3", [3]),
    ],
)
def test_values_after_a_block(value_of, program: str, expected: list[object]) -> None:
    assert sorted(plain(value_of(f"x = 0\n{program}")), key=str) == sorted(expected, key=str)


def test_a_loop_widens_what_it_assigns(value_of) -> None:
    found = value_of("x = 0\nfor i in range(10): x = x + 1")
    assert found != Const(1)
    assert any(isinstance(part, Unknown) for part in found.operands)


def test_a_loop_that_grows_a_list_leaves_its_length_open(follow_project) -> None:
    program = "xs = []\nfor i in torch.many(): xs.append(i)\nif len(xs) > 1: save('several')"
    assert follow_project(saves(program)).labels == ["several", "end"]


def test_loops_know_whether_they_are_left_early(follow_project) -> None:
    found = follow_project(saves("for i in torch.a():\n    save('x')\n    if i: break\nfor i in torch.b(): save('y')"))
    (x,), (y,) = found.saves("x"), found.saves("y")
    assert [node.breaks for event in (x, y) for node in event.context.chain() if node.kind == "loop"] == [True, False]


MANAGERS = """
@contextmanager
def managed(v):
    save('enter', v)
    try:
        yield v + 1
    finally:
        save('leave')
class Manager:
    def __enter__(self):
        save('__enter__')
        return 8
    def __exit__(self, *error): save('__exit__')
def returning():
    with managed(3) as q:
        return q
"""


@pytest.mark.parametrize(
    ("program", "labels"),
    [
        ("with managed(1) as v: save('in', v)", ["enter", "in", "leave"]),
        ("with Manager() as v: save('in', v)", ["__enter__", "in", "__exit__"]),
        ("with Manager(), managed(1): save('in')", ["__enter__", "enter", "in", "leave", "__exit__"]),
        ("save('result', returning())", ["enter", "leave", "result"]),
    ],
)
def test_context_managers(follow_project, program: str, labels: list[str]) -> None:
    assert follow_project(saves(MANAGERS + program)).labels == [*labels, "end"]


def test_values_of_context_managers(follow_project) -> None:
    found = follow_project(
        saves(MANAGERS + "with managed(1) as v, Manager() as w: save('in', (v, w))\nsave('r', returning())")
    )
    assert [held.value for held in found.saved("in").items] == [2, 8]
    assert found.saved("r") == Const(4)
    (event,) = found.saves("in")
    assert kinds(event) == ["with", "with", "call"]


GENERATORS = """
def numbers(n):
    save('start')
    for i in range(n):
        yield i
    save('stop')
def two():
    yield 1
    yield 2
def delegating():
    yield from numbers(3)
class Data:
    def __iter__(self):
        save('iter')
        yield 5
"""


@pytest.mark.parametrize(
    ("program", "labels"),
    [
        ("numbers(3)", []),
        ("for i in numbers(3): save('body')", ["start", "body", "stop"]),
        ("for k, i in enumerate(numbers(3)): save('body')", ["start", "body", "stop"]),
        ("for i in two(): save('body')", ["body", "body"]),
        ("for i in delegating(): save('body')", ["start", "body", "stop"]),
        ("for i in Data(): save('body')", ["iter", "body"]),
        ("[save('body') for i in numbers(3)]", ["start", "body", "stop"]),
        ("list(numbers(3))", ["start", "stop"]),
        ("next(numbers(3))", ["start", "stop"]),
        ("[save('body') for i in torch.many() if i]", ["body"]),
        ("[save('body') for i in (1, 2) if i == 2]", ["body"]),
    ],
)
def test_generators_run_with_their_consumer(follow_project, program: str, labels: list[str]) -> None:
    assert follow_project(saves(GENERATORS + program)).labels == [*labels, "end"]


def test_a_loader_is_iterated_through_wrappers(follow_project) -> None:
    found = follow_project("""
        from torch.utils.data import DataLoader
        from tqdm import tqdm
        loader = DataLoader([1], batch_size=2)
        for i, batch in enumerate(loader): pass
        for batch in zip(loader, loader): pass
        next(iter(loader))
        [batch for batch in loader]
        """)
    (built,) = found.events("build_loader")
    assert [event.operands["iterable"] for event in found.events("iterate")] == [built.result] * 5
    assert isinstance(built.result, Object)
    assert len(found.events("next_element")) == 1

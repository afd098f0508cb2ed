"""Guards against deep nesting."""

from __future__ import annotations

import sys
import threading

import pytest

from ddl_lint.source import Document
from ddl_lint.syntax import in_deep_stack
from ddl_lint.syntax.limits import MAX_BRACKETS, MAX_TERMS, RECURSION_LIMIT, find_excess
from ddl_lint.syntax.parse import parse

pytestmark = pytest.mark.slow

DEEP = {
    "parentheses": "x = " + "(" * 5000 + "1" + ")" * 5000,
    "open brackets": "x = " + "[" * 100_000,
    "brackets over lines": "x = (\n" + "  (\n" * 3000,
    "calls": "x = a" + ".f()" * 20_000,
    "calls over lines": "x = (a\n" + "  .f(1, 2)\n" * 20_000 + ")",
    "operators": "x = a" + " + a" * 50_000,
    "operators over lines": "x = a" + " + \\\n  a" * 50_000,
    "unary": "x = " + "not " * 50_000 + "a",
    "signs": "x = " + "-" * 50_000 + "a",
    "lambda": "x = " + "lambda a, b: " * 20_000 + "a",
    "strings": "x = (" + "'a'\n" * 50_000 + ")",
    "field of an f-string": 'x = f"{' + "(" * 5000 + "1" + ")" * 5000 + '}"',
    "chain in an f-string": 'x = f"""{a' + ".f()\n" * 20_000 + '}"""',
    "f-strings": "x = " + 'f"{' * 2000 + "1" + '}"' * 2000,
    "operators in brackets": "x = (a" + " + a" * 50_000 + ")",
    "clauses of a comprehension": "x = [a" + " for b in c" * 20_000 + "]",
    "conditions of a comprehension": "x = [a for b in c" + " if d" * 20_000 + "]",
    "cases": "match a:\n" + "  case 1:\n    b\n" * 20_000,
    "branches": "if a:\n  b\n" + "elif a:\n  b\n" * 20_000,
    "indentation": "".join(" " * depth + "if a:\n" for depth in range(2000)) + " " * 2000 + "b",
}


@pytest.mark.parametrize("name", DEEP)
def test_deep_nesting_is_a_fault(name: str) -> None:
    tree = parse(Document("a.py", f"a = 1\n{DEEP[name]}\nb = 2\n"))
    assert len(tree.errors) == 1
    assert tree.chunks[0].source == "a = 1\n"
    assert "nested too deeply" in tree.errors[0].message or "indentation" in tree.errors[0].message


@pytest.mark.parametrize(
    ("name", "is_legal"), [("parentheses", False), ("indentation", False), ("operators", True), ("branches", True)]
)
def test_only_what_python_refuses_too_is_an_error(name: str, is_legal: bool) -> None:
    assert parse(Document("a.py", DEEP[name])).errors[0].is_legal is is_legal


@pytest.mark.parametrize("hidden", ["x = " + "(" * 50_000 + ")" * 50_000, "x = a" + ".f()" * 50_000])
@pytest.mark.parametrize("before", ['s = """', "s = f(\n  '''", "$", "x = 'a"])
def test_repair_does_not_uncover_deep_nesting(before: str, hidden: str) -> None:
    assert len(parse(Document("a.py", f"if a:\n  {before}\n  {hidden}\n  b\n")).errors) == 1


@pytest.mark.parametrize(
    "text",
    [
        "x = [" + "f(-1.5), 'a',\n" * 20_000 + "]\n",
        "x = {" + "'a': b.c + 1, " * 20_000 + "}\n",
        "x = 1; " * 5000 + "\n",
        "with " + ", ".join(["a() as b"] * 20_000) + ": pass\n",
        "match = [\n" + "  case,\n" * 900 + "]\n",
        "x = a + b.c(d)\n" * 20_000,
        '"""' + "a + b.c(" * 20_000 + '"""\n',
        "# " + "(" * 20_000 + "\nx = 1\n",
        "x = " + "(" * MAX_BRACKETS + "1" + ")" * MAX_BRACKETS + "\n",
        "x = a" + " + a" * (MAX_TERMS - 1) + "\n",
    ],
)
def test_long_is_not_deep(text: str) -> None:
    assert find_excess(text) is None


def test_the_largest_allowed_nesting_is_parsed() -> None:
    depth = 90
    blocks = "".join(" " * level + "if a:\n" for level in range(depth))
    text = blocks + " " * depth + "x = " + "(" * MAX_BRACKETS + "1" + ")" * MAX_BRACKETS + "\n"
    assert not parse(Document("a.py", text)).errors


def test_deep_stack_runs_everything_in_one_thread() -> None:
    def nested(depth: int) -> int:
        return depth and 1 + nested(depth - 1)

    assert in_deep_stack(nested, RECURSION_LIMIT * 9 // 10) == RECURSION_LIMIT * 9 // 10
    thread = in_deep_stack(threading.current_thread)
    assert thread is not threading.current_thread()
    assert in_deep_stack(lambda: in_deep_stack(threading.current_thread)) is thread
    assert sys.getrecursionlimit() >= RECURSION_LIMIT
    assert threading.stack_size() == 0


def test_deep_stack_passes_exceptions_on() -> None:
    with pytest.raises(ZeroDivisionError):
        in_deep_stack(lambda: 1 // 0)
    assert in_deep_stack(lambda: 1) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="counts what Linux tells of the pages of a process")
def test_deep_calls_do_not_map_memory_again_and_again() -> None:
    import resource

    def faults() -> int:
        return resource.getrusage(resource.RUSAGE_SELF).ru_minflt

    def at_depth(depth: int) -> None:
        if depth:
            at_depth(depth - 1)
            for _ in range(20):
                at_depth(0)

    in_deep_stack(at_depth, 3_000)  # whatever is touched for the first time
    before = faults()
    in_deep_stack(at_depth, 3_000)
    assert faults() - before < 200

"""Whatever a line of the program asks for: small results are computed, large ones never made."""

from __future__ import annotations

import operator
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ddl_lint.analysis.values import bounded
from ddl_lint.analysis.values.bounded import TooLarge, compute

HUGE = 10**12

SMALL = [
    ("+", 2, 3, 5),
    ("+", "a", "b", "ab"),
    ("+", [1], [2], [1, 2]),
    ("-", 2, 3, -1),
    ("*", 6, 7, 42),
    ("*", "ab", 2, "abab"),
    ("*", 3, "a", "aaa"),
    ("*", [0], 3, [0, 0, 0]),
    ("*", "a", -HUGE, ""),
    ("/", 7, 2, 3.5),
    ("//", 7, 2, 3),
    ("%", 7, 4, 3),
    ("%", "%d of %5s", (1, "x"), "1 of     x"),
    ("%", "%s%%", 5, "5%"),
    ("%", "%(a)3d", {"a": 1}, "  1"),
    ("%", b"%d", 1, b"1"),
    ("**", 2, 10, 1024),
    ("**", 2, -1, 0.5),
    ("<<", 1, 4, 16),
    (">>", 256, 4, 16),
    ("^", 6, 3, 5),
    ("&", 6, 3, 2),
    ("|", 6, 3, 7),
    ("==", 1, 1, True),
    ("!=", 1, 1, False),
    ("<", 1, 2, True),
    ("<=", 2, 2, True),
    (">", 1, 2, False),
    (">=", 2, 2, True),
    ("is", None, None, True),
    ("is not", None, 1, True),
    ("in", 1, [1, 2], True),
    ("not in", "a", "bc", True),
    ("index", [4, 5], 1, 5),
]

LARGE = [
    ("+", "a" * 3000, "a" * 3000),
    ("+", b"a" * 3000, b"a" * 3000),
    ("+", [0] * 300, [0] * 300),
    ("+", 1 << 12_000, 1 << 12_000),
    ("-", -(1 << 12_000), 1 << 12_000),
    ("*", "a", HUGE),
    ("*", HUGE, "a"),
    ("*", b"a", HUGE),
    ("*", [0], HUGE),
    ("*", (0, 1), HUGE),
    ("*", 1 << 7000, 1 << 7000),
    ("**", 10, HUGE),
    ("**", 10, 10**10),
    ("**", -3, HUGE),
    ("<<", 1, HUGE),
    ("%", "%1000000000000d", 1),
    ("%", "%.1000000000000f", 1.0),
    ("%", "%*d", (HUGE, 1)),
    ("%", "%0.*f", (HUGE, 1.0)),
    ("%", "%-999999999s", "x"),
    ("%", "%(a)999999999d", {"a": 1}),
    ("%", b"%999999999d", 1),
    ("%", "%3999d" * 40, (1,) * 40),
    ("%", "%s%s", ("a" * 3000, "b" * 3000)),
    ("index", ["a" * 5000], 0),
]


@pytest.mark.parametrize(("sign", "left", "right", "result"), SMALL)
def test_small_results(sign, left, right, result):
    assert compute(sign, left, right) == result
    assert type(compute(sign, left, right)) is type(result)


@pytest.mark.parametrize(("sign", "left", "right"), LARGE, ids=lambda value: str(value)[:20] if value else None)
def test_large_results(sign, left, right):
    with pytest.raises(TooLarge):
        compute(sign, left, right)


def test_every_operator_is_tried():
    assert {sign for sign, *_ in SMALL} == bounded.OPERATORS.keys()
    assert {sign for sign, *_ in LARGE} >= {"+", "*", "**", "<<", "%"}


def test_what_python_refuses():
    for sign, left, right in (("+", 1, "a"), ("*", "a", "b"), ("%", "%d", "a"), ("<", 1, "a"), ("@", 1, 2)):
        with pytest.raises(TypeError):
            compute(sign, left, right)
    for sign in ("/", "//", "%"):
        with pytest.raises(ZeroDivisionError):
            compute(sign, 1, 0)
    with pytest.raises(ValueError):
        compute("<<", 1, -1)
    with pytest.raises(OverflowError):
        compute("**", 10.0, 400)


def test_texts_and_numbers():
    assert (bounded.text(12), bounded.joined("a", 1, None), bounded.integer(" 7 ")) == ("12", "a1None", 7)
    assert bounded.integer(True) == 1 and bounded.integer(2.9) == 2
    for make in (
        lambda: bounded.text(1 << 20_000),
        lambda: bounded.joined(*["a" * 3000] * 2),
        lambda: bounded.integer("9" * 100_000),
        lambda: bounded.integer("9" * 3999),
    ):
        with pytest.raises(TooLarge):
            make()
    for wrong in (float("inf"), "seven", None):
        with pytest.raises((OverflowError, ValueError, TypeError)):
            bounded.integer(wrong)


def test_ranges():
    assert (
        bounded.numbers(3) == [0, 1, 2] and bounded.numbers(9, 0, -4) == [9, 5, 1] and len(bounded.numbers(512)) == 512
    )
    for borders in ((513,), (HUGE,), (10**30,), (0, -(10**30), -1)):
        with pytest.raises(TooLarge):
            bounded.numbers(*borders)
    assert (bounded.how_many(2, 9), bounded.how_many(10**30), bounded.how_many(0, 1, 0)) == (7, None, None)


LINES = [
    'x = "a" * 5000000000',
    "x = 5000000000 * b'a'",
    "x = [0] * 5000000000",
    "x = (rank,) * 5000000000",
    "x = 10 ** 10 ** 10",
    "x = 1 << 10 ** 12",
    "x = (rank + 1) << 10 ** 12",
    "x = (rank + 2) ** 10 ** 10",
    "x = [rank] * 5000000000",
    "x = range(10 ** 30)\nfor i in range(0, 99999999999999999999999999, 1):\n    x = i",
    "for i in range(10 ** 30):\n    x = i",
    "x = list(range(rank, rank + 10 ** 12))",
    "x = '%1000000000d' % 1",
    "x = '%.1000000000f' % rank",
    "x = '%*d' % (1000000000, rank)",
    "x = f'{rank:>1000000000}' + f'{1:>1000000000}' + '{:>1000000000}'.format(1) + format(1, '>1000000000')",
    "x = 'a'.ljust(10 ** 12) + 'a'.rjust(10 ** 12).center(10 ** 12).zfill(10 ** 12).expandtabs(10 ** 12)",
    "x = ('a' * 3000).replace('a', 'b' * 3000).join(['c' * 3000] * 3000)",
    "x = 'a' * 1000\n" + "x = x + x\n" * 40,
    "x = 'a' * 1000\n" + "x = f'{x}{x}'\n" * 40,
    "x = 'a' * 1000\n" + "x = '{}{}'.format(x, x)\n" * 40,
    "x = 'a' * 1000\n" + "x = '%s%s' % (x, x)\n" * 40,
    "x = 'a' * 1000\n" + "x += x\n" * 40,
    "x = [rank, 1]\n" + "x = x + x\n" * 40,
    "x = [rank, 1]\n" + "x = [*x, *x]\n" * 40,
    "x = [rank, 1]\n" + "x.extend(x)\n" * 40,
    "x = {'a': rank}\n" + "x = {1: x, 2: x}\n" * 40,
    "x = rank\n" + "x = [x, x]\n" * 40,
    "x = rank\n" + "x = (x, x)\n" * 40,
    "x = rank\n" + "x = x + x * x\n" * 40,
    "x = 3\n" + "x = x * x\n" * 40,
    "x = [[[rank + i + j + k for i in range(512)] for j in range(512)] for k in range(512)]",
    "x = bytes(10 ** 12) + bytearray(10 ** 12)",
    "x = int('9' * 100000) + 0x" + "f" * 50_000 + "\nx = str(0x" + "f" * 50_000 + ")",
    "x = f'{0x" + "f" * 50_000 + "}' + '%d' % 0x" + "f" * 50_000,
    "x = torch.device('cuda:" + "9" * 5000 + "')",
]


@pytest.mark.skipif(sys.platform != "linux", reason="only there a limit of the memory is kept")
def test_no_line_of_a_program_takes_the_memory(tmp_path: Path):
    """Each line stands before a collective, decides what ranks do, and is told as the peer of a message."""
    project = tmp_path / "project"
    project.mkdir()
    head = "import torch\nimport torch.distributed as dist\n\ndist.init_process_group('gloo')\nrank = dist.get_rank()\n"
    tail = "if x == rank or x in (rank, 1) or rank in x:\n    dist.barrier()\n"
    tail += "dist.send(torch.ones(1), dst=x)\ndist.recv(torch.ones(1), src=x)\n"
    tail += "group = dist.new_group(x)\ndist.broadcast(torch.ones(1), src=x, group=group)\n"
    for number, line in enumerate(LINES):
        (project / f"line_{number:02}.py").write_text(f"{head}{line}\n{tail}")
    program = (
        "import resource, sys\n"
        "resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))\n"
        "from ddl_lint.__main__ import main\n"
        "sys.argv = 'ddl-lint check . --no-cache --jobs 1 --preview --pedantic --output-format concise'.split()\n"
        "sys.exit(main())\n"
    )
    found = subprocess.run(
        [sys.executable, "-c", program], cwd=project, env=dict(os.environ), capture_output=True, text=True, check=False
    )
    assert found.stderr == ""
    assert "DDL002" not in found.stdout and "DDL001" not in found.stdout, found.stdout
    assert found.returncode in (0, 1)


def test_the_signs_are_those_of_python():
    for sign, function in (("+", operator.add), ("*", operator.mul), ("%", operator.mod), ("//", operator.floordiv)):
        for left in range(-5, 6):
            for right in (-3, -1, 1, 2, 7):
                assert compute(sign, left, right) == function(left, right)

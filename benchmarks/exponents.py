"""How the work of a check grows with each thing that a project may have many of: the exponent of a power of it.

Work is counted in calls, of Python and of native functions, so that no clock and no load has a part in it; CPU seconds
stand beside. `python -m benchmarks.exponents` shows all dimensions; `tests/benchmarks/test_growth.py` holds small ones.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import NamedTuple

from benchmarks.tables import exponent, figure, table
from ddl_lint.check.engine import check_project
from ddl_lint.check.report import Report
from ddl_lint.project import config, project_context
from ddl_lint.project.config import Settings
from ddl_lint.project.discover import discover
from ddl_lint.registry.rules import Rule, load_rules
from ddl_lint.syntax import in_deep_stack

Project = Mapping[str, str]
"""The files of a project, by name."""

HEAD = "import torch\nimport torch.distributed as dist\n\n"
BEGIN = HEAD + 'dist.init_process_group("nccl")\n'
USUAL = (25, 50, 100)
LARGE = (100, 200, 400)


class Dimension(NamedTuple):
    """Something that a project may have many of."""

    name: str
    made: Callable[[int], Project]
    sizes: Sequence[int] = USUAL
    large: Sequence[int] = LARGE


class Measured(NamedTuple):
    """The work of one check."""

    size: int
    calls: int
    seconds: float


# --- the projects -----------------------------------------------------------------------------------------------------


def _lines(line: str, count: int) -> str:
    return "".join(line.format(n=n, next=n + 1) for n in range(count))


def _script(body: str) -> Project:
    return {"train.py": BEGIN + body}


def _nested(opening: str, count: int, inner: str) -> str:
    """A block inside a block; more than Python takes stand beside each other."""
    text = ""
    for start in range(0, count, 20):
        depth = min(20, count - start)
        text += "".join("    " * level + opening.format(n=start + level) + "\n" for level in range(depth))
        text += "    " * depth + inner + "\n"
    return text


def _dimensions() -> Iterator[Dimension]:
    yield Dimension("lines", lambda n: _script(_lines("x{n} = torch.zeros({n}).cuda()\n", n)))
    yield Dimension("collectives", lambda n: _script("t = torch.ones(1)\n" + "dist.all_reduce(t)\n" * n))
    yield Dimension("faults", lambda n: _script("if dist.get_rank() == 0:\n    dist.barrier()\n" * n))
    yield Dimension(
        "functions", lambda n: _script(_lines("def f{n}(x):\n    dist.barrier()\n    return x + {n}\n\nf{n}(1)\n", n))
    )
    yield Dimension(
        "a chain of calls",
        lambda n: _script(
            _lines("def f{n}(x):\n    return f{next}(x)\n\n", n) + f"def f{n}(x):\n    dist.barrier()\n\nf0(1)\n"
        ),
    )
    yield Dimension(
        "functions that call two others",
        lambda n: _script(
            _lines("def f{n}(x):\n    f{next}(x)\n    return f{next}(x)\n\n", n)
            + f"def f{n}(x):\n    dist.barrier()\n\nf0(1)\n"
        ),
    )
    yield Dimension("calls of one function", lambda n: _script("def f(x):\n    dist.barrier()\n" + "f(1)\n" * n))
    yield Dimension(
        "functions that nobody calls",
        lambda n: _script(_lines("def f{n}(x):\n    y = torch.zeros(x)\n    dist.all_reduce(y)\n    return y\n\n", n)),
    )
    yield Dimension("nested calls", lambda n: _script("x = " + "str(" * n + "1" + ")" * n + "\n"))
    yield Dimension("nested brackets", lambda n: _script("x = " + "[" * n + "1" + "]" * n + "\n"), large=(40, 80, 160))
    yield Dimension("nested conditions", lambda n: _script(_nested("if a{n}:", n, "dist.barrier()")))
    yield Dimension("nested loops", lambda n: _script(_nested("for a{n} in b{n}:", n, "dist.barrier()")))
    yield Dimension("nested functions", lambda n: _script(_nested("def f{n}():", n, "dist.barrier()")))
    yield Dimension("nested handlers", lambda n: _script(_nested("with a{n}:", n, "dist.barrier()")))
    yield Dimension("terms", lambda n: _script("x = a" + _lines(" + b{n}", n) + "\n"))
    yield Dimension("a chain of attributes", lambda n: _script("x = a" + _lines(".b{n}()", n) + "\n"))
    yield Dimension(
        "conditions",
        lambda n: _script(_lines("if a{n} > 1:\n    x{n} = 1\nelse:\n    x{n} = 2\n", n) + "dist.barrier()\n"),
    )
    yield Dimension(
        "alternatives of a value",
        lambda n: _script("x = 0\n" + _lines("if a{n}:\n    x = {n}\n", n) + "dist.broadcast(t, x)\n"),
    )
    yield Dimension(
        "alternatives that are used",
        lambda n: _script("x = 0\n" + _lines("if a{n}:\n    x = {n}\ndist.broadcast(t, x)\n", n)),
    )
    yield Dimension(
        "branches",
        lambda n: _script("if a:\n    x = 0\n" + _lines("elif a == {n}:\n    x = {n}\n", n) + "dist.broadcast(t, x)\n"),
    )
    yield Dimension("cases", lambda n: _script("match a:\n" + _lines("    case {n}:\n        x = {n}\n", n)))
    yield Dimension(
        "items of a with",
        lambda n: _script("with " + ", ".join(f"a() as b{k}" for k in range(n)) + ":\n    dist.barrier()\n"),
    )
    yield Dimension(
        "arms of a try",
        lambda n: _script("try:\n    dist.barrier()\n" + _lines("except A{n}:\n    x = {n}\n", n)),
    )
    yield Dimension("alternatives of a condition", lambda n: _script("x = a" + _lines(" or b{n}", n) + "\n"))
    yield Dimension("decorators", lambda n: _script(_lines("@a{n}\n", n) + "def f():\n    dist.barrier()\n\nf()\n"))
    yield Dimension("clauses of a comprehension", lambda n: _script("x = [a" + _lines(" for b{n} in c{n}", n) + "]\n"))
    yield Dimension("targets", lambda n: _script(_lines("a{n} = ", n) + "b\n"))
    yield Dimension(
        "parts of a pattern",
        lambda n: _script("match a:\n    case [*b, " + _lines("c{n}, ", n) + "]:\n        dist.barrier()\n"),
    )
    yield Dimension(
        "guards of ranks",
        lambda n: _script(_lines("if dist.get_rank() == {n}:\n    print({n})\n", n) + "dist.barrier()\n"),
    )
    yield Dimension(
        "ways out",
        lambda n: _script(
            "def f(x):\n" + _lines("    if x == {n}:\n        return {n}\n", n) + "    dist.barrier()\n\nf(a)\n"
        ),
    )
    yield Dimension(
        "ways out of ranks",
        lambda n: _script(
            "def f(x):\n"
            + _lines("    if dist.get_rank() == x + {n}:\n        return {n}\n    dist.barrier()\n", n)
            + "\nf(a)\n"
        ),
    )
    yield Dimension("loops", lambda n: _script(_lines("for x in a{n}:\n    dist.barrier()\n", n)))
    yield Dimension("handlers", lambda n: _script(_lines("try:\n    dist.barrier()\nexcept A{n}:\n    pass\n", n)))
    yield Dimension(
        "methods",
        lambda n: _script(
            "class A:\n"
            + _lines("    def f{n}(self):\n        self.x{n} = {n}\n        dist.barrier()\n", n)
            + "\na = A()\n"
            + _lines("a.f{n}()\n", n)
        ),
    )
    yield Dimension(
        "classes",
        lambda n: _script(
            _lines("class A{n}(torch.nn.Module):\n    def forward(self, x):\n        return x\n\nm{n} = A{n}()\n", n)
        ),
    )
    yield Dimension(
        "bases",
        lambda n: _script("class A0:\n    pass\n" + _lines("class A{next}(A{n}):\n    pass\n", n) + f"A{n}().f()\n"),
    )
    yield Dimension(
        "entries of a list", lambda n: _script("x = [" + _lines("a{n}, ", n) + "]\nfor y in x:\n    dist.barrier()\n")
    )
    yield Dimension(
        "entries of a dict",
        lambda n: _script("x = {{".replace("{{", "{") + _lines("'a{n}': {n}, ", n) + "}\ndist.barrier()\n"),
    )
    yield Dimension(
        "entries that are put in", lambda n: _script("x = {}\n" + _lines("x['a{n}'] = {n}\n", n) + "dist.barrier()\n")
    )
    yield Dimension(
        "entries that are appended", lambda n: _script("x = []\n" + _lines("x.append(a{n})\n", n) + "dist.barrier()\n")
    )
    yield Dimension("a text that grows", lambda n: _script("x = 'a'\n" + "x = x + 'b'\n" * n + "print(x)\n"))
    yield Dimension("a text that doubles", lambda n: _script("x = 'a'\n" + "x = x + x\n" * n + "print(x)\n"))
    yield Dimension("a list that doubles", lambda n: _script("x = [a]\n" + "x = x + x\n" * n + "print(x)\n"))
    yield Dimension("a pair that doubles", lambda n: _script("x = a\n" + "x = (x, x)\n" * n + "print(x)\n"))
    yield Dimension(
        "a sum that doubles",
        lambda n: _script("x = dist.get_rank()\n" + "x = x * x + a\n" * n + "dist.broadcast(t, x)\n"),
    )
    yield Dimension(
        "options of a parser",
        lambda n: _script(
            "import argparse\np = argparse.ArgumentParser()\n"
            + _lines("p.add_argument('--a{n}', type=int, default={n})\n", n)
            + "args = p.parse_args()\n"
            + _lines("print(args.a{n})\n", n)
        ),
    )
    yield Dimension("comments that silence", lambda n: _script("dist.foo()  # ddl-lint: ignore[DDL201]\n" * n))
    yield Dimension("imports", lambda n: _script(_lines("import a{n}\n", n)))
    yield Dimension("cells", lambda n: {"train.ipynb": _notebook(n)})
    # several files
    yield Dimension("scripts", lambda n: {f"train_{k}.py": BEGIN + "dist.barrier()\n" for k in range(n)})
    yield Dimension(
        "modules of a script",
        lambda n: {
            "train.py": BEGIN + _lines("from m{n} import f{n}\nf{n}()\n", n),
            **{f"m{k}.py": HEAD + f"def f{k}():\n    dist.barrier()\n" for k in range(n)},
        },
    )
    yield Dimension(
        "a chain of modules",
        lambda n: {
            "train.py": BEGIN + "from m0 import f0\nf0()\n",
            **{f"m{k}.py": HEAD + f"from m{k + 1} import f{k + 1}\ndef f{k}():\n    f{k + 1}()\n" for k in range(n)},
            f"m{n}.py": HEAD + f"def f{n}():\n    dist.barrier()\n",
        },
    )
    yield Dimension(
        "scripts that share a module",
        lambda n: {
            "shared.py": HEAD + "def f():\n    dist.barrier()\n",
            **{f"train_{k}.py": BEGIN + "from shared import f\nf()\n" for k in range(n)},
        },
    )
    yield Dimension(
        "a ring of modules",
        lambda n: {f"m{k}.py": HEAD + f"import m{(k + 1) % n}\ndef f():\n    dist.barrier()\n" for k in range(n)},
    )
    yield Dimension("folders", lambda n: {f"p{k}/train.py": BEGIN + "dist.barrier()\n" for k in range(n)})
    # launch files
    launched = {"train.py": BEGIN + "dist.barrier()\n"}
    yield Dimension(
        "launch files",
        lambda n: {**launched, **{f"run_{k}.sh": f"torchrun --nproc_per_node={k} train.py\n" for k in range(n)}},
    )
    yield Dimension(
        "launch lines", lambda n: {**launched, "run.sh": _lines("torchrun --nproc_per_node={next} train.py\n", n)}
    )
    yield Dimension(
        "variables of a shell",
        lambda n: {
            **launched,
            "run.sh": "A0=1\n" + _lines("A{next}=$A{n}\n", n) + f"torchrun --nproc_per_node=$A{n} train.py\n",
        },
    )
    yield Dimension(
        "branches of a shell",
        lambda n: {
            **launched,
            "run.sh": _lines("if [ $A = {n} ]; then X={n}; fi\n", n) + "torchrun --nproc_per_node=$X train.py\n",
        },
    )
    yield Dimension(
        "launched scripts",
        lambda n: (
            {f"t{k}.py": BEGIN + "dist.barrier()\n" for k in range(n)}
            | {f"run_{k}.sh": f"torchrun --nproc_per_node=2 t{k}.py\n" for k in range(n)}
        ),
    )
    yield Dimension(
        "options of a launch", lambda n: {**launched, "run.sh": "torchrun train.py" + _lines(" --a{n}={n}", n) + "\n"}
    )
    yield Dimension(
        "requirements", lambda n: {**launched, "requirements.txt": "torch==2.0\n" + _lines("package{n}==1.0\n", n)}
    )
    yield Dimension("manifests", lambda n: {**launched, **{f"job_{k}.yaml": _manifest(1) for k in range(n)}})
    yield Dimension("containers of a manifest", lambda n: {**launched, "job.yaml": _manifest(n)})
    yield Dimension(
        "entries of a configuration",
        lambda n: {**launched, "ds_config.json": "{" + _lines('"a{n}": {n}, ', n) + '"train_batch_size": 8}'},
    )
    yield Dimension(
        "targets of a Makefile",
        lambda n: {**launched, "Makefile": _lines("a{n}:\n\ttorchrun --nproc_per_node=2 train.py\n", n)},
    )


def _notebook(count: int) -> str:
    import json

    cells = [
        {"cell_type": "code", "id": f"c{n}", "metadata": {}, "source": f"{BEGIN if not n else ''}dist.barrier()\n"}
        for n in range(count)
    ]
    return json.dumps(
        {"nbformat": 4, "nbformat_minor": 5, "metadata": {"language_info": {"name": "python"}}, "cells": cells}
    )


def _manifest(count: int) -> str:
    container = "        - name: a{n}\n          command: [torchrun, --nproc_per_node=2, train.py]\n"
    return "apiVersion: batch/v1\nkind: Job\nspec:\n  template:\n    spec:\n      containers:\n" + _lines(
        container, count
    )


DIMENSIONS = tuple(_dimensions())


# --- counting ---------------------------------------------------------------------------------------------------------


def counted(project: Project, rules: Sequence[Rule]) -> tuple[int, float, Report]:
    """The calls and CPU seconds of a check, in that order of two checks, and its report."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        for path, text in {"ddl-lint.toml": "", **project}.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text)
        return in_deep_stack(_counted, folder, rules)


def _counted(folder: Path, rules: Sequence[Rule]) -> tuple[int, float, Report]:
    calls = 0

    def count(frame: FrameType, event: str, _: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    def check() -> Report:
        config.forget()
        project_context.forget()
        settings = Settings()
        return check_project(discover([folder], lambda _: settings).files, lambda _: settings, rules)

    begun = time.thread_time()
    report = check()
    seconds = time.thread_time() - begun
    before = sys.getprofile()
    sys.setprofile(count)
    try:
        report = check()
    finally:
        sys.setprofile(before)
    return calls, seconds, report


def growth(dimension: Dimension, sizes: Sequence[int], rules: Sequence[Rule]) -> list[Measured]:
    """The work of checks of projects of these sizes, without that of an almost empty one."""
    base, start, _ = counted(_script(""), rules)
    measured: list[Measured] = []
    for size in sizes:
        calls, seconds, _ = counted(dimension.made(size), rules)
        measured.append(Measured(size, max(calls - base, 1), max(seconds - start, 1e-4)))
    return measured


def exponent_of(measured: Sequence[Measured]) -> float:
    """The power of the size with which the calls grow."""
    return exponent((each.size, each.calls) for each in measured)


def main() -> None:
    """Show all dimensions, the fastest growth first."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="dimensions whose names have this in them")
    parser.add_argument("--small", action="store_true", help="the sizes of the test")
    options = parser.parse_args()
    rules = load_rules()
    rows: list[tuple[float, tuple[str, ...]]] = []
    for dimension in DIMENSIONS:
        if options.only in dimension.name:
            measured = growth(dimension, dimension.sizes if options.small else dimension.large, rules)
            power = exponent_of(measured)
            by_time = exponent((each.size, each.seconds) for each in measured)
            last = measured[-1]
            row = (
                dimension.name,
                f"{last.size}",
                f"{last.calls:,}",
                f"{power:.2f}",
                figure(last.seconds),
                f"{by_time:.2f}",
            )
            print(*row, sep=" | ", file=sys.stderr, flush=True)
            rows.append((power, row))
    rows.sort(reverse=True)
    head = ("many", "size", "calls", "power", "CPU s", "power of the time")
    print(table(head, [row for _, row in rows]))


if __name__ == "__main__":
    main()

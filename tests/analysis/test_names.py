"""Names across files: which module an import means, and what its names are worth."""

from __future__ import annotations

import pytest

from ddl_lint.analysis.values.tags import RANK_TAGS, tags_of
from ddl_lint.program.values import Const, Items, ModuleRef, Rank, Symbol, Unknown

FIVE = "V = 5\n"


@pytest.mark.parametrize(
    ("program", "files"),
    [
        ("from a import V as x", {"a.py": FIVE}),
        ("import a as b\nx = b.V", {"a.py": FIVE}),
        ("import a.b.c\nx = a.b.c.V", {"a/b/c.py": FIVE}),
        ("from a import b\nx = b.V", {"a/b.py": FIVE}),
        ("from a import W as x", {"a/__init__.py": "from .b import V as W", "a/b.py": FIVE}),
        ("from a import *\nx = V", {"a/__init__.py": "from .b import *", "a/b.py": FIVE}),
        (
            "from a.b.c import V as x",
            {"a/b/c.py": "from ..d import V", "a/d.py": "from ...a import e\nV = e.V", "a/e.py": FIVE},
        ),
        ("from p.m import V as x", {"src/p/__init__.py": "", "src/p/m.py": "from p.n import V", "src/p/n.py": FIVE}),
        ("import sys\nsys.path.append('lib')\nfrom tools.a import V as x", {"lib/tools/a.py": FIVE}),
        ("from tools.a import V as x", {"other/z/tools/a.py": "V = 6", "lib/tools/a.py": FIVE}),
        (
            "from q import g\nx = g()",
            {"p.py": "from q import W\nV = 5", "q.py": "import p\nW = 6\ndef g(): return p.V"},
        ),
        (
            "from p import f\nx = f()",
            {"p.py": "from q import W\nV = 5\ndef f(): return W - 1", "q.py": "import p\nW = 6"},
        ),
        ("def f():\n    from a import V\n    return V\nx = f()", {"a.py": FIVE}),
        ("try:\n    import a\nexcept ImportError:\n    a = None\nx = a.V", {"a.py": FIVE}),
        ("import a\na.V = 5\nx = a.f()", {"a.py": "V = 6\ndef f(): return V"}),
        ("import a\na.set_v(5)\nx = a.V", {"a.py": "V = 6\ndef set_v(v):\n    global V\n    V = v"}),
        ("import importlib\nfrom a import V as x", {"a.py": "if True:\n    V = 5\nelse:\n    V = 6"}),
    ],
)
def test_a_name_is_found_through(value_of, program: str, files: dict[str, str]) -> None:
    assert value_of(program, files) == Const(5)


def test_private_names_stay_out_of_a_star_import(value_of) -> None:
    assert isinstance(value_of("from a import *\nx = _V", {"a.py": "_V = 5"}), Unknown)


def test_names_of_libraries(value_of) -> None:
    assert value_of("import numpy as np\nx = np.random.rand") == Symbol("numpy.random.rand")
    assert value_of("from torch import *\nx = save") == Symbol("torch.save")
    assert value_of("import os.path\nx = os.path.join") == Symbol("os.path.join")


def test_a_project_file_does_not_hide_the_standard_library(value_of) -> None:
    assert value_of("import logging\nx = logging", {"logging.py": FIVE}) == Symbol("logging")
    assert value_of("from sched import V as x", {"sched.py": "V = 5"}) == Const(5)
    assert value_of("import pkg.main\nx = pkg.main.V", {"pkg/__init__.py": "", "pkg/sched.py": "V = 5",
        "pkg/main.py": "from sched import V"}) == Symbol("sched.V")  # fmt: skip
    assert value_of("from pkg import logging as x", {"pkg/logging.py": FIVE}) == ModuleRef("pkg.logging")


def test_a_framework_is_not_sought_in_the_project(value_of) -> None:
    assert value_of("import torch.distributed as x", {"vendor/torch/distributed.py": FIVE}) == Symbol(
        "torch.distributed"
    )


@pytest.mark.parametrize("name", ["local_rank", "rank"])
def test_what_is_not_shown_is_worth_what_its_name_says(value_of, name: str) -> None:
    scope = "local" if name == "local_rank" else "global"
    assert value_of(f"from unseen import helper\n{name} = helper()\nx = {name}") == Rank(scope)


@pytest.mark.parametrize(
    ("expression", "is_rank"), [("comm.rank", True), ("comm.rank(x)", False), ("comm.depth", False)]
)
def test_a_rank_of_a_library_is_read_and_not_computed(value_of, expression: str, is_rank: bool) -> None:
    found = value_of(f"import somewhere.comm as comm\nx = 4\nx = {expression}")
    assert bool(tags_of(found) & RANK_TAGS) is is_rank


def test_scopes(value_of) -> None:
    program = """
    a = b = c = 0
    def outer():
        a = 1
        def inner():
            nonlocal a
            global b
            a = 2
            b = 3
            c = 4
        inner()
        return a
    x = outer(), b, c
    """
    assert value_of(program) == Items("tuple", (Const(2), Const(3), Const(0)))

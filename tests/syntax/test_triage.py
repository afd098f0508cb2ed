"""Telling from bytes which files can matter."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from cases import cases_in
from ddl_lint.frameworks.compile import load_index
from ddl_lint.registry.rules import rule_packages
from ddl_lint.storage import user_storage
from ddl_lint.syntax import Import, Triage, imports

TRIAGE = Triage(["torch", "horovod"])


@pytest.mark.parametrize(
    "data",
    [
        b"import torch\n",
        b"x = 1\r\n    from torch.nn import Linear\r\n",
        b"import os\rimport torch\r",
        b"import os, horovod.torch as hvd\n",
        b"import os; import torch\n",
        b"try: import torch\nexcept: pass\n",
        b"\xef\xbb\xbfimport torch\n",
        b'  "source": ["import torch\\n", "x"]',
        b'  "source": "x\\nimport torch"',
        b'  "source": "x\\n    from torch import nn"',
    ],
)
def test_imports_matter(data: bytes) -> None:
    assert TRIAGE.can_matter(data)


@pytest.mark.parametrize(
    "data",
    [b"", b"x = 1\n", b"# needs torch\n", b"import torchvision\n", b"import mytorch\n", b"from .torch import x\n"],
)
def test_the_rest_does_not(data: bytes) -> None:
    assert not TRIAGE.can_matter(data)


@pytest.mark.parametrize(
    ("line", "modules"),
    [
        (b"from common.layers import *", {"common.layers"}),
        (b"    from .layers import *", {".layers"}),
        (b"from . import *", {"."}),
        (b"from common import dist, torch", {"common"}),
        (b"from .common import torch as t", {".common"}),
        (b"from common import torchvision", set()),
        (b"from common import dist  # not torch", set()),
        (b"x = 'from common import *'", set()),
    ],
)
def test_who_may_hand_a_package_on(line: bytes, modules: set[str]) -> None:
    assert TRIAGE.handed_on(b"import os\n" + line + b"\n") == modules


def test_no_packages() -> None:
    assert not Triage([]).can_matter(b"import torch\n")


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"import os.path as p, torch\n", [Import(0, "os.path"), Import(0, "torch")]),
        (b"  from horovod.torch import x as y, z # all\n", [Import(0, "horovod.torch", ("x", "z"))]),
        (b"from . import y\nfrom ..a.b import *", [Import(1, "", ("y",)), Import(2, "a.b", ("*",))]),
        (b"from a import (  # why\n    b,  # c\n    d as e,\n)\n", [Import(0, "a", ("b", "d"))]),
        (b"from a import b, \\\n    c\nx = d\n", [Import(0, "a", ("b", "c"))]),
        (b"try: import a; import b\r\n", [Import(0, "a"), Import(0, "b")]),
        (b"lazy from a import b\nlazy import c\n", [Import(0, "a", ("b",)), Import(0, "c")]),
        (
            b'["from a import (\\n",\n "    b,\\n",\n "    c)\\n",\n "import d\\n"]',
            [Import(0, "a", ("b", "c")), Import(0, "d")],
        ),
        (b'"source": "import a\\nfrom b import c\\nx = 1"', [Import(0, "a"), Import(0, "b", ("c",))]),
        (b"important = reimport(1)\nfrom_ = 3\n# import this", []),
        (b"from x import", [Import(0, "x")]),
    ],
)
def test_what_import_lines_bring_in(data: bytes, found: list[Import]) -> None:
    assert list(imports(data)) == found


_ROOT = Path(__file__).parents[2]
_PROGRAMS = {
    **{
        str(path): path.read_bytes()
        for pattern in ("rules/ddl_lint_rules/*/*/*/**/*.py", "tests/rules/**/*.py", "tests/witness/**/*.py")
        for path in _ROOT.glob(pattern)
    },
    **{
        f"{path}:{program.name}": text.encode()
        for folder in ("tests/rules", "tests/ranks")
        for path in _ROOT.glob(f"{folder}/*.md")
        for program in cases_in(path)
        for text in program.texts().values()
    },
}


def test_no_import_of_a_framework_is_overlooked() -> None:
    """Held against Python's own parser; `benchmarks/triage.py` does the same for whole repositories."""
    models = [file for folder in rule_packages().values() for file in (folder / "models").glob("*.yaml")]
    packages = load_index(sorted(models), (), user_storage()).packages
    triage = Triage(packages)
    wrong: list[str] = []
    for name, data in _PROGRAMS.items():
        try:
            tree = ast.parse(data)
        except SyntaxError:
            continue
        named = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
        named |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and not node.level}
        if not triage.can_matter(data) and any(name.partition(".")[0] in packages for name in named):
            wrong.append(name)
    assert len(_PROGRAMS) > 1000
    assert not wrong

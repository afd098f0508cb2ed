"""Names that the top level of a file reads although nothing defines them."""

from __future__ import annotations

from pathlib import Path

import pytest

from ddl_lint.analysis.syntactic.undefined import undefined_names
from ddl_lint.check.programs import find_codebase
from ddl_lint.project.contents import Contents


def _names(tmp_path: Path, text: str) -> dict[str, bool]:
    path = tmp_path / "notes.py"
    path.write_text(text, encoding="utf-8")
    sources, codebase = find_codebase(tmp_path, [path], Contents({}))
    module = codebase.module(sources[path.as_posix()].name)
    assert module is not None
    return {each.name: each.is_sure for each in undefined_names(module)}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("model = Net(width)\n", {"Net": True, "width": True}),
        ("if __name__ == '__main__':\n    main()\n", {"main": True}),
        ("import sys\nif sys.argv[1:]:\n    main()\n", {"main": False}),
        ("with open(path) as file:\n    print(file)\n", {"path": True}),
        ("for x in range(size):\n    use(x)\n", {"size": True, "use": False}),
        ("x = 1 if True else y\n", {"y": False}),
        ("f = lambda: later\n", {}),
        ("def f():\n    return later\n", {}),
        ("def f():\n    global x\n    x = 1\nf()\nprint(x)\n", {}),
        ("try:\n    unicode\nexcept NameError:\n    unicode = str\n", {}),
        ("print([a for a in range(3)], __name__, __file__, max)\n", {}),
        ("if (n := 3) > 2:\n    print(n)\n", {}),
        ("from somewhere import *\nprint(x)\n", {}),
        ("exec(open('defs.py').read())\nprint(x)\n", {}),
        ("globals().update(x=1)\nprint(x)\n", {}),
        ("import a.b\nimport c.d as e\nfrom f import g as h\nprint(a, e, h)\n", {}),
    ],
)
def test_what_nothing_defines(tmp_path: Path, text: str, names: dict[str, bool]):
    assert _names(tmp_path, text) == names

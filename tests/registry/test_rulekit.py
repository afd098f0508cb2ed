"""The one import of a rule: what it lists is there, is typed, and costs nothing until it is asked for."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import FunctionType

import pytest

from ddl_lint import rulekit


def test_every_name_is_there_and_documented():
    for name, module in rulekit._MODULES.items():
        own = import_module(module)
        found = getattr(rulekit, name)
        assert found is getattr(own, name)
        if getattr(found, "__module__", "").startswith("ddl_lint.") and not isinstance(found, rulekit.Const):
            assert found.__doc__, f"{module}.{name} says nothing of itself"


def test_what_edits_programs_is_imported_when_it_is_called():
    code = (
        "import sys\nfrom ddl_lint.rulekit import as_lines, lines_of, word\n"
        "print('ddl_lint.fixes.python.layout' in sys.modules)\nprint(as_lines.__name__)\n"
        "try:\n    as_lines()\nexcept TypeError:\n    print('ddl_lint.fixes.python.layout' in sys.modules)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert result.stdout.split() == ["False", "as_lines", "True"], result.stderr


def test_what_edits_programs_by_a_small_name_is_a_function():
    names = [name for name, module in rulekit._MODULES.items() if module.startswith("ddl_lint.fixes.")]
    small = [name for name in names if name.islower()]
    assert small
    assert all(isinstance(getattr(import_module(rulekit._MODULES[name]), name), FunctionType) for name in small)


def test_a_name_means_one_thing():
    names = [name for names in rulekit.NAMES.values() for name in names]
    assert len(names) == len(set(names))


def test_what_type_checkers_see_is_what_is_imported():
    [block] = [node for node in ast.parse(_source()).body if isinstance(node, ast.If)]
    seen = {
        (node.module, alias.name, alias.asname)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert seen == {(module, name, name) for module, names in rulekit.NAMES.items() for name in names}


def test_it_can_be_listed():
    assert {"Finding", "RunView", "match", "API_VERSION"} <= {*dir(rulekit), "match"}


def test_a_name_that_is_not_there():
    with pytest.raises(ImportError, match="cannot import name 'Findling'"):
        exec("from ddl_lint.rulekit import Findling")


def test_one_name_imports_no_other():
    code = (
        "import sys\nfrom ddl_lint.rulekit import Finding\n"
        "print(sorted(name for name in sys.modules if name.startswith('ddl_lint.')))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    needed = ["ddl_lint.claim", "ddl_lint.finding", "ddl_lint.rulekit", "ddl_lint.source"]
    own = ("ddl_lint.source.", "ddl_lint._version")  # the version is that of the package itself
    assert [name for name in ast.literal_eval(result.stdout) if not name.startswith(own)] == needed


def _source() -> str:
    return Path(str(rulekit.__file__)).read_text(encoding="utf-8")

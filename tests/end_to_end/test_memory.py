"""What needs too much memory is given up by itself, and told; a project that doubles what it holds does not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ddl_lint.analysis.interpreter.interpreter import Interpreter

pytestmark = pytest.mark.slow

FAULTY = "import torch.distributed as dist\n\ndist.barrier()\n"

HOLDS = {
    "a text": ("x = 'ab'\n", "x = x + x\n"),
    "a product": ("x = 'ab' * 10**9\ny = [0] * 10**9\nz = 2 ** 10**9\n", "x = x * 1000\n"),
    "a list": ("x = [1]\n", "x = x + x\n"),
    "a pair": ("x = 1\n", "x = (x, x)\n"),
    "a dict": ("x = {}\n", "x = {**x, 'a': x, 'b': x}\n"),
    "a format": ("x = '{0}{0}'\n", "x = x.format(x)\n"),
    "a width": ("x = f'{1:>1000000000}'\ny = '%1000000000d' % 1\n", "x = x.ljust(10**9)\n"),
    "a number": ("x = 10\n", "x = x ** 10\n"),
    "a path": ("import os\nx = 'a'\n", "x = os.path.join(x, x)\n"),
    "a closure": ("f = lambda x: x\n", "f = (lambda g: lambda x: g(g(x)))(f)\n"),
    "branches": ("x = a\n", "if b:\n    x = [x, 1]\nelse:\n    x = (x, 2)\n"),
}


@pytest.mark.parametrize("what", HOLDS)
def test_what_doubles_again_and_again(project, check, what):
    start, again = HOLDS[what]
    project({"train.py": FAULTY + start + again * 60 + "print(x)\nfor y in x:\n    dist.barrier()\n"})
    result = check()
    assert ("train.py", "DDL201") in result.found
    assert all(code != "DDL002" for _, code in result.found)


def test_one_file_is_given_up_and_the_others_are_checked(project, check, monkeypatch):
    project({"huge.py": FAULTY, "train.py": FAULTY, "ddl-lint.toml": ""})
    really = Interpreter.run_script

    def run(self, module, *rest):
        if module.path.endswith("huge.py"):
            bytearray(1 << 60)
        return really(self, module, *rest)

    monkeypatch.setattr(Interpreter, "run_script", run)
    result = check("--no-cache")
    assert ("train.py", "DDL201") in result.found
    (told,) = [each["message"] for each in result.diagnostics if each["code"] == "DDL002"]
    assert "it needs more memory than" in told


@pytest.mark.skipif(sys.platform == "win32", reason="has no such limit")
def test_processes_have_a_limit_and_keep_a_lower_one():
    program = """
import resource
from ddl_lint.memory_limit import limit_memory, memory_limit
limit_memory()
assert memory_limit()
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, resource.getrlimit(resource.RLIMIT_AS)[1]))
limit_memory()
print(memory_limit())
"""
    out = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=Path(__file__).parent)
    assert out.stdout == "1,024 MB\n", out.stderr

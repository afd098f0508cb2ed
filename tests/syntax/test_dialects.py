"""Faults that are another language are one fault."""

from __future__ import annotations

import pytest

from ddl_lint.source import Document
from ddl_lint.syntax.dialects import told_once
from ddl_lint.syntax.parse import parse


def _messages(text: str) -> list[str]:
    return [fault.message for fault in told_once(text, parse(Document("old.py", text)).errors)]


@pytest.mark.parametrize(
    "line",
    [
        "print 'loss', loss",
        "print loss",
        "print >>log, loss",
        "exec 'import torch'",
        "raise ValueError, 'rank'",
        "pairs = map(lambda (key, value): value, items)",
        "mode = 0777",
        "if rank <> 0: pass",
        "name = ur'rank'",
    ],
)
def test_python_2_is_told_once(line: str) -> None:
    assert _messages(f"import torch\n{line}\nprint 'first'\nprint 'second'\n") == [
        "this is Python 2 code, which Python 3 cannot run; the file is checked only in part"
    ]


@pytest.mark.parametrize("line", ["loss = (1, 2", "def loss(x)", "print('loss' 2)", "total = 5 5", "path = <>"])
def test_other_faults_stay(line: str) -> None:
    assert not any("Python 2" in message for message in _messages(f"import torch\n{line}\n"))
    assert len(_messages(f"import torch\n{line}\n")) == 1


@pytest.mark.parametrize("line", ["!pip install torch", "%timeit step()", "%matplotlib inline", "  %%bash"])
def test_commands_of_notebooks_are_told_once(line: str) -> None:
    text = f"import torch\n{line}\nx = 1\n{line}\n"
    assert _messages(text)[0].startswith("this is a command of a notebook")
    assert sum("notebook" in message for message in _messages(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "import torch\n<<<<<<< HEAD\nclass Left:\n=======\nclass Right:\n>>>>>>> theirs\n    rank = 0\n",
        "<<<<<<<< HEAD:a.py\ndef left(x,\n========\ndef right(x,\n>>>>>>>> 1c98:b.py\n      y):\n    return x\n",
        "try:\n    x = 1\n<<<<<<< HEAD\n    y = 1\n||||||| base\n=======\n    z = )\n>>>>>>> theirs\nfinally:\n    x\n",
    ],
)
def test_a_merge_that_was_not_finished_is_told_once(text: str) -> None:
    assert _messages(text) == ["a merge conflict is left here; the file is checked only in part"]


def test_what_only_looks_like_a_marker_is_none() -> None:
    assert not any("merge" in message for message in _messages("x = 1\n=======x\ny <<<<<<< HEAD\n"))

"""Shell scripts without the grammar of the shell."""

from __future__ import annotations

import pytest

from ddl_lint.jobs import shell
from ddl_lint.jobs.excerpt import Excerpt
from ddl_lint.jobs.words import Command


@pytest.fixture(autouse=True)
def _no_grammar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shell, "_parser", lambda: None)


def commands(text: str) -> tuple[Command, ...]:
    return shell.read_shell(Excerpt("/run.sh", text)).commands


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("torchrun --nnodes=2 train.py  # both", ["torchrun", "--nnodes=2", "train.py"]),
        ("torchrun --nnodes 2 \\\n  train.py\n", ["torchrun", "--nnodes", "2", "train.py"]),
        ("N=4\ntorchrun --n=$N train.py", ["torchrun", "--n=4", "train.py"]),
        ('torchrun --n "${N}" train.py', ["torchrun", "--n", None, "train.py"]),
        ('cd here && python "train.py"', ["python", "train.py"]),
        ("torchrun $(pwd)/train.py", ["torchrun", None]),
    ],
)
def test_words(text: str, expected: list[str | None]) -> None:
    assert [word.value for word in commands(text)[-1].words] == expected


def test_the_environment_and_places() -> None:
    text = "export A=1\nB=2 torchrun train.py &"
    (command,) = commands(text)
    assert command.in_background
    values = {name: word.value for name in "AB" if (word := command.environment(name)) is not None}
    assert values == {"A": "1", "B": "2"}
    assert text[command.location.start : command.location.end] == "torchrun train.py"


def test_broken_scripts_give_what_can_be_read() -> None:
    assert [each.name for each in commands("echo 'open\ntorchrun train.py")][:1] == ["echo"]
    assert shell.shell_faults("if") == 0

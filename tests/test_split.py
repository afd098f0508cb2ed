"""Each test runs in exactly one of `make test`, `make test-slow`, `make test-nightly` and `make test-ray`."""

from __future__ import annotations

import itertools
import re
import shlex
from pathlib import Path

import pytest
from _pytest.mark.expression import Expression

ROOT = Path(__file__).parents[1]
MARKERS = ("slow", "nightly", "ray")
"""Those that say where a test runs. The others name what it needs; without that it is skipped."""


def _expression(words: list[str]) -> str:
    """The last `-m` of a command line, which is the one that counts."""
    return [after for option, after in itertools.pairwise(words) if option == "-m"][-1]


@pytest.fixture
def selected(request: pytest.FixtureRequest) -> dict[str, Expression]:
    """Which tests a target of make runs."""
    usual = _expression(request.config.getini("addopts"))
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    found: dict[str, Expression] = {}
    for target in ("test", "test-slow", "test-nightly", "test-ray"):
        recipe = re.search(rf"^{target}: .*\n((?:\t.*\n)+)", makefile, re.MULTILINE)
        assert recipe is not None
        (command,) = re.findall(r" -m pytest(.*)$", recipe[1], re.MULTILINE)
        found[target] = Expression.compile(_expression(["-m", usual, *shlex.split(command)]))
    return found


@pytest.mark.parametrize("marks", [each for n in range(4) for each in itertools.combinations(MARKERS, n)], ids=str)
def test_whatever_its_marks_a_test_runs_in_one_target(selected: dict[str, Expression], marks: tuple[str, ...]) -> None:
    runs_in = [target for target, expression in selected.items() if expression.evaluate(marks.__contains__)]
    assert len(runs_in) == 1, runs_in


def test_continuous_integration_runs_both_halves() -> None:
    for path in (".ci/run", ".github/workflows/ci.yml"):
        text = (ROOT / path).read_text(encoding="utf-8")
        assert {"test", "test-slow"} <= set(re.findall(r"\bmake ([\w-]+)$", text, re.MULTILINE)), path


def test_no_test_of_a_rule_is_slow() -> None:
    """Who changes a rule sees by `make test` what it says of its programs."""
    slow = [path for path in (ROOT / "tests" / "rules").glob("*.py") if "mark.slow" in path.read_text(encoding="utf-8")]
    assert not slow

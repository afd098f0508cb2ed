"""A crash in the code of a rule is told with its place there, and the checked file is not blamed."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from ddl_lint.analysis.interpreter.project.codebase import Codebase
from ddl_lint.analysis.view import ProjectContext, RunView
from ddl_lint.crash import contained, show_tracebacks, with_place
from ddl_lint.finding import RuleFinding
from ddl_lint.program.trace import Run
from ddl_lint.source.span import Location
from shipped import shipped_index

CHECK = """\
def check(run):
    for event in run.events("colective"):
        yield event


def asks(values):
    return values["rank"]
"""


@pytest.fixture
def check(tmp_path: Path) -> ModuleType:
    folder = tmp_path / "acme_rules" / "training" / "lost_rank"
    folder.mkdir(parents=True)
    (folder / "rule.yaml").touch()
    (folder / "check.py").write_text(CHECK)
    spec = importlib.util.spec_from_file_location("lost_rank_check", folder / "check.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def crashed(check: ModuleType) -> str:
    crashes: list[RuleFinding] = []
    with contained(crashes, "the rule `lost-rank`", Location("/p/train.py", 0, 0)):
        check.asks({})
    (crash,) = crashes
    return crash.finding.message


def test_it_says_where_in_the_rule(check: ModuleType) -> None:
    place = "acme_rules/training/lost_rank/check.py:7"
    assert crashed(check) == f"the rule `lost-rank` failed at {place}, not because of this file: KeyError: 'rank'"


def test_so_does_what_fails_below_it(check: ModuleType) -> None:
    """An error that the engine raises is told by the line of the rule that asked for it."""
    codebase = Codebase([], lambda _: None)
    view = RunView(Run("script", "train", "/p/train.py"), ProjectContext(shipped_index(), codebase))
    with pytest.raises(LookupError) as caught:
        list(check.check(view))
    assert with_place(caught.value) == (
        "LookupError: unknown event `colective` (did you mean `collective`?) (acme_rules/training/lost_rank/check.py:2)"
    )


@pytest.mark.parametrize("wanted", [False, True])
def test_the_traceback_is_shown_to_who_wants_it(
    check: ModuleType, wanted: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    show_tracebacks(wanted)
    try:
        crashed(check)
    finally:
        show_tracebacks(False)
    assert ('return values["rank"]' in capsys.readouterr().err) is wanted

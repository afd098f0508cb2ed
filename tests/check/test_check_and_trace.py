"""`check` and `trace` are one answer: what a trace shows as certain is what a check finds, in the same words."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from ddl_lint.check.engine import check_project
from ddl_lint.check.project_traces import project_traces
from ddl_lint.check.rank_findings import shows_ranks
from ddl_lint.check.rank_questions import Traced, trace
from ddl_lint.check.traced_line import trace_line
from ddl_lint.finding import Confidence, Severity
from ddl_lint.project.config import Settings
from ddl_lint.registry.rules import Rule, load_rules
from tests.cases import Program, program_at, programs_of_rule

pytestmark = pytest.mark.slow

_SAMPLE = 9
"""Each so-many-th program is tried in the normal run."""

_Told = set[tuple[str, int, str]]


def _programs() -> list[Program]:
    """The programs about each rule of which a trace can show something."""
    found: list[Program] = []
    for rule in filter(shows_ranks, load_rules()):
        for kind in ("flagged", "silent"):
            found += programs_of_rule(rule.name.replace("-", "_"), kind)
        assert rule.folder is not None
        found += map(program_at, (rule.folder / "bad", rule.folder / "good"))
    return found


def _found(paths: Sequence[Path], rules: Sequence[Rule], settings: Settings) -> tuple[_Told, _Told]:
    """What a check reports for sure of the ranks, and what traces of the same files show as certain."""
    report = check_project(paths, lambda _: settings, rules)
    codes = {rule.code for rule in rules if shows_ranks(rule)}
    findings = [each for each in report.findings if each.code in codes]
    checked = {
        (each.location.path, report.documents[each.location.path].position(each.location.start)[0], each.message)
        for each in findings
        if each.confidence is Confidence.HIGH and each.severity is not Severity.INFO
    }
    shown = project_traces(report.programs, findings, report.documents, lambda _: settings, rules)
    traced = {
        (gap.place.path, shown.documents[gap.place.path].position(gap.place.start)[0], gap.message)
        for each in shown.traces
        for gap in each.gaps
        if gap.certain and gap.place is not None
    }
    return checked, traced


def _agree(programs: Sequence[Program], folder: Path) -> None:
    rules, seen = load_rules(), 0
    for number, program in enumerate(programs):
        root = folder / str(number)
        paths = program.write(root)
        (root / "ddl-lint.toml").touch()
        checked, traced = _found(paths, rules, Settings())
        assert traced <= checked, f"{program.sections} {program.name}"
        for path, line, _ in checked - traced:  # a check knows more of the objects whose methods a library calls back
            there = trace_line(Path(path), line, Settings(), rules=rules).traced
            assert there is not None and there.communication.alone, f"{program.sections} {program.name}"
        seen += bool(checked)
    assert seen > len(programs) / 4


def test_a_trace_shows_what_a_check_finds(tmp_path: Path):
    _agree(_programs()[::_SAMPLE], tmp_path)


@pytest.mark.nightly
def test_all_traces_show_what_a_check_finds(tmp_path: Path):
    _agree(_programs(), tmp_path)


_HANG = """\
import torch.distributed as dist


def main():
    dist.init_process_group("gloo")
    if dist.get_rank() == 0:
        dist.barrier(){comment}
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
"""


def _traced(root: Path, name: str = "train.py", comment: str = "", settings: Settings | None = None) -> Traced:
    (root / "ddl-lint.toml").touch()
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text(_HANG.format(comment=comment), encoding="utf-8")
    settings = settings or Settings()
    checked, traced = _found([root / name], load_rules(), settings)
    assert checked == traced
    return trace(root / name, settings, rules=load_rules())


@pytest.mark.parametrize(
    ("name", "comment", "settings", "doubt"),
    [
        ("train.py", "", Settings(), None),
        ("tests/train.py", "", Settings(), "this is the code of a test"),
        ("old/train.py", "", Settings(), "this folder holds code that is no longer used"),
        (
            "train.py",
            "  # ddl-lint: ignore[collective-under-rank-guard]",
            Settings(),
            "the settings or a comment turn this finding off",
        ),
        ("train.py", "", Settings(ignore=("hang",)), "the settings or a comment turn this finding off"),
    ],
)
def test_a_trace_says_why_a_check_does_not_report_it(
    tmp_path: Path, name: str, comment: str, settings: Settings, doubt: str | None
):
    (gap,) = _traced(tmp_path, name, comment, settings).communication.gaps
    assert gap.certain is (doubt is None)
    assert gap.doubt == (doubt or "")


def test_a_job_of_one_process_is_a_doubt(tmp_path: Path):
    (tmp_path / "run.sh").write_text("torchrun --nproc_per_node=1 train.py\n", encoding="utf-8")
    (gap,) = _traced(tmp_path).communication.gaps
    assert (gap.certain, gap.doubt) == (False, "each launch line of this script starts one process")


def test_a_command_that_is_not_shown_is_told_beside_the_table(tmp_path: Path):
    program = """\
import torch.distributed as dist
import click

@click.group()
def cli():
    dist.init_process_group("gloo")

@cli.command()
def first():
    dist.barrier()

@cli.command()
def second():
    if dist.get_rank() == 0:
        dist.barrier()

if __name__ == "__main__":
    cli()
"""
    path = tmp_path / "tool.py"
    path.write_text(program, encoding="utf-8")
    checked, traced = _found([path], load_rules(), Settings())
    assert checked == traced and len(checked) == 1

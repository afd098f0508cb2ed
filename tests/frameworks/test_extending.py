"""The worked example of `docs/extending.md`: a model alone makes a framework known to the rules."""

from __future__ import annotations

import re
from pathlib import Path

from ddl_lint.check.engine import check_project
from ddl_lint.finding import Severity
from ddl_lint.project.config import Settings
from ddl_lint.registry.rules import load_rules

_PAGE = (Path(__file__).parents[2] / "docs" / "extending.md").read_text(encoding="utf-8")


def _block(title: str) -> str:
    match = re.search(rf"```\w+\n# {title}\n(.*?)```", _PAGE, re.DOTALL)
    assert match is not None
    return match[1]


def _found(folder: Path, models: tuple[Path, ...]) -> set[tuple[str, int]]:
    file = folder / "train.py"
    file.write_text(_block("program: fleet"), encoding="utf-8")
    report = check_project([file], lambda _: Settings(models=models, pedantic=True), load_rules())
    assert not report.problems
    document = report.documents.get(file.as_posix())
    return {
        (finding.name, document.position(finding.location.start)[0])
        for finding in report.findings
        if document is not None and finding.severity is Severity.ERROR
    }


def test_the_model_of_the_page_makes_its_program_understood(tmp_path: Path) -> None:
    model = tmp_path / "fleet.yaml"
    model.write_text(_block("model: fleet"), encoding="utf-8")
    line = next(number for number, text in enumerate(_block("program: fleet").splitlines(), 1) if "# error: [" in text)
    assert _found(tmp_path, (model,)) == {("collective-under-rank-guard", line)}
    assert _found(tmp_path, ()) == set()

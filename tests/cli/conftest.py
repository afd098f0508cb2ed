"""A command line whose engine and rules are made up: what is tested here is the shell around them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest

from ddl_lint.check.report import Report
from ddl_lint.check.selection import select_rules, severity_of
from ddl_lint.commands import main as cli
from ddl_lint.diagnostic import Diagnostic
from ddl_lint.finding import Confidence
from ddl_lint.project import config
from ddl_lint.project.discover import Problem
from ddl_lint.registry import rules
from ddl_lint.registry.rule_file import rule_info
from ddl_lint.registry.rules import Rule
from ddl_lint.source.document import Document
from ddl_lint.source.span import Location


def make_rule(code: str, name: str, **changes: Any) -> Rule:
    data = {
        "code": code,
        "name": name,
        "summary": f"Says {name}",
        "frameworks": ["pytorch"],
        "stage": "training",
        "symptom": "hang",
        "consequence": "hang",
        "fix_pattern": "fix behavior logic",
        "severity": "error",
        "confidence": "high",
        "lifecycle": "stable",
        "since": "0.1.0",
        "covers": [],
        "why": "Because.",
        "fix": {"kind": "none", "advice": "Do it right.", "applicability": "none"},
        "silent_when": [],
        "references": [],
    }
    return Rule(rule_info({**data, **changes}))


RULES = [
    make_rule("DDL001", "syntax-error", stage="engine"),
    make_rule("DDL201", "lost-rank"),
    make_rule("DDL202", "slow-rank", severity="warning", frameworks=["pytorch", "horovod"]),
    make_rule("DDL203", "odd-rank", confidence="medium", severity="warning"),
    make_rule("DDL204", "new-rank", lifecycle="preview"),
    make_rule("DDL301", "small-talk", severity="info", consequence="wrong-result"),
]


@dataclass
class FakeEngine:
    """Finds the name of each selected rule where it stands in a file."""

    calls: list[dict[str, Any]] = field(default_factory=list)
    error: BaseException | None = None
    problems: list[Problem] = field(default_factory=list)

    def check_project(
        self,
        paths: Sequence[Path],
        settings_for: Callable[[Path], config.Settings],
        rules: Sequence[Rule],
        *,
        overlay: Mapping[str, str] | None = None,
        memory: object = None,
        storage: object = None,
        jobs: int = 1,
        alone: bool = False,
        others: object = None,
        named: object = (),
        stoppable: bool = False,
        environment: str = "",
    ) -> Report:
        self.calls.append({"paths": list(paths), "settings": [settings_for(path) for path in paths]})
        if self.error:
            raise self.error
        findings: list[Diagnostic] = []
        documents: dict[str, Document] = {}
        for path in paths:
            key = path.as_posix()
            text = overlay[key] if overlay else path.read_text(encoding="utf-8")
            documents[key] = Document(key, text)
            for rule in select_rules(rules, settings_for(path)):
                if (start := text.find(rule.name)) >= 0:
                    findings.append(
                        Diagnostic(
                            rule.code,
                            rule.name,
                            f"found {rule.name}",
                            Location(key, start, start + len(rule.name)),
                            severity=severity_of(rule, settings_for(path)),
                            confidence=Confidence.HIGH,
                            consequence=rule.info.consequence or "",
                        )
                    )
        return Report(findings, documents, self.problems, len(paths))


class Result(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> FakeEngine:
    fake = FakeEngine()
    module = ModuleType("ddl_lint.check.engine")
    module.check_project = fake.check_project  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "ddl_lint.check.engine", module)
    monkeypatch.setattr(rules, "installed", lambda storage=None: rules.Installed(RULES, [], []))
    return fake


@pytest.fixture
def run(
    engine: FakeEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Result]:
    """Run the command line in an empty folder, `tmp_path`."""
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR", "FORCE_HYPERLINK", "DDL_LINT_DEBUG"):
        monkeypatch.delenv(name, raising=False)

    def call(*arguments: str) -> Result:
        config.forget()  # as another process would
        try:
            code = cli.main(arguments)
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else 1
        return Result(code, *capsys.readouterr())

    return call

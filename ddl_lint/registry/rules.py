"""The rules that are installed: how they are found, and what is imported of them when they are asked."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ddl_lint import distributions
from ddl_lint.finding import Confidence, Finding, Severity
from ddl_lint.registry.index import read_index
from ddl_lint.registry.late_fix import import_check
from ddl_lint.registry.rule_file import FixAdvice, RuleFileError, RuleInfo, SilentCase, rule_info
from ddl_lint.registry.schema import nearest
from ddl_lint.storage import Storage, user_storage

if TYPE_CHECKING:
    from ddl_lint.analysis.jobs_view import JobsView
    from ddl_lint.analysis.shared import Shared
    from ddl_lint.analysis.view import RunView

__all__ = [
    "ENTRY_POINTS",
    "Check",
    "FixAdvice",
    "Installed",
    "Join",
    "Publish",
    "Rule",
    "RuleFileError",
    "RuleInfo",
    "SilentCase",
    "Survey",
    "find_rule",
    "installed",
    "load_rules",
    "nearest_rule",
    "normal_name",
    "rule_packages",
]

ENTRY_POINTS = "ddl_lint.rules"
"""The group of entry points through which packages of rules are found; each names an importable package."""

Check = Callable[["RunView"], Iterable[Finding]]
"""The function `check(run)` of a rule's `check.py`: pure, without state, without I/O."""

Survey = Callable[["JobsView"], Iterable[Finding]]
"""The function `check_project_files(project)` of a rule that looks at the files around the programs."""

Publish = Callable[["RunView"], Iterable[object]]
"""The function `publish(run)` of a `check.py` that has one: what a run tells others, as plain data."""

Join = Callable[[Finding, "Shared[Any]"], "Finding | None"]
"""The function `join(finding, shared)` of such a `check.py`: what is left of a finding beside what other runs tell."""

_with_check: set[Path | None] = set()
"""Folders of rules in which there is a check: each check of a project asks for all of them."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: what is known of it, and its check, which is imported when it is first asked for."""

    info: RuleInfo
    module: str = ""
    """The dotted name of the module with the check; empty for the engine's own rules."""
    folder: Path | None = None
    """The folder with `rule.yaml`, `bad/` and `good/`; None for the engine's own rules."""

    @property
    def code(self) -> str:
        """Such as `DDL201`."""
        return self.info.code

    @property
    def name(self) -> str:
        """Such as `missing-init-process-group`."""
        return self.info.name

    def narrowed(self, finding: Finding) -> Rule:
        """The rule with the consequence and the confidence of one of its findings: for that, settings and selectors
        mean a rule that has no others.
        """
        consequence = finding.consequence or self.info.consequence
        info = replace(
            self.info,
            consequences=(consequence,) if consequence is not None else (),
            confidence=finding.confidence or self.info.confidence,
        )
        return self if info == self.info else replace(self, info=info)

    @property
    def has_check(self) -> bool:
        """Whether there is a check to run."""
        if self.folder is not None and self.folder not in _with_check and (self.folder / "check.py").is_file():
            _with_check.add(self.folder)
        return self.folder in _with_check

    @property
    def check(self) -> Check:
        """The function that finds the fault.

        Raises:
            ImportError: the rule has no `check.py`, or it cannot be imported.
            AttributeError: its module has no function `check`.
        """
        return import_check(self.module).check

    @property
    def check_project_files(self) -> Survey | None:
        """The function that looks at the files around the programs, of a rule that has one; errors as of `check`."""
        return getattr(import_check(self.module), "check_project_files", None)

    @property
    def publish(self) -> Publish | None:
        """The function that tells other runs of one, of a rule that joins; errors as of `check`."""
        return getattr(import_check(self.module), "publish", None)

    @property
    def join(self) -> Join | None:
        """The function that judges a finding beside other runs, of a rule that joins; errors as of `check`."""
        return getattr(import_check(self.module), "join", None)


@dataclass(frozen=True)
class Installed:
    """The rules that are installed, and what is wrong with those that cannot be used."""

    rules: list[Rule]
    """All that can be used, and the engine's own, by code."""

    left_out: list[Rule]
    """The others, by name only: they find nothing, but who ignores or selects one makes no mistake."""

    mistakes: list[str]
    """Why they are left out, each with its place."""

    @property
    def known(self) -> list[Rule]:
        """All rules that may be named."""
        return [*self.rules, *self.left_out]


def rule_packages() -> dict[str, Path]:
    """The packages of rules that are installed, and their folders; ours first. Nothing of them is imported."""
    return _folders(tuple(sys.path))


@lru_cache(maxsize=1)  # a check asks several times, and rules are loaded once in a process
def _folders(path: tuple[str, ...]) -> dict[str, Path]:
    del path  # it tells where packages are looked for
    return {name: folder for _, name, folder in _packages() if folder is not None}


def _packages() -> Iterator[tuple[str, str, Path | None]]:
    """The entry point, the name and, if it is there, the folder of each package of rules."""
    for entry in sorted(distributions.entry_points(ENTRY_POINTS), key=lambda entry: entry.package != "ddl_lint"):
        try:
            spec = find_spec(entry.value)
        except (ImportError, ValueError):
            spec = None
        folders = spec.submodule_search_locations if spec is not None else None
        yield entry.name, entry.value, Path(next(iter(folders))) if folders else None


def installed(storage: Storage | None = None) -> Installed:
    """The rules that are installed. A mistake in one costs that one only. `storage` is the user's unless another one is
    given.
    """
    found = list(_packages())
    packages = {name: folder for _, name, folder in found if folder is not None}
    missing = [
        f"{name}: the rule package `{entry}` is registered but not installed (the working directory does not count)"
        for entry, name, folder in found
        if folder is None
    ]
    index = read_index(packages, storage or user_storage())
    rules: list[Rule] = []
    for place, data in index.rules.items():
        info = rule_info(data)
        if info.is_engine:
            rules.append(Rule(info))
        else:
            package, stage, rule_folder = place.split("/")
            rules.append(Rule(info, f"{package}.{stage}.{rule_folder}.check", packages[package] / stage / rule_folder))
    taken = {label for rule in rules for label in (rule.code, rule.name)}
    left_out: list[Rule] = []
    for place, code in index.broken.items():
        name = place.rpartition("/")[2].replace("_", "-")
        if name not in taken:
            left_out.append(Rule(_named("" if code in taken else code, name)))
            taken |= {code, name}
    return Installed(sorted(rules, key=lambda rule: rule.code), left_out, [*missing, *index.mistakes])


def _named(code: str, name: str) -> RuleInfo:
    """What is known of a rule whose `rule.yaml` cannot be used."""
    return RuleInfo(
        code,
        name,
        summary="",
        frameworks=(),
        stage="",
        symptom="",
        fix_pattern="",
        severity=Severity.INFO,
        confidence=Confidence.HIGH,
        lifecycle="deprecated",
        since="",
        covers=(),
        why="",
        fix=FixAdvice("none", "", "none", ""),
        silent_when=(),
        references=(),
        events=frozenset(),
    )


def load_rules(storage: Storage | None = None) -> list[Rule]:
    """All rules that are installed and the engine's own, by code, where all of them must be in order.

    Raises:
        RuleFileError: one of them is not; it tells all mistakes.
    """
    found = installed(storage)
    if found.mistakes:
        raise RuleFileError(*found.mistakes)
    return found.rules


def normal_name(word: str) -> str:
    """A word for rules as it is compared: people write `ddl201` and `lost_rank`, too."""
    return word.strip().lower().replace("_", "-")


def find_rule(word: str, rules: Iterable[Rule]) -> Rule | None:
    """The rule with this name or code."""
    wanted = normal_name(word)
    return next((rule for rule in rules if wanted and wanted in (rule.name, rule.code.lower())), None)


def nearest_rule(word: str, rules: Sequence[Rule]) -> str:
    """A hint at the rule that was meant, ready to append to a message; empty when there is none."""
    word = normal_name(word)
    # Codes are similar by their digits only: a near one is one of the same stage.
    codes = [rule.code for rule in rules if rule.code[:-2] == word[: len(rule.code) - 2].upper()]
    return nearest(word.upper(), codes) or nearest(word, [rule.name for rule in rules])

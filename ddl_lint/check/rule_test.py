"""Tries a rule on its own programs: `bad/`, `good/`, and its cases that must be flagged or silent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from ddl_lint.check.case_outcome import Mark, Outcome, check_case
from ddl_lint.check.rule_cases import CaseError, Program, folder_of_cases, program_at, programs_of_rule
from ddl_lint.check.rule_words import unknown_words
from ddl_lint.registry.rules import Rule
from ddl_lint.source import SourceError


@dataclass(frozen=True)
class Tried:
    """A program on which a rule was tried, or its code; `differences` are sentences with their places."""

    name: str
    differences: tuple[str, ...]


def try_rule(rule: Rule, rules: Sequence[Rule]) -> Iterator[Tried]:
    """What differs in each program of a rule from what its comments expect, where these rules are asked; before them,
    the words in its code that do not exist.
    """
    assert rule.folder is not None
    try:
        wrong = [f"{each.file.name}:{each.line}: {each.message}" for each in unknown_words(rule.folder)]
    except SourceError as error:
        wrong = [error.message]
    except SyntaxError as error:
        wrong = [f"{Path(error.filename or '').name}:{error.lineno}: {error.msg}"]
    yield Tried("the code of the rule", tuple(wrong))
    for kind, program in _programs(rule.folder):
        name = f"{kind}/{program.name}"
        with TemporaryDirectory() as folder:
            try:
                yield Tried(name, tuple(_differences(kind, rule, check_case(program, Path(folder).resolve(), rules))))
            except CaseError as error:
                yield Tried(name, (str(error),))


def _programs(rule_folder: Path) -> Iterator[tuple[str, Program]]:
    """Raises `CaseError` where a Markdown file does not say what its cases are."""
    for kind in ("bad", "good"):
        if (rule_folder / kind).is_dir():
            yield kind, program_at(rule_folder / kind)
    for kind in ("flagged", "silent"):
        for program in programs_of_rule(folder_of_cases(rule_folder), kind):
            yield kind, program


def _differences(kind: str, rule: Rule, outcome: Outcome) -> Iterator[str]:
    if kind in ("bad", "flagged") and not any(mark.rule == rule.name for mark in outcome.expected):
        yield f"no line is marked: end one with `# error: [{rule.name}]`"
    for marks, text in (
        (outcome.expected - outcome.found, "nothing is reported here, and the line is marked"),
        (outcome.found - outcome.expected, "is reported here, and the line is not marked"),
        (outcome.expected_infos - outcome.infos, "must be an info here, and is more"),
        (outcome.unexpected_infos & outcome.infos, "must be more than an info here"),
        (outcome.expected_evidence - outcome.evidence, "must show this line as evidence"),
        (outcome.on_several_lines, "reports a place of several lines; report its head"),
    ):
        yield from (_told(mark, text, outcome) for mark in sorted(marks))


def _told(mark: Mark, text: str, outcome: Outcome) -> str:
    said = [message for name, message, _ in outcome.messages if name == mark.rule]
    quoted = f" ({said[0]})" if len(said) == 1 and "not marked" in text and "is reported" in text else ""
    return f"{mark.file}:{mark.line}: `{mark.rule}` {text}{quoted}"

"""What is written about a rule in its `rule.yaml`, and the reading of it."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from ddl_lint.claim import ConsequenceName
from ddl_lint.finding import Confidence, Severity
from ddl_lint.registry import schema

if TYPE_CHECKING:
    from ddl_lint.program.events import EventKind

Lifecycle = Literal["preview", "stable", "deprecated"]

ENGINE_STAGE = "engine"
"""The stage of the findings that the engine itself makes, such as syntax errors."""


@dataclass(frozen=True, slots=True)
class FixAdvice:
    """How the fault is fixed."""

    kind: Literal["code", "none"]
    """Whether the rule offers edits."""
    advice: str
    applicability: Literal["safe", "unsafe", "none"]
    """Whether what is advised keeps the meaning of a correct program; none where there is nothing to edit."""
    reason: str
    """Why it is not safe, or why there are no edits; empty for a safe one."""

    @property
    def reason_for_none(self) -> str:
        """Why the rule offers no edits; empty where it does."""
        return self.reason if self.kind == "none" else ""


@dataclass(frozen=True, slots=True)
class SilentCase:
    """A condition under which the rule says nothing, and the test below `tests/rules/<rule>/silent/` that holds it."""

    when: str
    test: str


@dataclass(frozen=True, slots=True)
class RuleInfo:
    """Everything that is known of a rule without running it. The fields are described in `rule.schema.json`."""

    code: str
    name: str
    summary: str
    frameworks: tuple[str, ...]
    stage: str
    symptom: str
    """The studies' name of what the user sees, as `fix_pattern` is that of what the developer does; empty where no
    study has such faults."""

    fix_pattern: str
    severity: Severity
    confidence: Confidence
    lifecycle: Lifecycle
    since: str
    covers: tuple[str, ...]
    why: str
    fix: FixAdvice
    silent_when: tuple[SilentCase, ...]
    references: tuple[str, ...]
    events: frozenset[EventKind]
    """Kinds of events of which one must occur for the rule to find anything; empty for the engine's own."""

    probes: frozenset[EventKind] = frozenset()
    """Further kinds of events that the rule reads, and that are recorded only for rules that ask for them."""

    several_processes: bool = False
    """The rule speaks of what several processes do: it is not asked of a program that is one process."""

    checks_project_files: bool = False
    """The rule checks the files around the programs, and no `check` of runs."""

    pages: bool = False
    """A rule that checks project files also judges the launch lines that pages for people show."""

    sure_errors: bool = False
    """Its errors are as those of a rule of high confidence, whatever that of the others is."""

    consequences: tuple[ConsequenceName, ...] = ()
    """What its findings may cost, such as `hang`, the usual one first: the groups that select the rule. None for the
    engine's own."""

    rulekit: int | None = None
    """The version of `ddl_lint.rulekit` that it was written for; None where it comes with that."""

    @property
    def consequence(self) -> ConsequenceName | None:
        """What a finding costs that does not say it itself."""
        return self.consequences[0] if self.consequences else None

    @property
    def is_engine(self) -> bool:
        """Whether the engine makes these findings itself: there is no check to run."""
        return self.stage == ENGINE_STAGE

    @property
    def fixable(self) -> bool:
        """Whether the rule offers edits."""
        return self.fix.kind == "code"


class RuleFileError(Exception):
    """What keeps rules from being used. `str()` of it has a line for each mistake: the file, the line, the key."""

    def __init__(self, *mistakes: str) -> None:
        super().__init__("\n".join(mistakes))
        self.mistakes = mistakes


def mistake_in(file: Path, message: str, line: int | None = None) -> str:
    """How a mistake is reported."""
    return f"{file}:{line}: {message}" if line else f"{file}: {message}"


@functools.cache
def rule_schema() -> schema.Schema:
    """The JSON schema of `rule.yaml`."""
    return json.loads(Path(__file__).with_name("rule.schema.json").read_text(encoding="utf-8"))


def rule_info(data: Mapping[str, Any]) -> RuleInfo:
    """The rule that checked data (what `read_rule_file` returns) describes."""
    fix = data["fix"]
    return RuleInfo(
        code=data["code"],
        name=data["name"],
        summary=data["summary"].strip(),
        frameworks=tuple(data["frameworks"]),
        stage=data["stage"],
        symptom=data.get("symptom", ""),
        fix_pattern=data.get("fix_pattern", ""),
        severity=Severity(data["severity"]),
        confidence=Confidence(data["confidence"]),
        lifecycle=data["lifecycle"],
        since=data["since"],
        covers=tuple(data.get("covers", ())),
        why=data["why"].strip(),
        fix=FixAdvice(fix["kind"], fix["advice"].strip(), fix["applicability"], fix.get("reason", "").strip()),
        silent_when=tuple(SilentCase(case["when"].strip(), case["test"]) for case in data["silent_when"]),
        references=tuple(data["references"]),
        events=frozenset(cast("list[EventKind]", data.get("events", ()))),
        probes=frozenset(cast("list[EventKind]", data.get("probes", ()))),
        several_processes=data.get("several_processes", False),
        checks_project_files=data.get("checks_project_files", False),
        pages=data.get("pages", False),
        sure_errors=data.get("sure_errors", False),
        consequences=_listed(data.get("consequence", ())),
        rulekit=data.get("rulekit"),
    )


def _listed(value: Any) -> tuple[Any, ...]:
    """The items of a list; a single one may be written without it."""
    return (value,) if isinstance(value, str) else tuple(value)


def read_rule_file(file: Path) -> dict[str, Any]:
    """The data of a `rule.yaml`, checked against the schema and against the rule's folder that it is in.

    Raises:
        RuleFileError: the file cannot be read, is not YAML, or breaks the schema; it tells all mistakes.
    """
    data, lines = _read_yaml(file)
    mistakes = list(schema.mistakes(data, rule_schema()))
    wrong = {mistake.path for mistake in mistakes}
    mistakes += [mistake for mistake in _disagreements(data, file) if mistake.path not in wrong]
    if mistakes:
        told = [_told(file, lines, mistake) for mistake in mistakes]
        raise RuleFileError(*(text for _, text in sorted(told, key=lambda each: each[0])))
    return data


def read_engine_rules(file: Path) -> list[dict[str, Any]]:
    """The data of the engine's own rules: one file with a list, in which what is the same for all is left out.

    Raises:
        RuleFileError: as `read_rule_file`.
    """
    entries, lines = _read_yaml(file)
    common: dict[str, Any] = {"frameworks": [], "stage": ENGINE_STAGE, "symptom": "", "fix_pattern": ""}
    common |= {"confidence": "high", "lifecycle": "stable", "covers": [], "silent_when": [], "references": []}
    rules: list[dict[str, Any]] = []
    for index, entry in enumerate(entries):
        checked = {key: value for key, value in rule_schema().items() if key != "required"}
        checked["required"] = [key for key in rule_schema()["required"] if key not in common]
        for mistake in schema.mistakes(entry, checked):
            raise RuleFileError(_told(file, lines, mistake._replace(path=(index, *mistake.path)))[1])
        rules.append({**common, **entry})
    return rules


def _disagreements(data: Any, file: Path) -> Iterator[schema.Mistake]:
    """What a schema cannot say. Nothing of what it says already is taken for granted."""
    if not isinstance(data, dict):
        return
    from ddl_lint.program.kinds import EVENT_ROLES  # here, since a start with a warm index needs none of it
    from ddl_lint.rulekit import API_VERSION

    folder = file.parent
    known = cast("dict[str, Any]", data)
    name, stage, version = known.get("name"), known.get("stage"), known.get("rulekit")
    if isinstance(name, str) and name.replace("-", "_") != folder.name:
        yield schema.Mistake(("name",), f"`{name}` does not fit its folder `{folder.name}`")
    if isinstance(stage, str) and stage != folder.parent.name:
        yield schema.Mistake(("stage",), f"`{stage}` does not fit its folder `{folder.parent.name}`")
    if isinstance(version, int) and version != API_VERSION:
        told = f"the rule was written for version {version} of ddl_lint.rulekit, and this ddl-lint has {API_VERSION}"
        yield schema.Mistake(("rulekit",), told)
    if known.keys().isdisjoint(("symptom", "consequence")) and known.keys() <= rule_schema()["properties"].keys():
        yield schema.Mistake(("consequence",), "is required where there is no `symptom`")
    kinds = cast("list[Any]", known["events"] if isinstance(known.get("events"), list) else [])
    for number, kind in enumerate(kinds):
        if isinstance(kind, str) and kind not in EVENT_ROLES:
            yield schema.Mistake(("events", number), f"unknown event `{kind}`{schema.nearest(kind, EVENT_ROLES)}")
    fix = cast("dict[str, Any]", known["fix"] if isinstance(known.get("fix"), dict) else {})
    if fix.get("kind") == "code" and fix.get("applicability") == "none":
        yield schema.Mistake(("fix", "applicability"), "cannot be `none` when the rule offers edits (`kind: code`)")
    if fix.get("kind") == "none" and "reason" not in fix:
        yield schema.Mistake(("fix", "reason"), "must say why there are no edits (`kind: none`)")
    elif fix.get("applicability") == "unsafe" and "reason" not in fix:
        yield schema.Mistake(("fix", "reason"), "must say why the fix is not safe")


_Lines = dict[schema.Path, int]


def _told(file: Path, lines: _Lines, mistake: schema.Mistake) -> tuple[int, str]:
    """The line of a mistake, and how it is reported."""
    path = mistake.path
    while path and path not in lines:
        path = path[:-1]
    message = f"`{mistake.key}`: {mistake.message}" if mistake.path else mistake.message
    return lines.get(path, 0), mistake_in(file, message, lines.get(path))


def _read_yaml(file: Path) -> tuple[Any, _Lines]:
    """The data of a YAML file, and the line of each of its keys and items. Raises `RuleFileError` where it is none."""
    import yaml  # here, since a start with a warm index reads no YAML

    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RuleFileError(mistake_in(file, f"cannot be read: {error}")) from None
    lines: _Lines = {}
    twice: list[str] = []

    def visit(node: yaml.Node, path: schema.Path) -> None:
        lines.setdefault(path, node.start_mark.line + 1)
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                step = (*path, str(key.value))
                if step in lines:
                    told = f"`{key.value}`: the key is here twice"
                    twice.append(mistake_in(file, told, key.start_mark.line + 1))
                lines[step] = key.start_mark.line + 1
                visit(value, step)
        elif isinstance(node, yaml.SequenceNode):
            for index, item in enumerate(node.value):
                visit(item, (*path, index))

    try:
        loader = yaml.SafeLoader(text)
        node = loader.get_single_node()
        if node is None:
            raise RuleFileError(mistake_in(file, "is empty"))
        visit(node, ())
        if twice:
            raise RuleFileError(*twice)
        data: Any = loader.construct_document(node)  # pyright: ignore[reportUnknownMemberType]
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        raise RuleFileError(mistake_in(file, f"is not valid YAML: {error.problem}", line)) from None
    except yaml.YAMLError as error:
        raise RuleFileError(mistake_in(file, f"is not valid YAML: {error}")) from None
    return data, lines

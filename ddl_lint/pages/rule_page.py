"""The page of a rule, as `ddl-lint explain` prints it: made from `rule.yaml`, `bad/` and `good/`."""

from __future__ import annotations

import difflib
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path

from ddl_lint.check.case_marks import without_marks
from ddl_lint.pages.framework_names import FRAMEWORKS
from ddl_lint.pages.rule_pictures import rank_pictures
from ddl_lint.registry.rules import Rule

_WIDTH = 100
_NAMES = frozenset(FRAMEWORKS.values()) | {"Blackwell", "Kubernetes", "Python", "Slurm"}
"""Words that have a capital within a sentence, too."""


def rule_page(rule: Rule) -> str:
    """Everything that a user may want to know of a rule, as plain text."""
    info = rule.info
    parts = [f"{info.code} {info.name}", f"{info.summary}."]
    if example := "\n".join(changes(rule)).rstrip():
        parts.append(f"Example\n{textwrap.indent(example, '  ')}")
    if pictures := "\n".join(_pictures(rule)).rstrip():
        parts.append(f"What the ranks do\n{textwrap.indent(pictures, '  ')}")
    parts.append(_section("Why", info.why))
    parts.append(_section("What to do", f"{info.fix.advice}\n\n{fix_safety(rule)}"))
    if info.silent_when:
        parts.append("Silent when\n" + "\n".join(_item(case.when) for case in info.silent_when))
    parts.append(f"How to silence it\n  {silencing(rule)}")
    if info.references:
        parts.append("Seen in\n" + "\n".join(_item(reference) for reference in info.references))
    width = max(map(len, facts(rule))) + 2
    parts.append("Facts\n" + "\n".join(f"  {key + ':':<{width}}{value}" for key, value in facts(rule).items()))
    return "\n\n".join(parts) + "\n"


def facts(rule: Rule) -> Mapping[str, str]:
    """How a rule is classified."""
    info = rule.info
    found = {
        "consequence": ", ".join(info.consequences).replace("-", " "),
        "severity": info.severity.value,
        "confidence": info.confidence.value + (", of its errors high" if info.sure_errors else ""),
        "frameworks": ", ".join(info.frameworks),
        "stage": info.stage.replace("_", " "),
        "symptom": info.symptom,
        "fix pattern": info.fix_pattern,
        "lifecycle": info.lifecycle,
    }
    return {name: value for name, value in found.items() if value}


def silencing(rule: Rule) -> str:
    """What a user writes who does not want a finding."""
    return f"--ignore {rule.name}" if rule.info.is_engine else f"# ddl-lint: ignore[{rule.name}] reason"


def fix_safety(rule: Rule) -> str:
    """How safe the fix is, or why there is none."""
    fix = rule.info.fix
    reason = fix.reason.strip().rstrip(".")
    because = f": {_within_sentence(reason)}." if reason else "."
    if fix.kind == "none":
        return f"There is no automatic fix{because}"
    if fix.applicability == "safe" and reason:
        return f"`--fix` fixes it where that is safe, `--unsafe-fixes` elsewhere{because}"
    return f"`--fix{' --unsafe-fixes' if fix.applicability == 'unsafe' else ''}` fixes it{because}"


def _within_sentence(text: str) -> str:
    """A sentence after a colon: its first word is in lower case, unless it is a name or an abbreviation."""
    word = text.split(maxsplit=1)[0].rstrip(",:;")
    return text if word[1:] != word[1:].lower() or word in _NAMES else text[0].lower() + text[1:]


def _section(title: str, text: str) -> str:
    paragraphs = [" ".join(paragraph.split()) for paragraph in text.strip().split("\n\n")]
    return f"{title}\n" + "\n\n".join(
        textwrap.fill(
            paragraph,
            _WIDTH,
            initial_indent="  ",
            subsequent_indent="  ",
            break_long_words=False,
            break_on_hyphens=False,
        )
        for paragraph in paragraphs
    )


def _item(text: str) -> str:
    return textwrap.fill(text, _WIDTH, initial_indent="  - ", subsequent_indent="    ", break_on_hyphens=False)


def changes(rule: Rule) -> Iterator[str]:
    """What changes from the faulty program to the corrected one."""
    if rule.folder is None:
        return
    bad, good = _programs(rule.folder / "bad"), _programs(rule.folder / "good")
    for name in sorted(bad.keys() | good.keys()):
        lines = difflib.unified_diff(
            bad.get(name, []), good.get(name, []), f"bad/{name}", f"good/{name}", "", "", 3, ""
        )
        yield from (line.rstrip() for line in lines)


def _pictures(rule: Rule) -> Iterator[str]:
    """What the ranks do in the faulty program and in the corrected one, if the fault is that they do not meet."""
    for picture in rank_pictures(rule, "text", _WIDTH - 2):
        yield f"{picture.side}/{picture.script}\n" + picture.content.partition("\n")[2]


def _programs(folder: Path) -> dict[str, list[str]]:
    files = sorted(file for file in folder.rglob("*") if file.is_file() and "__pycache__" not in file.parts)
    return {
        file.relative_to(folder).as_posix(): without_marks(
            file.read_text(encoding="utf-8", errors="replace")
        ).splitlines()
        for file in files
    }

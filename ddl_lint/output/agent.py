"""Findings for programs that write code: short Markdown with what is wrong, the edits of its fix, and how to verify."""

from __future__ import annotations

import difflib
import re
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ddl_lint.diagnostic import Diagnostic
from ddl_lint.escape import one_line, several_lines
from ddl_lint.finding import Applicability, Confidence, Edit, Fix
from ddl_lint.fixes.apply import by_path, edited
from ddl_lint.output.counted import counted
from ddl_lint.output.places import place_of, shown_name
from ddl_lint.output.programs import partly_followed
from ddl_lint.output.shown import Shown
from ddl_lint.source.document import Document
from ddl_lint.source.lexer import physical_lines
from ddl_lint.source.span import Span

_CONTEXT = 1  # lines around an edit
_MOST_FILES = 8  # that a command names
_ENGINE = re.compile(r"DDL00\d")


def render(shown: Shown) -> str:
    """A heading with the counts, a section for each finding, and what to do next."""
    parts = [f"# ddl-lint: {_counts(shown)}", *(_section(n, each, shown) for n, each in enumerate(shown.findings, 1))]
    following = [*_next(shown), *_unseen(shown)]
    if following:
        parts.append("\n".join(["## Next", *following]))
    return "\n\n".join(parts) + "\n"


def _counts(shown: Shown) -> str:
    """Such as `2 findings in 4 files: 1 hang, 1 crash`."""
    where = "" if shown.files is None else f" in {counted(shown.files, 'file')}"
    if not shown.findings:
        return f"no problems found{where}"
    kinds = Counter(finding.consequence or finding.severity.value for finding in shown.findings)
    listed = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
    return f"{counted(len(shown.findings), 'finding')}{where}: {listed}"


# --- a finding --------------------------------------------------------------------------------------------------------


def _section(number: int, finding: Diagnostic, shown: Shown) -> str:
    place = place_of(finding.location, shown.documents)
    lines = [
        f"## {number}. {place.head} {finding.severity.value} {finding.code} {finding.name}",
        finding.message,
        *(f"- {place_of(each.location, shown.documents).head}: {each.message}" for each in finding.evidence),
    ]
    if finding.confidence is Confidence.MEDIUM or finding.doubt:
        lines.append(f"Check first: {finding.doubt or 'this rule is of medium confidence'}")
    if finding.help:
        lines.append(f"Help: {finding.help.strip()}")
    if finding.fix is not None:
        lines += _fix(finding.fix, shown.documents)
    elif finding.unfixable:
        lines.append(f"No fix: {finding.unfixable}")
    return "\n".join(lines)


def _fix(fix: Fix, documents: Mapping[str, Document]) -> Iterator[str]:
    reason = f": {fix.reason.rstrip('.')}" if fix.reason else ""
    yield f"Fix ({fix.applicability.value}{reason}): {fix.title}"
    difference = [
        several_lines(line)
        for path, edits in sorted(by_path(fix.edits).items())
        if (document := documents.get(path)) is not None
        for name, before, after in _changed(document, edits)
        for line in _hunks(name, before, after)
    ]
    if difference:
        fence = "`" * max(3, 1 + max(map(len, re.findall("`+", "".join(difference))), default=0))
        yield from (f"{fence}diff", *difference, fence)


def _changed(document: Document, edits: Sequence[Edit]) -> Iterator[tuple[str, str, str]]:
    """Name, text before and text after; of a notebook, of each cell that changes."""
    name = shown_name(document.path)
    if document.kind != "notebook":
        yield name, document.text, edited(document.text, edits)
        return
    for cell in document.cells:
        inside = [edit for edit in edits if cell.span.start <= edit.location.start <= cell.span.end]
        if inside:
            text = document.text[cell.span.start : cell.span.end]
            yield f"{name}:cell {cell.index}", text, edited(text, [_moved(edit, cell.span) for edit in inside])


def _moved(edit: Edit, span: Span) -> Edit:
    """An edit of a document as one of a part of it."""
    start, end = edit.location.start - span.start, edit.location.end - span.start
    return Edit(edit.location._replace(start=start, end=end), edit.text)


def _hunks(name: str, before: str, after: str) -> Iterator[str]:
    lines = difflib.unified_diff(physical_lines(before), physical_lines(after), name, name, n=_CONTEXT)
    return (line.rstrip("\r\n") for line in lines)


# --- what to do next --------------------------------------------------------------------------------------------------


def _next(shown: Shown) -> Iterator[str]:
    for level, option in ((Applicability.SAFE, "--fix"), (Applicability.UNSAFE, "--fix --unsafe-fixes")):
        fixed = [each for each in shown.findings if each.fix and each.fix.edits and each.fix.applicability is level]
        if fixed:
            count = counted(len(fixed), f"{level.value} fix", f"{level.value} fixes")
            review = (
                ""
                if level is Applicability.SAFE
                else f", once you have read {'its reason' if len(fixed) == 1 else 'their reasons'}"
            )
            yield f"- Make the {count}{review}: `{_command(fixed, option)}`"
    if any(finding.fix is None for finding in shown.findings):
        yield "- Change the rest by hand, as their help says."
    if shown.findings:
        yield f"- Verify: `{_command(shown.findings, '--output-format agent')}` says `no problems found`."
    rules = sorted({finding.code for finding in shown.findings if not _ENGINE.fullmatch(finding.code)})
    if rules:
        yield f"- Why, and when a rule is silent: `ddl-lint explain {rules[0]}`"


def _command(findings: Iterable[Diagnostic], options: str) -> str:
    """A check of these rules in the files that they are found in; of everything where there are many."""
    found = list(findings)
    codes = sorted({finding.code for finding in found})
    select = "" if any(map(_ENGINE.fullmatch, codes)) else f" --select {','.join(codes)}"
    files = sorted({shown_name(finding.location.path) for finding in found})
    named = "" if len(files) > _MOST_FILES else "".join(f" {shlex.quote(file)}" for file in files)
    dashes = " --" if named.startswith((" -", " '-")) else ""
    return one_line(f"ddl-lint check {options}{select}{dashes}{named}")


def _unseen(shown: Shown) -> Iterator[str]:
    """What finding nothing does not speak of."""
    for name, reason in partly_followed(shown.programs, shown.documents):
        yield f"- Not all of {name} was followed ({reason}): no finding there is no proof."

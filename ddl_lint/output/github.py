"""Findings as workflow commands of GitHub Actions, which shows them as annotations on the changed files."""

from __future__ import annotations

from collections.abc import Mapping

from ddl_lint.diagnostic import Diagnostic
from ddl_lint.finding import Severity
from ddl_lint.output.places import place_of
from ddl_lint.output.shown import Shown
from ddl_lint.source.document import Document

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def render(shown: Shown) -> str:
    """One command a line; nothing when there are no findings."""
    return "".join(_command(finding, shown.documents) + "\n" for finding in shown.findings)


def _command(finding: Diagnostic, documents: Mapping[str, Document]) -> str:
    place = place_of(finding.location, documents)
    fields: dict[str, str | int] = {"title": f"{finding.code} {finding.name}", "file": place.name}
    if place.lines_in_file is not None:
        # A notebook is shown as the JSON that it is, where the columns of a cell mean nothing.
        start, end = place.lines_in_file
        fields |= {"line": start, "endLine": end}
        if place.cell is None and start == end:
            fields |= {"col": place.column, "endColumn": place.end_column}
    properties = ",".join(f"{key}={_property(value)}" for key, value in fields.items())
    story = [finding.message if place.cell is None else f"{place.head}: {finding.message}"]
    for evidence in finding.evidence:
        story.append(f"{place_of(evidence.location, documents).head}: {evidence.message}")
    if finding.help:
        story.append(f"help: {finding.help}")
    command = _COMMANDS[finding.severity]
    return f"::{command} {properties}::" + _data("\n".join(story))


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: str | int) -> str:
    return _data(str(value)).replace(":", "%3A").replace(",", "%2C")

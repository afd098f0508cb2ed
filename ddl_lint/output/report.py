"""The one entry to all formats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ddl_lint.finding import Finding
from ddl_lint.output import github, json, text
from ddl_lint.output.places import place_of
from ddl_lint.program.followed import Program
from ddl_lint.source.document import Document

FORMATS = ("text", "concise", "json", "github")


def render(
    findings: Sequence[Finding],
    documents: Mapping[str, Document],
    format: str,
    *,
    files: int | None = None,
    colour: bool = False,
    summary: bool = True,
    programs: Sequence[Program] = (),
) -> str:
    """Findings as a text, sorted by file, line, column and code.

    Args:
        findings: What was found, stamped by the engine.
        documents: The documents that findings and evidence point into, by path.
        format: One of `FORMATS`.
        files: The number of files checked, for the summary; None leaves it out.
        colour: Whether to colour the formats that are made for people.
        summary: Whether those formats end with a summary.
        programs: What was followed from where, for the formats that programs read.
    """
    ordered = sorted(findings, key=lambda finding: (place_of(finding.location, documents).order, finding.code))
    if format == "json":
        return json.render(ordered, documents, programs)
    if format == "github":
        return github.render(ordered, documents)
    write = text.concise if format == "concise" else text.full
    blocks = write(ordered, documents, colour=colour)
    if summary:
        blocks.append(text.summary(ordered, files))
    return "".join(f"{block}\n" for block in blocks)

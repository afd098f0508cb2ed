"""The table as a page that needs nothing else: steps that fold, a jump to each trouble, and copies in other formats."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from ddl_lint.analysis.ranks.communication import Communication
from ddl_lint.output.html.escaped import escaped, escaped_lines
from ddl_lint.output.html.frame import page
from ddl_lint.output.trace import marks, mermaid, svg
from ddl_lint.output.trace.html_sources import sources
from ddl_lint.output.trace.html_steps import Steps
from ddl_lint.output.trace.html_text import sentence
from ddl_lint.output.trace.labels import remarks
from ddl_lint.output.trace.outline import Documents, Entry, outline, with_depth
from ddl_lint.output.trace.presentation import Focus, Presentation, Spots
from ddl_lint.output.trace.verdict import verdict
from ddl_lint.output.trace.words import GroupKind, group_kinds, subtitle, title

_NAMES_EM = 17  # the width of the names that is needed beside the columns
_COLUMN_EM = 9

_SIGNS = {"hang": "✕", "doubt": "?", "clear": "✓"}


def render(communication: Communication, documents: Documents, presentation: Presentation) -> str:
    """The page."""
    spots, columns = Spots(documents, presentation), len(communication.columns)
    return page(
        f"Rank trace of {title(communication, spots.shown(communication.path))}",
        _body(communication, documents, presentation, spots),
        style=style_sheet(columns),
        script=_file("page.js"),
        columns=columns,
        in_editor=True,
    )


def _body(
    communication: Communication, documents: Documents, presentation: Presentation, spots: Spots
) -> Iterator[str]:
    items, kinds = outline(communication.rows), group_kinds(communication)
    found, focus = verdict(communication, documents), presentation.focus
    troubles = [entry for _, entry in with_depth(items) if entry.gap is not None]
    yield from symbols(kind.number for kind in kinds)
    yield "<main>\n<header>"
    yield f"<h1>{escaped(title(communication, spots.shown(communication.path)))}</h1>"
    yield f'<p class="job">{_sentence(subtitle(communication))}</p>'
    yield f'<p class="verdict {found.tone}"><span class="sign" aria-hidden="true">{_SIGNS[found.tone]}</span> '
    yield f"{sentence(found.text, spots, found.places)}</p>"
    yield from (f'<p class="limit">{sentence(limit, spots, found.places)}.</p>' for limit in found.limits)
    yield from _lead(focus, spots)
    yield "</header>"
    yield from _tools(troubles, spots)
    yield from legend(kinds, remarks(items))
    if communication.rows:
        yield from Steps(communication.columns, spots, {kind.name: kind.number for kind in kinds}, items).lines()
    yield from sources(spots)
    yield "</main>"
    for format, draw in {"mermaid": mermaid.render, "svg": svg.render}.items():
        content = escaped_lines(draw(communication, documents, presentation))
        yield f'<textarea id="as-{format}" hidden readonly aria-hidden="true">\n{content}</textarea>'


def style_sheet(columns: int) -> str:
    """The style sheet of traces; where so many columns do not fit beside each other, they are below each other."""
    return _file("steps.css").replace("STACKED", f"{_NAMES_EM + _COLUMN_EM * columns}em")


def symbols(numbers: Iterable[int]) -> Iterator[str]:
    """The shapes of signs, which the steps refer to."""
    yield '<svg width="0" height="0" aria-hidden="true" class="symbols">'
    for number in (marks.ROUND, *numbers):
        yield f'<symbol id="mark{number}" viewBox="-7 -7 14 14"><path d="{marks.shape(number)}"/></symbol>'
    yield "</svg>"


def _lead(focus: Focus | None, spots: Spots) -> Iterator[str]:
    if focus is not None and focus.lead:
        lines = (sentence(line, spots, focus.places) for line in focus.lead.splitlines())
        yield f'<pre class="lead">{"<br>".join(lines)}</pre>'


def _tools(troubles: Sequence[Entry], spots: Spots) -> Iterator[str]:
    """The jumps to the troubles, and what needs the script: it shows that part itself."""
    if len(troubles) > 1:
        yield '<nav class="troubles" aria-label="Places where the ranks do not meet"><ol>'
        for index, entry in enumerate(troubles, start=1):
            cell = entry.row.lead
            yield f'<li><a href="#trouble-{index}">{escaped(f"{cell.name} {spots.of(cell.location).label}")}</a></li>'
        yield "</ol></nav>"
    yield '<div class="tools" id="tools" hidden>'
    if troubles:
        yield '<span role="group" aria-label="Jump">'
        several = len(troubles) > 1
        if several:
            yield '<button type="button" id="previous" aria-keyshortcuts="p" title="Key: p">Previous problem</button>'
        name = "Next problem" if several else "Jump to the problem"
        yield f'<button type="button" id="next" aria-keyshortcuts="n" title="Key: n">{name}</button>'
        yield '<span id="position" role="status"></span></span>'
    yield '<button type="button" id="unfold" aria-pressed="false">Unfold all</button>'
    yield '<span role="group" aria-label="Copy as">Copy as'
    for format in ("Mermaid", "SVG", "PNG"):
        yield f'<button type="button" data-copy="{format.lower()}">{format}</button>'
    yield '<span id="copied" role="status"></span></span>'
    yield "</div>"


def legend(kinds: Sequence[GroupKind], said: Sequence[str]) -> Iterator[str]:
    """What the signs of a trace mean."""
    if not kinds and not said:
        return
    yield '<ul class="legend" aria-label="Signs">'
    if kinds:
        yield f"<li>{mark(marks.ROUND)} all ranks</li>"
    for kind in kinds:
        yield f"<li>{mark(kind.number)} {escaped(kind.text)}</li>"
    for line in said:
        yield f'<li><span class="unsure-sign" aria-hidden="true"></span> {escaped(line)}</li>'
    yield "</ul>"


def mark(number: int) -> str:
    """A sign of the legend, with its name."""
    return f'<svg class="mark g{number}" role="img" aria-label="{marks.name(number)}"><use href="#mark{number}"/></svg>'


def _sentence(text: str) -> str:
    return escaped(text[:1].upper() + text[1:]) + "."


def _file(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")

"""The table as a page that needs nothing else: steps that fold, a jump to each trouble, and copies in other formats."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path

from ddl_lint.analysis.ranks.communication import Communication
from ddl_lint.output.trace import marks, mermaid, svg
from ddl_lint.output.trace.html_sources import locations_of, sources
from ddl_lint.output.trace.html_steps import Steps
from ddl_lint.output.trace.html_text import sentence
from ddl_lint.output.trace.labels import remarks
from ddl_lint.output.trace.outline import Documents, Entry, outline, with_depth
from ddl_lint.output.trace.presentation import Focus, Presentation, Spots
from ddl_lint.output.trace.shapes import escaped
from ddl_lint.output.trace.verdict import verdict
from ddl_lint.output.trace.words import GroupKind, group_kinds, subtitle, title

_NAMES_EM = 17  # the width of the names that is needed beside the columns
_COLUMN_EM = 9

_SIGNS = {"hang": "✕", "doubt": "?", "clear": "✓"}


def render(communication: Communication, documents: Documents, presentation: Presentation) -> str:
    """The page."""
    spots, items = Spots(documents, presentation), outline(communication.rows)
    kinds = group_kinds(communication)
    found, focus = verdict(communication, documents), presentation.focus
    troubles = [entry for _, entry in with_depth(items) if entry.gap is not None]
    steps = Steps(communication.columns, spots, {kind.name: kind.number for kind in kinds}, items)
    script = _file("page.js")
    name = escaped(title(communication, spots.shown(communication.path)))
    lines = [
        "<!doctype html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{content_policy(script)}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>Rank trace of {name}</title>",
        f"<style>\n{style_sheet(len(communication.columns))}</style>",
        "</head>",
        f'<body style="--columns: {len(communication.columns)}">',
        *symbols(kind.number for kind in kinds),
        "<main>",
        "<header>",
        f"<h1>{name}</h1>",
        f'<p class="job">{_sentence(subtitle(communication))}</p>',
        f'<p class="verdict {found.tone}"><span class="sign" aria-hidden="true">{_SIGNS[found.tone]}</span> '
        f"{sentence(found.text, spots, found.places)}</p>",
        *(f'<p class="limit">{sentence(limit, spots, found.places)}.</p>' for limit in found.limits),
        *_lead(focus, spots),
        "</header>",
        *_tools(troubles, spots),
        *legend(kinds, remarks(items)),
    ]
    if communication.rows:
        lines.extend(steps.lines())
    named = (*locations_of(communication), *found.places, *(focus.places if focus is not None else ()))
    lines.extend(sources(named, spots))
    lines.append("</main>")
    copies = {"mermaid": mermaid.render, "svg": svg.render}
    for format, draw in copies.items():
        content = escaped_lines(draw(communication, documents, presentation))
        lines.append(f'<textarea id="as-{format}" hidden readonly aria-hidden="true">\n{content}</textarea>')
    lines += [f"<script>{script}</script>", "</body>", "</html>"]
    return "\n".join(lines) + "\n"


def content_policy(script: str) -> str:
    """Nothing is loaded, and no other script runs, whatever the checked files hold."""
    digest = b64encode(sha256(script.encode()).digest()).decode()
    allowed = f"script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data: blob:"
    return f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"


def style_sheet(columns: int) -> str:
    """The style sheet; where the columns do not fit beside each other, they are below each other."""
    return _file("page.css").replace("STACKED", f"{_NAMES_EM + _COLUMN_EM * columns}em")


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


def _lines(text: str) -> str:
    return "\n".join(map(escaped, text.splitlines()))


def escaped_lines(text: str) -> str:
    """A text of several lines that is only text in HTML."""
    return _lines(text) + "\n"


def _file(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")

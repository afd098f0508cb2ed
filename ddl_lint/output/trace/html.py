"""The table as a page that needs nothing else: the picture, and the steps as a table with all places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from ddl_lint.analysis.ranks.communication import Cell, Communication, Row
from ddl_lint.output.cells import printable
from ddl_lint.output.places import place_of
from ddl_lint.output.trace import svg
from ddl_lint.output.trace.outline import (
    Documents,
    Entry,
    Item,
    cell_name,
    conditions,
    headline,
    label,
    outline,
    remark,
    remarks,
)
from ddl_lint.output.trace.text import groups, subtitle, summary, title

_STYLE = """
:root { color-scheme: light dark; --line: #d1d9e0; --dim: #656d76; --red: #cf222e; --alarm: #ffebe9; --block: #f6f8fa }
@media (prefers-color-scheme: dark) {
  :root { --line: #3d444d; --dim: #9198a1; --red: #ff7b72; --alarm: #3c1618; --block: #151b23 }
}
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem }
figure { margin: 1.5rem 0; overflow-x: auto; border: 1px solid var(--line); border-radius: 6px }
figure svg { display: block }
table { border-collapse: collapse; font: 13px/1.4 ui-monospace, Menlo, Consolas, monospace }
th, td { border-bottom: 1px solid var(--line); padding: .25rem .75rem; text-align: left; vertical-align: top }
tr.block th { background: var(--block); font-weight: 600 }
tr.gap td, tr.gap th { background: var(--alarm); color: var(--red) }
tbody th { font-weight: 400 }
small, p.dim, table .dim { color: var(--dim); font-size: inherit; font-weight: 400 }
.red { color: var(--red); font-weight: 600 }
"""


def render(communication: Communication, documents: Documents) -> str:
    """The page."""
    name = _escape(title(communication))
    items = outline(communication.rows)
    look = ' class="red"' if communication.gaps else ""
    lines = [
        "<!doctype html>",
        '<html lang="en">',
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>Trace of {name}</title>",
        f"<style>{_STYLE}</style>",
        f"<h1>{name}</h1>",
        f"<p>{_sentence(subtitle(communication))}</p>",
        *(f'<p class="dim">{_escape(line)}</p>' for line in groups(communication)),
        f"<p{look}>{_escape(summary(communication))}</p>",
        f"<figure>\n{svg.render(communication, documents)}</figure>",
    ]
    if communication.rows:
        lines.append("<table>\n<thead><tr><th>step</th>")
        lines.extend(f"<th>{_escape(ranks.title)}</th>" for ranks in communication.columns)
        lines.append("</tr></thead>\n<tbody>")
        lines.extend(_rows(items, 0, len(communication.columns), documents))
        lines.append("</tbody>\n</table>")
    lines.extend(f'<p class="dim">{_escape(said)}</p>' for said in remarks(items))
    return "\n".join([*lines, "</html>"]) + "\n"


def _rows(items: Sequence[Item], depth: int, columns: int, documents: Documents) -> Iterator[str]:
    indent = f' style="padding-left: {0.75 + depth * 1.25:g}rem"'
    for item in items:
        if isinstance(item, Entry):
            yield from _entry(item, indent, columns, documents)
            continue
        block = item.blocks[0]
        note = f" ({remark(block)})" if remark(block) else ""
        place = place_of(block.location, documents)
        yield (
            f'<tr class="block"><th colspan="{columns + 1}"{indent}>{_escape(headline(item) + note)}'
            f" <small>{_escape(place.head)}</small></th></tr>"
        )
        yield from _rows(item.items, depth + 1, columns, documents)


def _entry(entry: Entry, indent: str, columns: int, documents: Documents) -> Iterator[str]:
    row = entry.row
    look = ' class="gap"' if row.gap is not None else ""
    cells = "".join(f"<td>{_cell(row, cell, documents)}</td>" for cell in row.cells)
    yield f"<tr{look}><th{indent}>{_escape(label(entry))}</th>{cells}</tr>"
    if entry.gap is not None:
        yield f'<tr class="gap"><td colspan="{columns + 1}"{indent}>{_escape(entry.gap.message)}</td></tr>'


def _cell(row: Row, cell: Cell | None, documents: Documents) -> str:
    if cell is None:
        return '<span class="dim">–</span>' if row.gap is None else "✗"  # noqa: RUF001
    names = {other.name for other in row.cells if other is not None}
    what = f"{cell_name(cell)} " if len(names) > 1 else ""
    under = f" {conditions(cell)}" if conditions(cell) else ""
    return _escape(f"{what}{place_of(cell.location, documents).head}{under}")


def _sentence(text: str) -> str:
    return _escape(text[:1].upper() + text[1:]) + "."


def _escape(text: str) -> str:
    return escape(printable(text))

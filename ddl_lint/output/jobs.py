"""The table of the launches of a project: as text, JSON, a picture or a page that needs nothing else."""

from __future__ import annotations

import json
from collections.abc import Sequence

from ddl_lint.escape import harmless_json, harmless_markup, without_commands
from ddl_lint.output.cells import printable
from ddl_lint.output.html.escaped import escaped
from ddl_lint.output.job_rows import Row, headline

_TITLES = (
    "where",
    "started by",
    "script",
    "nodes x processes",
    "world",
    "engine",
    "batch",
    "versions",
    "container",
    "not known",
)
_CHARACTER, _ROW, _MARGIN = 7.25, 24, 16
_MOST = 48  # characters of a cell of the picture

_LOOK = """
:root { color-scheme: light dark; --line: #d1d9e0; --dim: #656d76; --text: #1f2328; --page: #ffffff }
@media (prefers-color-scheme: dark) { :root { --line: #3d444d; --dim: #9198a1; --text: #f0f6fc; --page: #0d1117 } }
"""


_FIELDS = (
    *("file", "line", "launchers", "script", "is_found", "nodes", "processes", "world_size", "engine", "batch"),
    *("versions", "container", "unknown"),
)


def render(rows: Sequence[Row], files: int, form: str, *, opened_at: tuple[str, int] | None = None) -> str:
    """The table in a form of `JOB_FORMATS`; `files` is how many were read for it.

    A page marks the launch that it is `opened_at`: by its file, as a row has it, and its line.
    """
    if form == "json":
        jobs = [{name: getattr(row, name) for name in _FIELDS} for row in rows]
        return harmless_json(json.dumps({"version": 1, "files": files, "jobs": jobs}, indent=2)) + "\n"
    if form == "text":
        return without_commands(_text(rows, files))
    if form == "html":
        from ddl_lint.output.overview.jobs_page import jobs_page  # here, since few ask for a page

        return jobs_page(rows, files, opened_at)
    return harmless_markup(_picture(rows, files))


def cells(row: Row) -> tuple[str, ...]:
    """What is shown of a launch, in the order of the titles."""
    size = f"{_number(row.nodes)} x {_number(row.processes)}"
    known = (f"{row.file}:{row.line}", " > ".join(row.launchers), row.script, size, _number(row.world_size))
    return tuple(map(printable, (*known, row.engine, row.batch, row.versions, row.container, "; ".join(row.unknown))))


def _number(number: int | None) -> str:
    return "?" if number is None else str(number)


def _text(rows: Sequence[Row], files: int) -> str:
    lines = [headline(rows, files), ""] if rows else [headline(rows, files)]
    for row in rows:
        shown = dict(zip(_TITLES, cells(row), strict=True))
        lines.append(f"{shown.pop('where')}  {shown.pop('started by')}  {shown.pop('script')}")
        lines += [f"    {title:<18} {text}" for title, text in shown.items() if text]
        lines.append("")
    return "\n".join(lines).rstrip("\n") + "\n"


def _picture(rows: Sequence[Row], files: int) -> str:
    table = [_TITLES, *(tuple(map(_short, cells(row))) for row in rows)]
    widths = [max(len(line[column]) for line in table) for column in range(len(_TITLES))] if rows else []
    starts = [_MARGIN + sum(widths[:column]) * _CHARACTER + 20 * column for column in range(len(widths))]
    width = int(starts[-1] + widths[-1] * _CHARACTER + _MARGIN) if rows else 560
    height = 2 * _MARGIN + _ROW * (len(table) + 1 if rows else 1)
    style = f"{_LOOK}text {{ font: 12px ui-monospace, Menlo, Consolas, monospace; fill: var(--text) }}"
    style += " .dim { fill: var(--dim) } line { stroke: var(--line) } rect { fill: var(--page) }"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">',
        f"<style>{style}</style>",
        f'<rect width="{width}" height="{height}"/>',
        f'<text x="{_MARGIN}" y="{_MARGIN + 12}" class="dim">{escaped(headline(rows, files))}</text>',
    ]
    for index, line in enumerate(table if rows else ()):
        y = _MARGIN + _ROW * (index + 1) + 14
        look = ' class="dim"' if index == 0 else ""
        lines += [
            f'<text x="{x:.0f}" y="{y}"{look}>{escaped(text)}</text>' for x, text in zip(starts, line, strict=True)
        ]
        lines.append(f'<line x1="{_MARGIN}" x2="{width - _MARGIN}" y1="{y + 8}" y2="{y + 8}"/>')
    return "\n".join(lines) + "\n</svg>\n"


def _short(text: str) -> str:
    return text if len(text) <= _MOST else f"{text[: _MOST - 1]}…"

"""The page of `ddl-lint jobs`: each launch as the report draws it, with what is not known of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from ddl_lint.output.html.escaped import escaped
from ddl_lint.output.html.frame import page
from ddl_lint.output.job_rows import Row, headline
from ddl_lint.output.overview import launches

_UNKNOWN = (
    "A size that comes from a variable becomes known with a default in the script, such as <code>${GPUS:-8}</code>; "
    "what depends on a file outside the project stays unknown. Rules about the size of a job are silent about unknown "
    "sizes."
)


def jobs_page(rows: Sequence[Row], files: int, opened_at: tuple[str, int] | None = None) -> str:
    """The page; `files` is how many were read for it, `opened_at` the launch that it marks, by its file and line."""
    style = Path(__file__).with_name("page.css").read_text(encoding="utf-8")
    return page("Jobs", _body(rows, files, opened_at), style=style, in_editor=True)


def _body(rows: Sequence[Row], files: int, opened_at: tuple[str, int] | None) -> Iterator[str]:
    yield f'<main class="overview">\n<h1>Jobs</h1>\n<p class="job">{escaped(headline(rows, files))}</p>'
    if any(row.unknown for row in rows):
        yield f'<p class="job">{_UNKNOWN}</p>'
    yield from launches.lines(rows, with_unknown=True, opened_at=opened_at)
    yield "</main>"

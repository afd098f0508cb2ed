"""The launch picture: which line starts which script, on how many nodes, with how many processes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ddl_lint.output.counted import counted
from ddl_lint.output.html.escaped import escaped, with_code
from ddl_lint.output.job_rows import Row

_MOST = 200  # launches
_MOST_NODES, _MOST_PROCESSES = 8, 16  # that are drawn


def lines(
    rows: Sequence[Row], *, with_unknown: bool = False, opened_at: tuple[str, int] | None = None
) -> Iterator[str]:
    """The launches of each script, and if it is wanted what is not known of each. Places open where an editor shows
    them; the launch that the picture is `opened_at` is marked.
    """
    by_script: dict[tuple[bool, str], list[Row]] = {}
    for row in sorted(rows, key=lambda each: not each.is_found)[:_MOST]:
        by_script.setdefault((not row.is_found, row.script), []).append(row)
    for _, mine in sorted(by_script.items()):
        yield f'<section class="launch"><h3>{_script(mine[0])}</h3><ul>'
        for row in mine:
            yield from _launch(row, row.unknown if with_unknown else (), is_marked=opened_at == (row.file, row.line))
        yield "</ul></section>"
    if len(rows) > _MOST:
        yield f"<p>And {len(rows) - _MOST} more: <code>ddl-lint jobs</code> lists them all.</p>"


def _script(row: Row) -> str:
    if not row.is_found:
        return f"<code>{escaped(row.script)}</code>"
    ranks = f'<button type="button" data-trace="{escaped(row.script)}" hidden>Show ranks</button>'
    return f"<code {_place(row.script, 1)}>{escaped(row.script)}</code> {ranks}"


def _place(file: str, line: int) -> str:
    return f'data-file="{escaped(file)}" data-line="{line}" data-column="1"'


def _launch(row: Row, unknown: Sequence[str], *, is_marked: bool) -> Iterator[str]:
    started = escaped(" > ".join(row.launchers)) or "python"
    where = f"<code {_place(row.file, row.line)}>{escaped(f'{row.file}:{row.line}')}</code>"
    yield f'<li{" aria-current=true" if is_marked else ""}><span class="from">{where} {started}</span>'
    yield f'<span class="size">{_nodes(row)}<span>{escaped(_size(row))}</span></span>'
    more = [("engine", row.engine), ("batch", row.batch), ("versions", row.versions), ("container", row.container)]
    said = "; ".join(f"{name} {text}" for name, text in more if text)
    if said:
        yield f'<span class="more-facts">{escaped(said)}</span>'
    if unknown:
        reasons = "".join(f"<li>{with_code(reason)}</li>" for reason in unknown)
        yield f'<ul class="unknown-facts" aria-label="Not known">{reasons}</ul>'
    yield "</li>"


def _size(row: Row) -> str:
    """Such as `2 nodes x 8 processes = 16 ranks`."""
    nodes = "? nodes" if row.nodes is None else counted(row.nodes, "node")
    processes = "? processes" if row.processes is None else counted(row.processes, "process", "processes")
    ranks = "" if row.world_size is None else f" = {counted(row.world_size, 'rank')}"
    return f"{nodes} x {processes}{ranks}"


def _nodes(row: Row) -> str:
    """A box for each node, a square for each process; dashed where the number is not known."""
    nodes, processes = row.nodes or 1, row.processes or 1
    unknown = " unknown" if row.nodes is None or row.processes is None else ""
    squares = "<i></i>" * min(processes, _MOST_PROCESSES) + ("<em>…</em>" if processes > _MOST_PROCESSES else "")
    boxes = f'<span class="node{unknown}">{squares}</span>' * min(nodes, _MOST_NODES)
    more = "<em>…</em>" if nodes > _MOST_NODES else ""
    return f'<span class="nodes" aria-hidden="true">{boxes}{more}</span>'

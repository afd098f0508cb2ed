"""The launch picture: which line starts which script, on how many nodes, with how many processes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ddl_lint.output.counted import counted
from ddl_lint.output.html.escaped import escaped
from ddl_lint.output.jobs import Row

_MOST = 200  # launches
_MOST_NODES, _MOST_PROCESSES = 8, 16  # that are drawn


def lines(rows: Sequence[Row]) -> Iterator[str]:
    """The launches of each script."""
    by_script: dict[tuple[bool, str], list[Row]] = {}
    for row in sorted(rows, key=lambda each: not each.is_found)[:_MOST]:
        by_script.setdefault((not row.is_found, row.script), []).append(row)
    for (_, script), mine in sorted(by_script.items()):
        yield f'<section class="launch"><h3><code>{escaped(script)}</code></h3><ul>'
        for row in mine:
            yield from _launch(row)
        yield "</ul></section>"
    if len(rows) > _MOST:
        yield f"<p>And {len(rows) - _MOST} more: <code>ddl-lint jobs</code> lists them all.</p>"


def _launch(row: Row) -> Iterator[str]:
    started = escaped(" > ".join(row.launchers)) or "python"
    yield f'<li><span class="from"><code>{escaped(f"{row.file}:{row.line}")}</code> {started}</span>'
    yield f'<span class="size">{_nodes(row)}<span>{escaped(_size(row))}</span></span>'
    more = [("batch", row.batch), ("versions", row.versions), ("container", row.container)]
    said = "; ".join(f"{name} {text}" for name, text in more if text)
    if said:
        yield f'<span class="more-facts">{escaped(said)}</span>'
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

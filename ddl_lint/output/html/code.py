"""Lines of source code in a page, with their numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.output.cells import clipped
from ddl_lint.output.html.escaped import escaped

_LONGEST = 160  # characters of a line that are shown
_TAB = 4


def code(lines: Iterable[tuple[int, str, str]]) -> str:
    """Lines by their numbers: what is shown of each, as HTML, and its name in the page; empty for none. Where a line is
    not followed by the next one of its file, a rule is drawn.
    """
    return f'<pre class="code">{"".join(_spans(lines))}</pre>'  # without line breaks, which would be shown


def _spans(lines: Iterable[tuple[int, str, str]]) -> Iterator[str]:
    before: int | None = None
    for number, shown, name in lines:
        gap = ' class="gap"' if before is not None and number != before + 1 else ""
        here = f' id="{name}" data-hit' if name else ""
        yield f"<span{gap}{here}><b>{number}</b> {shown}</span>"
        before = number


def plain(text: str) -> str:
    """A line of code."""
    return escaped(clipped(text.rstrip().expandtabs(_TAB), _LONGEST))


def marked(text: str, begin: int, end: int) -> str:
    """A line of code of which a part is marked: by the offsets in it."""
    if end > _LONGEST or "\t" in text[begin:end]:
        return f"<mark>{plain(text)}</mark>"
    before = text[:begin].expandtabs(_TAB)
    after = clipped(text[end:].rstrip(), max(1, _LONGEST - end))
    return f"{escaped(before)}<mark>{escaped(text[begin:end])}</mark>{escaped(after)}"

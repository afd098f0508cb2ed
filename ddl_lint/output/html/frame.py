"""The frame of a page that needs nothing else: no request leaves it, and no script runs but its own."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path

from ddl_lint.escape import harmless_markup
from ddl_lint.output.html.escaped import escaped

_HERE = Path(__file__).parent


def page(
    title: str,
    body: Iterable[str],
    *,
    style: str = "",
    script: str = "",
    columns: int = 0,
    in_editor: bool = False,
) -> str:
    """A page.

    Args:
        title: Its title, not yet escaped.
        body: The lines of its body, as HTML.
        style: Its style sheet, beside what all pages look like.
        script: Its script, which may use what `page.js` has; empty for a page that has none.
        columns: The columns of the trace that it shows.
        in_editor: Whether places open in an editor, by `editor.js`, where the page is shown in a panel of one.
    """
    script = f"{_file('page.js')}{script}" if script else ""
    script = f"{_file('editor.js')}{script}" if in_editor else script
    lines = _lines(title, body, f"{_file('page.css')}{style}", script, columns)
    return harmless_markup("\n".join(lines)) + "\n"


def _lines(title: str, body: Iterable[str], style: str, script: str, columns: int) -> Iterator[str]:
    yield "<!doctype html>"
    yield '<html lang="en">'
    yield "<head>"
    yield '<meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{_policy(script)}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield '<meta name="referrer" content="no-referrer">'
    yield f"<title>{escaped(title)}</title>"
    yield f"<style>\n{style}</style>"
    yield "</head>"
    yield f'<body style="--columns: {columns}">' if columns else "<body>"
    yield from body
    if script:
        yield f"<script>{script}</script>"
    yield "</body>\n</html>"


def _policy(script: str) -> str:
    """What a browser is to allow, whatever the checked files hold."""
    allowed = f"script-src 'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'; " if script else ""
    allowed += "style-src 'unsafe-inline'; img-src data: blob:"
    return f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"


def _file(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")

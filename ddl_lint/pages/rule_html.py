"""The page of a rule as HTML that needs nothing else: for a browser, and for a view of an editor."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from pathlib import Path

from ddl_lint.pages.references import address
from ddl_lint.pages.rule_page import changes, fix_safety
from ddl_lint.pages.rule_pictures import rank_pictures
from ddl_lint.registry.rules import Rule

_SIDES = {"bad": "The faulty program", "good": "The corrected one"}
_LINES = {"+": "new", "-": "old", "@": "place"}

# Nothing is loaded and no script runs: the page has none.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"


def rule_html(rule: Rule) -> str:
    """Everything that a user may want to know of a rule."""
    return "\n".join(_lines(rule)) + "\n"


def _lines(rule: Rule) -> Iterator[str]:
    info = rule.info
    style = Path(__file__).with_name("rule_page.css").read_text(encoding="utf-8")
    yield "<!doctype html>"
    yield '<html lang="en">'
    yield "<head>"
    yield '<meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{escape(info.code)} {escape(info.name)}</title>"
    yield f"<style>\n{style}</style>"
    yield "</head>"
    yield "<body>\n<main>"
    yield f"<h1>{escape(info.name)} <small>{escape(info.code)}</small></h1>"
    yield f'<p class="summary">{_text(info.summary)}.</p>'
    yield from _facts(rule)
    yield f"<h2>Why</h2>\n{_blocks(info.why)}"
    yield f"<h2>What to do</h2>\n{_blocks(info.fix.advice)}\n<p>{_text(fix_safety(rule))}</p>"
    if diff := list(changes(rule)):
        yield "<h2>Example</h2>\n<pre>" + "".join(_changed_line(line) for line in diff) + "</pre>"
    yield from _ranks(rule)
    if info.silent_when:
        yield f"<h2>Says nothing when</h2>\n{_list(_text(case.when) for case in info.silent_when)}"
    if info.references:
        yield f"<h2>Seen in</h2>\n{_list(_reference(reference) for reference in info.references)}"
    if info.is_engine:
        yield f"<p>To turn it off: <code>--ignore {escape(info.name)}</code></p>"
    else:
        yield f"<p>To silence it on a line: <code># ddl-lint: ignore[{escape(info.name)}] reason</code></p>"
    yield "</main>\n</body>\n</html>"


def _facts(rule: Rule) -> Iterator[str]:
    info = rule.info
    facts = {
        "severity": info.severity.value,
        "confidence": info.confidence.value,
        "consequence": info.consequence.replace("-", " "),
        "frameworks": ", ".join(info.frameworks),
    }
    told = (f"<div><dt>{name}</dt> <dd>{escape(value)}</dd></div>" for name, value in facts.items() if value)
    yield f'<dl class="facts">{"".join(told)}</dl>'


def _ranks(rule: Rule) -> Iterator[str]:
    pictures = list(rank_pictures(rule, "svg"))
    if pictures:
        yield "<h2>What the ranks do</h2>"
    for picture in pictures:
        drawing = picture.content[picture.content.index("<svg") :]  # without what belongs before a file's first element
        title = f"{_SIDES[picture.side]}, <code>{escape(picture.script)}</code>"
        yield f'<figure><figcaption>{title}</figcaption><div class="picture">{drawing}</div></figure>'


def _changed_line(line: str) -> str:
    kind = _LINES.get(line[:1], "same")
    return f'<span class="{kind}">{escape(line) or " "}</span>'


def _blocks(text: str) -> str:
    return "\n".join(f"<p>{_text(block)}</p>" for block in text.strip().split("\n\n"))


def _list(items: Iterator[str]) -> str:
    return "<ul>" + "".join(f"<li>{item}</li>" for item in items) + "</ul>"


def _text(text: str) -> str:
    """A text with code between backticks, the only markup that rules use within a paragraph."""
    parts = re.split(r"`([^`]+)`", " ".join(text.split()))
    return "".join(f"<code>{escape(part)}</code>" if odd % 2 else escape(part) for odd, part in enumerate(parts))


def _reference(reference: str) -> str:
    known = address(reference)
    return f'<a href="{escape(known)}">{escape(reference)}</a>' if known else escape(reference)

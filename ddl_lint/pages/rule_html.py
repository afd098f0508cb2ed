"""The page of a rule as HTML that needs nothing else: for a browser, and for a view of an editor."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ddl_lint.output.html.escaped import escaped, with_code
from ddl_lint.output.html.frame import page
from ddl_lint.pages.references import address
from ddl_lint.pages.rule_page import changes, facts, fix_safety, silencing
from ddl_lint.pages.rule_pictures import rank_pictures
from ddl_lint.registry.rules import Rule

_SIDES = {"bad": "The faulty program", "good": "The fixed program"}
_LINES = {"+": "new", "-": "old", "@": "place"}


def rule_html(rule: Rule) -> str:
    """Everything that a user may want to know of a rule."""
    style = Path(__file__).with_name("rule_page.css").read_text(encoding="utf-8")
    return page(f"{rule.code} {rule.name}", _body(rule), style=style)


def _body(rule: Rule) -> Iterator[str]:
    info = rule.info
    yield "<main>"
    yield f"<h1>{escaped(info.name)} <small>{escaped(info.code)}</small></h1>"
    yield f'<p class="summary">{_text(info.summary)}.</p>'
    if diff := list(changes(rule)):
        yield "<h2>Example</h2>\n<pre>" + "".join(_changed_line(line) for line in diff) + "</pre>"
    yield from _ranks(rule)
    yield f"<h2>Why</h2>\n{_blocks(info.why)}"
    yield f"<h2>What to do</h2>\n{_blocks(info.fix.advice)}\n<p>{_text(fix_safety(rule))}</p>"
    if info.silent_when:
        yield f"<h2>When it is silent</h2>\n{_list(_text(case.when) for case in info.silent_when)}"
    yield f"<h2>How to silence it</h2>\n<p><code>{escaped(silencing(rule))}</code></p>"
    if info.references:
        yield f"<h2>Reported in</h2>\n{_list(_reference(reference) for reference in info.references)}"
    yield from _facts(rule)
    yield "</main>"


def _facts(rule: Rule) -> Iterator[str]:
    told = (f"<div><dt>{name}</dt> <dd>{escaped(value)}</dd></div>" for name, value in facts(rule).items())
    yield f'<h2>Facts</h2>\n<dl class="facts">{"".join(told)}</dl>'


def _ranks(rule: Rule) -> Iterator[str]:
    pictures = list(rank_pictures(rule, "svg"))
    if pictures:
        yield "<h2>What the ranks do</h2>"
    for picture in pictures:
        drawing = picture.content[picture.content.index("<svg") :]  # without what belongs before a file's first element
        title = f"{_SIDES[picture.side]}, <code>{escaped(picture.script)}</code>"
        yield f'<figure><figcaption>{title}</figcaption><div class="picture">{drawing}</div></figure>'


def _changed_line(line: str) -> str:
    kind = _LINES.get(line[:1], "same")
    return f'<span class="{kind}">{escaped(line.expandtabs(4)) or " "}</span>'


def _blocks(text: str) -> str:
    return "\n".join(f"<p>{_text(block)}</p>" for block in text.strip().split("\n\n"))


def _list(items: Iterator[str]) -> str:
    return "<ul>" + "".join(f"<li>{item}</li>" for item in items) + "</ul>"


def _text(text: str) -> str:
    return with_code(" ".join(text.split()))


def _reference(reference: str) -> str:
    known = address(reference)
    return f'<a href="{escaped(known)}">{escaped(reference)}</a>' if known else escaped(reference)

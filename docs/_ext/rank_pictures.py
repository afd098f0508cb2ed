"""Adds to the page of a rule what the ranks do in its faulty program and in the corrected one, as pictures."""

from __future__ import annotations

from html import escape
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

from ddl_lint.pages.rule_pictures import rank_pictures
from ddl_lint.registry.rules import load_rules

FOLDER = "rank-pictures"
"""Where the pictures lie in the site."""

_TITLES = {"bad": "The faulty program", "good": "The fixed program"}


def _add_pictures(app: Sphinx, docname: str, source: list[str]) -> None:
    name = docname.removeprefix("rules/")
    rule = next((rule for rule in load_rules() if rule.name == name), None)
    if rule is None or name == docname or app.builder.format != "html":
        return
    folder = Path(app.outdir) / FOLDER
    figures: list[str] = []
    for picture in rank_pictures(rule, "svg"):
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / f"{name}.{picture.side}.svg"
        file.write_text(picture.content, encoding="utf-8")
        title = f"{_TITLES[picture.side]}, {picture.script}"
        figures.append(
            f'<figure class="ranks"><img src="../{FOLDER}/{file.name}" alt="{escape(title)}: what each rank does">'
            f"<figcaption>{escape(title)}</figcaption></figure>"
        )
    if figures:
        part = "## What the ranks do\n\n```{raw} html\n" + "\n".join(figures) + "\n```\n\n"
        before, heading, after = source[0].partition("## Why\n")
        source[0] = before + part + heading + after


def setup(app: Sphinx) -> ExtensionMetadata:
    """Called by Sphinx."""
    app.connect("source-read", _add_pictures)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

"""The page of a rule as a file, so that editors without a view of their own have something to open: in a browser."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from ddl_lint import __version__
from ddl_lint.pages.published import published_page
from ddl_lint.pages.rule_html import rule_html
from ddl_lint.registry.rules import Rule
from ddl_lint.storage import cache_folder, make_cache_folder

_waiting: dict[str, Rule] = {}
_known: dict[str, str] = {}


def address(rule: Rule, *, as_file: bool) -> str:
    """The URI of a rule's page: in the documentation once that is published; until then of a file, if one is wanted.

    Empty if there is no place for the file. The page itself may be written later.
    """
    published = published_page(rule)
    if published or not as_file:
        return published
    if rule.code not in _known:
        file = _file(rule)
        _known[rule.code] = "" if file is None else file.as_uri()
        if file is not None and not file.exists():
            _waiting[rule.code] = rule
    return _known[rule.code]


def write_next() -> bool:
    """Write one of the pages that are asked for; False when there are none left.

    A page may hold pictures of what ranks do, which take a while: no reader should have to wait for them.
    """
    if not _waiting:
        return False
    _, rule = _waiting.popitem()
    _write(rule, rule_html(rule))
    return True


def written(rule: Rule) -> str:
    """The URI of a rule's page that can be opened now; empty if there is no place for it."""
    known = address(rule, as_file=True)
    if rule.code in _waiting and not _write(_waiting.pop(rule.code), rule_html(rule)):
        return ""
    return known


def _write(rule: Rule, content: str) -> bool:
    file = _file(rule)
    if file is None:
        return False
    try:
        make_cache_folder(file.parents[2])
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=file.parent, suffix=".tmp")
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(content)
        os.replace(temporary, file)
    except OSError:
        return False  # a page that cannot be written is a link that leads nowhere; findings do not depend on it
    return True


def _file(rule: Rule) -> Path | None:
    try:
        stamp = int((rule.folder / "rule.yaml").stat().st_mtime) if rule.folder is not None else 0
    except OSError:
        return None
    folder = cache_folder()
    return folder / "pages" / f"{__version__}-{stamp}" / f"{rule.name}.html" if folder is not None else None

"""The versions of packages that pages for people name: in commands that install them, and in what they say."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache

from packaging.version import Version

from ddl_lint.jobs.guides import shown_commands
from ddl_lint.jobs.known import facts
from ddl_lint.jobs.ranges import around, next_release, range_of
from ddl_lint.jobs.requirements import installed_by
from ddl_lint.jobs.shell import read_shell
from ddl_lint.jobs.versions import Range

_ENTITIES = {"gt": ">", "lt": "<", "amp": "&", "nbsp": " "}
_ENTITY = re.compile(r"&(gt|lt|amp|nbsp);")
_LINKED = re.compile(r"\]\([^()\s]*\)|\bhttps?://[^\s)>\"']+")
_HISTORY = re.compile(r"\b(?:introduced|added|new|renamed|removed|gone|deprecated|dropped)\s+(?:in|by|since|with)\s+$")
_LEAST = re.compile(r"\b(?:since|from|after|least|minimum|above|newer than|later than)\s+$")
_ABOVE = re.compile(r"\b(?:before|until|below|than|not|without|to)\s+$")
_RELEASE = r"v?([0-9]\.\d{1,2}(?:\.\d{1,2})?)(?![\d%]|\.\d)"
_OR_LATER = re.compile(
    r"[\s`*_\"')\](]*(?:\+(?!cu|cpu|rocm|xpu)|"
    r"(?:or|and|&)?[\s`*(]*(?:later|newer|above|higher|greater|up|upwards?|onwards?)\b|"
    r"[\u53ca\u6216]?(?:\u4ee5\u4e0a|\u66f4\u9ad8|\u66f4\u65b0|\u4ee5\u964d)|\uc774\uc0c1)"
)
"""In English, and in Chinese, Japanese and Korean."""
_BELOW = re.compile(rf"[\s`]*,?[\s`]*(<=?)\s*{_RELEASE}")
_OTHER = re.compile(rf"(?:\.x)?\s*(?:-|\u2013|\u2014|~|to|/|,|or|and|&)\s*{_RELEASE}")


@lru_cache(maxsize=64)
def documented(text: str) -> tuple[tuple[str, Range], ...]:
    """The packages whose versions a Markdown page names, each with all that it names of it.

    Where a page gives bounds and exact releases, the exact ones count.
    """
    named: dict[str, set[Range]] = defaultdict(set)
    for name, found in (*_installed(text), *_said(text)):
        named[name].add(found)
    told: list[tuple[str, Range]] = []
    for name, ranges in named.items():
        exact = {each for each in ranges if each.low is not None and each.high is not None}
        known = around(exact or ranges)
        told += [(name, known)] if known != Range() else []
    return tuple(told)


def _installed(text: str) -> Iterator[tuple[str, Range]]:
    if "install" not in text:
        return
    for excerpt in shown_commands("", text):
        if "install" in excerpt.text:
            units = (installed_by(command) for command in read_shell(excerpt).commands)
            pins = (pin for unit in units if unit is not None for pin in unit.pins)
            yield from ((pin.name, found) for pin in pins if (found := range_of(pin.specifier)) != Range())


@lru_cache(maxsize=1)
def _spoken() -> re.Pattern[str]:
    names = "|".join(f"(?P<{name.replace('-', '_')}>{how})" for name, how in facts("packages")["spoken"].items())
    between = r"[ \t*_`\"'()\[\]|:~]*"
    return re.compile(
        rf"(?<![\w./@-])(?:{names})(?![\w.-]){between}(?:(?:versions?|ver\.?|releases?)(?![\w.-]){between})?"
        rf"(?P<sign>\\?(?:[<>=~!≥≤]=?|===))?[ \t*_`]*{_RELEASE.replace('(', '(?P<release>', 1)}"
    )


def _said(text: str) -> Iterator[tuple[str, Range]]:
    """What is said of versions outside of commands, and of requirements that are listed."""
    plain = _ENTITY.sub(lambda found: _ENTITIES[found[1]], _LINKED.sub("]", text)).lower()
    for match in _spoken().finditer(plain):
        name = next(each for each in facts("packages")["spoken"] if match.start(each.replace("-", "_")) >= 0)
        before = plain[max(0, match.start() - 40) : match.start()]
        if _HISTORY.search(before) or (match["sign"] or "").strip("\\") == "!=":
            continue
        found = _meant(plain, match, before)
        if found != Range():
            yield name, found


def _meant(text: str, match: re.Match[str], before: str) -> Range:
    """The versions that are meant where a release is named."""
    sign, first = (match["sign"] or "").strip("\\"), Version(match["release"])
    if sign[:1] in ("<", "≤"):
        return Range(None, first if sign == "<" else _after(first))
    if _ABOVE.search(before) and not _LEAST.search(before):
        return Range()
    if sign[:1] in (">", "≥") or _LEAST.search(before) or _OR_LATER.match(text, match.end()):
        below = _BELOW.match(text, match.end())
        high = Version(below[2]) if below is not None else None
        return Range(first, high if below is None or high is None or below[1] == "<" else _after(high))
    last, at = first, match.end()
    while other := _OTHER.match(text, at):
        last, at = max(last, Version(other[1])), other.end()
    return Range(first, None if _OR_LATER.match(text, at) else _after(last))


def _after(version: Version) -> Version:
    """The first release after one, or after a series of them."""
    return next_release(version.release)

"""The ranges of versions that specifiers mean."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ddl_lint.jobs.versions import Range

if TYPE_CHECKING:
    from packaging.specifiers import Specifier, SpecifierSet
    from packaging.version import Version


def range_of(specifiers: SpecifierSet) -> Range:
    """The smallest range around all versions that fulfil some specifiers."""
    lows: list[Version] = []
    highs: list[Version] = []
    for each in specifiers:
        low, high = _bounds(each)
        lows += [low] if low is not None else []
        highs += [high] if high is not None else []
    return Range(max(lows, default=None), min(highs, default=None))


def _bounds(specifier: Specifier) -> tuple[Version | None, Version | None]:
    from packaging.version import InvalidVersion, Version  # here, and below: most checks read none

    operator, text = specifier.operator, specifier.version
    try:
        version = Version(Version(text.removesuffix(".*")).base_version)
    except InvalidVersion:
        return None, None
    release = version.release
    if operator == "==" and text.endswith(".*"):
        return version, next_release(release)
    if operator in ("==", "==="):
        return version, next_release((*release, 0) if len(release) > 2 else (*release, 0, 0)[:3])
    if operator == "~=":
        return version, next_release(release[:-1])
    if operator in (">=", ">"):
        return version, None
    if operator == "<":
        return None, version
    if operator == "<=":
        return None, next_release((*release, 0) if len(release) > 2 else (*release, 0, 0)[:3])
    return None, None


def next_release(release: tuple[int, ...]) -> Version:
    """The first release after all that begin like one."""
    from packaging.version import Version

    return Version(".".join(map(str, (*release[:-1], release[-1] + 1))))


def around(ranges: Iterable[Range]) -> Range:
    """The smallest range around several."""
    lows, highs = zip(*((each.low, each.high) for each in ranges), strict=True)
    return Range(None if None in lows else min(lows), None if None in highs else max(highs))

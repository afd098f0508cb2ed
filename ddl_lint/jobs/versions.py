"""Which versions of packages a project may run with."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from packaging.version import Version


@dataclass(frozen=True, slots=True)
class Range:
    """The versions from `low` up to, but not including, `high`; None where a side is open.

    A bound is the release that it names: pre-releases and local labels (`+cu118`) do not count.
    """

    low: Version | None = None
    high: Version | None = None


@dataclass(frozen=True, slots=True)
class DocumentedVersion:
    """The versions of a package that a project is written for, as something says that pins none."""

    range: Range
    why: str
    """What says so, as a half sentence."""


@dataclass(frozen=True, slots=True)
class Versions:
    """What is known of the packages that a project runs with, by normalized name."""

    ranges: Mapping[str, Range] = field(default_factory=lambda: MappingProxyType({}))
    told: Mapping[str, DocumentedVersion] = field(default_factory=lambda: MappingProxyType({}))
    """What pages for people name, and what other packages work with. No fault follows from it: it only gives doubt."""

    def is_known(self, package: str) -> bool:
        """Whether anything is known of the version of a package."""
        return _normalized(package) in self.ranges

    def surely_from(self, package: str, version: str) -> bool:
        """Whether each version that may be meant is `version` or a later one."""
        low = self._range(package).low
        return low is not None and low >= _version(version)

    def surely_before(self, package: str, version: str) -> bool:
        """Whether each version that may be meant is earlier than `version`."""
        high = self._range(package).high
        return high is not None and high <= _version(version)

    def documented_before(self, package: str, version: str) -> str:
        """Why the project may be meant for a release earlier than `version`, though none is pinned, as a half sentence;
        empty where nothing says so.
        """
        told = self.told.get(_normalized(package))
        is_earlier = told is not None and told.range.high is not None and told.range.high <= _version(version)
        return told.why if told is not None and is_earlier and not self.surely_from(package, version) else ""

    def documented_from(self, package: str, version: str) -> str:
        """Why the project may be meant for releases from an earlier one than `version` on, as a half sentence; empty
        where nothing says so.
        """
        told = self.told.get(_normalized(package))
        is_earlier = told is not None and told.range.low is not None and told.range.low < _version(version)
        return told.why if told is not None and is_earlier and not self.is_known(package) else ""

    def shown(self, package: str) -> str:
        """The versions that may be meant, for people: `2.4.1`, `>=2.1`, `<2`; empty if nothing is known."""
        known = self._range(package)
        if known.low is not None and known.high is not None and known.high.release[:2] == known.low.release[:2]:
            return str(known.low)
        low = f">={known.low}" if known.low is not None else ""
        high = f"<{known.high}" if known.high is not None else ""
        return ",".join(filter(None, (low, high)))

    def is_beside(self, package: str, version: str) -> bool:
        """Whether a version is surely none of those that may be meant."""
        known, release = self._range(package), _version(version)
        is_earlier = known.low is not None and release < known.low
        return is_earlier or (known.high is not None and release >= known.high)

    def may_be_before(self, package: str, version: str) -> bool:
        """Whether what is declared allows a version earlier than `version`, by a lower bound that is written."""
        low = self._range(package).low
        return low is not None and low < _version(version)

    def _range(self, package: str) -> Range:
        return self.ranges.get(_normalized(package), Range())


def _normalized(package: str) -> str:
    return re.sub(r"[-_.]+", "-", package).lower()


def _version(text: str) -> Version:
    from packaging.version import Version  # most checks never ask, and start without it

    return Version(text)

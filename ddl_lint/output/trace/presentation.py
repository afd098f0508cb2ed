"""How a trace is to be shown: for which width, with which links, and opened where."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePath, PurePosixPath
from urllib.parse import quote

from ddl_lint.analysis.ranks.excerpts import excerpt
from ddl_lint.output.cells import printable
from ddl_lint.output.places import place_of, shown_path
from ddl_lint.source.document import Document
from ddl_lint.source.span import Location

_LONGEST_SOURCE = 120  # characters of a line that is shown beside its number

_WEB = re.compile(r"https?://[^\s\"'<>\\^`{|}]+", re.IGNORECASE)


def is_web_address(text: str) -> bool:
    """Whether a text is an address that a page may link to: `http` or `https`, and nothing else."""
    return _WEB.fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class Links:
    """Where the files of a folder are on the web: `base` is followed by the path of a file in the folder `root`."""

    base: str
    root: str

    def address(self, path: str, line: int | None) -> str:
        """The address of a line of a file, or of the whole file; empty for a file that is not below the folder."""
        try:
            inside = PurePosixPath(PurePath(path).relative_to(self.root).as_posix())
        except ValueError:
            return ""
        address = f"{self.base.rstrip('/')}/{quote(inside.as_posix())}"
        address += "" if line is None else f"#L{line}"
        return address if is_web_address(address) else ""


@dataclass(frozen=True, slots=True)
class Focus:
    """The line that a trace is opened at, and what is known of it: which ranks execute it; `places` are named there."""

    path: str
    line: int
    lead: str = ""
    places: tuple[Location, ...] = ()


@dataclass(frozen=True, slots=True)
class Presentation:
    """What does not follow from the trace itself. `width` and `colour` are for the format `text`."""

    width: int = 100
    colour: bool = False
    folder: str = ""
    """The folder that files are shown relative to; empty: the working directory."""
    links: Links | None = None
    focus: Focus | None = None


@dataclass(frozen=True, slots=True)
class Spot:
    """A place as a trace shows it: the file and line, the text that is there, and its address in the web if any."""

    file: str
    line: int
    column: int
    cell: int | None = None
    source: str = ""
    address: str = ""

    @property
    def label(self) -> str:
        """Such as `train.py:88`."""
        cell = "" if self.cell is None else f":cell {self.cell}"
        return printable(f"{PurePath(self.file).name}{cell}:{self.line}")

    @property
    def head(self) -> str:
        """`file:line:column`, as terminals make it a link."""
        cell = "" if self.cell is None else f"cell {self.cell}:"
        return printable(f"{self.file}:{cell}{self.line}:{self.column}")


@dataclass(slots=True)
class Spots:
    """The places of a trace."""

    documents: Mapping[str, Document]
    presentation: Presentation
    targets: dict[Spot, Location] = field(default_factory=dict["Spot", Location])
    """The places that links within the page lead to."""
    _known: dict[Location, Spot] = field(default_factory=dict[Location, Spot])
    _locations: dict[Spot, Location] = field(default_factory=dict["Spot", Location])
    _files: dict[str, int] = field(default_factory=dict[str, int])

    def of(self, location: Location) -> Spot:
        """The place of a location."""
        spot = self._known.get(location)
        if spot is None:
            spot = self._known[location] = self._make(location)
            self._locations.setdefault(spot, location)
        return spot

    def is_known(self, spot: Spot) -> bool:
        """Whether it is known what is written in the file of a place."""
        return self._locations[spot].path in self.documents

    def anchor(self, spot: Spot) -> str:
        """The name of a place within a page, which a link is to lead to."""
        self.targets.setdefault(spot, self._locations[spot])
        number = self._files.setdefault(spot.file, len(self._files))
        return f"s{number}-{spot.line}" if spot.cell is None else f"s{number}-{spot.cell}-{spot.line}"

    def is_focus(self, location: Location) -> bool:
        """Whether a location is on the line that the trace is opened at."""
        focus, document = self.presentation.focus, self.documents.get(location.path)
        if focus is None or document is None or location.path != focus.path:
            return False
        return document.position(location.start)[0] == focus.line

    def _make(self, location: Location) -> Spot:
        place, links = place_of(location, self.documents), self.presentation.links
        line = place.line if place.cell is None else None
        address = "" if links is None else links.address(location.path, line)
        source = printable(self._line(location))
        return Spot(self.shown(location.path), place.line, place.column, place.cell, source, address)

    def _line(self, location: Location) -> str:
        """The line of the source, without its comment."""
        document = self.documents.get(location.path)
        if document is None:
            return ""
        line = document.position(location.start)[0]
        start = document.offset(line, 1)
        end = start + len(document.line_text(line))
        return excerpt(Location(location.path, start, end), self.documents, _LONGEST_SOURCE)

    def shown(self, path: str) -> str:
        """A file, relative to the folder that files are shown relative to."""
        folder = self.presentation.folder
        if not folder:
            return shown_path(path)
        try:
            return PurePath(path).relative_to(folder).as_posix()
        except ValueError:
            return path

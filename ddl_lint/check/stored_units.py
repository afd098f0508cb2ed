"""What the rules said of runs, on disk: after a change, a new process follows only what the change concerns.

A unit is found again if the modules that it was made of have the same *shape*: equal programs, wherever their parts
are. If one of them has moved, by a comment above it, all places in the unit move with it.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import lru_cache
from typing import Any, Final, NamedTuple, cast

from ddl_lint import finding
from ddl_lint.analysis.ranks import survey
from ddl_lint.analysis.units import Place, State, Unit
from ddl_lint.check.judging import Verdict
from ddl_lint.program import code
from ddl_lint.program.followed import Coverage
from ddl_lint.program.shift import Shift
from ddl_lint.project.contents import Contents
from ddl_lint.project.inputs import content_of
from ddl_lint.registry.rules import Rule
from ddl_lint.rulekit.file_names import FileName
from ddl_lint.source.span import Location
from ddl_lint.storage import Codec, Storage, description, digest, stamp

_UNITS: Final = "units"
_CLASSES = (
    *(Verdict, Location, Coverage, finding.RuleFinding, finding.Finding, finding.Evidence, finding.Edit, finding.Fix),
    *(finding.Severity, finding.Confidence, finding.Applicability),
)


class _Text(NamedTuple):
    """What a module is: its text, and the first of the texts of the same shape, as digests."""

    text: str
    shape: str


_NONE = _Text("", "")
_TEXTS: Place = ("texts", "")
"""Where the texts of all modules are noted that were seen last."""


Outside = Callable[[], Mapping[str, object]]
"""The files that were looked at beside programs, each with its state: a digest, or a `stamp`."""


def state_of(path: str, like: object) -> object:
    """The state of a file now, of the kind that another one is."""
    return content_of(path) if isinstance(like, str) else stamp(path)


class _Moved(Exception):
    """Something cannot be moved to where it would be now."""


class StoredUnits:
    """The units of one project."""

    def __init__(
        self, storage: Storage, root: str, context: str, files: Contents, outside: Outside, rules: Iterable[Rule]
    ) -> None:
        """`context` is a name for all that units depend on beside what they say themselves; `outside` are the files
        that this process looks at beside programs; `rules` are those whose verdicts are kept.
        """
        self._storage = storage
        self._root = root
        self._context = context
        self._files = files
        self._outside = outside
        self._outsides: dict[str, Mapping[str, object] | None] = {}
        self._codec = Codec(
            (*_CLASSES, FileName, survey.Called, survey.Half), {rule.module for rule in rules if rule.module}
        )
        self._past: dict[str, tuple[str, str]] = self._read(_TEXTS) or {}
        self._texts: dict[str, _Text] = {}
        self._shifts: dict[tuple[str, str], Shift | None] = {}
        self._arounds: dict[str, str] = {}

    def find(self, place: Place, before: object, state: State) -> Unit[Verdict] | None:
        """The unit of a place, if all that it was made of is as it was; `before` is plain data."""
        plain = self._read(place)
        if plain is None:
            return None
        try:
            if plain["before"] != digest(description(before)):
                return None
            return self._current(plain, state) if self._is_outside(plain["outside"]) else None
        except (_Moved, KeyError, TypeError, ValueError):  # it was written by another version of ours, or is damaged
            return None

    def keep(self, place: Place, before: object, unit: Unit[Verdict], state: State) -> None:
        """Keep a unit, unless it is made of texts that are in no file."""
        texts = {name: self._text(name, state) for name in sorted(unit.read)}
        if any(not texts[name].text for name, module in unit.read.items() if module is not None):
            return
        entered = (state.place_of(function) for function in unit.entered)
        inherited = ((state.place_of(function), was) for function, was in unit.inherited.items())
        self._write(
            place,
            {
                "before": digest(description(before)),
                "outside": self._noted_outside(),
                "read": {name: text.text for name, text in texts.items()},
                "shapes": {name: text.shape for name, text in texts.items() if text.shape != text.text},
                "words": self._words(texts, state),
                "asked": {name: self._around(name, state) for name in unit.asked},
                "texts": tuple(unit.texts),
                "lines": unit.lines,
                "entered": tuple(sorted(each for each in entered if each is not None)),
                "inherited": tuple(sorted((place, was) for place, was in inherited if place is not None)),
                "programs": unit.programs,
                "verdicts": unit.verdicts,
            },
        )

    def close(self) -> None:
        """Note the texts that were seen, so that the next check can ask whether they have only moved."""
        now = {name: (text.text, text.shape) for name, text in self._texts.items() if text.text}
        if any(self._past.get(name) != text for name, text in now.items()):
            self._write(_TEXTS, {**self._past, **now})

    @property
    def looked_at(self) -> Mapping[str, object]:
        """The files beside programs on which the units depend that were found, with their states."""
        found = (each for each in self._outsides.values() if each is not None)
        return {path: state for each in found for path, state in each.items()}

    def _is_outside(self, name: str) -> bool:
        """Whether what was looked at beside programs is as it was."""
        if name not in self._outsides:
            known: Mapping[str, object] | None = self._read(("outside", name))
            is_same = known is not None and all(state_of(path, state) == state for path, state in known.items())
            self._outsides[name] = known if is_same else None
        return self._outsides[name] is not None

    def _noted_outside(self) -> str:
        """The name under which it is kept what this process has looked at."""
        states = self._outside()
        name = digest(description(states))
        if name not in self._outsides:
            self._outsides[name] = states
            self._write(("outside", name), dict(states))
        return name

    # --- what a unit is made of -------------------------------------------------------------------------------

    def _current(self, plain: Mapping[str, Any], state: State) -> Unit[Verdict] | None:
        """A unit as it is now. Raises `_Moved` where it is not the same, or that is unknown."""
        moved: dict[str, Shift] = {}
        read: dict[str, code.Module | None] = {}
        shapes = plain["shapes"]
        for name, text in plain["read"].items():
            now = self._text(name, state)
            module = read[name] = state.module(name)
            if now.shape != shapes.get(name, text):
                return None
            if now.text != text and module is not None:
                moved[module.path] = self._shift(name, text, module)
        if self._words(plain["read"], state) != plain["words"]:
            return None
        if any(self._around(name, state) != around for name, around in plain["asked"].items()):
            return None
        if not moved.keys().isdisjoint(plain["texts"]):
            return None
        place_now = _mover(moved)
        for path, offset, line in plain["lines"]:
            # The cells of a notebook may be others though its text is the same.
            document = self._files.document(path) if path in moved or path.endswith(".ipynb") else None
            if document is not None and document.place(place_now(Location(path, offset, offset)).start) != line:
                return None
        functions = (state.function_at(place) for place in plain["entered"])
        inherited = [(function, was) for place, was in plain["inherited"] if (function := state.function_at(place))]
        if len(inherited) < len(plain["inherited"]):
            return None
        return Unit(
            _moved(plain["verdicts"], place_now) if moved else plain["verdicts"],
            read,
            {name: state.around(name) for name in plain["asked"]},
            None,
            frozenset(function for function in functions if function is not None),
            {},
            _moved(plain["programs"], place_now) if moved else plain["programs"],
            texts=plain["texts"],
            lines=plain["lines"],
            inherited=dict(inherited),
        )

    def _text(self, name: str, state: State) -> _Text:
        """What a module of the project is now."""
        if name not in self._texts:
            self._texts[name] = self._found(name, state)
        return self._texts[name]

    def _found(self, name: str, state: State) -> _Text:
        module = state.module(name)
        if module is None:
            return _NONE
        text = self._files.digest_of(module.path)
        before = self._past.get(name)
        if before is None or before[0] == text or not text:
            return _Text(text, before[1] if before is not None and text else text)
        try:
            self._shift(name, before[0], module)
        except _Moved:
            return _Text(text, text)
        return _Text(text, before[1])

    def _shift(self, name: str, text: str, module: code.Module) -> Shift:
        """How the parts of a module have moved since it had another text."""
        if (name, text) not in self._shifts:
            earlier = self._files.earlier(module, text)
            self._shifts[name, text] = Shift.between(earlier, module) if earlier is not None else None
        found = self._shifts[name, text]
        if found is None:
            raise _Moved
        return found

    def _words(self, names: Iterable[str], state: State) -> str:
        """A name for the words of modules that decide what of them is followed again."""
        modules = (state.module(name) for name in names)
        return digest(*(_joined(state.relevant_words(module)) for module in modules if module is not None))

    def _around(self, name: str, state: State) -> str:
        """A name for the shapes of the programs that use a module."""
        if name not in self._arounds:
            parts = ((module.name, self._text(module.name, state).shape) for module in state.around(name))
            self._arounds[name] = digest(*(part for pair in parts for part in pair))
        return self._arounds[name]

    # --- entries ----------------------------------------------------------------------------------------------

    def _read(self, place: Place) -> Any:
        data = self._storage.read(_UNITS, self._key(place))
        if data is None:
            return None
        try:
            return self._codec.decode(zlib.decompress(data))
        except (ValueError, zlib.error):
            return None

    def _write(self, place: Place, plain: object) -> None:
        try:
            data = self._codec.encode(plain)
        except ValueError:  # a rule of somebody else may say what we do not know
            return
        self._storage.write(_UNITS, self._key(place), zlib.compress(data, 1))

    def _key(self, place: Place) -> str:
        return digest(self._root, *(() if place == _TEXTS else (self._context,)), *place)


@lru_cache(maxsize=4096)
def _joined(words: frozenset[str]) -> str:
    return digest(" ".join(sorted(words)))


def _mover(moved: Mapping[str, Shift]) -> Callable[[Location], Location]:
    """Gives each place in files that have moved its place now; raises `_Moved` where there is none."""

    def move(location: Location) -> Location:
        shift = moved.get(location.path)
        if shift is None:
            return location
        start, end = shift.at(location.start), shift.at(location.end)
        if start is None or end is None:
            raise _Moved
        return Location(location.path, start, end)

    return move


def _moved(value: Any, move: Callable[[Location], Location]) -> Any:
    """Data with all places in it moved."""
    if isinstance(value, Location):
        return move(value)
    if isinstance(value, (str, int, float, bytes, Enum, type(None))):
        return value
    if isinstance(value, frozenset):
        return frozenset(_moved(part, move) for part in cast("frozenset[Any]", value))
    if isinstance(value, tuple):
        kind = cast("type[Any]", type(value))  # pyright: ignore[reportUnknownArgumentType]
        parts = [_moved(part, move) for part in cast("tuple[Any, ...]", value)]
        return tuple(parts) if kind is tuple else kind(*parts)
    if isinstance(value, Mapping):
        return {_moved(key, move): _moved(part, move) for key, part in cast("Mapping[Any, Any]", value).items()}
    if is_dataclass(value) and not isinstance(value, type):
        return type(value)(*(_moved(getattr(value, part.name), move) for part in fields(value)))
    raise _Moved

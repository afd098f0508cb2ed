"""Data that a program takes from texts and from files that lie beside it: JSON, YAML, TOML."""

from __future__ import annotations

import json
import posixpath
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import product
from math import prod
from pathlib import PurePath
from typing import Any, NamedTuple, cast

from ddl_lint.analysis.interpreter.library import parsers
from ddl_lint.analysis.interpreter.library.file_values import Labels, as_given, settings_of, value_of
from ddl_lint.analysis.interpreter.machine import Machine, text_of
from ddl_lint.analysis.values.lattice import ALWAYS, choose, map_alternatives
from ddl_lint.analysis.values.operators import apply, compare
from ddl_lint.analysis.values.visitors import parts
from ddl_lint.frameworks.bind import Bound
from ddl_lint.frameworks.model import FunctionModel
from ddl_lint.jobs.settings_files import ENDINGS, Part
from ddl_lint.program.values import (
    NONE,
    UNKNOWN,
    Apply,
    Const,
    Items,
    Object,
    Setting,
    Table,
    Unknown,
    Value,
)


def read_documents(m: Machine, model: FunctionModel, bound: Bound[Value]) -> None:
    """Put the data in the place of arguments that name it, wherever the call has them."""
    for parameter, places in model.documents.items():
        given = (_given(m, bound, place) for place in places)
        value = next((value for value in given if value not in (None, NONE)), None)
        if places == (parameter,):  # there is no other place: without it, there is none
            bound.values.update({} if value is None else {parameter: map_alternatives(value, lambda v: _read(m, v))})
            continue
        bound.values[parameter] = UNKNOWN if value is None else map_alternatives(value, lambda v: _document(m, v))


def _read(m: Machine, value: Value) -> Value:
    """The data that a value is or names; the value itself where those are not known."""
    found = _document(m, value)
    return value if found == UNKNOWN else found


def _given(m: Machine, bound: Bound[Value], place: str) -> Value | None:
    """What is at a place: a parameter, or an attribute of one."""
    name, _, attribute = place.partition(".")
    value = bound.values.get(name)
    if value is None and name in bound.unknown:
        return UNKNOWN
    if not attribute or value is None or value == NONE:
        return value
    if not isinstance(value, Object):
        return UNKNOWN
    held = parsers.setting(m, value, attribute)
    return Setting(attribute, "argument") if isinstance(held, Unknown) else held


def _document(m: Machine, value: Value) -> Value:
    """Data as it is; a path means what is in the file. The default of an option counts where no launch gives another
    file, because an engine needs one.
    """
    if isinstance(value, Table):
        return as_given(value)
    files = _files(m, value)
    given = [each for each in files if not each.is_default] or files
    if given:
        return choose([(each.labels, UNKNOWN if each.part is None else value_of(m, each.part)) for each in given])
    return value if isinstance(value, Object) else UNKNOWN


def decoded(m: Machine, text: Value) -> Value:
    """What a text means, or a file that holds one: by its path, or opened to be read."""
    if isinstance(text, Apply) and text.operator == "encoded":
        return text.operands[0]
    if isinstance(text, Const) and isinstance(text.value, str) and not text.value.endswith(ENDINGS):
        with suppress(ValueError, RecursionError):
            return _literal(json.loads(text.value))
    is_read = isinstance(text, Apply) and text.operator == "derived" and bool(text.operands)
    source = text.operands[0] if is_read and isinstance(text, Apply) else text
    path = _opened(source)
    files = _files(m, source if path is None else path, is_opened=path is not None)
    return _of_files(m, files) or apply("derived", text)


def _of_files(m: Machine, files: Sequence[_File]) -> Value | None:
    """What is in the file that is meant. One whose path the program knows holds what it says; what one holds that
    options choose are settings, which launches decide.
    """
    read = [(each.labels, each.part) for each in files if each.part is not None]
    if len(files) == 1 and read and files[0].is_fixed:
        return value_of(m, read[0][1])
    if len(files) == 1 and read and not read[0][0]:
        return settings_of(m, read)
    return settings_of(m, [(labels, part) for labels, part in read if labels])


def _opened(value: Value) -> Value | None:
    """The path of a file that is open, or that a path object is."""
    if isinstance(value, Object) and value.kind == "path":
        return value
    return value.given.get("path") if isinstance(value, Object) and "mode" in value.given else None


def _literal(value: Any) -> Value:
    if isinstance(value, dict):
        pairs = cast("dict[str, Any]", value).items()
        return Table(tuple((Const(key), _literal(part)) for key, part in pairs))
    if isinstance(value, list):
        return Items("list", tuple(map(_literal, cast("list[Any]", value))))
    return Const(value)


def composed(m: Machine, folder: Value | None, name: Value | None, module: str) -> Value | None:
    """The configuration that Hydra makes of the files in a folder, which is given from that of a module (a path). The
    command line may give each setting another value.
    """
    given = m.settings_files.given_for(m.run.path, "config_name") or frozenset[str]()
    chosen = next(iter(given)) if len(given) == 1 else text_of(name) if not given else None
    below = text_of(folder) if folder != NONE else None
    names = m.settings_files.names_given(m.run.path)
    if chosen is None or below is None or not names.isdisjoint(_OTHER_FOLDERS):
        return None
    root = posixpath.normpath(f"{PurePath(module).parent.as_posix()}/{below}")

    def read(file: str) -> tuple[Part, str] | None:
        path = f"{root}/{file}"
        part = m.settings_files.read(path, m.run.path)
        return (part, m.settings_files.text(path, m.run.path)) if part is not None else None

    from ddl_lint.jobs.hydra_files import compose

    made = compose(read, chosen)
    if made is None or any(name.replace(".", "/") in made.groups for name in names):
        return None
    return settings_of(m, [(ALWAYS, made.settings)], source="argument")


_OTHER_FOLDERS = frozenset({"config_path", "config_dir", "experiment"})
"""Options of Hydra with which it looks elsewhere, and the group whose files change the others."""


# --- which files are meant ----------------------------------------------------------------------------------------


class _File(NamedTuple):
    """One of the files that a path may mean."""

    labels: Labels
    """The values of options for which it is meant; none where it always is, or where no launch is known."""

    part: Part | None
    """What it holds; None where it cannot be read."""

    is_default: bool
    """Whether an option has its default, which no launch gives."""

    is_fixed: bool
    """Whether the path depends on no option."""


_MOST_FILES = 4


def _files(m: Machine, path: Value, *, is_opened: bool = True) -> list[_File]:
    """The files that a path may mean; none where that is not known, or where they are many. One that is not open is
    known by its ending.
    """
    settings = tuple(dict.fromkeys(each for each in _pieces(path) if isinstance(each, Setting)))
    ways = [list(_ways(m, setting)) for setting in settings]
    if prod(map(len, ways)) > _MOST_FILES:
        return []
    found: list[_File] = []
    is_launched = all(m.settings_files.given_for(m.run.path, setting.name) is not None for setting in settings)
    for way in product(*ways):
        chosen = {setting: text for setting, (text, _) in zip(settings, way, strict=True)}
        name = _path(path, chosen)
        if name is None or not (is_opened or name.endswith(ENDINGS)):
            return []
        conditions = (compare("==", setting, Const(text)) for setting, text in chosen.items())
        labels: Labels = frozenset((condition, True) for condition in conditions) if is_launched else ALWAYS
        part = m.settings_files.read(name, m.run.path) if not _is_written(m, path) else None
        found.append(_File(labels, part, any(is_default for _, is_default in way), not settings))
    return found


def _is_written(m: Machine, path: Value) -> bool:
    """Whether the program has written what it reads there."""
    m.spoil()
    return any(
        event.kind == "write_file"
        and event.operands.get("path") == path
        and (text_of(event.operands.get("mode")) or "r")[0] in "wax"
        for event in m.run.events
    )


def _pieces(path: Value) -> Iterator[Value]:
    """The values of which a path is made."""
    for each in parts(path):
        yield each
        if isinstance(each, Object) and each.kind == "path":
            held = each.given.get("args", each.given.get("path"))
            if held is not None:
                yield from _pieces(held)


def _ways(m: Machine, setting: Setting) -> Iterator[tuple[str, bool]]:
    """What an option may be, and whether that is only its default."""
    given = m.settings_files.given_for(m.run.path, setting.name) if setting.source == "argument" else None
    yield from ((text, False) for text in sorted(given or ()))
    default = text_of(setting.default)
    if default is not None and default not in (given or ()):
        yield default, True


def _path(path: Value, chosen: Mapping[Setting, str]) -> str | None:
    """The path that a value is: a text, an option of the program, a path object; what lies at a known place near the
    program's own file, `join(dirname(__file__), "ds.json")`, is found from there.
    """
    text = _text(path, chosen)
    return text.lstrip("/") if text is not None and any(map(_is_own_file, _pieces(path))) else text


def _text(value: Value, chosen: Mapping[Setting, str]) -> str | None:
    if isinstance(value, Setting):
        return chosen.get(value)
    if isinstance(value, Object) and value.kind == "path":
        return _text(value.given.get("args", value.given.get("path", NONE)), chosen)
    if isinstance(value, Items) and not value.open:
        return _together("/", value.items, chosen)
    if isinstance(value, Apply) and value.operator in _JOINS:
        return _together(_JOINS[value.operator], value.operands, chosen)
    return "" if _is_own_file(value) else text_of(value)


_JOINS = {"derived": "/", "/": "/", "text": "", "+": ""}
"""What there is between the operands of a path, by the operator."""


def _together(separator: str, values: Sequence[Value], chosen: Mapping[Setting, str]) -> str | None:
    texts = [text for text in (_text(value, chosen) for value in values) if text != ""]
    known = [text for text in texts if text is not None]
    return separator.join(known) if len(known) == len(texts) else None


def _is_own_file(value: Value) -> bool:
    origin: object = value.origin if isinstance(value, Unknown) else None
    return isinstance(origin, tuple) and "__file__" in origin

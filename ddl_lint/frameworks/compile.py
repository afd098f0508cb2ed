"""Turns files of API models into an `ApiIndex`, once: start-up reads a compiled form and no YAML.

The compiled form is plain data (lists, tuples, dicts, texts and numbers), stored under the content of everything
that it was made from. A model becomes an object when it is first asked for.
"""

from __future__ import annotations

import marshal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import Any, cast

from ddl_lint import __version__
from ddl_lint.frameworks.errors import ModelError
from ddl_lint.frameworks.index import ApiIndex
from ddl_lint.frameworks.model import (
    ApiModel,
    Backend,
    ClassModel,
    Condition,
    ConstantModel,
    Conventions,
    FunctionModel,
    Hooks,
    Ineffective,
    Parameter,
    Question,
    Registers,
    Returns,
    Starts,
)
from ddl_lint.frameworks.words import Vocabulary
from ddl_lint.program.events import CollectiveWhen
from ddl_lint.source import SourceError, read_bytes
from ddl_lint.storage import Storage, digest, fingerprint

_KIND = "models"
_TYPES: tuple[type, ...] = (
    *(Parameter, Returns, Starts, Registers, Question, Condition, Hooks, Ineffective),
    *(FunctionModel, ClassModel, ConstantModel, Conventions, Backend, CollectiveWhen),
)


def load_index(shipped: Sequence[Path], user: Sequence[Path] = (), storage: Storage | None = None) -> ApiIndex:
    """The index of the models in `shipped`, with those of `user` on top: these may name and replace the former.

    With a `storage`, the compiled form is read from there and written to it; a missing or damaged one is made anew.
    Raises `ModelError` for a mistake in a file or a file that cannot be read.
    """
    contents = {path: _read(path) for path in (*shipped, *user)}
    if storage is None:
        return _index(_compiled(shipped, user, contents))
    key = _key(shipped, user, contents)
    compiled = _load(storage.read(_KIND, key))
    if compiled is None:
        compiled = _compiled(shipped, user, contents)
        storage.write(_KIND, key, marshal.dumps(compiled))
    return _index(compiled)


def _read(path: Path) -> bytes:
    try:
        return read_bytes(str(path))
    except SourceError as error:
        raise ModelError(str(path), 0, "", error.message) from error


def _key(shipped: Sequence[Path], user: Sequence[Path], contents: Mapping[Path, bytes]) -> str:
    """A name for everything that the compiled form depends on: the files, this program and the interpreter."""
    package = Path(__file__).parent
    parts: list[bytes | str] = [
        fingerprint((package, *(package.parent / "program" / name for name in ("events.py", "job_choices.py")))),
        *(__version__, str(sys.implementation.cache_tag), str(marshal.version)),
    ]
    for layer in (shipped, user):
        parts.append(str(len(layer)))
        for path in layer:
            parts += [str(path), contents[path]]
    return digest(*parts)


def _compiled(shipped: Sequence[Path], user: Sequence[Path], contents: Mapping[Path, bytes]) -> dict[str, Any]:
    from ddl_lint.frameworks.loader import load_models  # brings in YAML, which a warm start does not need

    frameworks = load_models({str(path): _decoded(path, contents[path]) for path in shipped})
    if user:
        texts = {str(path): _decoded(path, contents[path]) for path in user}
        frameworks = (*frameworks, *load_models(texts, ApiIndex.of(frameworks)))
    index = ApiIndex.of(frameworks)
    return {
        "models": {name: _plain(model) for name, model in index.models.items()},
        "also": dict(index.also),
        "modules": dict(index.modules),
        "families": dict(index.families),
        "frameworks": dict(index.frameworks),
        "conventions": _plain(index.conventions),
        "idioms": {framework: dict(idioms) for framework, idioms in index.idioms.items()},
        "spellings": dict(index.spellings),
        "words": tuple(index.words),
        "backends": {name: _plain(backend) for name, backend in index.backends.items()},
        "tensors": {meaning: tuple(sorted(names)) for meaning, names in index.tensors.items()},
        "own_groups": tuple(sorted(index.own_groups)),
    }


def _decoded(path: Path, content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ModelError(str(path), line, "", "is not UTF-8 text") from error


def _index(compiled: Mapping[str, Any]) -> ApiIndex:
    return ApiIndex(
        models=_LazyModels(compiled["models"]),
        also=compiled["also"],
        modules=compiled["modules"],
        frameworks=compiled["frameworks"],
        conventions=cast("Conventions", _object(compiled["conventions"])),
        idioms=compiled["idioms"],
        spellings=compiled["spellings"],
        found=Vocabulary(*compiled["words"]),
        own_groups=frozenset(compiled["own_groups"]),
        families=compiled["families"],
        backends={name: cast("Backend", _object(backend)) for name, backend in compiled["backends"].items()},
        tensors={meaning: frozenset(names) for meaning, names in compiled["tensors"].items()},
    )


def _load(content: bytes | None) -> dict[str, Any] | None:
    try:
        return cast("dict[str, Any]", marshal.loads(content)) if content is not None else None
    except (ValueError, EOFError, TypeError):
        return None


def _plain(value: object) -> object:
    """Dataclasses and enumerations as lists (number of the type, then the fields), mappings as dicts."""
    if isinstance(value, Enum):
        return [_TYPES.index(type(value)), value.value]
    if is_dataclass(value) and not isinstance(value, type):
        return [_TYPES.index(type(value)), *(_plain(getattr(value, field.name)) for field in fields(value))]
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in cast("Mapping[object, object]", value).items()}
    if isinstance(value, tuple):
        return tuple(_plain(item) for item in cast("tuple[object, ...]", value))
    return value


def _object(value: object) -> object:
    if isinstance(value, list):
        number, *values = cast("list[Any]", value)
        make = cast("Callable[..., object]", _TYPES[number])
        return make(*(_object(item) for item in values))
    if isinstance(value, dict):
        return {key: _object(item) for key, item in cast("dict[str, object]", value).items()}
    if isinstance(value, tuple):
        return tuple(map(_object, cast("tuple[object, ...]", value)))
    return value


class _LazyModels(Mapping[str, ApiModel]):
    """The models of a compiled form, made into objects one by one."""

    def __init__(self, plain: Mapping[str, Any]) -> None:
        self._plain = plain
        self._made: dict[str, ApiModel] = {}

    def __getitem__(self, name: str) -> ApiModel:
        made = self._made.get(name)
        if made is None:
            made = self._made[name] = cast("ApiModel", _object(self._plain[name]))
        return made

    def __contains__(self, name: object) -> bool:
        return name in self._plain

    def __iter__(self) -> Iterator[str]:
        return iter(self._plain)

    def __len__(self) -> int:
        return len(self._plain)

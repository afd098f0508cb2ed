"""Data to bytes and back."""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable, Collection, Iterable
from dataclasses import fields, is_dataclass
from enum import Enum
from importlib import import_module
from typing import Any, ClassVar, cast


class Codec:
    """Writes plain data, and instances of a few data classes, named tuples and enumerations.

    The bytes are a pickle that may name these classes and nothing else: reading it can make data, but call nothing.
    Objects that occur twice are the same object again afterwards.
    """

    _PLAIN: ClassVar = {("builtins", "complex"): complex, ("builtins", "Ellipsis"): ...}

    def __init__(self, classes: Iterable[type], homes: Collection[str] = ()) -> None:
        """`homes` are modules of installed programs, such as rules, of which all frozen data classes, named tuples and
        enumerations may be in the data as well; they are imported when there is one.
        """
        listed = list(classes)
        self._homes = frozenset(homes)
        self._named: dict[tuple[str, str], Any] = {
            **self._PLAIN,
            **{(each.__module__, each.__qualname__): each for each in listed},
        }
        self._fields = {each: tuple(part.name for part in fields(each)) for each in listed if is_dataclass(each)}

    def encode(self, value: object) -> bytes:
        """The bytes of a value.

        Raises:
            ValueError: it holds something else than the classes of this codec, or nests too deeply.
        """
        stream = io.BytesIO()
        try:
            _Writer(stream, self._fields, self._named, self._homes).dump(value)
        except (pickle.PicklingError, RecursionError, TypeError, AttributeError) as error:
            raise ValueError(str(error)) from error
        return stream.getvalue()

    def decode(self, data: bytes) -> Any:
        """The value of some bytes.

        Raises:
            ValueError: they were not written by this codec.
        """
        try:
            return _Reader(data, self._named, self._homes).load()
        except Exception as error:  # there is no end to what damaged bytes can raise
            raise ValueError(str(error)) from error


class _Writer(pickle.Pickler):
    """Data classes by their fields in order: less than half of what pickle itself makes of them, and faster to read."""

    def __init__(
        self,
        stream: io.BytesIO,
        names: dict[type, tuple[str, ...]],
        allowed: dict[tuple[str, str], Any],
        homes: frozenset[str],
    ) -> None:
        super().__init__(stream, protocol=5)
        self._names = names
        self._allowed = allowed
        self._homes = homes

    def reducer_override(self, obj: Any) -> Any:
        kind = cast("type[Any]", type(obj))
        names = self._names.get(kind)
        if names is not None:
            return kind, tuple([getattr(obj, name) for name in names])
        if isinstance(obj, Enum):
            return kind, (obj.value,)
        named = obj if isinstance(obj, type) else kind
        if named.__module__ in self._homes and _is_data(named):
            if named is obj:
                return NotImplemented
            if _is_named_tuple(kind):
                return kind, tuple(cast("tuple[Any, ...]", obj))
            return kind, tuple([getattr(obj, part.name) for part in fields(kind)])
        if obj is not ... and (named.__module__, named.__qualname__) not in self._allowed:
            raise ValueError(f"{named.__qualname__} is none of the classes of this codec")
        return NotImplemented


class _Reader(pickle.Unpickler):
    def __init__(self, data: bytes, allowed: dict[tuple[str, str], Any], homes: frozenset[str]) -> None:
        super().__init__(io.BytesIO(data))
        self._allowed = allowed
        self._homes = homes

    def find_class(self, module_name: str, global_name: str, /) -> Callable[..., Any]:
        if module_name not in self._homes:
            return self._allowed[module_name, global_name]
        found = getattr(import_module(module_name), global_name)
        if not (isinstance(found, type) and found.__module__ == module_name and _is_data(found)):
            raise KeyError(global_name)
        return found


def _is_data(kind: type[Any]) -> bool:
    """Whether nothing happens when an instance is made but that its fields are set."""
    return (
        issubclass(kind, Enum)
        or _is_named_tuple(kind)
        or (is_dataclass(kind) and kind.__dataclass_params__.frozen and not hasattr(kind, "__post_init__"))
    )


def _is_named_tuple(kind: type[Any]) -> bool:
    """Whether it is a `NamedTuple`, and not a class that derives from one and may do more."""
    return kind.__bases__ == (tuple,) and hasattr(kind, "_fields")

"""What an expression may be worth: a small lattice, all data.

Values are never changed and are hashable, so that equal facts are equal values: the condition of two `if` statements
is the same condition when its value is the same. (They are not `frozen`: that makes them three times as slow to create,
and creating them is most of what following a program costs.) Things with identity (a model, a loader) are `Object`s.
`Unknown` is the top: nothing follows from it, but its tags say what it was computed from. The `size` of a value is the
number of values that it is made of; an object counts as one.
"""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import Any, ClassVar, Literal, TypeAlias

from ddl_lint.program import code
from ddl_lint.program.tags import NO_TAGS, Tags
from ddl_lint.source.span import Location

Scope: TypeAlias = Literal["global", "local", "node", "group"]
"""Which count of processes a rank or world size belongs to: all of the job, one node's, the nodes, a sub-group's."""


class _Single:
    """What counts as one value."""

    __slots__ = ()
    size: ClassVar[int] = 1


@dataclass(slots=True)
class Unknown(_Single):
    """Anything. Two unknowns of equal `origin` are the same value (one parameter read twice).

    `tags` tell what the value was computed from, see `TagKind`.
    """

    origin: Hashable = None
    tags: Tags = NO_TAGS
    hashed: int = field(init=False, compare=False, repr=False, default=0)

    def __post_init__(self) -> None:
        self.hashed = hash(self.origin)

    def __hash__(self) -> int:
        return self.hashed


@dataclass(slots=True)
class Const(_Single):
    """A literal: None, bool, int, float, str, bytes or Ellipsis. `True` and `1` are different values.

    `location` is where a string or an integer was written, so that it can be shown where it comes from; it is no part
    of the value.
    """

    value: Any
    location: Location | None = field(default=None, compare=False, repr=False)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Const) and type(self.value) is type(other.value) and self.value == other.value

    def __hash__(self) -> int:
        return hash((type(self.value).__name__, self.value))


@dataclass(slots=True)
class Rank(_Single):
    """The number of this process. `text` while it is still the string of an environment variable."""

    scope: Scope
    text: bool = False
    source: str = ""
    """Where it was read: `environment`, `api`, `spawn`, `argument`, `name` (a conventional name, the weakest)."""

    location: Location | None = field(default=None, repr=False)
    """The place in the program that reads the environment variable, while it is a string; no part of the value."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rank) and self.scope == other.scope and self.text == other.text

    def __hash__(self) -> int:
        return hash((self.scope, self.text))


@dataclass(slots=True)
class WorldSize(_Single):
    """The number of processes; two or more, since rules are about distributed runs."""

    scope: Scope
    text: bool = False
    source: str = ""
    location: Location | None = field(default=None, repr=False)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WorldSize) and self.scope == other.scope and self.text == other.text

    def __hash__(self) -> int:
        return hash((self.scope, self.text, "size"))


@dataclass(unsafe_hash=True, slots=True)
class DeviceCount(_Single):
    """The number of accelerators that this process sees."""


@dataclass(unsafe_hash=True, slots=True)
class Flag(_Single):
    """A mode of the run: `distributed` (assumed true), `cuda` (undecided), `notebook` (undecided), `main` (the file is
    run, not imported).

    `source` is `environment` where the program looks at the launcher's variables instead of asking for the group.
    """

    name: str
    source: str = field(default="", compare=False)


@dataclass(unsafe_hash=True, slots=True)
class Setting(_Single):
    """A value that the user gives at the start: command line, configuration object, environment.

    Equal on all ranks. `default` is what the code says when the user says nothing.
    """

    name: str
    source: Literal["argument", "field", "environment"]
    default: Value | None = None
    commands: frozenset[tuple[str, str]] = field(default=frozenset(), compare=False, repr=False)
    """The sub-commands that alone have the option, each with the setting that holds its name; empty where all may."""

    choices: tuple[str, ...] = field(default=(), compare=False, repr=False)
    """The texts that may be given for it, where the parser says so."""


LARGEST = 2_000
"""The largest size of a container value; beyond it the elements are dropped, and the container is `open`."""


@dataclass(slots=True)
class Apply:
    """An operator on values that could not be computed: `rank % device_count`, `text + rank`, `len(x)`."""

    operator: str
    operands: tuple[Value, ...]
    location: Location | None = field(default=None, compare=False, repr=False)
    """Where an f-string, a list of one thing several times or a rank's share was written, as in `Const`."""

    size: int = field(init=False, compare=False, repr=False, default=1)
    hashed: int = field(init=False, compare=False, repr=False, default=0)
    tags: Tags | None = field(init=False, compare=False, repr=False, default=None)
    inner: frozenset[Object] | None = field(init=False, compare=False, repr=False, default=None)
    repeatable: bool | None = field(init=False, compare=False, repr=False, default=None)

    def __post_init__(self) -> None:
        self.size = 1 + sum([operand.size for operand in self.operands])
        self.hashed = hash((self.operator, self.operands))

    def __hash__(self) -> int:
        return self.hashed


@dataclass(slots=True)
class Items:
    """A tuple, list or set display, or what an iterator gives; `open` when there may be more elements than are
    listed."""

    kind: Literal["tuple", "list", "set", "iterator"]
    items: tuple[Value, ...]
    open: bool = False
    size: int = field(init=False, compare=False, repr=False, default=1)
    hashed: int = field(init=False, compare=False, repr=False, default=0)
    tags: Tags | None = field(init=False, compare=False, repr=False, default=None)
    inner: frozenset[Object] | None = field(init=False, compare=False, repr=False, default=None)
    repeatable: bool | None = field(init=False, compare=False, repr=False, default=None)

    def __post_init__(self) -> None:
        size = 1 + sum([item.size for item in self.items])
        if size > LARGEST:
            self.items = ()
            self.open = True
            size = 1
        self.size = size
        self.hashed = hash((self.kind, self.items, self.open))

    def __hash__(self) -> int:
        return self.hashed


@dataclass(slots=True)
class Table:
    """A dict; `open` when there may be more keys than are listed."""

    items: tuple[tuple[Value, Value], ...]
    open: bool = False
    size: int = field(init=False, compare=False, repr=False, default=1)
    hashed: int = field(init=False, compare=False, repr=False, default=0)
    tags: Tags | None = field(init=False, compare=False, repr=False, default=None)
    inner: frozenset[Object] | None = field(init=False, compare=False, repr=False, default=None)
    repeatable: bool | None = field(init=False, compare=False, repr=False, default=None)

    summed: int = field(init=False, compare=False, repr=False, default=0)
    keys: set[Value] | None = field(init=False, compare=False, repr=False, default=None)
    """Its keys, once one was assigned to; the dict that is made by that takes them over, with one more."""

    def __post_init__(self) -> None:
        size = 1 + sum([key.size + item.size for key, item in self.items])
        if size > LARGEST:
            self.items = ()
            self.open = True
            size = 1
        self.size = size
        self.summed = sum([hash(pair) for pair in self.items])
        self.hashed = hash((self.summed, self.open))

    def __hash__(self) -> int:
        return self.hashed

    def with_item(self, key: Value, value: Value) -> Table:
        """The dict after an assignment to a key. What a new key takes does not grow with the dict."""
        size = self.size + key.size + value.size
        if self.keys is None:
            self.keys = {name for name, _ in self.items}
        if size > LARGEST or key in self.keys:
            kept = tuple([(name, held) for name, held in self.items if name != key])
            return Table((*kept, (key, value)), self.open)
        made = Table((), self.open)
        made.items = (*self.items, (key, value))
        made.size, made.keys, self.keys = size, self.keys, None
        made.keys.add(key)
        made.summed = self.summed + hash((key, value))
        made.hashed = hash((made.summed, made.open))
        return made

    @property
    def is_told(self) -> bool:
        """Whether a name that is not among the keys is surely not in the dict."""
        return not self.open and all(isinstance(key, Const) for key, _ in self.items)


@dataclass(slots=True)
class Alternatives:
    """One of several values. Each comes with the conditions under which it holds: pairs (condition, truth)."""

    options: tuple[tuple[frozenset[tuple[Value, bool]], Value], ...]
    size: int = field(init=False, compare=False, repr=False, default=1)
    hashed: int = field(init=False, compare=False, repr=False, default=0)
    tags: Tags | None = field(init=False, compare=False, repr=False, default=None)
    inner: frozenset[Object] | None = field(init=False, compare=False, repr=False, default=None)
    repeatable: bool | None = field(init=False, compare=False, repr=False, default=None)

    equal: Alternatives | None = field(init=False, compare=False, repr=False, default=None)
    """Another one that was found to be equal: the conditions in a choice are often choices themselves, and to compare
    each as often as it occurs somewhere takes time that doubles with every layer."""

    def __post_init__(self) -> None:
        self.size = 1 + sum([value.size for _, value in self.options])
        self.hashed = hash(self.options)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Alternatives) or self.hashed != other.hashed:
            return False
        first, second = self.representative(), other.representative()
        if first is not second:
            if first.options != second.options:
                return False
            second.equal = first
        return True

    def __hash__(self) -> int:
        return self.hashed

    def representative(self) -> Alternatives:
        """The one that represents all that were found to be equal."""
        found = self
        while found.equal is not None:
            found = found.equal
        if found is not self:
            self.equal = found
        return found


_next_number = itertools.count(1).__next__


@dataclass(eq=False, slots=True)
class Object(_Single):
    """A thing with identity, made at one place of the program. Like all values it never changes.

    `kind` is its kind for a training program (`model`, `loader`, ...; see the API models), `api` the canonical name of
    the modelled class it is or derives from, `definition` the project's class. `given` are the operands it was
    built with, by role and by parameter name, `tags` what it was computed from, as in `Unknown`.

    What becomes true of it later (its attributes, and each `Fact`) is in the heap of the run: `ddl_lint.program.heap`.
    """

    kind: str
    location: Location
    api: str | None = None
    definition: ClassRef | None = None
    given: Mapping[str, Value] = field(default_factory=lambda: {})
    traits: Mapping[str, Any] = field(default_factory=lambda: {})
    tags: Tags = NO_TAGS
    number: int = field(init=False, repr=False, default_factory=_next_number)
    """Of two objects, the one that was made later has the larger number."""


class Fact(Enum):
    """What can become true of an object, or stop being true, while the program runs."""

    ESCAPED = "escaped"
    """Handed to code that cannot be seen: it may have been changed there. `True`, or absent."""

    KEPT = "kept"
    """Stored on an attribute of a model. `True`, or absent."""

    TAGS = "tags"
    """What it depends on after it was changed in place: the tags that count instead of those that it was made with."""

    RANDOM = "random"
    """Whether it holds random values since it was filled in place."""

    ADDED = "added"
    """The value that was added to it in place, where that is one process's own."""

    COMPUTED = "computed"
    """The operation by which it was changed in place: `loss /= steps`."""

    WRAPPED = "wrapped"
    """As what it was wrapped in place, a value: its class derives from that of the wrapper from then on."""

    DIVIDED = "divided"
    """Gives each process a part of the data of its own, since a trainer has prepared it. `True`, or absent."""

    __hash__ = object.__hash__  # by identity, as they are compared; an enumeration's own is slow


@dataclass(unsafe_hash=True, slots=True)
class FunctionRef(_Single):
    """A function of the project, possibly bound to an object; `cells` are the variables of the scope around it."""

    function: code.Function
    module: str
    receiver: Value | None = None
    owner: ClassRef | None = None
    cells: Cells | None = None


class Variables(dict[Any, Any]):
    """The variables of a function or module: one that is not there cannot be read, unlike an attribute."""

    __slots__ = ("bound", "module")

    def __init__(self, names: Mapping[Any, Any] = MappingProxyType({}), module: str = "") -> None:
        """`module` is the name of the module of which they are the global names."""
        super().__init__(names)
        self.bound = Presences(self)
        self.module = module


class Presences(dict[Any, Any]):
    """The variables that only some of the ways here have bound: name -> the condition under which it has a value."""

    __slots__ = ("names",)

    def __init__(self, names: Variables) -> None:
        super().__init__()
        self.names = names


@dataclass(eq=False, slots=True)
class Cells:
    """The variables of a scope that an inner function sees."""

    names: dict[str, Value]
    outer: Cells | None = None
    closed_over: bool = False
    """Whether a function that is made here may see them after this scope has come to its end."""

    def close_over(self) -> None:
        """Keep the variables of this scope, and of those around it, on behalf of a function that is made here."""
        scope: Cells | None = self
        while scope is not None and not scope.closed_over:
            scope.closed_over = True
            scope = scope.outer


@dataclass(unsafe_hash=True, slots=True)
class ClassRef(_Single):
    """A class of the project; `bases` are the values of what it is written to derive from."""

    definition: code.Class
    module: str
    cells: Cells | None = None
    bases: tuple[Value, ...] = field(default=(), compare=False, repr=False)


@dataclass(unsafe_hash=True, slots=True)
class ModuleRef(_Single):
    """A module of the project, by its dotted name."""

    name: str


@dataclass(unsafe_hash=True, slots=True)
class Symbol(_Single):
    """A name of a library (`torch.distributed.barrier`), or an attribute of an object that only a library defines."""

    name: str
    receiver: Value | None = None


@dataclass(unsafe_hash=True, slots=True)
class Bound(_Single):
    """`functools.partial(function, *args, **keywords)`."""

    function: Value
    args: tuple[Value, ...]
    keywords: tuple[tuple[str, Value], ...]


Value: TypeAlias = (
    Unknown
    | Const
    | Rank
    | WorldSize
    | DeviceCount
    | Flag
    | Setting
    | Apply
    | Items
    | Table
    | Alternatives
    | Object
    | FunctionRef
    | ClassRef
    | ModuleRef
    | Symbol
    | Bound
)

NONE = Const(None)
TRUE = Const(True)
FALSE = Const(False)
UNKNOWN = Unknown()

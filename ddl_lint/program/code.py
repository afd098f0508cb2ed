"""A Python file as data: statements and expressions, without white space, without libcst, picklable.

Every node carries `start` and `end`, offsets in code points of the document's text. The shapes follow Python's own
grammar closely; what the analysis does not distinguish is merged (`await x` is `x`, `elif` is an `If` in `orelse`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from operator import attrgetter
from typing import Any, TypeAlias
from typing import Literal as Choice

# --- expressions ------------------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class Name:
    """A bare name, read or bound."""

    start: int
    end: int
    id: str


@dataclass(slots=True, eq=False)
class Attribute:
    """`value.attr`."""

    start: int
    end: int
    value: Expression
    attr: str


@dataclass(slots=True, eq=False)
class Literal:
    """A string, number, bool, None, bytes or Ellipsis."""

    start: int
    end: int
    value: object


@dataclass(slots=True, eq=False)
class FormattedString:
    """An f-string: the literal pieces and the expressions between them, in order."""

    start: int
    end: int
    parts: list[str | Expression]


@dataclass(slots=True, eq=False)
class Keyword:
    """One keyword argument; `name` is None for `**value`."""

    start: int
    end: int
    name: str | None
    value: Expression


@dataclass(slots=True, eq=False)
class Call:
    """A call; a `*value` argument is a `Starred` among `args`."""

    start: int
    end: int
    func: Expression
    args: list[Expression]
    keywords: list[Keyword]


@dataclass(slots=True, eq=False)
class Display:
    """`(a, b)`, `[a, b]` or `{a, b}`."""

    start: int
    end: int
    kind: Choice["tuple", "list", "set"]
    items: list[Expression]


@dataclass(slots=True, eq=False)
class Dictionary:
    """`{key: value}`; the key is None for `**value`."""

    start: int
    end: int
    items: list[tuple[Expression | None, Expression]]


@dataclass(slots=True, eq=False)
class Unary:
    """`-x`, `+x`, `~x`, `not x`."""

    start: int
    end: int
    operator: str
    operand: Expression


@dataclass(slots=True, eq=False)
class Binary:
    """`left operator right` for the arithmetic and bit operators."""

    start: int
    end: int
    operator: str
    left: Expression
    right: Expression


@dataclass(slots=True, eq=False)
class Boolean:
    """`a and b`, `a or b`."""

    start: int
    end: int
    operator: Choice["and", "or"]
    left: Expression
    right: Expression
    parenthesized: bool = False
    """Parentheses around it say how it is meant: `(a and b) or c`."""


@dataclass(slots=True, eq=False)
class Compare:
    """`left op a op b ...`."""

    start: int
    end: int
    left: Expression
    comparisons: list[tuple[str, Expression]]


@dataclass(slots=True, eq=False)
class Conditional:
    """`body if test else orelse`."""

    start: int
    end: int
    test: Expression
    body: Expression
    orelse: Expression


@dataclass(slots=True, eq=False)
class Subscript:
    """`value[index]`."""

    start: int
    end: int
    value: Expression
    index: Expression


@dataclass(slots=True, eq=False)
class Slice:
    """`lower:upper:step` inside a subscript."""

    start: int
    end: int
    lower: Expression | None
    upper: Expression | None
    step: Expression | None


@dataclass(slots=True, eq=False)
class Starred:
    """`*value`."""

    start: int
    end: int
    value: Expression


@dataclass(slots=True, eq=False)
class Walrus:
    """`target := value`."""

    start: int
    end: int
    target: Name
    value: Expression


@dataclass(slots=True, eq=False)
class YieldValue:
    """`yield value` or `yield from value`."""

    start: int
    end: int
    value: Expression | None
    delegates: bool


@dataclass(slots=True, eq=False)
class Generator:
    """One `for target in iterable if ...` of a comprehension."""

    target: Expression
    iterable: Expression
    conditions: list[Expression]


@dataclass(slots=True, eq=False)
class Comprehension:
    """A list, set, dict comprehension or generator expression; `key` only for dicts."""

    start: int
    end: int
    kind: Choice["list", "set", "dict", "generator"]
    element: Expression
    key: Expression | None
    generators: list[Generator]


@dataclass(slots=True, eq=False)
class Lambda:
    """`lambda parameters: body`, held as a function whose body returns the expression."""

    start: int
    end: int
    function: Function


Expression: TypeAlias = (
    Name
    | Attribute
    | Literal
    | FormattedString
    | Call
    | Display
    | Dictionary
    | Unary
    | Binary
    | Boolean
    | Compare
    | Conditional
    | Subscript
    | Slice
    | Starred
    | Walrus
    | YieldValue
    | Comprehension
    | Lambda
)

# --- statements -------------------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class Evaluate:
    """An expression as a statement."""

    start: int
    end: int
    value: Expression


@dataclass(slots=True, eq=False)
class Assign:
    """`a = b = value`, or an annotated name, whose `value` may be missing."""

    start: int
    end: int
    targets: list[Expression]
    value: Expression | None
    annotation: Expression | None = None


@dataclass(slots=True, eq=False)
class Augment:
    """`target operator= value`; `operator` is without the equal sign."""

    start: int
    end: int
    target: Expression
    operator: str
    value: Expression


@dataclass(slots=True, eq=False)
class Return:
    """`return value`."""

    start: int
    end: int
    value: Expression | None


@dataclass(slots=True, eq=False)
class Raise:
    """`raise value`."""

    start: int
    end: int
    value: Expression | None


@dataclass(slots=True, eq=False)
class Jump:
    """`break` or `continue`."""

    start: int
    end: int
    kind: Choice["break", "continue"]


@dataclass(slots=True, eq=False)
class Assert:
    """`assert test`."""

    start: int
    end: int
    test: Expression


@dataclass(slots=True, eq=False)
class Delete:
    """`del targets`."""

    start: int
    end: int
    targets: list[Expression]


@dataclass(slots=True, eq=False)
class Scope:
    """`global names` or `nonlocal names`."""

    start: int
    end: int
    kind: Choice["global", "nonlocal"]
    names: list[str]


@dataclass(slots=True, eq=False)
class Import:
    """`import module as alias`; `alias` is None when there is none.

    Each of several modules in one statement is one of these, and is where its name is.
    """

    start: int
    end: int
    module: str
    alias: str | None


@dataclass(slots=True, eq=False)
class ImportFrom:
    """`from module import name as alias`; `level` counts leading dots, a star import has the one name `*`."""

    start: int
    end: int
    module: str
    level: int
    names: list[tuple[str, str | None]]


@dataclass(slots=True, eq=False)
class If:
    """`if test: body else: orelse`."""

    start: int
    end: int
    test: Expression
    body: list[Statement]
    orelse: list[Statement]


@dataclass(slots=True, eq=False)
class For:
    """`for target in iterable`. `bound` are the names (`x`, `self.x`) that the loop assigns or grows, for widening;
    `mentions` all names and attributes in its body.
    """

    start: int
    end: int
    target: Expression
    iterable: Expression
    body: list[Statement]
    orelse: list[Statement]
    bound: frozenset[str]
    mentions: frozenset[str] = frozenset()


@dataclass(slots=True, eq=False)
class While:
    """`while test`; `bound` and `mentions` as in `For`."""

    start: int
    end: int
    test: Expression
    body: list[Statement]
    orelse: list[Statement]
    bound: frozenset[str]
    mentions: frozenset[str] = frozenset()


@dataclass(slots=True, eq=False)
class With:
    """`with context as target, ...`."""

    start: int
    end: int
    items: list[tuple[Expression, Expression | None]]
    body: list[Statement]


@dataclass(slots=True, eq=False)
class Handler:
    """`except type as name`."""

    start: int
    end: int
    type: Expression | None
    name: str | None
    body: list[Statement]


@dataclass(slots=True, eq=False)
class Try:
    """`try` with its handlers, `else` and `finally`."""

    start: int
    end: int
    body: list[Statement]
    handlers: list[Handler]
    orelse: list[Statement]
    final: list[Statement]


@dataclass(slots=True, eq=False)
class Case:
    """One `case` of a `match`.

    `values` is what it compares the subject with, None for a pattern that tests something else, or nothing: then it
    is `irrefutable`. `names` are what it binds.
    """

    start: int
    end: int
    values: list[Expression] | None
    irrefutable: bool
    names: list[str]
    guard: Expression | None
    body: list[Statement]


@dataclass(slots=True, eq=False)
class Match:
    """`match subject`."""

    start: int
    end: int
    subject: Expression
    cases: list[Case]


@dataclass(slots=True, eq=False)
class Parameter:
    """One parameter of a function."""

    start: int
    end: int
    name: str
    kind: Choice["positional", "keyword", "var_positional", "var_keyword"]
    default: Expression | None
    annotation: Expression | None


@dataclass(slots=True, eq=False)
class Function:
    """A function or lambda. `start` and `end` are those of the `def` (without decorators); `name_end` ends its name."""

    start: int
    end: int
    name: str
    name_start: int
    parameters: list[Parameter]
    body: list[Statement]
    decorators: list[Expression]
    is_generator: bool
    qualname: str
    annotation: Expression | None = None
    """The annotation of the result."""

    mentions: frozenset[str] = frozenset()
    """All names and attributes that the function mentions, those of inner functions too."""

    bound: frozenset[str] = frozenset()
    """The names (`x`, `self.x`) that the function assigns or grows."""


class _Referable:
    """Of what weak references may be held; `weakref_slot=True` needs Python 3.11."""

    __slots__ = ("__weakref__",)


@dataclass(slots=True, eq=False)
class Class(_Referable):
    """A class definition."""

    start: int
    end: int
    name: str
    name_start: int
    bases: list[Expression]
    keywords: list[Keyword]
    body: list[Statement]
    decorators: list[Expression]
    qualname: str


Statement: TypeAlias = (
    Evaluate
    | Assign
    | Augment
    | Return
    | Raise
    | Jump
    | Assert
    | Delete
    | Scope
    | Import
    | ImportFrom
    | If
    | For
    | While
    | With
    | Try
    | Match
    | Function
    | Class
)


Node: TypeAlias = Expression | Statement | Keyword | Parameter | Handler | Case
"""Anything with a place."""


@dataclass(eq=False)
class Module:
    """One file of the project.

    `name` is the dotted import name (`pkg.utils.dist`), `is_package` says that it is an `__init__.py`.
    """

    path: str
    name: str
    is_package: bool
    body: list[Statement]
    imported: frozenset[str] = field(default_factory=frozenset[str])
    """Modules that the file names in import statements anywhere, as written (relative ones made absolute), and what it
    takes from them, because that may be a module, too."""

    words: frozenset[str] = field(default_factory=frozenset[str])
    """All names and attributes that are written in the file, and the parts of the names in its imports."""


def _parts(kind: type) -> tuple[str, ...]:
    return tuple(each.name for each in fields(kind) if not _NODES.isdisjoint(re.findall(r"\w+", str(each.type))))


_KINDS = [each for each in vars().values() if isinstance(each, type) and is_dataclass(each)]
_NODES = {each.__name__ for each in _KINDS} | {"Expression", "Statement"}

PARTS: Mapping[type, tuple[str, ...]] = {kind: _parts(kind) for kind in _KINDS}
"""For each kind of node, the fields that hold other nodes, by themselves or in lists and tuples."""


def _held(parts: tuple[str, ...]) -> Callable[[Any], tuple[object, ...]]:
    if len(parts) > 1:
        return attrgetter(*parts)
    return lambda node: tuple([getattr(node, part) for part in parts])


HELD: Mapping[type, Callable[[Any], tuple[object, ...]]] = {kind: _held(parts) for kind, parts in PARTS.items()}
"""For each kind of node, what gives the contents of those fields."""

# --- who reads what ---------------------------------------------------------------------------------------------

Read: TypeAlias = "Function | Module | tuple[Callable[[Any], Any], Module | Class]"
"""What somebody has read of a program: what is inside of a function, the words of a module, or the answer to a question
about a module or class."""


class _Nowhere:
    """Where what is read goes while none notes it: kept, it would hold programs that are gone."""

    def add(self, read: Read) -> None:
        """Do nothing."""


_read: set[Read] | _Nowhere = _Nowhere()


def note(read: Read) -> None:
    """Note that something was read, or asked."""
    _read.add(read)


class noting:
    """Note in a set what is read meanwhile, and nowhere else."""

    def __init__(self, into: set[Read]) -> None:
        self._into = into
        self._before: list[set[Read] | _Nowhere] = []

    def __enter__(self) -> None:
        global _read
        self._before.append(_read)
        _read = self._into

    def __exit__(self, *_: object) -> None:
        global _read
        _read = self._before.pop()


def unnoted_mentions(function: Function) -> frozenset[str]:
    """What a function mentions, for who sees to it by itself that the answer stays true."""
    return _MENTIONS(function)


def unnoted_words(module: Module) -> frozenset[str]:
    """The words of a module, in the same way."""
    return vars(module)["words"]


def _noting(kind: type, name: str) -> Callable[[Any], Any]:
    """Have reading a field of slots noted; returns what reads it unnoted."""
    slot = vars(kind)[name]
    get = slot.__get__

    def read(node: Any) -> Any:
        _read.add(node)
        return get(node)

    setattr(kind, name, property(read, slot.__set__))
    return get


_noting(Function, "body")
_noting(Function, "bound")
_MENTIONS = _noting(Function, "mentions")


class _Words:
    """The words of a module; that they are read is noted."""

    def __get__(self, module: Module | None, kind: type) -> object:
        if module is None:
            return self
        _read.add(module)
        return vars(module)["words"]

    def __set__(self, module: Module, words: frozenset[str]) -> None:
        vars(module)["words"] = words


setattr(Module, "words", _Words())  # noqa: B010

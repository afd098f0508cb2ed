"""Looks at the text of a program, whatever its names mean: for rules that must be careful, never as a proof."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from ddl_lint.analysis.syntactic.per_file import per_class, per_file
from ddl_lint.program import code
from ddl_lint.source.span import Location


def mentioned(definition: code.Class, method: str | None = None) -> frozenset[str]:
    """The names and attributes that the methods of a class mention, or one method."""
    return frozenset(
        word
        for statement in definition.body
        if isinstance(statement, code.Function) and method in (None, statement.name)
        for word in statement.mentions
    )


def words_behind(modules: Iterable[code.Module], definition: code.Class) -> frozenset[str]:
    """What the methods of a class mention, and what the functions and classes of the project by those names do."""
    known = [_mentions_by_name(module) for module in modules]
    found: set[str] = set()
    waiting = [*mentioned(definition), *base_names(definition)]
    while waiting:
        word = waiting.pop()
        if word not in found:
            found.add(word)
            waiting.extend(each for names in known for each in names.get(word, ()))
    return frozenset(found)


@per_file
def _mentions_by_name(module: code.Module) -> Mapping[str, Collection[str]]:
    """What the functions and classes of a file mention, by their names."""
    known: dict[str, set[str]] = defaultdict(set)
    for part in inside(module.body):
        if isinstance(part, code.Function):
            known[part.name] |= part.mentions
        elif isinstance(part, code.Class):
            known[part.name] |= mentioned(part) | base_names(part)
    return dict(known)


def base_names(definition: code.Class) -> frozenset[str]:
    """The last names of what a class derives from."""
    return frozenset(
        base.id if isinstance(base, code.Name) else base.attr
        for written in definition.bases
        for base in [written.value if isinstance(written, code.Subscript) else written]
        if isinstance(base, (code.Name, code.Attribute))
    )


def goes_through_something(definition: code.Class) -> bool:
    """Whether the methods of a class yield the elements of something, or parts of them, and do not only count."""
    loops = [
        loop
        for function in definition.body
        if isinstance(function, code.Function)
        for loop in inside(function)
        if isinstance(loop, code.For) and any(isinstance(part, code.YieldValue) for part in inside(loop.body))
    ]
    return any(not _is_count(loop.iterable) for loop in loops)


def gone_through_once(definition: code.Class) -> frozenset[str]:
    """The attributes whose elements an iterator of the class gives, all of them and then no more."""
    for function in definition.body:
        if isinstance(function, code.Function) and function.name == "__iter__" and not _may_stop(function.body):
            return frozenset(
                loop.iterable.attr
                for loop in function.body
                if isinstance(loop, code.For) and any(isinstance(part, code.YieldValue) for part in inside(loop.body))
                if isinstance(loop.iterable, code.Attribute) and _is_self(loop.iterable.value)
            )
    return frozenset()


def _may_stop(body: object) -> bool:
    return any(isinstance(part, (code.While, code.Jump, code.Return)) for part in inside(body))


def _is_count(iterable: code.Expression) -> bool:
    return isinstance(iterable, code.Call) and isinstance(iterable.func, code.Name) and iterable.func.id == "range"


def ignores_parameter(definition: code.Class, method: str) -> bool:
    """Whether a method of the class uses its first parameter for nothing but conditions."""
    for function in definition.body:
        if isinstance(function, code.Function) and function.name == method and len(function.parameters) > 1:
            name = function.parameters[1].name
            return not any(isinstance(part, code.Name) and part.id == name for part in _without_tests(function.body))
    return False


_SCALING = frozenset({"/", "*"})


def scales(body: object, about: Callable[[str], object], in_place: Collection[str] = ()) -> bool:
    """Whether code divides or multiplies something with a name that `about` accepts, or, where methods that may do so
    `in_place` are given (the starts of their names), anything in place.

    Inner functions and classes are left aside.
    """
    stack: list[object] = [body]
    while stack:
        current = stack.pop()
        if isinstance(current, (list, tuple)):
            stack.extend(current)  # pyright: ignore[reportUnknownArgumentType]
        elif _is_scaling(current, about, tuple(in_place)):
            return True
        elif not isinstance(current, (code.Function, code.Class)):
            stack.extend([getattr(current, part) for part in code.PARTS.get(type(current), ())])
    return False


def _is_scaling(node: object, about: Callable[[str], object], in_place: tuple[str, ...]) -> bool:
    if isinstance(node, (code.Augment, code.Binary)) and node.operator.rstrip("=") in _SCALING:
        return (bool(in_place) and isinstance(node, code.Augment)) or any(map(about, _names(node)))
    called = node.func if in_place and isinstance(node, code.Call) else None
    return isinstance(called, code.Attribute) and called.attr.startswith(in_place)


def _names(node: object) -> Iterator[str]:
    for part in inside(node):
        if isinstance(part, code.Name):
            yield part.id
        elif isinstance(part, code.Attribute):
            yield f".{part.attr}"


@per_file
def texts_in(module: code.Module) -> frozenset[str]:
    """The strings that are written in a file, also where no run comes by."""
    return frozenset(
        part.value for part in inside(module.body) if isinstance(part, code.Literal) and isinstance(part.value, str)
    )


@per_file
def words_in(module: code.Module) -> frozenset[str]:
    """The names, attributes and arguments by name that a file mentions."""
    return module.words | {part.name for part in inside(module.body) if isinstance(part, code.Keyword) and part.name}


@dataclass(frozen=True, slots=True)
class SelfReads:
    """What a method reads from its object.

    `names` are the attributes that it reads, `whole` those that it does more with than read or call something of them
    (`init(self.head)`, not `self.head.weight` nor `self.head()`), `called` those that it calls, `later` those that
    functions read which it defines: `self.mlp = lambda x: self.head(x)`.
    """

    names: frozenset[str]
    whole: frozenset[str]
    called: frozenset[str]
    later: frozenset[str]
    hands_over: bool
    """Whether the object itself goes somewhere else, which may read anything."""


def read_from_self(function: code.Function) -> SelfReads:
    """What a method reads from the object that is its first parameter."""
    own = function.parameters[0].name if function.parameters else ""
    names, partly, called = set[str](), set[int](), set[str]()
    found: list[code.Attribute] = []
    known, stored = set[int](), set[int]()
    bare: list[code.Name] = []
    later = set[int]()
    for node in inside(function.body):
        if isinstance(node, code.Function):
            later.update(map(id, inside(node.body)))
        elif isinstance(node, code.Attribute):
            partly.add(id(node.value))
            if isinstance(node.value, code.Name) and node.value.id == own:
                found.append(node)
                known.add(id(node.value))
        elif isinstance(node, code.Assign):
            stored.update(map(id, node.targets))
        elif isinstance(node, code.Call):
            partly.add(id(node.func))
            if isinstance(node.func, code.Attribute):
                called.add(node.func.attr)
            elif isinstance(node.func, code.Name) and node.func.id == "super":
                known.update(map(id, node.args))
        elif isinstance(node, code.Name) and node.id == own:
            bare.append(node)
    found = [node for node in found if id(node) not in stored]
    names.update(node.attr for node in found)
    whole = {node.attr for node in found if id(node) not in partly}
    return SelfReads(
        frozenset(names),
        frozenset(whole),
        frozenset(called & names),
        frozenset(node.attr for node in found if id(node) in later),
        any(id(node) not in known for node in bare),
    )


def set_on_self(definition: code.Class) -> frozenset[str]:
    """The attributes that the methods of a class assign on its object."""
    return frozenset(setters(definition))


@per_class
def setters(definition: code.Class) -> Mapping[str, int]:
    """The attributes that the methods of a class assign on its object, each with the number of methods that do so."""
    found: dict[str, int] = defaultdict(int)
    for function in definition.body:
        if not isinstance(function, code.Function) or not function.parameters:
            continue
        own = function.parameters[0].name
        names = {
            part.attr
            for node in inside(function.body)
            for part in inside(node.targets if isinstance(node, code.Assign) else ())
            if isinstance(part, code.Attribute) and isinstance(part.value, code.Name) and part.value.id == own
        }
        for name in names:
            found[name] += 1
    return dict(found)


@per_file
def computed_keys(module: code.Module) -> frozenset[str]:
    """The keys under which a file assigns something that is no literal, also where no run comes by."""
    return frozenset(
        target.index.value
        for part in inside(module.body)
        if isinstance(part, code.Assign) and not isinstance(part.value, code.Literal)
        for target in part.targets
        if isinstance(target, code.Subscript)
        and isinstance(target.index, code.Literal)
        and isinstance(target.index.value, str)
    )


@per_file
def set_on_others(module: code.Module) -> frozenset[str]:
    """The attributes that a file assigns on anything but `self`, or by their names."""
    found: set[str] = set()
    for node in inside(module.body):
        if isinstance(node, code.Assign):
            targets = (part for part in _bound(node.targets) if isinstance(part, code.Attribute))
            found.update(part.attr for part in targets if not _is_self(part.value))
        elif isinstance(node, code.Call):
            found.update(_names_given(node, "setattr"))
    return frozenset(found)


def _bound(targets: Iterable[code.Expression]) -> Iterator[code.Expression]:
    """What an assignment binds: of `model.config.use_cache` the last attribute alone; the rest is only read."""
    for target in targets:
        if isinstance(target, code.Display):
            yield from _bound(target.items)
        elif isinstance(target, code.Starred):
            yield from _bound([target.value])
        else:
            yield target


@per_file
def asked_of_others(module: code.Module) -> frozenset[str]:
    """The attributes that a file has on anything but `self`: somebody reads them from outside."""
    found: set[str] = set()
    for node in inside(module.body):
        if isinstance(node, code.Attribute) and not _is_self(node.value):
            found.add(node.attr)
        elif isinstance(node, code.Call):
            found.update(_names_given(node, "getattr", "setattr"))
    return frozenset(found)


def _names_given(node: code.Call, *functions: str) -> Iterator[str]:
    """The attributes that a call reads or sets by their names: `getattr(model, "head")`."""
    if isinstance(node.func, code.Name) and node.func.id in functions:
        for argument in node.args:
            if isinstance(argument, code.Literal) and isinstance(argument.value, str):
                yield argument.value


def _is_self(node: code.Expression) -> bool:
    if isinstance(node, code.Call):
        return isinstance(node.func, code.Name) and node.func.id == "super"
    return isinstance(node, code.Name) and node.id in ("self", "cls")


def words_at(module: code.Module, location: Location) -> frozenset[str]:
    """The names and attributes that are written in a range of a file."""
    return frozenset(
        part.id if isinstance(part, code.Name) else part.attr
        for part in inside(module.body)
        if isinstance(part, (code.Name, code.Attribute)) and location.start <= part.start and part.end <= location.end
    )


def is_read(body: object, name: str) -> bool:
    """Whether a piece of code does anything with a name but bind it."""
    bound: set[int] = set()
    stack: list[object] = [body]
    while stack:
        current = stack.pop()
        if isinstance(current, (list, tuple)):
            stack.extend(current)  # pyright: ignore[reportUnknownArgumentType]
        elif id(current) not in bound:
            if isinstance(current, code.Name) and current.id == name:
                return True
            if isinstance(current, (code.Assign, code.For)):
                bound.update(map(id, _targets(current)))
            stack.extend([getattr(current, part) for part in code.PARTS.get(type(current), ())])
    return False


def _targets(node: code.Assign | code.For) -> tuple[code.Expression, ...]:
    """What a statement binds, where that is written with names alone."""
    targets = node.targets if isinstance(node, code.Assign) else (node.target,)
    return tuple(each for each in targets if isinstance(each, (code.Name, code.Display)))


def is_read_after(body: object, name: str, position: int) -> bool:
    """Whether a name is read after a position of a piece of code, before it is bound anew."""
    uses = [part.start for part in inside(body) if isinstance(part, code.Name) and part.id == name]
    first = min((start for start in uses if start >= position), default=None)
    return first is not None and not any(
        isinstance(part, (code.Assign, code.For))
        and any(isinstance(each, code.Name) and each.start == first for each in inside(list(_targets(part))))
        and not any(
            isinstance(each, code.Name) and each.id == name
            for each in inside(part.value if isinstance(part, code.Assign) else part.iterable)
        )
        for part in inside(body)
    )


def cuts_off(body: object) -> bool:
    """Whether code takes the first elements of something: `values[:count]`."""
    return any(isinstance(part, code.Slice) and part.lower is None and part.upper is not None for part in inside(body))


def _without_tests(body: object) -> Iterator[object]:
    tests = {id(part) for node in inside(body) if isinstance(node, code.If) for part in inside(node.test)}
    return (node for node in inside(body) if id(node) not in tests)


def inside(node: object) -> Iterator[object]:
    """A piece of code and all its parts."""
    stack: list[object] = [node]
    while stack:
        current = stack.pop()
        held = code.HELD.get(type(current))
        if held is not None:
            yield current
            stack.extend(held(current))
        elif isinstance(current, (list, tuple)):
            stack.extend(current)  # pyright: ignore[reportUnknownArgumentType]

"""What a function does with a checkpoint that it has loaded, as far as its text tells."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ddl_lint.rulekit import File, Location, Span, child_nodes, code, walk

WHOLE = ""
"""The key that means the checkpoint itself."""

_SAME = frozenset({"items", "values", "copy"})
_PICKS = frozenset({"get", "pop", "setdefault"})
_LOOKS = frozenset({"print", "len", "type", "isinstance", "hasattr"})
_COPIES = frozenset({"dict", "list", "OrderedDict"})


def other_uses(file: File, load: Location, restores: Callable[[Location], bool]) -> frozenset[str]:
    """The keys whose content goes elsewhere than into calls that restore a state.

    It is `WHOLE` where it is unknown which part goes there.

    Args:
        file: The file of the load.
        load: The call that loads.
        restores: Whether the call at a place takes a state and copies it.
    """
    function = file.place(load).function
    return frozenset(_Uses(file, function.body if function is not None else file.module.body, restores).of_load(load))


class _Uses:
    """Follows a value through the names of one function."""

    def __init__(self, file: File, body: list[code.Statement], restores: Callable[[Location], bool]) -> None:
        self._path = file.document.path
        self._restores = restores
        self._parents: dict[int, object] = {}
        self._names: dict[str, list[code.Name]] = {}
        self._calls: dict[Span, code.Call] = {}
        self._seen: set[tuple[str, str]] = set()
        for node in walk(*body):
            for child in child_nodes(node):
                self._parents[id(child)] = node
            if isinstance(node, code.Name):
                self._names.setdefault(node.id, []).append(node)
            elif isinstance(node, code.Call):
                self._calls.setdefault(Span(node.start, node.end), node)

    def of_load(self, load: Location) -> Iterator[str]:
        """The keys that go elsewhere."""
        call = self._calls.get(Span(load.start, load.end))
        if call is None:
            yield WHOLE
        else:
            yield from self._of(call, WHOLE)

    def _of(self, node: object, key: str) -> Iterator[str]:
        """Where an expression goes that holds the checkpoint, or the content of a key of it."""
        parent = self._parents.get(id(node))
        if self._is_restored(node) or isinstance(parent, (code.Evaluate, code.Delete, code.FormattedString)):
            return
        if isinstance(parent, code.Keyword):
            node, parent = parent, self._parents.get(id(parent))
        if isinstance(parent, code.Subscript) and parent.value is node:
            yield from self._of(parent, key or _text(parent.index))
        elif isinstance(parent, code.Attribute):
            yield from self._of_method(parent, key)
        elif isinstance(parent, (code.Compare, code.If, code.Boolean, code.Unary, code.Conditional)) and not key:
            # The checkpoint is asked whether it is there, or whether it has a key.
            if isinstance(parent, code.Conditional) and parent.test is not node:
                yield from self._of(parent, key)
        elif isinstance(parent, code.Call) and isinstance(parent.func, code.Name) and parent.func.id in _LOOKS:
            return
        elif isinstance(parent, code.Call) and isinstance(parent.func, code.Name) and parent.func.id in _COPIES:
            yield from self._of(parent, key)
        elif isinstance(parent, code.Assign) and parent.value is node:
            yield from self._of_targets(parent.targets, key)
        elif isinstance(parent, code.For) and parent.iterable is node:
            yield from self._of_targets([parent.target], key)
        elif isinstance(parent, code.Generator) and parent.iterable is node:
            yield from self._of(self._parents.get(id(parent)), key)
        else:
            yield key

    def _is_restored(self, node: object) -> bool:
        """Whether an expression is among the arguments of a call that restores a state."""
        inner, outer = node, self._parents.get(id(node))
        while outer is not None and not isinstance(outer, (code.Assign, code.Evaluate)):
            if (
                isinstance(outer, code.Call)
                and inner is not outer.func
                and self._restores(Location(self._path, outer.start, outer.end))
            ):
                return True
            inner, outer = outer, self._parents.get(id(outer))
        return False

    def _of_method(self, attribute: code.Attribute, key: str) -> Iterator[str]:
        call = self._parents.get(id(attribute))
        if not isinstance(call, code.Call) or call.func is not attribute:
            yield key
        elif attribute.attr in _PICKS and call.args:
            yield from self._of(call, key or _text(call.args[0]))
        elif attribute.attr in _SAME:
            yield from self._of(call, key)
        elif attribute.attr != "keys":
            yield key

    def _of_targets(self, targets: list[code.Expression], key: str) -> Iterator[str]:
        for target in targets:
            if isinstance(target, code.Display) and target.items:
                target = target.items[-1]  # of `name, value in state.items()` the name is no tensor
            base = target.value if isinstance(target, code.Subscript) else target
            if not isinstance(base, code.Name):
                yield key
            elif (base.id, key) not in self._seen:
                self._seen.add((base.id, key))
                for mention in self._names.get(base.id, ()):
                    if not self._is_bound(mention):
                        yield from self._of(mention, key)

    def _is_bound(self, name: code.Name) -> bool:
        """Whether a name, or an element of it, is assigned and not read here."""
        inner, outer = name, self._parents.get(id(name))
        while isinstance(outer, (code.Display, code.Starred)) or (
            isinstance(outer, code.Subscript) and outer.value is inner
        ):
            inner, outer = outer, self._parents.get(id(outer))
        if isinstance(outer, code.Assign):
            return any(target is inner for target in outer.targets)
        return isinstance(outer, (code.For, code.Generator)) and outer.target is inner


def _text(index: code.Expression) -> str:
    return index.value if isinstance(index, code.Literal) and isinstance(index.value, str) else WHOLE

"""Which statements of a block are for all ranks, and which stay under a condition on the rank."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from ddl_lint.analysis.ranks.found_divergences import Family
from ddl_lint.analysis.ranks.timeline import TimelineStep
from ddl_lint.fixes.python.blocks import (
    Part,
    head_end,
    lines_at,
    statement_start,
    under,
)
from ddl_lint.fixes.python.file import File, Place
from ddl_lint.fixes.python.liveness import exists_for_all, imported, is_bound_before, is_live_after, names_around
from ddl_lint.fixes.python.scope import dotted, names_bound, names_read
from ddl_lint.fixes.python.tree import blocks_of, child_nodes, walk
from ddl_lint.fixes.ranks.side_effects import SideEffects, last_name
from ddl_lint.fixes.unfixable import Unfixable
from ddl_lint.program import code
from ddl_lint.source.span import Location, Span

_Way: TypeAlias = Literal["free", "open", "split"]
"""What becomes of a statement with a call: it is for all ranks as it is; its head is, and parts of its body; only the
call is, whose value gets a name."""

HEADED = (code.If, code.For, code.With)
RESULTS: dict[Family, str] = {"group": "group", "pass": "output", "state": "state"}
_PREFIXES = ("get_", "compute_", "calculate_", "calc_")


@dataclass(frozen=True)
class Call:
    """A call that all ranks must make, as it is seen from the function of the guard."""

    span: Span
    steps: tuple[TimelineStep, ...]
    makes_object: bool = False
    """Whether it makes an object that communicates later, such as a callback: who has it must be all ranks."""

    def is_direct(self, path: str) -> bool:
        """Whether it is no call of a project function that makes it."""
        return all(step.location == Location(path, *self.span) for step in self.steps)


@dataclass
class Plan:
    """What becomes of the statements of a block: which are for all ranks, which stay under the guard."""

    place: Place
    """The condition: all ranks come to it."""

    block: Sequence[code.Statement]
    """The block that is written anew."""

    calls: Sequence[Call]
    knows: SideEffects
    family: Family
    guard: Sequence[code.Expression]
    """The conditions of the guard."""

    ways: dict[int, _Way] = field(default_factory=dict[int, _Way])
    names: dict[Span, str] = field(default_factory=dict[Span, str])
    """Calls whose value gets a name, with that name."""

    only_here: dict[Span, str] = field(default_factory=dict[Span, str])
    """Arguments that only some ranks may give, with what replaces them."""

    is_last: bool = False
    """Whether the other ranks leave when they have made the calls, so that no code reads what they have."""

    header: str = ""
    """The guard, as it is written again."""

    _of: dict[int, list[Span]] = field(default_factory=dict[int, list[Span]])

    @property
    def file(self) -> File:
        """The file of the block."""
        return self.place.file

    # --- which statements are for all -------------------------------------------------------------------------

    def take(self, block: Sequence[code.Statement]) -> None:
        """Decide for the statements of a block that hold calls."""
        for statement in block:
            inside = [call.span for call in self.calls if is_in(call.span, statement)]
            inside = [span for span in inside if not any(holds(other, span) for other in inside)]
            if inside:
                way = self._way_of(statement, inside)
                self.ways[id(statement)] = way
                if way == "open":
                    self._open(statement)
                elif way == "split":
                    self._split(statement, inside)

    def _way_of(self, statement: code.Statement, inside: Sequence[Span]) -> _Way:
        is_quiet = self.first_effect(statement) is None
        if any(call.makes_object for call in self.calls if call.span in inside):
            if not is_quiet or leaves(statement):
                raise Unfixable("the object that it creates is used in a statement for some ranks only")
            return "free"
        if isinstance(statement, (code.Evaluate, code.Assign, code.Augment)):
            alone = is_quiet and not self._changes_others(statement) and not self._hands_on(statement, inside)
            return "free" if alone else "split"
        if isinstance(statement, (code.Return, code.Assert)):
            return "split"
        if is_quiet and not leaves(statement) and not any(self._is_seen(name) for name in plain_names(statement)):
            return "free"
        if isinstance(statement, HEADED):
            heads = heads_of(statement)
            if not isinstance(statement, code.With) and all(any(is_in(s, head) for head in heads) for s in inside):
                return "split"
            return "open"
        if isinstance(statement, code.Try):
            raise Unfixable("it is in a `try` with code for some ranks only")
        raise Unfixable("it is in a loop or another statement with code for some ranks only")

    def first_effect(self, node: object) -> str | None:
        """What a node does that is for one rank only, the calls themselves aside."""
        return self.knows.effect_of(node, self._apart)

    @property
    def _apart(self) -> list[Span]:
        """The calls that all ranks must make, as they are seen from here and where they are written."""
        written = [step.location.span for call in self.calls for step in call.steps]
        return [*(call.span for call in self.calls), *written]

    def _changes_others(self, statement: code.Statement) -> bool:
        """Whether a statement gives a name another value that other ranks go on to read."""
        return any(self._is_seen(name) for name in plain_names(statement))

    def _is_seen(self, name: str) -> bool:
        return not self.is_last and is_bound_before(self.place, name) and is_live_after(self.place, name)

    def _hands_on(self, statement: code.Statement, inside: Sequence[Span]) -> bool:
        """Whether the value of a call is handed to a function of which nothing is known."""
        if not isinstance(statement, code.Evaluate) or not isinstance(statement.value, code.Call):
            return False
        call = statement.value
        given = [*call.args, *(each.value for each in call.keywords)]
        handed = any(is_in(span, each) for span in inside for each in given)
        return handed and isinstance(call.func, code.Name) and call.func.id not in self.knows.functions

    def _open(self, statement: code.Statement) -> None:
        for head in heads_of(statement):
            done = self.first_effect(head)
            if done is not None:
                raise Unfixable(f"`{done}` around it is for some ranks only")
        if not isinstance(statement, HEADED) or has_elif(self.file, statement):
            raise Unfixable("it is in a condition with several branches")
        if not self.file.begins_line(statement.body[0].start):
            raise Unfixable("it is on one line with its condition")
        for block in blocks_of(statement):
            self.take(block)

    def _split(self, statement: code.Statement, inside: Sequence[Span]) -> None:
        place = self.file.place(Span(statement.start, statement.end))
        if place.is_elif:
            raise Unfixable("there is no place for a statement before an `elif`")
        for span in inside:
            if not is_plain(statement, span, heads_of(statement)):
                raise Unfixable("it is a part of an expression that is not always computed, or several times")
            self.see_to_call(statement, span)
            if span not in self.names:
                self.names[span] = self.free_name(statement, span)
        self._of[id(statement)] = list(inside)

    def see_to_call(self, statement: code.Statement, span: Span) -> None:
        """See that a call does nothing besides that is for some ranks only."""
        for node in walk(statement):
            done = self.first_effect(node) if isinstance(node, code.Call) and span_of(node) == span else None
            if done is not None:
                raise Unfixable(f"it also calls `{done}`, which is for some ranks only")

    def free_name(self, statement: code.Statement, span: Span) -> str:
        """A name for the value of a call."""
        call = next((node for node in walk(statement) if span_of(node) == span), None)
        called = last_name(call.func) if isinstance(call, code.Call) else None
        wished = RESULTS.get(self.family, "result")
        if called is not None and self.family == "call":
            wished = next((called.removeprefix(prefix) for prefix in _PREFIXES if called.startswith(prefix)), wished)
        return self.unused(wished)

    def unused(self, wished: str) -> str:
        """A name that nothing in the function or the file has, with a number where it must be."""
        around, function = names_around(self.place), self.place.function
        taken = [around.bound, around.read, self.file.names(self.file.module.body).bound, self.names.values()]
        if function is not None:
            taken.append({parameter.name for parameter in function.parameters})
        return next(name for name in (wished, *_numbered(wished)) if not any(name in names for names in taken))

    # --- what they need ---------------------------------------------------------------------------------------

    def complete(self, block: Sequence[code.Statement], needed: set[str]) -> set[str]:
        """Let what makes the names that are needed be for all ranks, too; the names that must be there before."""
        wanted = set(needed)
        modules = imported(self.place)
        for statement in reversed(block):
            way = self.ways.get(id(statement))
            if way == "free":
                wanted |= names_read(statement)
            elif way == "open":
                for inner in reversed(list(blocks_of(statement))):
                    wanted |= self.complete(inner, wanted)
                wanted |= names_read(*heads_of(statement))
            else:
                if self._touches(statement, wanted - modules, modules):
                    self._add(statement, wanted)
                    if self.ways.get(id(statement)) == "free":
                        wanted |= names_read(statement)
                if way == "split":
                    wanted |= self._read_by_calls(statement)
        return wanted

    def finish(self, block: Sequence[code.Statement]) -> None:
        """Let all ranks undo what they have done to an object for the calls: `model.eval()`, then `model.train()`.

        Raises:
            Unfixable: it is undone with something that only some ranks have.
        """
        changed: set[str] = set()
        kept: set[str] = set()
        for statement in block:
            receiver = _receiver(statement)
            way = self.ways.get(id(statement))
            if way == "free" and receiver is not None and not any(is_in(call.span, statement) for call in self.calls):
                changed.add(receiver)
            elif way is None and receiver in changed and self.first_effect(statement) is None:
                if names_read(statement) & kept:
                    raise Unfixable(f"only some ranks could undo what is done to `{receiver}` before")
                self.ways[id(statement)] = "free"
            elif way is None:
                kept |= names_bound(statement)

    def _read_by_calls(self, statement: code.Statement) -> set[str]:
        spans = self._of.get(id(statement), [])
        return {name for node in walk(statement) if span_of(node) in spans for name in names_read(node)}

    def read_by_calls(self) -> set[str]:
        """What the calls read that get a statement of their own."""
        return {name for node in walk(*self.block) if span_of(node) in self.names for name in names_read(node)}

    def _touches(self, statement: code.Statement, wanted: set[str], modules: frozenset[str]) -> bool:
        """Whether a statement may change what is needed."""
        if names_bound(statement) & wanted:
            return True
        if self.first_effect(statement) is not None and not isinstance(statement, HEADED):
            return False  # it writes, prints or logs
        for node in here(statement):
            if isinstance(node, code.Evaluate) and isinstance(node.value, code.Call):
                call = node.value
                if self.first_effect(node) is not None:
                    continue
                given = names_read(*call.args, *call.keywords) - modules
                receiver = dotted(call.func.value) if isinstance(call.func, code.Attribute) else None
                if receiver is not None and receiver not in modules:
                    given.add(receiver)
                    if receiver.startswith("self."):
                        given.add("self")
                if given & wanted:
                    return True
        return False

    def _add(self, statement: code.Statement, wanted: set[str]) -> None:
        if self._comes_from_root(statement, wanted):
            return
        done = self.first_effect(statement)
        if done is not None:
            raise Unfixable(f"what it needs is created with `{done}`, which is for some ranks only")
        if id(statement) in self.ways or leaves(statement):
            raise Unfixable("what it needs is created by a statement for some ranks only")
        if any(self._is_seen(name) for name in plain_names(statement)):
            raise Unfixable("what it needs is created in a variable that the other ranks use for something else")
        self.ways[id(statement)] = "free"

    def _comes_from_root(self, statement: code.Statement, wanted: set[str]) -> bool:
        """Whether only the sender of a broadcast needs what a statement makes, and the others have something to
        receive it in."""
        sent = all(
            step.event is not None
            and str(step.event.constants.get("operation")).startswith("broadcast")
            and call.is_direct(self.path)
            for call in self.calls
            for step in call.steps
        )
        return sent and all(is_bound_before(self.place, name) for name in plain_names(statement) & wanted)

    @property
    def path(self) -> str:
        """The path of the file."""
        return self.file.document.path

    def made(self) -> set[str]:
        """The names that statements for all ranks bind."""
        found: set[str] = set(self.names.values())
        for node in walk(*self.block):
            way = self.ways.get(id(node))
            if way == "free":
                found |= names_bound(node)
            elif way == "open":
                if isinstance(node, code.For):
                    found |= names_bound(code.Assign(node.start, node.start, [node.target], None))
                elif isinstance(node, code.With):
                    found |= names_bound(*(code.Assign(0, 0, [target], None) for _, target in node.items if target))
        return found

    def see_to_names(self, wanted: set[str], given: set[str]) -> None:
        """See that all ranks have what is read.

        Raises:
            Unfixable: some may not.
        """
        asked = {self.file.source(part) for part in self.guard}

        def is_ranked(test: code.Expression) -> bool:
            return self.knows.asks_rank(test) or self.file.source(test) in asked

        made = self.made()
        for name in sorted(wanted - made):
            if name.partition(".")[0] in made:
                continue
            if not exists_for_all(self.place, name, is_ranked, given):
                raise Unfixable(f"the other ranks may not have `{name}`, which it needs")

    # --- the new text -----------------------------------------------------------------------------------------

    def parts(self, block: Sequence[code.Statement]) -> list[Part]:
        """The statements of a block, each for all ranks or under the guard."""
        found: list[Part] = []
        for index, statement in enumerate(block):
            way = self.ways.get(id(statement))
            if way == "open":
                found.append(Part(False, lambda indent, at=(block, index): self._opened(*at, indent)))
                continue
            changes = {span: self.names[span] for span in self._of.get(id(statement), ())}
            given = {span: text for span, text in self.only_here.items() if is_in(span, statement)}
            if given and way != "free":
                raise Unfixable("only some ranks may have all of its arguments")
            changes.update(given)
            for span in self._of.get(id(statement), ()):
                found.append(Part(False, lambda indent, span=span: self._assignment(span, indent)))
            found.append(Part(way != "free", lines_at(self.file, block, index, changes)))
        return found

    def _assignment(self, span: Span, indent: str) -> str:
        value = self.file.text[span.start : span.end]
        return f"{indent}{self.names[span]} = {value}{self.file.newline}"

    def _opened(self, block: Sequence[code.Statement], index: int, indent: str) -> str:
        statement = block[index]
        assert isinstance(statement, HEADED)
        file, inner = self.file, indent + self.file.indent
        head = lines_at(file, block, index, until=head_end(file, statement_start(file, statement.body[0])))(indent)
        written = [head, under(file, self.parts(statement.body), inner, self.header)]
        if not isinstance(statement, code.With) and statement.orelse:
            written.append(f"{indent}else:{file.newline}")
            written.append(under(file, self.parts(statement.orelse), inner, self.header))
        return "".join(written)


def _receiver(statement: code.Statement) -> str | None:
    """The object of which a statement calls a method, and drops the value."""
    if isinstance(statement, code.Evaluate) and isinstance(statement.value, code.Call):
        called = statement.value.func
        return dotted(called.value) if isinstance(called, code.Attribute) else None
    return None


def leaves(statement: object) -> bool:
    """Whether a statement may leave the block, the loop or the function in which it is."""
    return _leaves(statement, in_loop=False)


def _leaves(node: object, *, in_loop: bool) -> bool:
    if isinstance(node, (code.Function, code.Class, code.Lambda)):
        return False
    if isinstance(node, (code.Return, code.YieldValue)) or (isinstance(node, code.Jump) and not in_loop):
        return True
    inside = in_loop or isinstance(node, (code.For, code.While))
    return any(_leaves(child, in_loop=inside) for child in child_nodes(node))


def heads_of(statement: code.Statement) -> list[code.Expression]:
    """The expressions of a compound statement that come before its blocks."""
    if isinstance(statement, (code.If, code.While)):
        return [statement.test]
    if isinstance(statement, code.For):
        return [statement.iterable]
    return [value for value, _ in statement.items] if isinstance(statement, code.With) else []


def has_elif(file: File, statement: code.Statement) -> bool:
    return isinstance(statement, code.If) and any(
        isinstance(other, code.If) and file.text.startswith("elif", other.start) for other in statement.orelse
    )


def plain_names(statement: code.Statement) -> set[str]:
    """The names, attributes aside, that a statement gives a value, not only an element."""
    found: set[str] = set()
    for node in here(statement):
        targets: list[code.Expression] = []
        if isinstance(node, code.Assign):
            targets = node.targets
        elif isinstance(node, (code.Augment, code.For, code.Walrus)):
            targets = [node.target]
        elif isinstance(node, code.With):
            targets = [target for _, target in node.items if target is not None]
        while targets:
            target, *targets = targets
            if isinstance(target, code.Name):
                found.add(target.id)
            elif isinstance(target, code.Display):
                targets.extend(target.items)
            elif isinstance(target, code.Starred):
                targets.append(target.value)
    return found


def here(node: object) -> Iterator[object]:
    """A node and what is in it, functions and classes aside."""
    if isinstance(node, (code.Function, code.Class, code.Lambda)):
        return
    yield node
    for child in child_nodes(node):
        yield from here(child)


def is_plain(statement: code.Statement, span: Span, heads: Sequence[code.Expression]) -> bool:
    """Whether an expression is computed once, and always, when its statement is come to."""
    node: object = statement
    while span_of(node) != span:
        if isinstance(node, (code.Lambda, code.Comprehension)):
            return False
        below = next((child for child in child_nodes(node) if is_in(span, child)), None)
        if below is None or (node is statement and heads and not any(below is head for head in heads)):
            return False
        if isinstance(node, code.Boolean) and below is node.right:
            return False
        if isinstance(node, code.Conditional) and below is not node.test:
            return False
        node = below
    return True


def is_in(span: Span, node: object) -> bool:
    start, end = getattr(node, "start", None), getattr(node, "end", None)
    return isinstance(start, int) and isinstance(end, int) and start <= span.start and span.end <= end


def span_of(node: object) -> Span | None:
    start, end = getattr(node, "start", None), getattr(node, "end", None)
    return Span(start, end) if isinstance(start, int) and isinstance(end, int) else None


def holds(outer: Span, inner: Span) -> bool:
    return outer != inner and outer.start <= inner.start and inner.end <= outer.end


def _numbered(name: str) -> Iterator[str]:
    yield from (f"{name}_{number}" for number in range(2, 100))

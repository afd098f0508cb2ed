"""How many hangs the rank rules find: real programs, made faulty by mechanical edits.

    python -m benchmarks.rank_recall FOLDER... [--limit 15] [--seed 0] [--only KIND] [--show-missed] [--list]

Each folder is one project. In functions that are correct, a statement in which all ranks communicate is

guard   put under a rank test of the same function or file, or moved into an `if` with such a test that stands beside it
exit    preceded by `if <other ranks>: return` (`continue` in a loop)
swap    exchanged with the communication that follows it, on all ranks but one
drop    taken from one of two rank guards which hold one each

An edit counts when it surely is a fault: the statement runs on the default group and under no rank guard before, and
the test, worked out for four ranks on two nodes, tells some of them apart. Where the value of the test cannot be worked
out the edit is counted as not visible: a rule that stays silent there does what it should.

"flagged" are edits with a new finding, "at the line" those where it stands on an edited line, or next to one.
"""

from __future__ import annotations

import argparse
import builtins
import itertools
import multiprocessing
import operator
import random
import re
import sys
import time
import warnings
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import unified_diff
from functools import cache
from multiprocessing.pool import Pool
from pathlib import Path
from typing import Any, TypeAlias

from ddl_lint.analysis import runs
from ddl_lint.analysis.interpreter.project.codebase import Codebase, Source, name_all
from ddl_lint.analysis.interpreter.project.installed import InstalledPackages
from ddl_lint.analysis.values.conditions import normal
from ddl_lint.analysis.values.visitors import dependencies, parts
from ddl_lint.analysis.view import ProjectContext
from ddl_lint.check.engine import check_project
from ddl_lint.crash import CRASHED
from ddl_lint.frameworks.compile import load_index
from ddl_lint.frameworks.index import ApiIndex
from ddl_lint.lowering import lower
from ddl_lint.program import code
from ddl_lint.program.trace import Context, Event, Run
from ddl_lint.program.values import (
    NONE,
    Alternatives,
    Apply,
    Const,
    Flag,
    Items,
    Rank,
    Symbol,
    Value,
    WorldSize,
)
from ddl_lint.project.config import Settings
from ddl_lint.project.discover import discover
from ddl_lint.project.project_context import projects, python_files
from ddl_lint.registry.rules import Rule, load_rules, rule_packages
from ddl_lint.source import Document, SourceError, document_from_text, load
from ddl_lint.source.span import Span
from ddl_lint.storage import user_storage
from ddl_lint.syntax import Triage, in_deep_stack

KINDS = ("guard", "exit", "swap", "drop")
RULES = frozenset(f"DDL{number}" for number in range(502, 513))
HELPERS = 2  # a call that leads to a collective through so many functions of the project stands for it
SCRIPTS = 3  # so many scripts that reach the edited place are checked with its file
LOCAL = frozenset({"forward", "backward", "optimizer_step"})  # kinds that are more than their communication
TESTS = frozenset({"test", "tests", "testing", "test_utils", "unit_tests"})  # folders; tests provoke faults on purpose
NEAR = 2  # a collective is moved into a guard over at most so many statements

# --- the text of a rank test --------------------------------------------------------------------------------------

_RANK = re.compile(
    r"(?:^|_)(?:rank|ordinal|process_index|proc_?id)(?:_id)?$|^(?:local|global|node|my)rank$|^SLURM_LOCALID$", re.I
)
_PREDICATE = re.compile(
    r"(?:is|am)_(?:\w+_)?(?:main|master|chief|primary)(?:_proc|_process|_rank|_node|_worker)?$"
    r"|is_(?:local_|global_|world_|dist_)?(?:rank_?|process_)?(?:0|zero)$"
    r"|(?:main|master)_process$|^(?:is_)?rank_?(?:zero|0)$",
    re.I,
)
_HINT = re.compile(
    r"rank|main_proc|master|chief|primary|process_ind|ordinal|procid|is_main|zero|is_local|coordinator", re.I
)
_POSITIVE = {"==": True, "<=": True, "in": True, "!=": False, ">": False, "not in": False}
_NEGATED = {"==": "!=", "!=": "==", ">": "<=", "<=": ">", "in": "not in", "not in": "in"}


def last_name(node: code.Expression) -> str:
    """The last word of what an expression names or calls; the variable where the environment is read."""
    if isinstance(node, code.Call):
        name = last_name(node.func)
        if name in ("int", "get", "getenv", "getattr") and node.args:
            return last_name(node.args[1 if name == "getattr" and len(node.args) > 1 else 0])
        return name
    if isinstance(node, code.Subscript):
        return last_name(node.index) if isinstance(node.index, code.Literal) else ""
    if isinstance(node, code.Literal):
        return node.value if isinstance(node.value, str) else ""
    return node.attr if isinstance(node, code.Attribute) else node.id if isinstance(node, code.Name) else ""


def is_rank(node: code.Expression) -> bool:
    """Whether an expression looks like the rank of this process."""
    plain = not isinstance(node, code.Call) or not any(isinstance(argument, code.Call) for argument in node.args)
    return plain and _RANK.search(last_name(node)) is not None


def is_for_one(node: code.Expression) -> bool | None:
    """Whether a test looks as if it held on one rank alone (True) or on all but one (False); None for other tests."""
    if isinstance(node, code.Unary) and node.operator == "not":
        inner = is_for_one(node.operand)
        return None if inner is None else not inner
    if isinstance(node, code.Compare) and len(node.comparisons) == 1 and is_rank(node.left):
        sign, other = node.comparisons[0]
        numbers = other.items if isinstance(other, code.Display) else [other]
        if sign in _POSITIVE and any(isinstance(n, code.Literal) and n.value in (0, "0") for n in numbers):
            return _POSITIVE[sign]
        return None
    named = isinstance(node, (code.Name, code.Attribute)) or (isinstance(node, code.Call) and not node.args)
    return True if named and _PREDICATE.search(last_name(node)) else None


def atoms(node: code.Expression) -> Iterator[code.Expression]:
    """The operands of `and` and `or`, or the test itself."""
    if isinstance(node, code.Boolean):
        yield from atoms(node.left)
        yield from atoms(node.right)
    else:
        yield node


def negated(test: code.Expression, text: str) -> str:
    """The text of the opposite test."""
    if isinstance(test, code.Unary):
        return text[test.operand.start : test.operand.end]
    if isinstance(test, code.Compare):
        sign, other = test.comparisons[0]
        return f"{text[test.left.start : test.left.end]} {_NEGATED[sign]} {text[other.start : other.end]}"
    return f"not {text[test.start : test.end]}"


# --- the worth of a test for one rank -----------------------------------------------------------------------------

_SIGNS: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "is": operator.is_, "is not": operator.is_not, "in": lambda x, y: x in y, "not in": lambda x, y: x not in y,
    "+": operator.add, "-": operator.sub, "*": operator.mul, "//": lambda x, y: x // y, "%": operator.mod,
}  # fmt: skip
_RANKS = ({"global": 0, "local": 0, "node": 0}, {"global": 1, "local": 1, "node": 0},
          {"global": 2, "local": 0, "node": 1}, {"global": 3, "local": 1, "node": 1})  # fmt: skip
_SIZES = {"global": 4, "local": 2, "node": 2}
_OPEN = object()
_MOST_CHOICES = 5

Truths = Mapping[Value, bool]


def worth(value: Value, rank: Mapping[str, int], truths: Truths) -> Any:
    """What a value is on one rank, `_OPEN` where that is not known; `truths` are conditions that are."""
    condition, wanted = normal(value)
    if condition in truths:
        return truths[condition] is wanted
    if isinstance(value, Const):
        return value.value
    if isinstance(value, (Rank, WorldSize)):
        number = (rank if isinstance(value, Rank) else _SIZES).get(value.scope, _OPEN)
        return str(number) if value.text and number is not _OPEN else number
    if isinstance(value, Flag):
        return True if value.name == "distributed" else _OPEN
    if isinstance(value, Items):
        items = [worth(item, rank, truths) for item in value.items]
        return _OPEN if value.open or _OPEN in items else items
    if isinstance(value, Alternatives):
        for labels, option in value.options:
            if all(truths.get(condition, truth) is truth for condition, truth in labels):
                return worth(option, rank, truths)
        return _OPEN
    if isinstance(value, Apply):
        return _applied(value, [worth(operand, rank, truths) for operand in value.operands])
    return _OPEN


def _applied(value: Apply, operands: Sequence[Any]) -> Any:
    if value.operator in ("and", "or"):
        decides = value.operator == "or"
        if any(operand is not _OPEN and bool(operand) is decides for operand in operands):
            return decides
        return _OPEN if _OPEN in operands else not decides
    if any(operand is _OPEN for operand in operands):
        return _OPEN
    try:
        if value.operator == "not":
            return not operands[0]
        return _SIGNS[value.operator](*operands) if value.operator in _SIGNS else _OPEN
    except (TypeError, ZeroDivisionError):
        return _OPEN


def conditions_in(value: Value) -> Iterator[Value]:
    """The conditions on which choices inside a value depend."""
    for part in parts(value):
        if isinstance(part, Alternatives):
            yield from (condition for labels, _ in part.options for condition, _ in labels)


def has_rank(value: Value) -> bool:
    """Whether a value is made of the rank of this process in the job, on its node, or of its node."""
    return any(isinstance(part, Rank) and part.scope != "group" for part in parts(value, below=dependencies))


def outcomes(value: Value, known: Truths) -> Iterator[list[Any]]:
    """The truth of a test on each rank, for each way in which the conditions inside it may fall out."""
    free = [c for c in dict.fromkeys(conditions_in(value)) if c not in known and not has_rank(c)][:_MOST_CHOICES]
    for choice in itertools.product((True, False), repeat=len(free)):
        truths = {**known, **dict(zip(free, choice, strict=True))}
        found = [worth(value, rank, truths) for rank in _RANKS]
        yield [truth if truth is _OPEN else bool(truth) for truth in found]


def divides(value: Value, known: Truths) -> bool:
    """Whether a test lets some ranks through and not others, under some choice of what the user decides."""
    return any(len(set(found)) > 1 for found in outcomes(value, known))


def is_equal_everywhere(value: Value) -> bool:
    """Whether a test is surely decided, and alike on all ranks."""
    return all(len(set(found)) == 1 and found[0] is not _OPEN for found in outcomes(value, {}))


# --- places in a file ---------------------------------------------------------------------------------------------


@dataclass(eq=False)
class Place:
    """A statement in its block; `parent` is the place of the statement around it."""

    statement: code.Statement
    block: list[code.Statement]
    index: int
    parent: Place | None
    function: code.Function | None
    owner: code.Class | None

    def around(self) -> Iterator[Place]:
        """This place and all that it stands in, up to the function."""
        place: Place | None = self
        while place is not None and place.function is self.function:
            yield place
            place = place.parent


def blocks(statement: code.Statement) -> list[list[code.Statement]]:
    """The blocks of a compound statement."""
    if isinstance(statement, (code.If, code.For, code.While)):
        return [statement.body, statement.orelse]
    if isinstance(statement, code.Try):
        return [statement.body, *(h.body for h in statement.handlers), statement.orelse, statement.final]
    if isinstance(statement, code.Match):
        return [case.body for case in statement.cases]
    return [statement.body] if isinstance(statement, (code.With, code.Function, code.Class)) else []


def places(module: code.Module) -> Iterator[Place]:
    """All statements of a file, outer ones first."""

    def walk(block: list[code.Statement], parent: Place | None, function: code.Function | None, owner: code.Class | None
             ) -> Iterator[Place]:  # fmt: skip
        for index, statement in enumerate(block):
            place = Place(statement, block, index, parent, function, owner)
            yield place
            inner = statement if isinstance(statement, code.Function) else function
            around = statement if isinstance(statement, code.Class) else owner
            for part in blocks(statement):
                yield from walk(part, place, inner, around)

    yield from walk(module.body, None, None, None)


def nodes(tree: Any) -> Iterator[Any]:
    """All nodes below a node or list of nodes, without inner functions."""
    stack: list[Any] = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, (list, tuple)):
            stack.extend(reversed(node))  # pyright: ignore[reportUnknownArgumentType]
        elif hasattr(node, "__slots__") and not isinstance(node, code.Function):
            yield node
            stack.extend(getattr(node, name) for name in reversed(node.__slots__))


def dotted(node: code.Expression) -> str:
    """`a.b.c` for names and attributes, else an empty text."""
    if isinstance(node, code.Attribute):
        owner = dotted(node.value)
        return f"{owner}.{node.attr}" if owner else ""
    return node.id if isinstance(node, code.Name) else ""


def targets(statement: code.Statement) -> Iterator[str]:
    """The names and attributes that one statement itself assigns."""
    bound: list[Any] = []
    if isinstance(statement, code.Assign):
        bound = [*statement.targets] if statement.value is not None else []
    elif isinstance(statement, (code.Augment, code.For)):
        bound = [statement.target]
    elif isinstance(statement, code.With):
        bound = [target for _, target in statement.items if target is not None]
    elif isinstance(statement, (code.Function, code.Class)):
        yield statement.name
    elif isinstance(statement, code.Import):
        yield statement.alias or statement.module.partition(".")[0]
    elif isinstance(statement, code.ImportFrom):
        yield from (alias or name for name, alias in statement.names)
    while bound:
        target = bound.pop()
        if isinstance(target, code.Display):
            bound.extend(target.items)
        elif isinstance(target, code.Starred):
            bound.append(target.value)
        elif dotted(target):
            yield dotted(target)


def leaves(block: Sequence[code.Statement]) -> bool:
    """Whether a block surely does not end at its end."""
    return any(isinstance(statement, (code.Return, code.Raise, code.Jump)) for statement in block)


def surely_bound(block: Sequence[code.Statement]) -> set[str]:
    """What is assigned after a block, whatever way was taken through it."""
    found: set[str] = set()
    for statement in block:
        if isinstance(statement, code.If):
            arms = [surely_bound(arm) for arm in (statement.body, statement.orelse) if not leaves(arm)]
            found |= set[str].intersection(*arms) if arms else set()
        elif isinstance(statement, (code.With, code.Try)):
            found |= surely_bound(statement.body) | set(targets(statement))
        elif not isinstance(statement, (code.For, code.While, code.Match)):
            found |= set(targets(statement))
    return found


# --- a project ----------------------------------------------------------------------------------------------------


@dataclass(eq=False)
class Site:
    """A simple statement in which the ranks communicate, directly or through functions of the project."""

    path: str
    place: Place
    calls: list[str] = field(default_factory=list[str])
    """What is called in it, in order, by canonical name, in the first run that gets there."""

    runs: dict[str, Run] = field(default_factory=dict[str, Run])
    """The scripts that get there, by path."""

    kinds: set[str] = field(default_factory=set[str])
    """The kinds of the events in it."""

    guarded: bool = False
    """Whether it may be that only some ranks get there or communicate there."""

    first: Run | None = None


class Project:
    """The files of a folder, lowered, and what its programs do."""

    def __init__(self, folder: Path, api: ApiIndex) -> None:
        self.folder, self.api = folder, api
        files = [path for path in discover([folder], lambda _: Settings()).files if path.suffix == ".py"]
        self.root = next(iter(projects(files)), folder)
        self.sources = name_all({*files, *python_files(self.root)}, self.root)
        self.documents: dict[str, Document] = {}
        self._modules: dict[str, code.Module | None] = {}
        triage = Triage(api.packages)
        self.files = [path.as_posix() for path in files if triage.can_matter(path.read_bytes())]

    def document(self, path: str) -> Document | None:
        """The text of a file, None when it cannot be read."""
        if path not in self.documents:
            try:
                self.documents[path] = load(path)
            except SourceError:
                return None
        return self.documents[path]

    def module(self, source: Source) -> code.Module | None:
        """The program of an unchanged file."""
        if source.path not in self._modules:
            document = self.document(source.path)
            lowered = lower(document, source.name, is_package=source.is_package).module if document else None
            self._modules[source.path] = lowered
        return self._modules[source.path]

    def follow(self, paths: Iterable[str], changed: code.Module | None = None) -> list[Run]:
        """The runs that start in these files, where one module may be another than on disk."""

        def loaded(source: Source) -> code.Module | None:
            return changed if changed is not None and source.path == changed.path else self.module(source)

        codebase = Codebase(self.sources.values(), loaded)
        names = [self.sources[path].name for path in paths]
        project_context = ProjectContext(self.api, codebase, names=names)
        analyzer = runs.Analyzer[Run](self.api, InstalledPackages(self.api))
        return analyzer.run(project_context, runs.Judge(lambda view: view.run))

    def sites(self) -> list[Site]:
        """All statements in which ranks communicate on the default group."""
        found: dict[tuple[str, int], Site] = {}
        by_path: dict[str, Simple] = {}
        excluded: set[tuple[str, int]] = set()
        for run in self.follow(self.files):
            if any(event.kind == "init_rpc" for event in run.events):
                continue  # its processes have roles of their own
            for event in filter(is_together, run.events):
                guarded = self.may_be_guarded(event)
                for path, span in self._ways(event):
                    if path not in by_path:
                        module = self.module(self.sources[path]) if path in self.sources else None
                        by_path[path] = Simple(module)
                    place = by_path[path].at(span)
                    if place is None:
                        break
                    key = path, place.statement.start
                    if event.kind == "init_process_group" or not self.on_default_group(event):
                        excluded.add(key)
                    site = found.setdefault(key, Site(path, place))
                    site.first = site.first or run
                    site.kinds.add(event.kind)
                    site.guarded = site.guarded or guarded
                    if site.first is run:
                        site.calls.append(event.api)
                    if run.kind == "script":
                        site.runs[run.path] = run
        return [site for key, site in sorted(found.items()) if key not in excluded]

    def _ways(self, event: Event) -> Iterator[tuple[str, Span]]:
        """The call itself, then the calls of functions of the project that always lead there, innermost first."""
        yield event.location.path, event.location.span
        depth = 0
        for node in event.context.chain():
            if node.kind == "call":
                depth += 1
                if depth > HELPERS:
                    return
                yield node.location.path, node.location.span
            elif node.kind == "branch":
                if not node.assumed:
                    return
            elif node.kind not in ("loop", "with", "try"):
                return

    def on_default_group(self, event: Event) -> bool:
        """Whether a call is surely given no sub-group: none is written, or a parameter that is None in this run."""
        group = event.operands.get("group", NONE)
        if group == Const("world") or (isinstance(group, Symbol) and group.name.endswith(".WORLD")):
            return True
        document = self.document(event.location.path)
        call = document.text[event.location.start : event.location.end] if document else ""
        written = re.search(r"\bgroup\s*=\s*([\w.]+\(?)", call)
        own = {parameter.name for parameter in event.function.parameters} if event.function is not None else set[str]()
        return "group" not in event.unseen and group == NONE and (written is None or written[1] in own | {"None"})

    def may_be_guarded(self, event: Event) -> bool:
        """Whether some condition on the way to an event may let only some ranks through."""
        functions = [event.function, *(node.function for node in event.context.chain())]
        if any(_HINT.search(last_name(d)) for f in functions if f is not None for d in f.decorators):
            return True
        for node in event.context.chain():
            if node.kind == "branch" and node.value is not None:
                document = self.document(node.location.path)
                text = document.text[node.location.start : node.location.end] if document else ""
                if (has_rank(node.value) or _HINT.search(text)) and not is_equal_everywhere(node.value):
                    return True
        return False


def is_together(event: Event) -> bool:
    """Whether all ranks must make a call, whatever it is called on."""
    return event.collective_when == "always"


class Simple:
    """Finds the simple statement around a span of a file."""

    def __init__(self, module: code.Module | None) -> None:
        found = [place for place in places(module) if not blocks(place.statement)] if module else []
        self._places = sorted(found, key=lambda place: place.statement.start)
        self._starts = [place.statement.start for place in self._places]

    def at(self, span: Span) -> Place | None:
        """The expression statement or assignment that holds a span."""
        place = self._places[max(bisect_right(self._starts, span.start) - 1, 0)] if self._places else None
        if place is None or not _inside(span, Span(place.statement.start, place.statement.end)):
            return None
        return place if isinstance(place.statement, (code.Evaluate, code.Assign, code.Augment)) else None


# --- edits --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Edit:
    """Replaces a range of a text."""

    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Mutant:
    """A faulty version of one file. Spans are those of the new text."""

    kind: str
    path: str
    line: int
    text: str
    test: Span
    collective: Span
    lines: frozenset[int]
    """Lines of the new text where a finding is right."""

    function: range
    """Lines of the old text, from the first to the last of the function."""

    scripts: tuple[str, ...]

    def diff(self, before: str) -> str:
        """The change, without context."""
        lines = list(unified_diff(before.splitlines(), self.text.splitlines(), n=1, lineterm=""))[2:]
        return "\n".join(f"      {line}" for line in lines if not line.startswith("@@"))


class Editor:
    """Makes the mutants of one file."""

    def __init__(self, project: Project, path: str, sites: Sequence[Site]) -> None:
        document, module = project.document(path), project.module(project.sources[path])
        assert document is not None and module is not None
        self.path, self.document, self.module = path, document, module
        self.text = document.text
        self.all = list(places(module))
        self.sites = {id(site.place.statement): site for site in sites}
        self.globals = set(dir(builtins)) | {
            name for place in self.all if place.function is None and place.owner is None
            for name in targets(place.statement)
        }  # fmt: skip

    def mutants(self) -> Iterator[Mutant]:
        """All that this file gives, in the order of its statements."""
        for site in self.sites.values():
            if not site.guarded and self._has_own_lines(site.place.statement) and self._is_free(site.place):
                for make in (self._guard, self._exit, self._swap):
                    mutant = make(site)
                    if mutant is not None:
                        yield mutant
        yield from self._drops()

    # --- the four kinds ---------------------------------------------------------------------------------------

    def _guard(self, site: Site) -> Mutant | None:
        return self._moved(site) or self._wrapped(site)

    def _moved(self, site: Site) -> Mutant | None:
        """Moved to the end of an `if` beside it that only some ranks enter and that does not communicate."""
        place, statement = site.place, site.place.statement
        lines = self._lines(statement)
        used = {node.id for node in nodes(statement) if isinstance(node, code.Name)}
        for offset in sorted(range(-NEAR, NEAR + 1), key=abs):
            index = place.index + offset
            guard = place.block[index] if 0 <= index < len(place.block) else None
            if not isinstance(guard, code.If) or not self._divides(guard.test) or lines.count("\n") != 1:
                continue
            between = place.block[min(index, place.index) : max(index, place.index)]
            assigned = {name for part in between if part is not statement for name in targets(part)}
            if self._communicates(guard) or leaves(guard.body) or leaves(between) or used & assigned:
                continue
            if not self._has_own_lines(guard.body[0]) or (offset > 0 and isinstance(statement, code.Assign)):
                continue
            end = self._line_end(_last_end(guard.body[-1]))
            edits = [
                Edit(self._line_start(statement.start), self._line_end(statement.end), ""),
                Edit(end, end, self._indent(guard.body[0]) + lines.lstrip(" \t")),
            ]
            return self._made("guard", site, edits, Span(guard.test.start, guard.test.end), None)
        return None

    def _wrapped(self, site: Site) -> Mutant | None:
        test = next(self._tests(site.place), None)
        if test is None:
            return None
        statement, indent, newline = site.place.statement, self._indent(site.place.statement), self.document.newline
        head = f"{indent}if {test}:{newline}"
        start, end = self._line_start(statement.start), self._line_end(statement.end)
        edit = Edit(start, end, head + self._deeper(self._lines(statement), indent))
        return self._made("guard", site, [edit], None, None, test=(start + len(indent) + 3, len(test)))

    def _exit(self, site: Site) -> Mutant | None:
        place = site.place
        in_loop = any(isinstance(around.statement, (code.For, code.While)) for around in place.around())
        function = place.function
        if not in_loop:
            if function is None or function.is_generator or self._in_class_body(place):
                return None
            returns = [node for node in nodes(function.body) if isinstance(node, code.Return)]
            if any(node.value is not None and not _is_none(node.value) for node in returns):
                return None
        test = next(self._tests(place, opposite=True), None)
        if test is None:
            return None
        indent, newline = self._indent(place.statement), self.document.newline
        start = self._line_start(place.statement.start)
        step = "\t" if indent.startswith("\t") else "    "
        text = f"{indent}if {test}:{newline}{indent}{step}{'continue' if in_loop else 'return'}{newline}"
        span = Span(place.statement.start, place.statement.end)
        return self._made(
            "exit", site, [Edit(start, start, text)], None, span, test=(start + len(indent) + 3, len(test))
        )

    def _swap(self, site: Site) -> Mutant | None:
        place, first = site.place, site.place.statement
        second = place.block[place.index + 1] if place.index + 1 < len(place.block) else None
        other = self.sites.get(id(second))
        if second is None or other is None or other.guarded or not self._has_own_lines(second):
            return None
        if (site.kinds | other.kinds) & LOCAL:
            return None
        if site.calls + other.calls == other.calls + site.calls or not self._is_free(other.place):
            return None
        used = {dotted(node) for node in nodes(second) if isinstance(node, (code.Name, code.Attribute))}
        test = next(self._tests(place), None)
        if test is None or used & set(targets(first)):
            return None
        indent, newline = self._indent(first), self.document.newline
        one, two = (self._deeper(self._lines(statement), indent) for statement in (first, second))
        start, end = self._line_start(first.start), self._line_end(second.end)
        text = f"{indent}if {test}:{newline}{one}{two}{indent}else:{newline}{two}{one}"
        return self._made("swap", site, [Edit(start, end, text)], None, None, test=(start + len(indent) + 3, len(test)))

    def _drops(self) -> Iterator[Mutant]:
        halves: list[tuple[code.If, bool, Site]] = []
        for site in self.sites.values():
            parent = site.place.parent
            if parent is not None and isinstance(parent.statement, code.If) and parent.function is site.place.function:
                guard = parent.statement
                sides = {is_for_one(atom) for atom in atoms(guard.test)} - {None}
                if len(sides) == 1 and not (isinstance(guard.test, code.Boolean) and guard.orelse):
                    halves.append((guard, sides.pop() is (site.place.block is guard.body), site))
        for (guard, one, site), (other, side, twin) in itertools.combinations(halves, 2):
            if one is side or site.place.function is not twin.place.function or site.calls != twin.calls:
                continue
            if self._calls_in(site.place.block) != self._calls_in(twin.place.block):
                continue  # they did not match before
            if any(third.place.function is site.place.function and third not in (site, twin) for _, _, third in halves):
                continue  # more than a pair: what matches what is not plain
            statement = site.place.statement
            if self._has_own_lines(statement):
                span = Span(twin.place.statement.start, twin.place.statement.end)
                edit = Edit(statement.start, statement.end, "pass")
                mutant = self._made("drop", site, [edit], Span(other.test.start, other.test.end), span,
                                    also=[Span(guard.test.start, guard.test.end)])  # fmt: skip
                if mutant is not None:
                    yield mutant

    def _made(
        self,
        kind: str,
        site: Site,
        edits: Sequence[Edit],
        kept_test: Span | None,
        collective: Span | None,
        *,
        test: tuple[int, int] | None = None,
        also: Sequence[Span] = (),
    ) -> Mutant | None:
        """Apply the edits. `kept_test`, `collective` and `also` are spans of the old text, `test` is a start in the new
        text and a length; without `collective`, it is in the last edit."""
        text, edits = self.text, sorted(edits, key=lambda edit: edit.start)
        for edit in reversed(edits):
            text = text[: edit.start] + edit.text + text[edit.end :]

        def new(span: Span) -> Span:
            shift = sum(len(edit.text) - (edit.end - edit.start) for edit in edits if edit.end <= span.start)
            return Span(span.start + shift, span.end + shift)

        written: list[Span] = []
        shift = 0
        for edit in edits:
            if edit.text:
                written.append(Span(edit.start + shift, edit.start + shift + len(edit.text)))
            shift += len(edit.text) - (edit.end - edit.start)
        tested = new(kept_test) if kept_test is not None else Span(test[0], test[0] + test[1]) if test else written[0]
        where = new(collective) if collective is not None else written[-1]
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                compile(text, self.path, "exec", dont_inherit=True)
        except (SyntaxError, ValueError):
            return None
        document = document_from_text(self.path, text)
        lines: set[int] = set()
        for span in (tested, where, *written, *map(new, also)):
            last = document.position(max(span.start, span.end - 1))[0]
            lines.update(range(document.position(span.start)[0] - 1, last + 2))
        scripts = sorted((run for path, run in site.runs.items() if path != self.path), key=lambda run: len(run.events))
        function = site.place.function
        span = Span(function.start, function.end) if function is not None else Span(0, len(self.text))
        return Mutant(
            kind,
            self.path,
            self.document.position(site.place.statement.start)[0],
            text,
            tested,
            where,
            frozenset(lines),
            range(self.document.position(span.start)[0], self.document.position(span.end)[0] + 1),
            tuple(run.path for run in scripts[:SCRIPTS]),
        )

    # --- rank tests -------------------------------------------------------------------------------------------

    def _divides(self, test: code.Expression) -> bool:
        return any(is_for_one(atom) is not None for atom in atoms(test)) and self._is_plain(test)

    def _is_plain(self, test: code.Expression) -> bool:
        """Whether a test can be copied: it binds nothing and is not waited for."""
        text = self.text[test.start : test.end]
        return "\n" not in text and not any(isinstance(n, (code.Walrus, code.YieldValue)) for n in nodes(test)) and (
            "await " not in text
        )  # fmt: skip

    def _tests(self, place: Place, *, opposite: bool = False) -> Iterator[str]:
        """Texts of rank tests that can stand before a statement: those of its function, nearest first, then tests of
        ranks that its function reads, then tests of other functions of the file."""
        bound, assigned = self._bound(place), self._assigned(place.function)
        start = place.statement.start

        def usable(node: code.Expression, names: set[str]) -> bool:
            for part in nodes(node):
                if isinstance(part, code.Name) and part.id not in names:
                    return False
                if isinstance(part, code.Attribute) and dotted(part) in assigned - bound:
                    return False
            return True

        own = [p.statement for p in self.all if p.function is place.function and isinstance(p.statement, code.If)]
        for guard in sorted(own, key=lambda guard: abs(guard.start - start)):
            yield from self._text_of(guard.test, lambda node: usable(node, bound), opposite)
        body = place.function.body if place.function is not None else self.module.body
        read = [n for n in nodes(body) if isinstance(n, (code.Name, code.Attribute, code.Call)) and is_rank(n)]
        for node in sorted(read, key=lambda node: abs(node.start - start)):
            if usable(node, bound) and not (isinstance(node, code.Call) and node.args and node.keywords):
                yield f"{self.text[node.start : node.end]} {'!=' if opposite else '=='} 0"
        names = self.globals & bound
        for other in self.all:
            if isinstance(other.statement, code.If) and other.function is not place.function and place.function:
                in_class = other.owner is not None and other.owner is place.owner and place.function.name != "__init__"
                shown = names | {"self"} if in_class and "self" in bound else names
                yield from self._text_of(other.statement.test, lambda node, shown=shown: usable(node, shown), opposite)

    def _text_of(
        self, test: code.Expression, usable: Callable[[code.Expression], bool], opposite: bool
    ) -> Iterator[str]:
        if not self._is_plain(test):
            return
        if opposite:
            for atom in atoms(test):
                side = is_for_one(atom)
                if side is not None and usable(atom):
                    yield negated(atom, self.text) if side else self.text[atom.start : atom.end]
                    return
        elif self._divides(test) and usable(test):
            yield self.text[test.start : test.end]

    def _bound(self, place: Place) -> set[str]:
        """The names and attributes that surely have a value where a statement starts."""
        bound: set[str] = set() if place.function is None else set(self.globals)
        bound |= set(dir(builtins))
        outer: Place | None = place
        while outer is not None:
            bound |= surely_bound(outer.block[: outer.index])
            parent = outer.parent
            if parent is not None:
                if isinstance(parent.statement, (code.For, code.With)):
                    bound |= set(targets(parent.statement))
                elif isinstance(parent.statement, code.Function):
                    bound |= {parameter.name for parameter in parent.statement.parameters}
                    if parent.function is not None:  # an outer function has run to its end, for all that we know
                        bound |= self._assigned(parent.function)
                        bound |= {parameter.name for parameter in parent.function.parameters}
            outer = parent
        return bound

    def _assigned(self, function: code.Function | None) -> set[str]:
        """The names and attributes that a function assigns anywhere."""
        return {name for place in self.all if place.function is function for name in targets(place.statement)}

    # --- statements and lines ---------------------------------------------------------------------------------

    def _communicates(self, statement: code.Statement) -> bool:
        return id(statement) in self.sites or any(self._communicates(s) for b in blocks(statement) for s in b)

    def _calls_in(self, block: Sequence[code.Statement]) -> list[str]:
        """What the ranks call together in a block, in the order of the text."""
        found: list[str] = []
        for statement in block:
            if id(statement) in self.sites:
                found += self.sites[id(statement)].calls
            for inner in blocks(statement):
                found += self._calls_in(inner)
        return found

    def _is_free(self, place: Place) -> bool:
        """Whether a statement can be left out or moved without a name that is missing later."""
        statement = place.statement
        if isinstance(statement, code.Evaluate):
            return not isinstance(statement.value, code.YieldValue)
        return set(targets(statement)) <= self._bound(place) and not self._in_class_body(place)

    def _in_class_body(self, place: Place) -> bool:
        return place.parent is not None and isinstance(place.parent.statement, code.Class)

    def _line_start(self, offset: int) -> int:
        return self.document.offset(self.document.position(offset)[0], 1)

    def _line_end(self, offset: int) -> int:
        """After the line end of the line in which a statement ends."""
        return self.document.offset(self.document.position(offset)[0] + 1, 1)

    def _lines(self, statement: code.Statement) -> str:
        return self.text[self._line_start(statement.start) : self._line_end(statement.end)]

    def _indent(self, statement: code.Statement) -> str:
        return self.text[self._line_start(statement.start) : statement.start]

    def _has_own_lines(self, statement: code.Statement) -> bool:
        """Whether a statement shares its lines with no other, and its text can be indented."""
        lines = self._lines(statement)
        after = self.text[statement.end : self._line_end(statement.end)].strip()
        return (
            not self._indent(statement).strip()
            and (not after or after.startswith("#"))
            and lines.endswith("\n")
            and '"""' not in lines
            and "'''" not in lines
        )

    def _deeper(self, lines: str, indent: str) -> str:
        step = "\t" if indent.startswith("\t") else "    "
        return "".join(step + line if line.strip() else line for line in lines.splitlines(keepends=True))


def _last_end(statement: code.Statement) -> int:
    """Where the last simple statement in a statement ends."""
    inner = [block[-1] for block in blocks(statement) if block]
    return max((_last_end(part) for part in inner), default=statement.end)


def _is_none(node: code.Expression) -> bool:
    return isinstance(node, code.Literal) and node.value is None


# --- judging ------------------------------------------------------------------------------------------------------


def visibility(project: Project, mutant: Mutant) -> bool | None:
    """Whether the rank test of a mutant can be worked out where the ranks communicate; None when it divides nothing."""
    source = project.sources[mutant.path]
    document = document_from_text(mutant.path, mutant.text)
    changed = lower(document, source.name, is_package=source.is_package).module
    worked_out = False
    for run in project.follow([mutant.path, *mutant.scripts], changed):
        for event in filter(is_together, run.events):
            nodes_around = list(event.context.chain())
            spans = [event.location] + [node.location for node in nodes_around if node.kind == "call"]
            if not any(at.path == mutant.path and _inside(at.span, mutant.collective) for at in spans):
                continue
            tested = [n for n in nodes_around if n.kind == "branch" and n.location.path == mutant.path
                      and _inside(n.location.span, mutant.test) and n.value is not None]  # fmt: skip
            known = _known(node for node in nodes_around if node not in tested)
            for node in tested:
                if node.value is not None and has_rank(node.value):
                    if divides(node.value, known):
                        return True
                    worked_out = worked_out or is_equal_everywhere(node.value)
    return None if worked_out else False


def _known(circumstances: Iterable[Context]) -> Truths:
    known: dict[Value, bool] = {}
    for node in circumstances:
        if node.kind == "branch" and node.value is not None and not has_rank(node.value):
            condition, truth = normal(node.value)
            known[condition] = truth is node.arm
    return known


def _inside(inner: Span, outer: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


Key: TypeAlias = tuple[str, str, str]
"""The code of a finding, its file, and the text of its line: what stays when lines are added elsewhere."""


@dataclass(frozen=True)
class Verdict:
    """What the linter says of a mutant; `codes` are those of its new findings."""

    mutant: Mutant
    visible: bool
    codes: tuple[str, ...] = ()
    at_line: bool = False
    late: bool = False
    """Whether the check took too long."""


@cache
def measured() -> tuple[tuple[Rule, ...], Settings]:
    """The rules that are measured, as far as they are installed, with those of the engine; and what selects them."""
    rules = tuple(rule for rule in load_rules() if rule.code in RULES or rule.info.is_engine)
    return rules, Settings(select=tuple(rule.code for rule in rules))


def findings(root: Path, paths: Sequence[str], overlay: Mapping[str, str]) -> list[tuple[Key, int]]:
    """The findings of these rules in some files of a project, each with the number of its line."""
    rules, settings = measured()
    empty = root / "_empty.py"  # of no content; a checked file in the root makes the folder the project
    overlay = {**overlay, empty.as_posix(): ""}
    report = check_project([empty, *map(Path, paths)], lambda _: settings, rules, overlay=overlay)
    found: list[tuple[Key, int]] = []
    for finding in report.findings:
        document = report.documents[finding.location.path]
        line = document.position(finding.location.start)[0]
        if finding.code in RULES:
            found.append(((finding.code, finding.location.path, document.line_text(line).strip()), line))
        elif finding.code == CRASHED:
            print(f"  a rule failed: {finding.message}", file=sys.stderr)
    return found


class Judge:
    """Checks mutants, one after the other in a process of its own, and compares with the unchanged files."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._worker = self._start()
        self._before: dict[tuple[str, ...], list[tuple[Key, int]]] = {}

    def verdict(self, root: Path, mutant: Mutant, visible: bool) -> Verdict | None:
        """What is found beyond the findings of the unchanged files; None when there is one in the unchanged function,
        which may not be correct then."""
        paths = (mutant.path, *mutant.scripts)
        try:
            if paths not in self._before:
                self._before[paths] = self._findings(root, paths, {})
            if any(key[1] == mutant.path and line in mutant.function for key, line in self._before[paths]):
                return None
            after = self._findings(root, paths, {mutant.path: mutant.text})
        except multiprocessing.TimeoutError:
            return Verdict(mutant, visible, late=True)
        old = Counter(key for key, _ in self._before[paths])
        new: list[tuple[Key, int]] = []
        for key, line in after:
            old[key] -= 1
            if old[key] < 0:
                new.append((key, line))
        at_line = any(key[1] == mutant.path and line in mutant.lines for key, line in new)
        return Verdict(mutant, visible, tuple(sorted({key[0] for key, _ in new})), at_line)

    def close(self) -> None:
        """End the process."""
        self._worker.terminate()
        self._worker.join()

    def _findings(self, root: Path, paths: Sequence[str], overlay: Mapping[str, str]) -> list[tuple[Key, int]]:
        result = self._worker.apply_async(findings, (root, paths, overlay))
        try:
            return result.get(self._seconds)
        except multiprocessing.TimeoutError:
            self.close()
            self._worker = self._start()
            raise

    @staticmethod
    def _start() -> Pool:
        return multiprocessing.get_context("spawn").Pool(1)


def sampled(mutants: Sequence[Mutant], seed: str) -> Iterator[Mutant]:
    """The mutants in an order that depends on the seed alone, and takes kinds and files in turn."""
    chance = random.Random(seed)
    waiting: dict[str, dict[str, list[Mutant]]] = {}
    for mutant in mutants:
        waiting.setdefault(mutant.kind, {}).setdefault(mutant.path, []).append(mutant)
    queues: list[list[Mutant]] = []
    for by_file in waiting.values():
        for group in by_file.values():
            chance.shuffle(group)
        groups = list(by_file.values())
        chance.shuffle(groups)
        queues.append([m for turn in itertools.zip_longest(*groups) for m in turn if m is not None])
    for turn in itertools.zip_longest(*queues):
        yield from (mutant for mutant in turn if mutant is not None)


def mutants_of(project: Project, kind: str | None) -> list[Mutant]:
    """All mutants of a project."""
    by_path: dict[str, list[Site]] = defaultdict(list)
    for site in project.sites():
        file = Path(site.path).relative_to(project.folder)
        if not TESTS & set(file.parts) and not file.name.startswith("test_"):
            by_path[site.path].append(site)
    found = [m for path, sites in by_path.items() for m in Editor(project, path, sites).mutants()]
    return [mutant for mutant in found if kind in (None, mutant.kind)]


def judged(folder: Path, api: ApiIndex, judge: Judge | None, options: argparse.Namespace) -> Iterator[Verdict]:
    """The verdicts on the mutants of one project, up to the limit."""
    project = Project(folder, api)
    count = 0
    for mutant in sampled(mutants_of(project, options.only), f"{options.seed}:{folder.name}"):
        if count == options.limit:
            return
        visible = visibility(project, mutant)
        if visible is None:
            continue
        started = time.monotonic()
        verdict = Verdict(mutant, visible) if judge is None else judge.verdict(project.root, mutant, visible)
        if verdict is None:
            continue
        count += 1
        if judge is None or (options.show_missed and visible and not verdict.at_line):
            show(project, verdict, time.monotonic() - started)
        yield verdict


def show(project: Project, verdict: Verdict, seconds: float) -> None:
    """Print an edit."""
    mutant, document = verdict.mutant, project.document(verdict.mutant.path)
    remarks = [
        "" if verdict.visible else "not visible",
        f"found elsewhere: {', '.join(verdict.codes)}" if verdict.codes else "",
        "took too long" if verdict.late else "",
        f"{seconds:.0f} s" if seconds > 10 else "",
    ]
    remark = "; ".join(filter(None, remarks))
    print(f"  {mutant.kind} {Path(mutant.path).relative_to(project.folder).as_posix()}:{mutant.line}"
          + (f" ({remark})" if remark else ""))  # fmt: skip
    print(mutant.diff(document.text if document else ""), flush=True)


def row(name: str, kind: str, verdicts: Sequence[Verdict]) -> str:
    """One line of the table."""
    visible = [verdict for verdict in verdicts if verdict.visible]
    flagged = sum(bool(verdict.codes) for verdict in visible)
    right = sum(verdict.at_line for verdict in visible)
    share = f"{right / len(visible):8.0%}" if visible else f"{'-':>8s}"
    return f"{name[:36]:36s} {kind:6s} {len(verdicts):8d} {len(visible):8d} {flagged:8d} {right:12d} {share}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--limit", type=int, default=20, help="mutants per folder")
    parser.add_argument("--seed", default="0")
    parser.add_argument("--only", choices=KINDS, help="make this kind of edit alone")
    parser.add_argument("--show-missed", action="store_true", help="print the edits that were not found at their line")
    parser.add_argument("--list", action="store_true", help="print the edits and check nothing")
    parser.add_argument("--seconds", type=float, default=60, help="the longest that a check may take")
    options = parser.parse_args()
    sys.setrecursionlimit(20_000)
    shipped = sorted(file for root in rule_packages().values() for file in (root / "models").glob("*.yaml"))
    api = load_index(shipped, (), user_storage())
    judge = None if options.list else Judge(options.seconds)
    header = f"{'':36s} {'edit':6s} {'mutants':>8s} {'visible':>8s} {'flagged':>8s} {'at the line':>12s} {'recall':>8s}"
    print(header)
    everything: list[Verdict] = []
    for folder in options.folders:
        verdicts = list(judged(folder.resolve(), api, judge, options))
        everything.extend(verdicts)
        for kind in KINDS:
            chosen = [verdict for verdict in verdicts if verdict.mutant.kind == kind]
            if chosen:
                print(row(folder.name, kind, chosen), flush=True)
    print(header)
    for kind in KINDS:
        print(row("all", kind, [verdict for verdict in everything if verdict.mutant.kind == kind]))
    print(row("all", "all", everything))
    if judge is not None:
        judge.close()
    by_code = Counter(code for verdict in everything for code in verdict.codes)
    print("by rule: " + (", ".join(f"{name} {count}" for name, count in sorted(by_code.items())) or "nothing"))


if __name__ == "__main__":
    in_deep_stack(main)

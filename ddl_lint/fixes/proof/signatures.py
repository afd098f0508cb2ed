"""Whether what a fix calls takes the keyword arguments that it writes, and nothing else passes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from ddl_lint.analysis.view import RunView
from ddl_lint.finding import Fix
from ddl_lint.fixes.proof.additions import Addition
from ddl_lint.fixes.proof.definitions import Definition, meanings
from ddl_lint.fixes.proof.doubt import Doubt
from ddl_lint.fixes.proof.members import classes_of, member
from ddl_lint.frameworks.model import FunctionModel
from ddl_lint.jobs.known import facts
from ddl_lint.jobs.versions import Versions
from ddl_lint.program import code
from ddl_lint.program.trace import Event

_PLAIN = frozenset({"staticmethod", "classmethod"})
"""Decorators that leave the parameters of a function as they are written."""


def doubts_of_keywords(run: RunView, fix: Fix, added: Sequence[Addition], about: Sequence[Event]) -> Iterator[Doubt]:
    """What speaks against the keyword arguments that a fix adds, and the functions that it calls."""
    for each in added:
        if isinstance(each.node, code.Keyword):
            yield from _of_keyword(run, fix, each, each.node, about)
        elif isinstance(each.node, code.Call):
            for meaning in meanings(run, each, each.node.func):
                if isinstance(meaning, str):
                    yield from _of_version(run, each, meaning, "")


def _of_keyword(
    run: RunView, fix: Fix, addition: Addition, keyword: code.Keyword, about: Sequence[Event]
) -> Iterator[Doubt]:
    call, name = addition.call, keyword.name
    if call is None or name is None:
        return
    for other in call.keywords:
        if other.name is None:
            yield from _given_by(addition, other.value, name)
    for meaning in _called(run, addition, call, about):
        if isinstance(meaning, Definition):
            yield from _of_definition(run, fix, meaning, name)
        else:
            yield from _of_version(run, addition, meaning, name)


def _called(run: RunView, addition: Addition, call: code.Call, about: Sequence[Event]) -> Iterator[Definition | str]:
    found = meanings(run, addition, call.func)
    yield from found
    if not found and isinstance(call.func, code.Attribute):
        for owner in classes_of(run, addition, call.func.value, about):
            method = member(run, owner, call.func.attr)
            if isinstance(method, Definition):
                yield method


def _given_by(addition: Addition, table: code.Expression, name: str) -> Iterator[Doubt]:
    """What `**table` may give beside a keyword argument."""
    written = addition.source(table)
    if isinstance(table, code.Dictionary):
        keys = [key.value if isinstance(key, code.Literal) else None for key, _ in table.items]
        if name in keys:
            yield Doubt(f"`**{written}` contains `{name}` already", is_certain=True)
        if None not in keys:
            return
    yield Doubt(f"cannot tell whether `**{written}` contains `{name}`, too")


def _of_definition(run: RunView, fix: Fix, called: Definition, name: str) -> Iterator[Doubt]:
    """What the signature of the project's own function says."""
    node: code.Function | None
    if isinstance(called.node, code.Class):
        found = member(run, called, "__init__")
        node = found.node if isinstance(found, Definition) and isinstance(found.node, code.Function) else None
        if node is None:
            return
    else:
        node = called.node
    if any(parameter.name == name and not parameter.kind.startswith("var_") for parameter in node.parameters):
        return
    end = node.body[0].start if node.body else node.end
    own = (edit.location for edit in fix.edits if edit.location.path == called.module.path)
    if any(node.start <= place.start < end for place in own):
        return  # the fix writes another signature
    place = f"`{called.node.name}` ({PurePath(called.module.path).name})"
    if any(parameter.kind == "var_keyword" for parameter in node.parameters):
        yield Doubt(f"cannot tell what {place} does with `{name}`, which it takes among others by `**`")
    elif all(isinstance(each, code.Name) and each.id in _PLAIN for each in node.decorators):
        yield Doubt(f"{place} has no parameter `{name}`", is_certain=True)
    else:
        yield Doubt(f"cannot tell whether {place}, which is decorated, takes `{name}`")


def _of_version(run: RunView, addition: Addition, api: str, keyword: str) -> Iterator[Doubt]:
    """What the versions say with which the project runs."""
    package = api.partition(".")[0]
    versions = run.versions_of(addition.file.document.path)
    known: Mapping[str, Any] = facts("apis").get(api) or facts("apis").get(run.api.canonical(api) or "") or {}
    model = _function(run, api)
    entry: Mapping[str, Any] = known.get("params", {}).get(keyword, {}) if keyword else known
    since: str | None = entry.get("since")
    last: str | None = entry.get("last")
    if since is None and model is not None and (not keyword or run.api.class_(api) is not None):
        since = model.since  # of a class, since when it is made in this way
    what = f"`{keyword}` of `{api}`" if keyword else f"`{api}`"
    if not versions.is_known(package):
        why = versions.documented_from(package, since) if since is not None else ""
        if why:
            yield Doubt(f"{what} exists since {package} {since}, and {why}")
        return
    yield from _told(versions, package, what, since)
    if last is not None and not versions.surely_before(package, _next(last)):
        yield Doubt(f"{what} exists until {package} {last} only")


def _told(versions: Versions, package: str, what: str, since: str | None) -> Iterator[Doubt]:
    if since is None or versions.surely_from(package, since):
        return
    shown = versions.shown(package)
    surely = versions.surely_before(package, since)
    yield Doubt(f"{what} exists since {package} {since}, and the project has {shown}", is_certain=surely)


def _function(run: RunView, api: str) -> FunctionModel | None:
    made = run.api.class_(api)
    return run.api.function(api) if made is None else made.constructor


def _next(version: str) -> str:
    major, _, minor = version.partition(".")
    return f"{major}.{int(minor or 0) + 1}"

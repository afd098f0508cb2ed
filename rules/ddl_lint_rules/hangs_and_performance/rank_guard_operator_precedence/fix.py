"""Puts the alternatives under the rank guard, in parentheses."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from ddl_lint.rulekit import (
    RANK_TAGS,
    Applicability,
    Apply,
    Edit,
    Event,
    File,
    Fix,
    Kind,
    RunView,
    Span,
    Unfixable,
    Value,
    code,
    file_of,
    path_to,
    scan,
    tags_of,
)

_AND = re.compile(r"\band\b")


def fix(run: RunView, mixed: Event) -> Fix:
    """`is_main and due or last` to `is_main and (due or last)`."""
    file = file_of(run, mixed.location)
    whole = file.node(mixed.location, code.Boolean)
    guarded = next((side for side in (whole.left, whole.right) if _is_loose(side, "and")), None)
    if not isinstance(guarded, code.Boolean):
        raise Unfixable("the condition is written in a form that cannot be edited")
    chain = _chain(file, whole)
    conditions = list(_conjuncts(guarded))
    guards = [index for index, guard in enumerate(_guards(guarded, mixed.operands["guarded"])) if guard]
    first, last, count = guards[0], guards[-1], len(guards)
    if count == len(conditions):
        raise Unfixable("everything before the alternative is a rank check")
    if last - first + 1 != count:
        raise Unfixable("several parts of the condition check the rank")
    return Fix(
        "Put the alternatives in parentheses after the rank check",
        _edits(file, chain, guarded, conditions, Span(first, last + 1)),
        Applicability.UNSAFE,
        "The other ranks no longer enter the branch, which may be intended",
    )


def _edits(
    file: File, chain: Span, guarded: code.Boolean, conditions: Sequence[code.Expression], guards: Span
) -> tuple[Edit, ...]:
    """Parentheses around the alternatives, where the guard is at one end of them; else it is moved to the front."""
    cuts = [_and_between(file, left, right) for left, right in itertools.pairwise(conditions)]
    if guards.start == 0 and guarded.start == chain.start:
        behind = cuts[guards.end - 1].end
        return (_insert(file, _skip(file, behind), "("), _insert(file, chain.end, ")"))
    if guards.end == len(conditions) and guarded.end == chain.end:
        before = cuts[guards.start - 1].start
        return (_insert(file, chain.start, "("), _insert(file, _skip_back(file, before), ")"))
    if guards.start == 0:
        gone = Span(guarded.start, _skip(file, cuts[guards.end - 1].end))
    else:
        end = guarded.end if guards.end == len(conditions) else _skip_back(file, cuts[guards.end - 1].start)
        gone = Span(_skip_back(file, cuts[guards.start - 1].start), end)
    start = guarded.start if guards.start == 0 else _skip(file, cuts[guards.start - 1].end)
    end = guarded.end if guards.end == len(conditions) else _skip_back(file, cuts[guards.end - 1].start)
    guard = file.text[start:end]
    if "\n" in guard or "\r" in guard:
        raise Unfixable("the rank check spans several lines")
    return (
        _insert(file, chain.start, f"{guard} and ("),
        file.edit(gone.start, gone.end, ""),
        _insert(file, chain.end, ")"),
    )


def _insert(file: File, offset: int, text: str) -> Edit:
    return file.edit(offset, offset, text)


def _is_loose(node: object, operator: str) -> bool:
    return isinstance(node, code.Boolean) and node.operator == operator and not node.parenthesized


def _chain(file: File, whole: code.Boolean) -> Span:
    """All the alternatives: `a and b or c or d` is `(a and b or c) or d` to the language."""
    found = whole
    for node in reversed(path_to(file.module, Span(whole.start, whole.end))):
        if node is found:
            continue
        is_wider = isinstance(node, code.Boolean) and node.operator == "or" and not found.parenthesized
        if not is_wider or not isinstance(node, code.Boolean):
            break
        found = node
    return Span(found.start, found.end)


def _conjuncts(node: code.Expression) -> Iterator[code.Expression]:
    if isinstance(node, code.Boolean) and _is_loose(node, "and"):
        yield from _conjuncts(node.left)
        yield from _conjuncts(node.right)
    else:
        yield node


def _guards(node: code.Expression, value: Value) -> Iterator[bool]:
    """For each of the conditions, whether it asks for the rank."""
    if isinstance(node, code.Boolean) and _is_loose(node, "and"):
        if not isinstance(value, Apply) or value.operator != "and" or len(value.operands) != 2:
            raise Unfixable("cannot tell which part of the condition is the rank check")
        left, right = value.operands
        yield from _guards(node.left, left)
        yield from _guards(node.right, right)
    else:
        yield bool(tags_of(value) & RANK_TAGS)


def _and_between(file: File, left: code.Expression, right: code.Expression) -> Span:
    """Where the word `and` is between two conditions."""
    between = list(file.text[left.end : right.start])
    for token in scan(file.text, left.end, right.start):
        if token.kind is Kind.COMMENT:
            between[token.start - left.end : token.end - left.end] = " " * (token.end - token.start)
    found = _AND.search("".join(between))
    if found is None:
        raise Unfixable("the condition is laid out in a way that cannot be edited")
    return Span(left.end + found.start(), left.end + found.end())


def _skip(file: File, offset: int) -> int:
    """The next character that is not blank."""
    while file.text[offset].isspace():
        offset += 1
    return offset


def _skip_back(file: File, offset: int) -> int:
    """The offset after the last character before an offset that is not blank."""
    return len(file.text[:offset].rstrip())

"""Conditions that ask for the rank, and for something else besides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ddl_lint.analysis.values.tags import LOCAL_TAGS, RANK_TAGS, tags_of
from ddl_lint.fixes.python.file import File
from ddl_lint.fixes.python.tree import walk
from ddl_lint.fixes.unfixable import Unfixable
from ddl_lint.program import code
from ddl_lint.program.values import Apply, Flag, Value


@dataclass(frozen=True)
class Condition:
    """A condition in two halves, which both must hold."""

    ranked: tuple[code.Expression, ...]
    """What tells the ranks apart."""

    common: tuple[code.Expression, ...]
    """What is equal on all ranks."""

    def text(self, file: File) -> str:
        """The half that tells the ranks apart."""
        return self._joined(file, self.ranked)

    def common_text(self, file: File) -> str:
        """The other half."""
        return self._joined(file, self.common)

    def _joined(self, file: File, parts: tuple[code.Expression, ...]) -> str:
        texts = [_with_brackets(file, part) if len(parts) > 1 else file.source(part) for part in parts]
        text = " and ".join(texts)
        if "\n" in text or "\r" in text:
            raise Unfixable("the condition spans several lines")
        return text


def _with_brackets(file: File, part: code.Expression) -> str:
    needs = isinstance(part, code.Conditional) or (isinstance(part, code.Boolean) and part.operator == "or")
    return f"({file.source(part)})" if needs else file.source(part)


def condition_of(test: code.Expression, value: Value | None, arm: bool) -> Condition:
    """Which half of a condition asks for the rank.

    Raises:
        Unfixable: that is unknown.
    """
    parts = list(_conjuncts(test))
    values = list(_operands(value)) if value is not None else []
    if len(parts) == 1:
        if any(not tags_of(each) & RANK_TAGS and not _holds_flag(each) for each in values if len(values) > 1):
            raise Unfixable("the condition is about more than the rank, and does not say so here")
        return Condition((test,), ())
    if not arm:
        raise Unfixable("the call is in the `else` of a condition with several parts")
    if len(parts) != len(values):
        raise Unfixable("cannot tell which part of the condition checks the rank")
    ranked = [part for part, each in zip(parts, values, strict=True) if tags_of(each) & RANK_TAGS]
    common = [part for part, each in zip(parts, values, strict=True) if not tags_of(each) & RANK_TAGS]
    if not ranked:
        raise Unfixable("cannot tell which part of the condition checks the rank")
    if any(tags_of(each) & LOCAL_TAGS for each in values if not tags_of(each) & RANK_TAGS):
        raise Unfixable("the condition also checks something else that may differ between ranks")
    return Condition(tuple(ranked), tuple(common))


def _conjuncts(test: code.Expression) -> Iterator[code.Expression]:
    if isinstance(test, code.Boolean) and test.operator == "and":
        yield from _conjuncts(test.left)
        yield from _conjuncts(test.right)
    else:
        yield test


def _operands(value: Value) -> Iterator[Value]:
    if isinstance(value, Apply) and value.operator == "and":
        for operand in value.operands:
            yield from _operands(operand)
    else:
        yield value


def _holds_flag(value: object) -> bool:
    return any(isinstance(part, Flag) for part in walk(value)) if value is not None else False

"""Questions about the classes that a program defines itself."""

from __future__ import annotations

from ddl_lint.program import code
from ddl_lint.program.values import ClassRef, Object, Value


def defines_own(made: Object, method: str) -> bool:
    """Whether the class of an object, or one of the project that it derives from, has a method of its own."""
    waiting: list[Value] = [made.definition] if made.definition is not None else []
    seen: set[Value] = set()
    while waiting:
        owner = waiting.pop()
        if not isinstance(owner, ClassRef) or owner in seen:
            continue
        seen.add(owner)
        if any(isinstance(each, code.Function) and each.name == method for each in owner.definition.body):
            return True
        waiting.extend(owner.bases)
    return False

"""What a fix must know of a module that is being built."""

from __future__ import annotations

from ddl_lint.program import code
from ddl_lint.program.trace import Event


def is_set_up(store: Event, start: int) -> bool:
    """Whether the constructor of the base class has been called before: else nothing can be registered.

    Args:
        store: Where an attribute of the module is assigned.
        start: Where the statement begins that is to register something.
    """
    where = start
    for node in store.context.chain():
        if node.kind != "call" or node.function is None:
            continue
        if node.function.name == "__init__":
            return any(_sets_up(each) and each.end <= where for each in node.function.body)
        where = node.location.start
    return False


def _sets_up(statement: code.Statement) -> bool:
    call = statement.value if isinstance(statement, code.Evaluate) else None
    return isinstance(call, code.Call) and isinstance(call.func, code.Attribute) and call.func.attr == "__init__"

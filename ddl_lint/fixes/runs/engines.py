"""How the program writes the engine that drives its training."""

from __future__ import annotations

from ddl_lint.analysis.queries.engines import Engine, engine_events
from ddl_lint.analysis.view import RunView
from ddl_lint.fixes.runs.project import file_of, method_for
from ddl_lint.fixes.unfixable import Unfixable
from ddl_lint.program import code
from ddl_lint.program.event_types import Backward, Forward, OptimizerStep
from ddl_lint.program.trace import Event


def engine_at(run: RunView, engine: Engine, event: Event) -> str:
    """The name under which the function of an event calls the engine.

    Raises:
        Unfixable: the function has none for it.
    """
    for kind in (Forward, Backward, OptimizerStep):
        for call in engine_events(run, engine, kind):
            if call.function is event.function and call.location.path == event.location.path:
                file = file_of(run, call.location)
                written = file.node(call.location, code.Call).func
                is_method = kind is not Forward and isinstance(written, code.Attribute)
                return file.source(written.value if is_method and isinstance(written, code.Attribute) else written)
    raise Unfixable("the engine has no name here")


def method_of(run: RunView, engine: Engine, kind: str) -> str:
    """The name of the engine's method that makes an event.

    Raises:
        Unfixable: it has none.
    """
    name = method_for(run, engine.made.api, kind) if engine.made.api is not None else None
    if name is None:
        raise Unfixable("the engine has no method for it")
    return name

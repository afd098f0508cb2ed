"""Calls, as those see them who tell what they mean: each is one value with all that is known of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ddl_lint.analysis.interpreter.library.documents import read_documents
from ddl_lint.analysis.interpreter.machine import Arguments, Frame, Machine
from ddl_lint.analysis.interpreter.models.conditions import Given
from ddl_lint.frameworks.bind import Bound, bind
from ddl_lint.frameworks.model import FunctionModel
from ddl_lint.program.heap import Heap
from ddl_lint.program.trace import Event
from ddl_lint.program.values import Const, Items, Object, Table, Value
from ddl_lint.source.span import Location


@dataclass(eq=False, slots=True)
class CallSite:
    """Where something is called, or an attribute is read, of which a model tells what it gives."""

    frame: Frame
    location: Location
    receiver: Value | None
    """What the method is called on."""

    given: Mapping[str, Value]
    """The arguments under the names of the parameters; those that an object was made with, for its attributes."""


@dataclass(eq=False, slots=True)
class ModelledCall(CallSite):
    """A call of what has a model, with the arguments that it binds."""

    model: FunctionModel
    arguments: Arguments
    bound: Bound[Value]
    operands: dict[str, Value]
    """The arguments and constants by the roles of the event."""

    unseen: frozenset[str]
    """The roles that may be given out of sight."""

    event: Event | None = None
    """What the call is recorded as."""

    @property
    def tensor(self) -> Object | None:
        """The tensor whose method it is."""
        receiver = self.receiver
        return receiver if isinstance(receiver, Object) and receiver.kind == "tensor" else None

    def add(self, name: str, value: Value) -> None:
        """Let there be one more argument, which comes of what the call has done so far."""
        self.given = {**self.given, name: value}

    def conditions(self, heap: Heap) -> Given:
        """What answers the conditions of the model."""
        return Given(self.bound.values, heap, self.model.parameters, self.bound.unknown)


def modelled_call(
    m: Machine, frame: Frame, model: FunctionModel, receiver: Value | None, arguments: Arguments, location: Location
) -> ModelledCall:
    """A call of what has a model."""
    bound = bind(
        model.parameters,
        arguments.positional,
        arguments.keywords,
        arguments.star,
        arguments.double_star,
        arguments.perhaps,
    )
    if arguments.spread and all(parameter.kind != "positional" for parameter in model.parameters or ()):
        bound = replace(bound, extra_positional=(*bound.extra_positional, *arguments.spread))
    variadic = _variadic(model, bound)
    operands: dict[str, Value] = {role: Const(value) for role, value in model.constants.items()}
    unseen: set[str] = set()
    read_documents(m, model, bound)
    for role, parameter in model.roles.items():
        if parameter == "self":
            if receiver is not None:
                operands[role] = receiver
        elif parameter in bound.values:
            operands[role] = bound.values[parameter]
        elif parameter in variadic:
            operands[role] = variadic[parameter]
        elif parameter in bound.unknown or (bound.opaque and model.parameters is None):
            unseen.add(role)
    given = {**bound.values, **variadic}
    return ModelledCall(frame, location, receiver, given, model, arguments, bound, operands, frozenset(unseen))


def _variadic(model: FunctionModel, bound: Bound[Value]) -> dict[str, Value]:
    """What `*args` and `**kwargs` of the function take."""
    out: dict[str, Value] = {}
    for parameter in model.parameters or ():
        if parameter.kind == "var_positional" and (bound.extra_positional or bound.opaque):
            out[parameter.name] = Items("tuple", bound.extra_positional, open=bound.opaque)
        elif parameter.kind == "var_keyword" and (bound.extra_keywords or bound.opaque):
            pairs = tuple((Const(name), value) for name, value in bound.extra_keywords.items())
            out[parameter.name] = Table(pairs, open=bound.opaque)
    return out

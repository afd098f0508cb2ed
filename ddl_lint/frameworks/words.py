"""What is asked of the models of all frameworks at once: the names of the calls that matter to a training program."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ddl_lint.frameworks.model import SETTER, ApiModel, ClassModel, Conventions, FunctionModel, Returns
from ddl_lint.program.events import OF_ALL_RANKS

_COMMON = frozenset(
    {
        "print",
        "place",
        "cast",
        "recompute",
        "compute_gradients",
        "set_gradient",
        "synchronize_device",
        "forward",
        "seed",
        "register_buffer",
        "register_parameter",
        "register_module",
        "zero_gradients",
        "compile",
        "log_metric",
    }
)
"""Kinds of events that are so common, and so local, that they make no function worth following again."""


_RANK_ANSWERS = frozenset({"rank", "rank_is", "main_process"})


class Vocabulary(NamedTuple):
    """What `words` finds. All but `functions` are last names, whatever they are called on."""

    event: frozenset[str]
    """Calls that are events worth following a function for."""

    meeting: frozenset[str]
    """Calls that all ranks make together."""

    rank: frozenset[str]
    """Calls and attributes that tell the rank, or something of it."""

    functions: Mapping[str, tuple[str, ...]]
    """The full names of functions, by the kind of event that a call of them is."""

    wrapping: frozenset[str]
    """The methods and attributes of classes that wrap models."""


def words(models: Iterable[ApiModel], conventions: Conventions) -> Vocabulary:
    """The words of these models."""
    known = list(models)
    functions: dict[str, list[str]] = defaultdict(list)
    for model in known:
        if isinstance(model, FunctionModel) and model.event is not None:
            functions[model.event].append(model.name)
    return Vocabulary(
        frozenset(_event_words(known, conventions)),
        frozenset(_meeting_words(known, conventions)),
        frozenset(_rank_words(known)),
        {kind: tuple(names) for kind, names in functions.items()},
        frozenset(_wrapping_words(known)),
    )


def _wrapping_words(models: Iterable[ApiModel]) -> Iterator[str]:
    for model in models:
        if isinstance(model, ClassModel) and "wrapper" in model.traits:
            yield from model.methods
            yield from model.attributes


def _rank_words(models: Iterable[ApiModel]) -> Iterator[str]:
    for model in models:
        if isinstance(model, FunctionModel):
            if _is_rank(model.returns):
                yield model.name.rpartition(".")[2]
        elif isinstance(model, ClassModel):
            yield from (method for method, each in model.methods.items() if _is_rank(each.returns))
            yield from (attribute for attribute, returns in model.attributes.items() if _is_rank(returns))


def _is_rank(returns: Returns | None) -> bool:
    return returns is not None and returns.kind in _RANK_ANSWERS


def _meeting_words(models: Iterable[ApiModel], conventions: Conventions) -> Iterator[str]:
    for model in models:
        if isinstance(model, FunctionModel):
            if model.collective_when in OF_ALL_RANKS:
                yield model.name.rpartition(".")[2]
        elif isinstance(model, ClassModel):
            if model.constructor.collective_when in OF_ALL_RANKS:
                yield model.name.rpartition(".")[2]
            yield from (
                method.name.rpartition(".")[2]
                for method in model.methods.values()
                if method.collective_when in OF_ALL_RANKS
            )
    yield from conventions.names.get("barrier_helpers", ())
    yield "backward"


def _event_words(models: Iterable[ApiModel], conventions: Conventions) -> Iterator[str]:
    for model in models:
        if isinstance(model, FunctionModel):
            yield from _word(model)
        elif isinstance(model, ClassModel):
            if model.constructor.event is not None or model.constructor.provides or model.constructor.starts:
                yield model.name.rpartition(".")[2]
            for method in model.methods.values():
                yield from _word(method)
    for meaning, names in conventions.names.items():
        if not meaning.endswith("_patterns"):
            yield from names
    yield from ("environ", "getenv")


def _word(model: FunctionModel) -> Iterator[str]:
    eventful = model.event is not None and model.event not in _COMMON
    if eventful or model.provides or model.requires or _starts_unseen(model) or model.calls:
        yield model.name.removesuffix(SETTER).rpartition(".")[2]


def _starts_unseen(model: FunctionModel) -> bool:
    """Whether a call starts something, which is relevant even where no word names the function that is started."""
    return model.starts is not None and not model.starts.here and not model.starts.meeting

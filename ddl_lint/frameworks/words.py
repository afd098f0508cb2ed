"""The last names of calls that matter to a training program, from the models of all frameworks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.frameworks.model import SETTER, ApiModel, ClassModel, Conventions, FunctionModel

_COMMON = frozenset(
    {
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


def meeting_words(models: Iterable[ApiModel], conventions: Conventions) -> frozenset[str]:
    """The names of calls that all ranks make together, whatever they are called on."""
    return frozenset(_meeting_words(models, conventions))


def _meeting_words(models: Iterable[ApiModel], conventions: Conventions) -> Iterator[str]:
    for model in models:
        if isinstance(model, FunctionModel):
            if model.together == "always":
                yield model.name.rpartition(".")[2]
        elif isinstance(model, ClassModel):
            if model.constructor.together == "always":
                yield model.name.rpartition(".")[2]
            yield from (
                method.name.rpartition(".")[2] for method in model.methods.values() if method.together == "always"
            )
    yield from conventions.names.get("barrier_helpers", ())
    yield "backward"


def event_words(models: Iterable[ApiModel], conventions: Conventions) -> frozenset[str]:
    """The names of calls that are events worth following a function for."""
    return frozenset(_event_words(models, conventions))


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
    if eventful or model.provides or model.requires or model.starts or model.calls:
        yield model.name.removesuffix(SETTER).rpartition(".")[2]

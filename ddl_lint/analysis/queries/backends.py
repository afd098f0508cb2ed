"""Questions about the backends of process groups: what carries their messages, as the models tell it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ddl_lint.analysis.values.certainty import always, is_absent
from ddl_lint.analysis.values.lattice import alternatives
from ddl_lint.frameworks.index import ApiIndex
from ddl_lint.frameworks.model import Backend
from ddl_lint.program.trace import Event
from ddl_lint.program.values import NONE, Const, Setting, Value

_NAME = re.compile(r"[^:,]+")
"""A name in `cpu:gloo,cuda:nccl`."""


def backends(init: Event) -> frozenset[str]:
    """The backends that a group may have, as far as they are written in the code; a setting counts by its default."""
    found: set[str] = set()
    for option in alternatives(init.operands.get("backend", NONE)):
        written = option.default if isinstance(option, Setting) else option
        if isinstance(written, Const) and isinstance(written.value, str):
            found.add(written.value.lower())
    return frozenset(found)


def known_backend(value: Value, api: ApiIndex) -> Backend | None:
    """What the models say of the backend that a value names; None for a choice, too."""
    if not isinstance(value, Const) or not isinstance(value.value, str):
        return None
    return api.backends.get(value.value.lower())


def is_only_for_gpus(name: str, api: ApiIndex) -> bool:
    """Whether a backend of this name can exchange tensors of GPUs and no others."""
    backend = api.backends.get(name)
    return backend is not None and backend.devices == ("gpu",)


def joins_gpus(init: Event, api: ApiIndex) -> bool:
    """Whether a group may exchange tensors of GPUs only: a backend that is written there, or else the one that the
    framework takes, can do nothing else.
    """
    function = api.function(init.api)
    default = function.traits.get("default_backend") if function is not None and is_absent(init, "backend") else None
    names = backends(init) if default is None else {str(default)}
    return any(is_only_for_gpus(part, api) for name in names for part in _NAME.findall(name))


def is_for_cpus(name: str, api: ApiIndex) -> bool:
    """Whether a backend of this name can exchange tensors of CPUs."""
    backend = api.backends.get(name)
    return backend is not None and "cpu" in backend.devices


def assigns_ranks(init: Event, api: ApiIndex) -> bool:
    """Whether a group surely has a backend that counts its processes itself."""
    known = (known_backend(option, api) for option in alternatives(init.operands.get("backend", NONE)))
    return all(backend is not None and backend.assigns_ranks for backend in known)


def all_match_tags(inits: Sequence[Event], api: ApiIndex) -> bool:
    """Whether all of these groups surely have backends that look at the tags of messages; there must be one."""

    def matches(option: Value) -> bool:
        backend = known_backend(option, api)
        return backend is not None and backend.matches_tags

    return bool(inits) and all(always(init.operands.get("backend"), matches) for init in inits)

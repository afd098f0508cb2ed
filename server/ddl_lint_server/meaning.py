"""What a name of a framework means to a training program, as the API models tell it."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator

from ddl_lint.frameworks.compile import load_index
from ddl_lint.frameworks.errors import ModelError
from ddl_lint.frameworks.index import ApiIndex
from ddl_lint.frameworks.model import ClassModel, FunctionModel
from ddl_lint.lowering import lower
from ddl_lint.program import code
from ddl_lint.program.events import CollectiveWhen
from ddl_lint.project.config import Settings
from ddl_lint.registry.rules import rule_packages
from ddl_lint.source import Document
from ddl_lint.storage import user_storage

_NAME = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")

_TOGETHER = {
    CollectiveWhen.ALWAYS: "All ranks of the group must make this call together: one that does not lets the others "
    "wait forever.",
    CollectiveWhen.HAS_BUFFERS: "All ranks must make this call together if the wrapped model has buffers or is "
    "sharded.",
    CollectiveWhen.SHARDED: "All ranks must make this call together if each of them holds a part of the state.",
    CollectiveWhen.SYNCHRONIZED: "All ranks must make this call together if gradients are averaged over them.",
    CollectiveWhen.MULTI_WORKER_STRATEGY: "All ranks must make this call together if the program trains under a "
    "strategy that spans processes.",
    CollectiveWhen.SAVES_METRICS: "All ranks must make this call together if what is saved keeps statistics of the "
    "batches.",
}

_FACILITIES = {
    "process_group": "the default process group",
    "device": "the device of the process",
    "sampler": "the division of the data among the ranks",
    "set_epoch": "the epoch in the samplers",
    "wrap": "the wrapping of the model",
    "unwrap_on_save": "the unwrapping of the state that is saved",
    "guard_save": "that one process alone writes",
    "launch": "the start of the processes",
    "seed": "the seeds of random generators",
    "gradient_sync": "the averaging of gradients",
}


def meaning(document: Document, offset: int, settings: Settings) -> str:
    """A text in Markdown about the name at an offset; empty for a name of which nothing is known."""
    line, column = document.position(offset)
    written = _written(document.line_text(line), column - 1)
    if not written:
        return ""
    head, _, rest = written.partition(".")
    imported = dict(_imports(lower(document, "document").module))
    if head not in imported:
        return ""
    name = ".".join(filter(None, (imported[head], rest)))
    try:
        api = _index(settings)
    except ModelError:
        return ""
    canonical = api.canonical(name) or name
    described = api.class_(name)
    function = api.function(name) if described is None else described.constructor
    lines = list(_told(function, described)) if function is not None else []
    return "\n\n".join([f"**`{canonical}`** in ddl-lint's model", *lines]) if lines else ""


def _written(line: str, column: int) -> str:
    """The dotted name around a column, up to the end of the part that the column is in."""
    for match in _NAME.finditer(line):
        if match.start() <= column <= match.end():
            dot = line.find(".", column, match.end())
            return line[match.start() : dot if dot >= 0 else match.end()]
    return ""


def _imports(node: object) -> Iterator[tuple[str, str]]:
    """The names that imports of other packages bind anywhere in a file, and what they refer to."""
    if isinstance(node, code.Import):
        package = node.module.partition(".")[0]
        yield (node.alias, node.module) if node.alias else (package, package)
    elif isinstance(node, code.ImportFrom):
        if not node.level:
            yield from ((alias or name, f"{node.module}.{name}") for name, alias in node.names)
    elif isinstance(node, list | tuple):
        for each in node:  # pyright: ignore[reportUnknownVariableType]
            yield from _imports(each)  # pyright: ignore[reportUnknownArgumentType]
    elif dataclasses.is_dataclass(node):
        for field in dataclasses.fields(node):
            yield from _imports(getattr(node, field.name))


def _index(settings: Settings) -> ApiIndex:
    shipped = sorted(file for folder in rule_packages().values() for file in (folder / "models").glob("*.yaml"))
    return load_index(shipped, settings.models, user_storage())


def _told(function: FunctionModel, made: ClassModel | None) -> Iterator[str]:
    if function.event:
        operation = function.constants.get("operation")
        yield f"Event: {_words(function.event)}" + (f" ({_words(operation)})" if isinstance(operation, str) else "")
    if made is not None and made.kind != "other":
        yield f"Makes: {_words(made.kind)}"
    if function.collective_when is not None:
        yield _TOGETHER[function.collective_when]
    if needed := _facilities(function.requires):
        yield f"Needs {needed}."
    if provided := _facilities(function.provides):
        yield f"Takes care of {provided}."
    if function.uniform:
        names = ", ".join(f"`{name}`" for name in function.uniform)
        yield f"Equal on all ranks afterwards: {names}."
    versions = {"since": function.since, "deprecated": function.deprecated, "removed": function.removed}
    if told := ", ".join(f"{word} {version}" for word, version in versions.items() if version):
        yield f"Versions: {told}."


def _facilities(names: frozenset[str]) -> str:
    return ", ".join(_FACILITIES.get(name, _words(name)) for name in sorted(names))


def _words(name: str) -> str:
    return name.replace("_", " ")

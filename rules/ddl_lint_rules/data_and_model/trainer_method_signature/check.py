"""Finds methods of a trainer that the project overrides without a parameter that the trainer passes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    ClassRef,
    Evidence,
    Finding,
    Location,
    Object,
    RunView,
    Severity,
    Value,
    code,
    objects,
    with_fix,
)
from ddl_lint.rulekit.events import Delegate
from ddl_lint_rules.data_and_model.trainer_method_signature.fix import fix


def check(run: RunView) -> Iterable[Finding]:
    """One finding per method."""
    reported: set[Location] = set()
    for event in run.events(Delegate):
        for made in objects(event.result):
            name, argument, since = str(made.traits.get("passes_to_own", "  ")).split(" ")
            versions = run.versions_of(run.run.path)
            found = _override(made, name) if name else None
            if found is None or versions.surely_before("transformers", since):
                continue
            owner, method = found
            if event.location.start == owner.definition.name_start:
                continue  # nothing creates it: its methods alone are followed
            path = next((path for path, module in run.modules.items() if module.name == owner.module), None)
            if path is None or _takes(method, argument):
                continue
            place = Location(path, method.name_start, method.name_start + len(name))
            if place not in reported:
                reported.add(place)
                is_sure = versions.surely_from("transformers", since)
                finding = Finding(
                    f"`{name}` does not take `{argument}`, which the trainer passes since release {since}",
                    place,
                    (Evidence("the trainer is created here", event.location),),
                    severity=None if is_sure else Severity.INFO,
                    help=f"Add `{argument}=None` to the parameters of `{name}`.",
                )
                yield with_fix(finding, fix, run, place, method, argument)


def _override(made: Object, name: str) -> tuple[ClassRef, code.Function] | None:
    """The method of the class of an object, or of the nearest class of the project that it derives from."""
    return next(
        (
            (owner, each)
            for owner in _ancestors(made.definition)
            for each in owner.definition.body
            if isinstance(each, code.Function) and each.name == name
        ),
        None,
    )


def _ancestors(definition: Value | None) -> Iterator[ClassRef]:
    if isinstance(definition, ClassRef):
        yield definition
        for base in definition.bases:
            yield from _ancestors(base)


def _takes(method: code.Function, argument: str) -> bool:
    return bool(method.decorators) or any(
        each.kind == "var_keyword" or each.name == argument for each in method.parameters
    )

"""Finds imports of distributed libraries that the project does not require."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import Evidence, Finding, JobsView, Location, RunView, code, facts, stage_images, units


def publish(run: RunView) -> Iterable[object]:
    """The libraries that the script imports at its top level, outside of `try` and `if`."""
    module = run.module_at(run.run.path) if run.is_launched else None
    for statement in module.body if module is not None else ():
        is_absolute = isinstance(statement, code.ImportFrom) and statement.level == 0
        if isinstance(statement, code.Import) or (isinstance(statement, code.ImportFrom) and is_absolute):
            place = Location(run.run.path, statement.start, statement.end)
            yield (statement.module.partition(".")[0], place)


def survey(around: JobsView) -> Iterable[Finding]:
    """One finding per library, at the first import of a launched script; the other scripts are evidence."""
    providers: dict[str, list[str]] = facts("packages")["providers"]
    resolved = {name for unit in units(around) for name in unit.resolved}
    required = {pin.name for unit in units(around) for pin in unit.pins} | resolved
    extras = {extra for unit in units(around) for pin in unit.pins for extra in pin.extras} | resolved
    if not required & {"torch", "tensorflow", "transformers", "jax"} or _has_image(around):
        return
    imports: dict[str, dict[Location, Location]] = {}
    for launch in around.launches:
        for fact in around.facts(launch) or ():
            name, place = fact  # pyright: ignore
            assert isinstance(name, str) and isinstance(place, Location)
            if name not in providers or required & set(providers[name]) or name in extras or _is_own(around, name):
                continue
            imports.setdefault(name, {}).setdefault(place, launch.location)
    for name, places in imports.items():
        first = next(iter(places))
        others = {place.path: place for place in reversed(places) if place.path != first.path}
        message = f"no requirement of this project installs `{name}`, so this import fails in a fresh environment"
        evidence = (
            Evidence("the script is launched here", places[first]),
            *(Evidence("this script imports it, too", place) for place in [*others.values()][::-1][:_SHOWN]),
        )
        yield Finding(message, first, evidence, help=f"Add `{providers[name][0]}` to the requirements.")


_SHOWN = 5
"""So many other scripts are shown."""


def _is_own(around: JobsView, name: str) -> bool:
    """Whether the project has a module of that name."""
    return any(f"/{name}/" in script or script.endswith(f"/{name}.py") for script in around.jobs.scripts)


def _has_image(around: JobsView) -> bool:
    images = [image for _, _, image in stage_images(around)]
    images += [container.image or "" for container in around.jobs.containers]
    return any(known in image for image in images for known in facts("packages")["images"])

"""Finds options that a launcher refuses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import Finding, Fix, JobsView, Launcher, Option, Step, Versions, misspelt, replacing, summed_up


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per option, where it is written; of many in one command, one for all."""
    for launch in project.launches:
        versions = project.versions_of(launch.host.path)
        for step in launch.steps:
            launcher = step.launcher
            if launcher is not None and not launcher.is_open and not step.is_open:
                yield from summed_up(_refused(launcher, step, versions), "options")


def _refused(launcher: Launcher, step: Step, versions: Versions) -> Iterator[Finding]:
    for option in step.options:
        message, fix = "", None
        if not option.is_known:
            if launcher.is_ambiguous(option.name) or not option.name:
                continue
            message, fix = _unknown(launcher, option)
        elif _is_too_new_a_spelling(launcher, option, versions):
            spelled = "--" + option.spelling.lstrip("-").replace("-", "_")
            known = f"{launcher.package} {launcher.dashes_since}"
            message = f"before {known}, `{launcher.name}` spells this option `{spelled}`"
            fix = _respelled(option, spelled)
        since = launcher.since.get(option.name)
        if since is not None and versions.surely_before(launcher.package, since):
            message = f"`{option.spelling}` needs {launcher.package} {since}, but an older version is pinned"
            fix = None
        if message:
            reason = "" if fix else "cannot tell what is meant"
            advice = f"{fix.title}." if fix else f"Use an option that `{launcher.name} --help` lists."
            yield Finding(message, option.key, fix=fix, unfixable=reason, help=advice)


def _is_too_new_a_spelling(launcher: Launcher, option: Option, versions: Versions) -> bool:
    """Whether the words of an option are joined by dashes, and the pinned launcher knows underscores only."""
    dashed = "-" in option.spelling.lstrip("-") and bool(launcher.dashes_since)
    return dashed and versions.surely_before(launcher.package, launcher.dashes_since)


def _unknown(launcher: Launcher, option: Option) -> tuple[str, Fix | None]:
    meant = misspelt(option.name.replace("-", "_"), launcher.options)
    hint = f"; did you mean `--{meant}`?" if meant else ""
    fix = _respelled(option, f"--{meant}") if meant and option.spelling.startswith("--") else None
    return f"`{launcher.name}` has no option `{option.spelling}`{hint}", fix


def _respelled(option: Option, spelled: str) -> Fix:
    place = option.key._replace(end=option.key.start + len(option.spelling))
    return replacing(f"Write `{spelled}`", place, spelled)

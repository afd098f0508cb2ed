"""Finds pins of packages that are built for another release of torch."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import Evidence, Finding, JobsView, Pin, Unit, facts, minor, one_for_records, requiring, units

_COMPANIONS = ("torchvision", "torchaudio")


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per companion, where it is pinned."""
    return one_for_records(project, _found(project))


def _found(project: JobsView) -> Iterable[Finding]:
    for unit in units(project):
        torch = unit.pin("torch")
        if torch is None or torch.exact is None:
            continue
        for name in (*_COMPANIONS, "xformers"):
            pin = unit.pin(name)
            if pin is not None and pin.exact is not None:
                finding = _judged(unit, torch, pin)
                if finding is not None:
                    yield finding


def _judged(unit: Unit, torch: Pin, pin: Pin) -> Finding | None:
    del unit
    known = facts("packages")
    evidence = (Evidence(f"torch {torch.exact} is pinned here", torch.location),)
    if pin.name == "xformers":
        wanted = known["xformers"].get(str(pin.exact))
        if wanted is not None and str(torch.exact) != wanted:
            message = f"xformers {pin.exact} is built for torch {wanted}, not {torch.exact}"
            return Finding(message, pin.location, evidence, help=f"Pin the xformers release for torch {torch.exact}.")
        return None
    row = known["torch"].get(minor(torch))
    wanted = row.get(pin.name) if row is not None else None
    if wanted is None or wanted.startswith(">") or minor(pin) == wanted:
        if torch.label and pin.label and torch.label != pin.label:
            message = f"{pin.name} is built for {pin.label}, but torch for {torch.label}"
            return Finding(message, pin.location, evidence, help=f"Install both for {torch.label}.")
        return None
    if pin.name == "torchvision" and minor(pin) >= "0.29" and len(minor(pin)) == 4:
        return None  # it goes with several releases
    assert pin.exact is not None and torch.exact is not None
    meant = f"{wanted}.{(*torch.exact.release, 0, 0)[2]}"
    fix = None
    if not pin.label:
        fix = requiring(f"Pin {pin.name} {meant}", pin, f"=={meant}")
    message = f"{pin.name} {pin.exact} is built for another torch; torch {torch.exact} needs {pin.name} {wanted}"
    unfixable = "" if fix else "the version is written in an unusual form"
    return Finding(message, pin.location, evidence, fix=fix, unfixable=unfixable, help=f"Pin {pin.name} {meant}.")

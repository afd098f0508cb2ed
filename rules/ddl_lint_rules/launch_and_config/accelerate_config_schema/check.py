"""Finds keys and values that the loader of Accelerate's configurations refuses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ddl_lint.rulekit import (
    Finding,
    JobFile,
    JobsView,
    Launch,
    Severity,
    accelerate_config,
    configured,
    facts,
    misspelt,
    nodes,
    replacing,
    tree,
)

_PRECISIONS = ("no", "fp16", "bf16", "fp8")


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per key or value, where it is written."""
    named = {file.path for launch in project.launches if (file := accelerate_config(project, launch)) is not None}
    shown: dict[str, list[Launch]] = {}
    for launch in project.jobs.known_launches:
        if (file := accelerate_config(project, launch)) is not None:
            shown.setdefault(file.path, []).append(launch)
    for file in project.jobs.files.values():
        is_one = file.kind == "yaml" and len(file.roots) == 1 and (file.path in named or _looks_like_one(file))
        if is_one and tree.text(configured(file, "compute_environment")) != "AMAZON_SAGEMAKER":
            yield from _judged(file, shown.get(file.path, []), is_certain=file.path in named)


def _is_boolean(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Scalar) and isinstance(node.value, bool)


def _looks_like_one(file: JobFile) -> bool:
    has = {
        name
        for name in ("distributed_type", "compute_environment", "num_machines", "machine_rank")
        if configured(file, name)
    }
    return "distributed_type" in has and len(has) > 1


def _has_own_precision(launch: Launch) -> bool:
    """Whether a line gives the precision itself, which then is not read from the configuration."""
    step = launch.step("accelerate")
    return step is not None and step.given("mixed_precision") is not None


def _judged(file: JobFile, launches: Sequence[Launch], *, is_certain: bool) -> Iterable[Finding]:
    known = facts("accelerate")
    names, kinds = [*known["keys"], *known["legacy_keys"]], known["distributed_types"]
    members = tree.members(file.roots[0])
    for member in members:
        if member.name is not None and member.name not in names:
            meant = misspelt(member.name, names, 3)
            place = file.place(member.key)
            fix = replacing(f"Write `{meant}`", place, meant) if meant else None
            hint = f"; did you mean `{meant}`?" if meant else ""
            yield Finding(
                f"`accelerate launch` does not know the key `{member.name}`{hint}",
                place,
                fix=fix,
                unfixable="" if fix else "cannot tell what is meant",
                help=f"Write `{meant}`." if meant else "Use the keys that `accelerate config` writes.",
            )
    kind = configured(file, "distributed_type")
    text = tree.text(kind)
    if kind is None and is_certain and members:
        yield Finding(
            "the configuration has no `distributed_type`",
            file.place(members[0]),
            help="Add `distributed_type`, for example `MULTI_GPU`.",
        )
    elif kind is None or text is None or _is_boolean(kind):
        pass  # an unquoted `no` is False, which Accelerate does not look up
    elif text not in kinds and text != "TPU":
        yield Finding(
            f"`{text}` is not a `distributed_type`; known are {', '.join(kinds[:9])}",
            file.place(kind),
            help="Use one of the known values.",
        )
    precision = configured(file, "mixed_precision")
    if precision is not None and getattr(precision, "value", "") is False:
        place = file.place(precision)
        message = "an unquoted `no` is the boolean False in YAML; write `'no'`"
        fix = replacing("Quote the value", place, "'no'")
        severity = Severity.INFO if launches and all(map(_has_own_precision, launches)) else None
        yield Finding(message, place, fix=fix, severity=severity, help="Put the value in quotes: `'no'`.")
    loading = tree.text(tree.value(configured(file, "fsdp_config"), "fsdp_cpu_ram_efficient_loading"))
    syncing = tree.value(configured(file, "fsdp_config"), "fsdp_sync_module_states")
    if syncing is not None and (loading or "").lower() == "true" and (tree.text(syncing) or "").lower() == "false":
        place = file.place(syncing)
        message = "`fsdp_cpu_ram_efficient_loading` needs `fsdp_sync_module_states: true`"
        yield Finding(
            message,
            place,
            fix=replacing("Switch on fsdp_sync_module_states", place, "true"),
            help="Set `fsdp_sync_module_states: true`, so that all ranks get the weights.",
        )

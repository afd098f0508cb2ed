"""Finds jobs that the operators of Kubeflow refuse."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import Finding, JobsView, Location, Workload, facts, misspelt, removing, replacing, tree

_ROLES = {
    "PyTorchJob": ("Master", "Worker"),
    "MPIJob": ("Launcher", "Worker"),
    "TFJob": ("Chief", "Master", "PS", "Worker", "Evaluator"),
}
_CONTAINERS = {"PyTorchJob": "pytorch", "TFJob": "tensorflow"}
_ONE = {"PyTorchJob": ("Master",), "MPIJob": ("Launcher",), "TFJob": ("Chief", "Master")}
_POLICIES = ("None", "Running", "All")


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per fault."""
    for workload in project.jobs.workloads:
        if workload.version.startswith("kubeflow.org/") or workload.version.startswith("trainer.kubeflow.org/"):
            yield from _roles(workload)
            yield from _rest(workload)


def _roles(workload: Workload) -> Iterable[Finding]:
    known = _ROLES.get(workload.kind, ())
    for role in workload.roles if known else ():
        if role.name not in known:
            meant = next(
                (name for name in known if name.lower() == role.name.lower().rstrip("s")), misspelt(role.name, known)
            )
            fix = replacing(f"Write `{meant}`", role.key, meant) if meant else None
            message = f"a {workload.kind} has no replicas named `{role.name}`, only {' and '.join(known[:2])}"
            yield Finding(
                message,
                role.key,
                fix=fix,
                unfixable="" if fix else "cannot tell what is meant",
                help=f"Use one of: {', '.join(known)}.",
            )
            continue
        if role.name in _ONE[workload.kind] and role.replicas not in (1, None):
            place = role.replicas_place or role.key
            number = Location(place.path, place.end - len(str(role.replicas)), place.end)
            fix = replacing("Set replicas to 1", number, "1", "the others may have been meant as workers")
            yield Finding(
                f"a {workload.kind} has exactly one {role.name}",
                place,
                fix=fix,
                help="Set `replicas: 1`, and use workers for the rest.",
            )
        wanted = _CONTAINERS.get(workload.kind)
        containers = [each for each in workload.containers if each.role is role]
        if wanted and containers and all(each.name != wanted for each in containers):
            named = tree.member(containers[0].node, "name")
            place = workload.file.place(named.value) if named is not None else containers[0].place
            fix = (
                replacing(f"Name it `{wanted}`", place, wanted) if len(containers) == 1 and named is not None else None
            )
            message = f"one container of each {role.name} must be named `{wanted}`"
            yield Finding(
                message,
                place,
                fix=fix,
                unfixable="" if fix else "cannot tell which container is meant",
                help=f"Name the training container `{wanted}`.",
            )
    names = {role.name for role in workload.roles}
    if workload.kind == "MPIJob" and workload.roles and "Launcher" not in names:
        yield Finding(
            "an MPIJob needs a Launcher",
            workload.roles[0].key,
            unfixable="it has to be written",
            help="Add a `Launcher` role that runs mpirun.",
        )


def _rest(workload: Workload) -> Iterable[Finding]:
    spec = tree.value(workload.root, "spec")
    elastic = tree.member(spec, "elasticPolicy")
    if workload.kind == "PyTorchJob" and elastic is not None:
        each = tree.member(elastic.value, "nProcPerNode")
        if each is not None and tree.member(spec, "nprocPerNode") is not None:
            message = "`elasticPolicy.nProcPerNode` conflicts with `nprocPerNode`"
            yield Finding(
                message,
                workload.file.place(each),
                unfixable="one of the two has to be removed",
                help="Remove one of the two.",
            )
    policy = tree.member(spec, "runPolicy", "cleanPodPolicy") or tree.member(spec, "cleanPodPolicy")
    text = tree.text(policy.value) if policy is not None else None
    if workload.kind == "MPIJob" and policy is not None and text is not None and text not in _POLICIES:
        yield Finding(
            f"`{text}` is not a cleanPodPolicy; known are None, Running and All",
            workload.file.place(policy),
            help="Use None, Running or All.",
        )
    if workload.kind == "TrainJob":
        reserved = facts("environment")["kubeflow_trainer_reserved"]
        for item in tree.items(tree.value(spec, "trainer", "env")):
            name = tree.text(tree.value(item, "name"))
            if name in reserved:
                message = f"the operator sets `{name}` itself, and refuses it here"
                fix = removing(f"Remove `{name}`", workload.file, item)
                yield Finding(
                    message,
                    workload.file.place(item),
                    fix=fix,
                    unfixable="" if fix else "it is written in a form that cannot be edited",
                    help="Remove the variable.",
                )

"""Finds containers that train with the default size of `/dev/shm`."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import Container, Evidence, Finding, JobsView, Launch, container_of, inserting, nodes, tree

_SIZES = ("--ipc=host", "--ipc=container", "--shm-size", "--ipc")


_ADVICE = {
    "compose": "Add `ipc: host` or `shm_size: 16g` to the service.",
    "kubernetes": "Mount an `emptyDir` with `medium: Memory` at /dev/shm.",
}


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per launch, at `docker run`, the service or the container."""
    for launch in project.launches:
        container = container_of(launch)
        if not _is_training(launch, container):
            continue
        step = launch.step("docker", "nvidia-docker", "podman")
        if step is not None:
            run = next((word for word in step.words if word.value == "run"), None)
            if run is None or _has_memory([word.source for word in step.words]):
                continue
            fix = inserting(
                "Add --ipc=host",
                run.location.path,
                run.location.end,
                " --ipc=host",
                "the container then shares the memory segments of the host",
            )
            advice = "Add `--ipc=host` or `--shm-size=16g`."
            yield Finding(_message(launch), step.word.location, _evidence(launch), fix=fix, help=advice)
        elif container is not None and container.kind in ("compose", "kubernetes") and not _is_given(container):
            yield Finding(
                _message(launch),
                container.place,
                _evidence(launch),
                unfixable="cannot tell how much memory to reserve",
                help=_ADVICE[container.kind],
            )


def _message(launch: Launch) -> str:
    launcher = launch.launcher
    what = launcher.program if launcher is not None else "python"
    return f"`{what}` trains with 64 MB of /dev/shm; DataLoader workers die with a bus error"


def _evidence(launch: Launch) -> tuple[Evidence, ...]:
    return (Evidence("the processes are started here", launch.entry.location),) if launch.entry is not None else ()


def _is_training(launch: Launch, container: Container | None) -> bool:
    """Whether several processes train on one machine."""
    launcher = launch.launcher
    if launcher is None or launch.script is None:
        return False
    if container is not None and container.role is not None and container.role.name == "Launcher":
        return False  # the processes run in the pods of the workers
    if launcher.program == "deepspeed":
        return True
    option = launcher.role("processes") or launcher.role("all_processes")
    if option is None or option.value is None:
        return container is not None and (container.gpus or 0) > 1
    value = option.value.value
    return value in ("gpu", "auto") or (value is not None and value.isdigit() and int(value) > 1)


def _has_memory(values: list[str]) -> bool:
    return any(value.startswith(_SIZES) or "/dev/shm" in value or value == "--privileged-ipc" for value in values)


def _is_given(container: Container) -> bool:
    if container.kind == "compose":
        known = ("shm_size", "ipc")
        return any(tree.member(container.node, name) for name in known) or _mounts(container.node, "volumes", "tmpfs")
    pod = container.role.pod if container.role is not None else None
    if (tree.text(tree.value(pod, "hostIPC")) or "").lower() == "true":
        return True
    return _mounts(container.node, "volumeMounts")


def _mounts(node: nodes.Mapping, *names: str) -> bool:
    """Whether something is mounted at `/dev/shm`."""
    for name in names:
        held = tree.value(node, name)
        for item in tree.items(held) or ((held,) if held is not None else ()):
            texts = (tree.text(item), *(tree.text(tree.value(item, key)) for key in ("mountPath", "target")))
            if any("/dev/shm" in (text or "") for text in texts):
                return True
    return False

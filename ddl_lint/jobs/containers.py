"""Reads what runs commands in containers: services of compose files, pods of Kubernetes, steps of workflows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ddl_lint.jobs import tree
from ddl_lint.jobs.excerpt import Excerpt, of_scalar
from ddl_lint.jobs.files import JobFile
from ddl_lint.jobs.words import Part, Word
from ddl_lint.source.nodes import Mapping as NodeMapping
from ddl_lint.source.nodes import Member, Node, Scalar
from ddl_lint.source.span import Location

WORKLOADS = frozenset(
    {"PyTorchJob", "MPIJob", "TFJob", "TrainJob", "Job", "Pod", "StatefulSet", "Deployment", "JobSet"}
)
_SPECS = {"PyTorchJob": "pytorchReplicaSpecs", "MPIJob": "mpiReplicaSpecs", "TFJob": "tfReplicaSpecs"}
_GPUS = ("nvidia.com/gpu", "amd.com/gpu")


@dataclass(frozen=True)
class Container:
    """Something that runs a command with an environment of its own."""

    file: JobFile
    kind: str
    """`compose`, `kubernetes` or `workflow`."""

    node: NodeMapping
    name: str
    command: tuple[Word, ...] = ()
    """Its words, entry point first, if they are written as a list."""

    script: Excerpt | None = None
    """Its command as text for a shell."""

    environment: Mapping[str, Word] = field(default_factory=dict[str, Word])
    image: str | None = None
    gpus: int | None = None
    role: Role | None = None
    no_gpus: Location | None = None
    """The limit of GPUs where nothing is written as its number, which Kubernetes takes for none."""

    @property
    def place(self) -> Location:
        """Where it begins: its name, or its first key."""
        named = tree.member(self.node, "name")
        first = named or self.node.members[0]
        return self.file.place(first)


@dataclass(frozen=True)
class Role:
    """The pods of one kind in a Kubernetes job, such as its workers."""

    name: str
    key: Location
    node: Node
    replicas: int | None
    """1 where nothing is written."""

    replicas_place: Location | None
    workload: Workload
    pod: Node | None = None


@dataclass
class Workload:
    """A Kubernetes object that runs pods."""

    file: JobFile
    kind: str
    version: str
    root: NodeMapping
    roles: list[Role] = field(default_factory=list[Role])
    containers: list[Container] = field(default_factory=list[Container])


def workloads(file: JobFile) -> list[Workload]:
    """The Kubernetes jobs that a file describes, without templates."""
    if "kind:" not in file.text or "{{" in file.text:
        return []
    found: list[Workload] = []
    for root in file.roots:
        kind = tree.text(tree.value(root, "kind"))
        if isinstance(root, NodeMapping) and kind in WORKLOADS:
            found.append(_workload(file, kind, root))
    return found


def _workload(file: JobFile, kind: str, root: NodeMapping) -> Workload:
    workload = Workload(file, kind, tree.text(tree.value(root, "apiVersion")) or "", root)
    spec = tree.value(root, "spec")
    roles = tree.value(spec, _SPECS[kind]) if kind in _SPECS else None
    for each in tree.members(roles):
        replicas = tree.member(each.value, "replicas")
        number = tree.number(replicas.value) if replicas is not None else 1
        place = file.place(replicas) if replicas is not None else None
        pod = tree.value(each.value, "template", "spec")
        role = Role(each.name or "", file.place(each.key), each.value, number, place, workload, pod)
        workload.roles.append(role)
        workload.containers += _pod_containers(file, pod, role)
    for each in tree.items(tree.value(spec, "replicatedJobs")) if kind == "JobSet" else ():
        if isinstance(each, NodeMapping) and each.members:
            inner, times = tree.value(each, "template", "spec"), tree.member(each, "replicas")
            pods, count = _pods_of_job(inner), tree.number(times.value) if times is not None else 1
            number = pods * count if pods is not None and count is not None else None
            pod, name = tree.value(inner, "template", "spec"), tree.text(tree.value(each, "name")) or ""
            role = Role(name, file.place(each.members[0]), each, number, None, workload, pod)
            workload.roles.append(role)
            workload.containers += _pod_containers(file, pod, role)
    if kind not in (*_SPECS, "JobSet"):
        pod = spec if kind == "Pod" else tree.value(spec, "template", "spec")
        place = file.place(root.members[0])
        number = _pods_of_job(spec) if kind == "Job" else 1
        role = Role(kind, place, root, number, None, workload, pod)
        workload.containers += _pod_containers(file, pod, role)
    return workload


def _pods_of_job(spec: Node | None) -> int | None:
    """How many pods of a Job run together; None where that is not known."""
    together = tree.member(spec, "parallelism")
    return tree.number(together.value) if together is not None else 1


def _pod_containers(file: JobFile, pod: Node | None, role: Role) -> Iterator[Container]:
    for node in tree.items(tree.value(pod, "containers")):
        if not isinstance(node, NodeMapping):
            continue
        words = [*_word_list(file, tree.value(node, "command")), *_word_list(file, tree.value(node, "args"))]
        environment = {
            name: word
            for each in tree.items(tree.value(node, "env"))
            if (name := tree.text(tree.value(each, "name")))
            and (word := _word(file, tree.value(each, "value"))) is not None
        }
        limits = tree.value(node, "resources", "limits")
        limit = next((member for name in _GPUS if (member := tree.member(limits, name)) is not None), None)
        gpus = tree.number(limit.value) if limit is not None else None
        is_empty = limit is not None and isinstance(limit.value, Scalar) and limit.value.value is None
        name = tree.text(tree.value(node, "name")) or ""
        image = tree.text(tree.value(node, "image"))
        empty = file.place(limit) if limit is not None and is_empty else None
        yield Container(file, "kubernetes", node, name, tuple(words), None, environment, image, gpus, role, empty)


def services(file: JobFile) -> list[Container]:
    """The services of a compose file."""
    found: list[Container] = []
    for root in file.roots:
        for each in tree.members(tree.value(root, "services")):
            if isinstance(each.value, NodeMapping) and each.value.members:
                found.append(_service(file, each, each.value))
    return found


def _service(file: JobFile, service: Member, node: NodeMapping) -> Container:
    words: list[Word] = [
        *_word_list(file, tree.value(node, "entrypoint")),
        *_word_list(file, tree.value(node, "command")),
    ]
    command = tree.value(node, "command")
    script = of_scalar(file.path, file.text, command) if isinstance(command, Scalar) and not words else None
    environment: dict[str, Word] = {}
    for each in tree.members(tree.value(node, "environment")):
        word = _word(file, each.value)
        if each.name and word is not None:
            environment[each.name] = word
    for item in tree.items(tree.value(node, "environment")):
        text = tree.text(item)
        if text is not None and "=" in text:
            name = text.partition("=")[0]
            place = file.place(item)
            whole = Word((Part(text if "$" not in text else None, text, place),), place)
            environment[name] = whole.after(name + "=") if "$" not in text else whole
    image = tree.text(tree.value(node, "image"))
    gpus: int | None = None
    for device in tree.items(tree.value(node, "deploy", "resources", "reservations", "devices")):
        count = tree.text(tree.value(device, "count"))
        gpus = (
            int(count)
            if count is not None and count.isdigit()
            else len(tree.items(tree.value(device, "device_ids"))) or None
        )
    return Container(file, "compose", node, service.name or "", tuple(words), script, environment, image, gpus)


def steps(file: JobFile) -> Iterator[tuple[Container, str]]:
    """The shell steps of a GitHub workflow, each with the name of its job."""
    for root in file.roots:
        for job in tree.members(tree.value(root, "jobs")):
            for step in tree.items(tree.value(job.value, "steps")):
                run = tree.value(step, "run")
                if isinstance(run, Scalar) and isinstance(step, NodeMapping) and "${{" not in run.text:
                    script = of_scalar(file.path, file.text, run)
                    runner = tree.text(tree.value(job.value, "runs-on"))
                    yield Container(file, "workflow", step, job.name or "", (), script, {}, runner), job.name or ""


def _word_list(file: JobFile, node: Node | None) -> list[Word]:
    found: list[Word] = []
    for item in tree.items(node):
        word = _word(file, item)
        place = file.place(item)
        found.append(word or Word((Part(None, "", place),), place))
    return found


def _word(file: JobFile, node: Node | None) -> Word | None:
    """A text that no shell has looked at."""
    if not isinstance(node, Scalar):
        return None
    place = file.place(node)
    known = tree.text(node)
    return Word((Part(known, node.text, place),), place)


def is_compose(file: JobFile) -> bool:
    """Whether a file is one for compose."""
    return (
        file.kind == "yaml"
        and "services:" in file.text
        and any(isinstance(tree.value(root, "services"), NodeMapping) for root in file.roots)
    )


def is_workflow(file: JobFile) -> bool:
    """Whether a file is a GitHub workflow."""
    return "/.github/workflows/" in file.path


__all__ = [
    "Container",
    "Role",
    "Workload",
    "is_compose",
    "is_workflow",
    "services",
    "steps",
    "workloads",
]

"""The configurations of DeepSpeed that a project has: files, with the launches that use each of them, and dicts that
programs write.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from ddl_lint.analysis.jobs_view import JobsView
from ddl_lint.analysis.queries.engines import engines
from ddl_lint.analysis.syntactic.mentions import texts_in, words_in
from ddl_lint.analysis.view import RunView
from ddl_lint.jobs import tree
from ddl_lint.jobs.arguments import script_options
from ddl_lint.jobs.engines import launched_config
from ddl_lint.jobs.files import JobFile
from ddl_lint.jobs.known import facts
from ddl_lint.jobs.launch import Launch
from ddl_lint.jobs.words import Word
from ddl_lint.program.event_types import Delegate
from ddl_lint.program.values import Const, Table, Value
from ddl_lint.source.nodes import Mapping as NodeMapping
from ddl_lint.source.nodes import Member, Node, Scalar
from ddl_lint.source.span import Location, Span

_OPTIONS = ("deepspeed", "deepspeed_config", "ds_config", "deepspeed_config_file", "ds_config_file", "deepspeed_cfg")
_SIGNS = (
    *("zero_optimization", "train_micro_batch_size_per_gpu", "train_batch_size", "gradient_accumulation_steps"),
    *("fp16", "bf16", "gradient_clipping", "zero_allow_untested_optimizer", "optimizer", "steps_per_print"),
)


@dataclass
class EngineConfig:
    """A configuration of DeepSpeed."""

    file: JobFile
    root: NodeMapping
    launches: list[Launch] = field(default_factory=list[Launch])
    is_of_program: bool = False
    """Whether it is a dict of a program, and no file."""

    def place(self, node: Node | Member) -> Location:
        """Where a value is written."""
        return self.file.place(node)

    def get(self, *names: str) -> Node | None:
        """The value at the end of a way of keys."""
        return tree.value(self.root, *names)


@dataclass(frozen=True, slots=True)
class WrittenConfig:
    """A configuration that a program writes as a dict, with the places of what is in it."""

    path: str
    root: NodeMapping


def written_configs(run: RunView) -> Iterator[WrittenConfig]:
    """The dicts of a program that configure its engines, as facts for `engine_configs`; those that may have more keys
    than can be seen are left out.
    """
    if not run.is_script:
        return
    for table in {id(each): each for each in _tables(run)}.values():
        places = [key.location for key, _ in table.items if isinstance(key, Const) and key.location is not None]
        if table.open or not places or len(places) < len(table.items) or run.module_at(places[0].path) is None:
            continue
        root = _mapping(table, places[0])
        if root is not None:
            yield WrittenConfig(places[0].path, root)


def _tables(run: RunView) -> Iterator[Table]:
    for event in (*(engine.wrap for engine in engines(run)), *run.events(Delegate)):
        if isinstance(event.settings, Table):
            yield event.settings


def _mapping(table: Table, home: Location) -> NodeMapping | None:
    """A dict as a node, in the file of a place; None where a key is no text, or is written in another file."""
    members: list[Member] = []
    for key, value in table.items:
        place = key.location if isinstance(key, Const) else None
        if not isinstance(key, Const) or not isinstance(key.value, str) or place is None or place.path != home.path:
            return None
        span = Span(place.start, place.end)
        members.append(Member(Scalar(span, key.value, key.value, "double"), _node(value, place)))
    return NodeMapping(Span(home.start, home.end), tuple(members))


def _node(value: Value, place: Location) -> Node:
    """A value as a node, at the place of its key where it has none of its own; a template if it is not known."""
    span = Span(place.start, place.end)
    if isinstance(value, Table) and not value.open:
        return _mapping(value, place) or Scalar(span, None, _UNKNOWN)
    if not isinstance(value, Const):
        return Scalar(span, None, _UNKNOWN)
    own = value.location if value.location is not None and value.location.path == place.path else place
    is_text = isinstance(value.value, str)
    text = value.value if is_text else str(value.value).lower() if isinstance(value.value, bool) else repr(value.value)
    return Scalar(Span(own.start, own.end), value.value, text, "double" if is_text else "plain")


_UNKNOWN = "{{ }}"
"""What templates look like: known to be written, but not what."""


def engine_configs(project: JobsView) -> list[EngineConfig]:
    """All configurations of DeepSpeed: files that launch lines give to an option for them, that the launcher's settings
    or the script name, files that look so, and the dicts that a rule's `publish` reports by `written_configs`.
    """
    found: dict[tuple[str, str], EngineConfig] = {}
    for file in project.jobs.files.values():
        if file.kind == "json" and (config := _config(file)) is not None and _looks_so(config.root):
            found[file.path, file.text] = config
    for launch in project.launches:
        options = script_options(launch)
        words = [options.get(name) for name in _OPTIONS]
        given = [project.jobs.given_file(word, launch, of_any_name=True) for word in words if _may_name(word)]
        launched = launched_config(launch, project.jobs)
        files = [file for file in (*given, launched) if file is not None]
        is_told = launched is not None or any(map(_may_name, words))
        for file in files if is_told else _named_in_program(project, launch):
            key = file.path, file.text
            if key not in found and (config := _config(replace(file, kind="json"))) is not None:
                found[key] = config
            if key in found:
                found[key].launches.append(launch)
    for told in project.told.values():
        for fact in told:
            if isinstance(fact, WrittenConfig):
                key = fact.path, str(fact.root.span.start)
                found.setdefault(key, EngineConfig(JobFile(fact.path, "json", ""), fact.root, is_of_program=True))
    return list(found.values())


def _may_name(word: Word | None) -> bool:
    """Whether a word may be the path of a configuration: one of JSON, or what a variable holds."""
    return word is not None and (word.pattern.endswith(".json") or word.is_open)


def _files(project: JobsView, launch: Launch, named: Iterable[str]) -> list[JobFile]:
    """The files that paths mean where a launch starts."""
    found = (project.jobs.side_file(written, launch.host.path, launch.location.start) for written in named)
    return [file for file in found if file is not None]


def _named_in_program(project: JobsView, launch: Launch) -> list[JobFile]:
    """The one configuration that a script names which speaks of DeepSpeed; of several, any may be meant."""
    module = project.module(launch.script) if launch.script is not None else None
    if module is None or not any("deepspeed" in word.lower() for word in words_in(module)):
        return []
    named = sorted(text for text in texts_in(module) if text.endswith(".json") and len(text) < _LONGEST)
    files = _files(project, launch, named)
    roots = ((file, _config(JobFile(file.path, "json", file.text))) for file in files)
    meant = [file for file, config in roots if config is not None and _may_be(config.root)]
    return meant if len(meant) == 1 else []


_LONGEST = 200
"""Letters of a path."""


def _config(file: JobFile) -> EngineConfig | None:
    root = file.roots[0] if len(file.roots) == 1 else None
    return EngineConfig(file, root) if isinstance(root, NodeMapping) else None


def _looks_so(root: NodeMapping) -> bool:
    """Whether only DeepSpeed can be meant: the dump of a trainer's arguments has some of these names among many, and
    so has the configuration of another engine.
    """
    names = {member.name for member in root.members}
    known = facts("deepspeed")
    ours = names & {*known["top_level"], *known["removed_top_level"]}
    if 2 * len(ours) < len(names):
        return False
    strong = names & {"zero_optimization", "train_micro_batch_size_per_gpu", "zero_allow_untested_optimizer"}
    return bool(strong) or len(names & set(_SIGNS)) > 2


def _may_be(root: NodeMapping) -> bool:
    """Whether a file has some of DeepSpeed's settings, and not just those that a trainer's arguments have as well."""
    return any(
        member.name in _SIGNS and (member.name not in _OF_TRAINERS or isinstance(member.value, NodeMapping))
        for member in root.members
    )


_OF_TRAINERS = ("gradient_accumulation_steps", "fp16", "bf16", "optimizer", "train_batch_size", "gradient_clipping")
"""Settings that training scripts have under the same names; three of them are sections of DeepSpeed's configuration."""


def literal(node: Node | None) -> int | float | None:
    """The number that a value of JSON is; None for texts."""
    value = node.value if isinstance(node, Scalar) and node.style == "plain" else None
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def is_on(node: Node | None) -> bool:
    """Whether a switch is surely on; also as a string, which DeepSpeed accepts."""
    return isinstance(node, Scalar) and (node.value is True or node.text.lower() == "true")

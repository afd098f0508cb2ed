"""Finds launches of verl whose batch sizes do not fit each other or the GPUs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from ddl_lint.rulekit import Evidence, Finding, JobFile, JobsView, Launch, Location, Word, facts, nodes, number_of, tree


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per launch: the first demand that it does not meet."""
    for launch in project.launches:
        if launch.is_module and launch.entry is not None and launch.entry.value in facts("verl")["modules"]:
            yield from _judged(_Sizes(_given(launch), launch.location, _settings(project, launch)))


def _given(launch: Launch) -> Mapping[str, Word]:
    """The settings of a launch line, the last of each; those that it names another file for are no defaults."""
    found: dict[str, Word] = {}
    for word in launch.arguments:
        key, equals, _ = word.head.partition("=")
        if equals:
            found[key.lstrip("+-")] = word.after(key + "=")
        elif word.head.startswith("-"):
            found[word.head.lstrip("-")] = word
    return found


def _settings(project: JobsView, launch: Launch) -> JobFile | None:
    """The file that a launch names for the settings, if it takes over nothing but those of verl."""
    folder, name = (_option(launch, facts("verl")[each]) for each in ("folder_options", "file_options"))
    if folder is None or name is None or name.value is None:
        return None
    before, _, below = folder.pattern.rpartition("$")  # `$(pwd)/config` is mostly meant from where the launch starts
    if before:
        return None
    written = f"{below.lstrip('/')}/{name.value.removesuffix('.yaml')}.yaml"
    found = project.jobs.side_file(written, launch.host.path, launch.location.start)
    file = JobFile(found.path, "yaml", found.text) if found is not None else None
    listed = [tree.text(each) for each in tree.items(file.node("defaults"))] if file is not None else []
    return file if listed in ([], [facts("verl")["own_settings"], "_self_"]) else None


def _option(launch: Launch, names: Sequence[str]) -> Word | None:
    """The value of an option, in the same word or in the next one."""
    for word, following in zip_longest(launch.arguments, launch.arguments[1:]):
        for name in names:
            if word.value == name:
                return following
            if word.head.startswith(f"{name}="):
                return word.after(f"{name}=")
    return None


@dataclass(frozen=True)
class _Sizes:
    given: Mapping[str, Word]
    launch: Location
    file: JobFile | None
    """The settings in the place of verl's own."""

    def __getitem__(self, name: str) -> int | None:
        """A size, also by default; None where it is not known."""
        known = facts("verl")
        word, node = self._written(known["keys"][name])
        if word is not None:
            return number_of(word)
        if node is not None:
            return tree.number(node)
        return None if self.has_other_defaults else known["defaults"].get(name)

    def _written(self, key: str) -> tuple[Word | None, nodes.Node | None]:
        """What a launch line and its file say of a setting."""
        return self.given.get(key), self.file.node(*key.split(".")) if self.file is not None else None

    @property
    def has_other_defaults(self) -> bool:
        """Whether a file that the launch names has the defaults, and does not take over those of verl."""
        if self.file is not None:
            return self.file.node("defaults") is None
        return not self.given.keys().isdisjoint(facts("verl")["other_defaults"])

    @property
    def reader(self) -> tuple[Evidence, ...]:
        """The launch that names the file."""
        return (Evidence("this launch reads the file", self.launch),) if self.file is not None else ()

    def place(self, *names: str) -> Location:
        """Where the first of some sizes that is given is written."""
        for name in names:
            word, node = self._written(facts("verl")["keys"][name])
            if word is not None:
                return word.location
            if node is not None and self.file is not None:
                return self.file.place(node)
        return self.launch

    def is_one_of(self, setting: str, *values: str) -> bool:
        """Whether a setting surely is one of some values, of which one is the default."""
        word, node = self._written(facts("verl")[setting])
        if word is None and node is None:
            return not self.has_other_defaults
        return ((word.value if word is not None else tree.text(node)) or "").lower() in values


def _judged(sizes: _Sizes) -> Iterable[Finding]:
    batch, group, gpus, nodes = (sizes[name] for name in ("batch", "group", "gpus", "nodes"))
    mini, micro, sequence = (sizes[name] for name in ("mini", "micro", "sequence"))
    is_counted = sizes.is_one_of("by_tokens", "false")
    world = gpus * nodes if gpus and nodes else None
    is_sharded = sizes.is_one_of("strategy", "fsdp", "fsdp2")
    if is_counted and batch is not None and mini is not None and mini > batch:
        yield Finding(
            f"the mini-batch of {mini} prompts is larger than the batch of {batch}",
            sizes.place("mini", "batch"),
            (Evidence("the batch", sizes.place("batch", "mini")), *sizes.reader),
            help=f"Set `ppo_mini_batch_size` to a divisor of {batch}, or enlarge `train_batch_size`.",
        )
    elif is_sharded and batch and group and world and batch * group % world:
        yield Finding(
            f"{batch} prompts with {group} samples each are {batch * group}, no multiple of the {world} GPUs",
            sizes.place("batch", "group", "gpus"),
            (Evidence("the GPUs", sizes.place("gpus", "nodes")), *sizes.reader),
            help=f"Let `train_batch_size` times `rollout.n` be a multiple of {world}.",
        )
    elif is_counted and is_sharded and mini and group and world and micro and sequence and world % sequence == 0:
        share = mini * group // (world // sequence)
        if share % micro or not share:
            yield Finding(
                f"each GPU has {share} samples of a mini-batch, no multiple of the micro-batch of {micro}",
                sizes.place("micro"),
                (Evidence("the mini-batch", sizes.place("mini", "micro")), *sizes.reader),
                help=f"Set `ppo_micro_batch_size_per_gpu` to a divisor of {share or 1}, or enlarge the mini-batch.",
            )

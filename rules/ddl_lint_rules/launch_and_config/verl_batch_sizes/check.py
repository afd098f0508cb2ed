"""Finds launches of verl whose batch sizes do not fit each other or the GPUs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ddl_lint.rulekit import Evidence, Finding, JobsView, Launch, Location, Word, facts, number_of


def survey(around: JobsView) -> Iterable[Finding]:
    """One finding per launch: the first demand that it does not meet."""
    for launch in around.launches:
        if launch.is_module and launch.entry is not None and launch.entry.value in facts("verl")["modules"]:
            yield from _judged(_Sizes(_given(launch), launch.location))


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


@dataclass(frozen=True)
class _Sizes:
    given: Mapping[str, Word]
    launch: Location

    def __getitem__(self, name: str) -> int | None:
        """A size, also by default; None where it is not known."""
        known = facts("verl")
        word = self.given.get(known["keys"][name])
        if word is not None:
            return number_of(word)
        return None if self.has_other_defaults else known["defaults"].get(name)

    @property
    def has_other_defaults(self) -> bool:
        """Whether a file that the launch names has the defaults."""
        return not self.given.keys().isdisjoint(facts("verl")["other_defaults"])

    def place(self, *names: str) -> Location:
        """Where the first of some sizes that is given is written."""
        words = (self.given.get(facts("verl")["keys"][name]) for name in names)
        return next((word.location for word in words if word is not None), self.launch)

    def is_one_of(self, setting: str, *values: str) -> bool:
        """Whether a setting surely is one of some values, of which one is the default."""
        word = self.given.get(facts("verl")[setting])
        return not self.has_other_defaults if word is None else (word.value or "").lower() in values


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
            (Evidence("the batch", sizes.place("batch", "mini")),),
            help=f"Set `ppo_mini_batch_size` to a divisor of {batch}, or enlarge `train_batch_size`.",
        )
    elif is_sharded and batch and group and world and batch * group % world:
        yield Finding(
            f"{batch} prompts with {group} samples each are {batch * group}, no multiple of the {world} GPUs",
            sizes.place("batch", "group", "gpus"),
            (Evidence("the GPUs", sizes.place("gpus", "nodes")),),
            help=f"Let `train_batch_size` times `rollout.n` be a multiple of {world}.",
        )
    elif is_counted and is_sharded and mini and group and world and micro and sequence and world % sequence == 0:
        share = mini * group // (world // sequence)
        if share % micro or not share:
            yield Finding(
                f"each GPU has {share} samples of a mini-batch, no multiple of the micro-batch of {micro}",
                sizes.place("micro"),
                (Evidence("the mini-batch", sizes.place("mini", "micro")),),
                help=f"Set `ppo_micro_batch_size_per_gpu` to a divisor of {share or 1}, or enlarge the mini-batch.",
            )

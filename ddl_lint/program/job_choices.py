"""What launches choose of a job, as API models and the traits of objects speak of it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TypeAlias

CHOOSERS = ("launcher", "arguments")
"""Who chooses what wraps the models: the launcher with its options and settings, or the arguments of the script, where
they are those of transformers or DeepSpeed."""

ENGINES = frozenset({"ddp", "fsdp", "fsdp1", "deepspeed", "megatron", "zero1", "zero2", "zero3"})
"""What they choose; DeepSpeed also by its stage of ZeRO, FSDP1 apart from FSDP2. FSDP that leaves all parameters to
each process is none."""

JobChoice: TypeAlias = tuple[str, str]
"""One of `CHOOSERS` and one of `ENGINES`; or an option of the script, such as `--strategy`, and its value."""


def option_choice(name: str, value: str) -> JobChoice:
    """The choice of a value for an option of the script, whose name has underscores and no dashes before it."""
    return f"--{name}", value


@dataclass(frozen=True, slots=True)
class UnderJobs:
    """A trait that an object has in jobs with one of some choices. Whoever does not ask for a job finds it untrue."""

    choices: frozenset[JobChoice]

    def __bool__(self) -> bool:
        return False

    def holds(self, made: Collection[JobChoice]) -> bool:
        """Whether a job in which these choices were made has it."""
        return not self.choices.isdisjoint(made)

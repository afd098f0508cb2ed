"""A job as its launch describes it: plain data, each part with its place and how it is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, Literal, TypeAlias, TypeVar

from ddl_lint.program.job_choices import CHOOSERS, JobChoice, option_choice
from ddl_lint.source.span import Location

_Part = TypeVar("_Part")

EngineName: TypeAlias = Literal["ddp", "fsdp", "deepspeed", "megatron"]


@dataclass(frozen=True)
class JobPart(Generic[_Part]):
    """A part of a job, where it is written, and by what it is known; without a value, why it is unknown."""

    value: _Part | None = None
    place: Location | None = None
    how: str = ""
    """`--zero_stage 3`, `zero_stage in fsdp.yaml`; why there is no value."""


@dataclass(frozen=True, slots=True)
class Engine:
    """What wraps the models of a job."""

    name: EngineName
    stage: int | None = None
    """Of ZeRO, 0 to 3, for DeepSpeed; None where it is not known."""

    is_undivided: bool = False
    """FSDP with a strategy that leaves all parameters to each process, or one that is not known."""

    is_second: bool = False
    """FSDP2, which shards each parameter by itself."""

    @property
    def labels(self) -> frozenset[str]:
        """By what API models ask for it: FSDP that divides nothing is none."""
        if self.name == "fsdp":
            return frozenset() if self.is_undivided else frozenset({"fsdp"} if self.is_second else {"fsdp", "fsdp1"})
        return frozenset({self.name} if not self.stage else {self.name, f"zero{self.stage}"})

    @property
    def title(self) -> str:
        """As people call it."""
        if self.name == "deepspeed":
            return f"ZeRO-{self.stage}" if self.stage else "DeepSpeed"
        return {"ddp": "DDP", "fsdp": "FSDP", "megatron": "Megatron-LM"}[self.name]


@dataclass(frozen=True)
class Job:
    """What one launch starts. Sizes are numbers of processes, over all nodes unless they say otherwise."""

    script: str
    place: Location
    """Of the launch."""

    launcher: str = ""
    """The program that starts the processes; empty without one."""

    engine: JobPart[Engine] = field(default_factory=lambda: JobPart[Engine]())
    """What the launcher has chosen."""

    asked_engine: JobPart[Engine] = field(default_factory=lambda: JobPart[Engine]())
    """What the arguments of the script ask for, if they are those of transformers."""

    world_size: JobPart[int] = field(default_factory=lambda: JobPart[int]())
    nodes: JobPart[int] = field(default_factory=lambda: JobPart[int]())
    options: Mapping[str, JobPart[str]] = field(default_factory=dict[str, JobPart[str]])
    """What the script is given: options with underscores, and their values, where those are known."""

    flags: frozenset[str] = frozenset()
    """The options that it is surely given without a value: none where a variable may be one."""

    is_whole: bool = False
    """Whether it is surely given no other options."""

    @property
    def may_be_several(self) -> bool:
        """Whether a launcher starts it, and not surely as one process."""
        return bool(self.launcher) and self.world_size.value != 1

    @property
    def choices(self) -> dict[JobChoice, JobPart[str]]:
        """What is chosen, in words, and where."""
        found = {
            (chooser, label): JobPart(f"selects {known.value.title}", known.place)
            for chooser, known in zip(CHOOSERS, (self.engine, self.asked_engine), strict=True)
            if known.value is not None
            for label in known.value.labels
        }
        for name, option in self.options.items():
            if option.value is not None:
                found[option_choice(name, option.value)] = JobPart("decides it", option.place)
        return found

"""The launches of Megatron-LM's training scripts, by their options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ddl_lint.analysis.jobs_view import JobsView
from ddl_lint.analysis.syntactic.mentions import texts_in
from ddl_lint.jobs.arguments import may_have_more, script_options
from ddl_lint.jobs.known import facts
from ddl_lint.jobs.launch import Launch, number_of
from ddl_lint.jobs.sizes import sizes_of
from ddl_lint.jobs.words import Word
from ddl_lint.source.span import Location

_SIGNS = ("tensor_model_parallel_size", "pipeline_model_parallel_size", "num_attention_heads", "micro_batch_size")


@dataclass(frozen=True)
class MegatronJob:
    """A launch with its options."""

    launch: Launch
    options: Mapping[str, Word | None]
    """As of `script_options`."""

    keys: Mapping[str, Location] = field(default_factory=dict[str, Location])
    """Where each option is written, without its value."""

    is_open: bool = False
    """Whether it may have options that are unknown."""

    world_size: int | None = None
    """How many processes it has, where that is known."""

    is_shipped: bool = False
    """Whether what it starts is a script of Megatron's own repository, and none of the project."""

    def number(self, name: str) -> int | None:
        """The number that an option gives, where it is known."""
        number = number_of(self.options.get(name))
        return number if number is not None and number > 0 else None

    def real(self, name: str) -> float | None:
        """The same for a number with decimals."""
        try:
            return float(self.text(name) or "")
        except ValueError:
            return None

    def text(self, name: str) -> str | None:
        """The text that an option gives, where it is known."""
        word = self.options.get(name)
        return word.value if word is not None else None

    def place(self, *names: str) -> Location:
        """Where the first of these options is written that is given; that of the launch if none is."""
        return next((self.keys[name] for name in names if name in self.keys), self.launch.location)

    @property
    def is_fork(self) -> bool:
        """Whether it is a job of Megatron-DeepSpeed, which has kept old options and has some of its own."""
        ours = any(name.startswith(("deepspeed", "zero_stage", "ds_")) for name in self.options)
        return ours or self.launch.step("deepspeed") is not None

    @property
    def parallel(self) -> tuple[int | None, int | None, int | None]:
        """The tensor, pipeline and context parallel sizes: 1 where nothing is given, None where it is not known."""
        tensor, pipeline, context = (
            self._size(name)
            for name in ("tensor_model_parallel_size", "pipeline_model_parallel_size", "context_parallel_size")
        )
        return tensor, pipeline, context

    def _size(self, name: str) -> int | None:
        if name in self.options:
            return self.number(name)
        return None if self.is_open else 1

    @property
    def model_parallel(self) -> int | None:
        """The number of ranks that share one copy of the model, where it is known."""
        tensor, pipeline, context = self.parallel
        if tensor is None or pipeline is None or context is None:
            return None
        return tensor * pipeline * context or None


def megatron_jobs(project: JobsView) -> Iterator[MegatronJob]:
    """The launches that look so."""
    for launch in project.launches:
        options = script_options(launch)
        is_started = launch.launcher is not None or launch.step("srun") is not None
        written = launch.entry.source.rpartition("/")[2] if launch.entry is not None else ""
        shipped = launch.script is None and written in facts("megatron")["scripts"]
        if not is_started or (sum(name in options for name in _SIGNS) < 2 and not shipped):
            continue
        keys: dict[str, Location] = {}
        for word in launch.arguments:
            if word.head.startswith("--"):
                name = word.head[2:].partition("=")[0]
                keys[name.replace("-", "_")] = _key(project, word, f"--{name}")
        yield MegatronJob(
            launch, options, keys, may_have_more(launch), sizes_of(launch, project.jobs).world_size.value, shipped
        )


def defines(project: JobsView, job: MegatronJob, name: str) -> bool:
    """Whether the script of a job has a parser of its own that knows an option."""
    module = project.module(job.launch.script) if job.launch.script is not None else None
    return module is not None and not {option_of(name), f"--{name}"}.isdisjoint(texts_in(module))


def _key(project: JobsView, word: Word, written: str) -> Location:
    """Where an option is written without what follows `=`; the word, where its text is written in another form."""
    place = word.location
    key = Location(place.path, place.start, place.start + len(written))
    file = project.jobs.files.get(place.path)
    return key if file is not None and file.text[key.start : key.end] == written else place


def option_of(name: str) -> str:
    """An option as it is mostly written: `--num-layers`."""
    return "--" + name.replace("_", "-")


def is_written(project: JobsView, place: Location, name: str) -> bool:
    """Whether a place holds an option by itself, so that an edit there touches nothing else."""
    file = project.jobs.files.get(place.path)
    text = file.text[place.start : place.end] if file is not None else ""
    return text.startswith("--") and text[2:].replace("-", "_") == name


def texts_of_environment(project: JobsView, launch: Launch, variable: str) -> bool:
    """Whether the script that a launch starts mentions a variable, or is not known."""
    module = project.module(launch.script) if launch.script is not None else None
    return module is None or variable in texts_in(module)

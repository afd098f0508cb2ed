"""Which engine a launch chooses for the models of its script: by options, by the launcher's settings, by arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

from ddl_lint.jobs import tree
from ddl_lint.jobs.arguments import script_options
from ddl_lint.jobs.files import JobFile
from ddl_lint.jobs.job import Engine, EngineName, JobPart
from ddl_lint.jobs.known import facts
from ddl_lint.jobs.launch import Launch, Step
from ddl_lint.jobs.project_jobs import Jobs
from ddl_lint.jobs.words import Part, Word
from ddl_lint.source.span import Location

_STAGE = ("zero_optimization", "stage")


def settings_of(launch: Launch, jobs: Jobs) -> JobFile | None:
    """The file with settings of the launcher that a launch names; where no launch names one, the one near it, with
    which the project is meant to be started.
    """
    step = launch.launcher
    option = step.role("config") if step is not None else None
    if option is None and step is not None and step.program in jobs.of_account:
        return jobs.of_account[step.program]
    if option is None:
        known = facts("engines")["launchers"].get(step.program) if step is not None else None
        return _only_settings(launch, jobs, known["setting"]) if known is not None else None
    return jobs.given_file(option.value, launch)


def launched_engine(launch: Launch, jobs: Jobs) -> JobPart[Engine]:
    """The engine that the launcher is to use, by its options and settings. It may know more from a file of the user."""
    step, reader = launch.launcher, _reader(launch, jobs)
    if step is None or reader is None:
        return JobPart()
    named = step.role("config")
    if reader.settings is None and named is not None:
        return JobPart(place=named.location, how=f"the file of `{named.spelling}` is not found in the project")
    return reader.engine()


def launched_config(launch: Launch, jobs: Jobs) -> JobFile | None:
    """The configuration of DeepSpeed that the launcher is given, by an option or in its settings."""
    reader = _reader(launch, jobs)
    return reader.config() if reader is not None else None


def _reader(launch: Launch, jobs: Jobs) -> _Reader | None:
    step = launch.launcher
    known: Mapping[str, Any] | None = facts("engines")["launchers"].get(step.program) if step is not None else None
    return _Reader(launch, jobs, step, settings_of(launch, jobs), known) if step is not None and known else None


def _only_settings(launch: Launch, jobs: Jobs, setting: str) -> JobFile | None:
    """The one file near a launch that has settings of the launcher, where no launch names such a file."""
    if any(jobs.once(_names_settings, other) for other in jobs.known_launches):
        return None
    near = jobs.neighbourhood
    those = [
        file
        for file in jobs.files.values()
        if file.kind == "yaml" and len(file.roots) == 1 and tree.value(file.roots[0], setting) is not None
        if not near.are_apart(file.path, launch.host.path)
    ]
    return those[0] if len(those) == 1 else None


def _names_settings(launch: Launch) -> bool:
    step = launch.launcher
    return step is not None and step.role("config") is not None


def asked_engine(launch: Launch, jobs: Jobs) -> JobPart[Engine]:
    """The engine that the script's own options name, where they are those of transformers or DeepSpeed."""
    known = facts("engines")["arguments"]
    options = script_options(launch)
    for name in known["config"]:
        word = options.get(name)
        file = jobs.given_file(word, launch, of_any_name=True) if word is not None else None
        if word is not None and (word.pattern.endswith(".json") or file is not None):
            return JobPart(Engine("deepspeed", _stage(file)), word.location, f"`--{name} {word.source}`")
    strategy = options.get(known["strategy"])
    if strategy is not None and strategy.value:
        is_undivided = not set(facts("engines")["undivided"]).isdisjoint(strategy.value.split())
        return JobPart(Engine("fsdp", is_undivided=is_undivided), strategy.location, f"`--{known['strategy']}`")
    return JobPart()


class _Documented(NamedTuple):
    """What an option or a setting gives."""

    word: Word
    place: Location
    how: str

    @property
    def text(self) -> str | None:
        """The whole of it, where it is known."""
        return self.word.value


class _Reader:
    """Reads what one launch tells a launcher that chooses engines."""

    def __init__(
        self, launch: Launch, jobs: Jobs, step: Step, settings: JobFile | None, known: Mapping[str, Any]
    ) -> None:
        self._launch, self._jobs, self._step, self.settings, self._known = launch, jobs, step, settings, known

    def engine(self) -> JobPart[Engine]:
        """What is chosen: by an option, else by the settings."""
        known: Mapping[str, EngineName] = self._known["options"]
        chosen = [option for option in self._step.options if option.name in known]
        for option in sorted(chosen, key=lambda each: known[each.name] == "ddp"):  # an engine takes the place of DDP
            return self._more(known[option.name], option.location, f"`{option.spelling}`")
        written = self._setting(self._known["setting"])
        if written is None:
            return JobPart(how="neither its options nor a file of settings name one")
        text, place, file = written
        name = cast("EngineName | None", self._known["settings"].get(text))
        if name is None:
            return JobPart(place=place, how=f"`{self._known['setting']}: {text}` in {file} names none")
        return self._more(name, place, f"`{self._known['setting']}: {text}` in {file}")

    def config(self) -> JobFile | None:
        """The file of DeepSpeed that is named, where DeepSpeed is the engine."""
        chosen, config = self.engine().value, self._written("config")
        if chosen is None or chosen.name != "deepspeed" or config is None:
            return None
        return self._jobs.given_file(config.word, self._launch, of_any_name=True)

    def _more(self, name: EngineName, place: Location, how: str) -> JobPart[Engine]:
        """The engine with what else is said of it; the place is that of what decides."""
        if name == "deepspeed":
            config = self._written("config")
            if config is not None:  # it says all that options do, too, and wins
                file = self._jobs.given_file(config.word, self._launch, of_any_name=True)
                return JobPart(Engine(name, _stage(file)), config.place, config.how)
            written = self._written("stage")
            if written is None:
                return JobPart(
                    Engine(name, None if self._is_open("stage") else self._known["stage"]["usual"]), place, how
                )
            stage = int(written.text) if written.text in ("0", "1", "2", "3") else None
            return JobPart(Engine(name, stage), written.place, written.how)
        if name == "fsdp":
            written = self._written("strategy")
            text = written.text if written is not None else ""
            is_undivided = self._is_open("strategy") or text in facts("engines")["undivided"]
            version = self._written("version")
            return JobPart(Engine(name, None, is_undivided, version is not None and version.text == "2"), place, how)
        return JobPart(Engine(name), place, how)

    def _is_open(self, what: str) -> bool:
        """Whether an option is given a value that is not known."""
        option = self._step.given(self._known[what]["option"])
        return self._step.is_open or (option is not None and (option.value is None or option.value.value is None))

    def _written(self, what: str) -> _Documented | None:
        """What an option or setting gives."""
        known = self._known[what]
        option = self._step.given(known["option"])
        if option is not None and option.value is not None and (what == "config" or option.value.value is not None):
            return _Documented(option.value, option.location, f"`{option.spelling} {option.value.source}`")
        found = self._setting(*known["keys"])
        if found is None:
            return None
        text, place, file = found
        return _Documented(Word((Part(text, text, place),), place), place, f"`{known['keys'][-1]}: {text}` in {file}")

    def _setting(self, *keys: str) -> tuple[str, Location, str] | None:
        file = self.settings
        if file is None or len(file.roots) != 1:
            return None
        member = tree.member(file.roots[0], *keys)
        text = tree.text(member.value) if member is not None else None
        return (text, file.place(member), file.name) if member is not None and text is not None else None


def _stage(file: JobFile | None) -> int | None:
    roots: Sequence[tree.Node] = JobFile(file.path, "json", file.text).roots if file is not None else ()
    return tree.number(tree.value(roots[0], *_STAGE)) if len(roots) == 1 else None

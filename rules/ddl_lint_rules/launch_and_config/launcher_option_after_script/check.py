"""Finds options of the launcher that are given to the script."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from ddl_lint.rulekit import (
    Evidence,
    Finding,
    Fix,
    JobsView,
    Launch,
    Launcher,
    RunView,
    Step,
    Word,
    code,
    launchers,
    moving_words,
    per_file,
    texts_in,
)

_SEVERAL = ("torchrun", "torch.distributed.launch", "accelerate", "deepspeed", "horovodrun", "mpirun")


def publish(run: RunView) -> Iterable[object]:
    """The options of launchers that the program mentions: it may take them itself."""
    if run.is_launched:
        yield tuple(sorted({name for module in run.modules.values() for name in _mentioned(module)}))


@per_file
def _mentioned(module: code.Module) -> frozenset[str]:
    """The options of launchers that a file mentions."""
    return frozenset(map(_plain, texts_in(module))) & _sizes()


@cache
def _sizes() -> frozenset[str]:
    return frozenset(_plain(name) for each in launchers().values() for name in each.sizes)


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per launch, at the first such option."""
    for launch in project.launches:
        step = launch.launcher
        facts = project.facts(launch)
        launcher = step.launcher if step is not None else None
        if step is None or launcher is None or facts is None or step.program not in _SEVERAL or step.is_open:
            continue
        taken = {name for fact in facts if isinstance(fact, tuple) for name in fact}  # pyright: ignore
        for at, word in enumerate(launch.arguments):
            name = _size(launcher, word)
            if name is None or _plain(name) in taken or _is_given(step, name):
                continue
            option = word.head.partition("=")[0]
            entry = launch.entry.source if launch.entry is not None else "the script"
            fix = _moved(project, launch, step, name, at)
            yield Finding(
                f"`{option}` comes after `{entry}`, so `{step.program}` ignores it",
                word.location,
                (Evidence("launcher options belong here", step.word.location),),
                fix=fix,
                unfixable="" if fix else "the words are not written side by side",
                help=f"Move `{option}` before `{entry}`.",
            )
            break


def _moved(project: JobsView, launch: Launch, step: Step, name: str, at: int) -> Fix | None:
    """The option, and its value if that is the next word, before what the launcher starts."""
    launcher, word = step.launcher, launch.arguments[at]
    takes = launcher.options.get(launcher.meaning(name) or "") if launcher is not None else None
    count = 2 if takes == "value" and "=" not in word.head else 1
    words = launch.arguments[at : at + count]
    inner = launch.steps[launch.steps.index(step) + 1 :] if step in launch.steps else ()
    target = inner[0].word if inner else launch.entry
    if target is None or launch.is_module or takes not in ("value", "nothing", "perhaps") or len(words) != count:
        return None
    title = f"Move `{word.head.partition('=')[0]}` before the script"
    return moving_words(title, project, launch, words, target, "the script may be meant to see the option")


def _size(launcher: Launcher, word: Word) -> str | None:
    head = word.head
    if not head.startswith("-") or head in ("-n", "-c"):
        return None
    written = head.partition("=")[0].lstrip("-").replace("-", "_")
    return written if written in launcher.sizes and (head.startswith("--") or len(written) > 1) else None


def _is_given(step: Step, name: str) -> bool:
    launcher = step.launcher
    return launcher is not None and step.given(launcher.meaning(name) or name) is not None


def _plain(name: str) -> str:
    return name.lstrip("-").replace("-", "_")

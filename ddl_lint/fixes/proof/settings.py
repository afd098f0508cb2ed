"""Whether what a fix sets is set on purpose already: under its other name, in another spelling, in another file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import PurePath

from ddl_lint.analysis.jobs_view import JobsView
from ddl_lint.finding import Fix
from ddl_lint.fixes.apply import by_path, edited
from ddl_lint.fixes.proof.doubt import Doubt
from ddl_lint.jobs.excerpt import Excerpt
from ddl_lint.jobs.files import JobFile, job_file
from ddl_lint.jobs.shell import ShellText, read_shell
from ddl_lint.jobs.tree import text as text_of
from ddl_lint.jobs.words import Command
from ddl_lint.source.nodes import Mapping, Member, Node
from ddl_lint.source.nodes import Sequence as NodeSequence

_DEEPEST = 40
_Keys = tuple[str, ...]


def doubts_of_settings(project: JobsView, fix: Fix) -> Iterator[Doubt]:
    """What speaks against the variables, options and keys that a fix sets."""
    for path, edits in by_path(fix.edits).items():
        file = project.jobs.files.get(path)
        if file is None:
            continue
        new = edited(file.text, edits)
        if file.kind == "shell":
            before, after = read_shell(Excerpt(path, file.text)), read_shell(Excerpt(path, new))
            yield from _of_variables(before, after)
            yield from _of_options(before, after)
        elif file.kind in ("yaml", "json"):
            after_file = job_file(path, new)
            if after_file is not None:
                yield from _of_keys(project, file, after_file)


def _of_variables(before: ShellText, after: ShellText) -> Iterator[Doubt]:
    """A variable that is set once more, though it was set before."""
    old = Counter(each.name for each in before.assignments)
    new = Counter(each.name for each in after.assignments)
    for name, count in new.items():
        if 0 < old[name] < count:
            yield Doubt(f"`{name}` is set here as well", is_certain=True)


def _of_options(before: ShellText, after: ShellText) -> Iterator[Doubt]:
    """An option that a command is given once more, or that may be among words that are not known."""
    if len(before.commands) != len(after.commands):
        return
    for one, other in zip(before.commands, after.commands, strict=True):
        old, new = _options(one), _options(other)
        for name, count in (new - old).items():
            if old[name]:
                yield Doubt(f"`--{name}` is given already", is_certain=True)
            elif count:
                yield from _of_open_words(other, name)


def _options(command: Command) -> Counter[str]:
    heads = [word.head for word in command.words]
    return Counter(head.lstrip("-").partition("=")[0].replace("-", "_") for head in heads if head.startswith("--"))


def _of_open_words(command: Command, name: str) -> Iterator[Doubt]:
    unknown = next((word for word in command.words if word.may_split and word.value is None), None)
    if unknown is not None:
        yield Doubt(f"cannot tell whether `{unknown.source}` contains `--{name}`")


def _of_keys(project: JobsView, before: JobFile, after: JobFile) -> Iterator[Doubt]:
    """A key that is there in another spelling, or in a file that this one includes."""
    old = {keys for keys, _ in _members(before.roots)}
    for keys, beside in _members(after.roots):
        if keys in old:
            continue
        alike = [each for each in _names(beside) if _spelling(each) == _spelling(keys[-1])]
        if len(alike) > 1:
            other = next((each for each in alike if each != keys[-1]), keys[-1])
            yield Doubt(f"`{other}` is set here as well", is_certain=True)
        for value in (text_of(member.value) for member in beside.members):
            included = project.jobs.find(value, before.path, 0) if value and "." in value else None
            if included is not None and any(
                _spelling(each[-1]) == _spelling(keys[-1]) for each, _ in _members(included.roots)
            ):
                yield Doubt(
                    f"{PurePath(included.path).name}, which this file names, sets `{keys[-1]}` as well", is_certain=True
                )


def _members(nodes: Sequence[Node], keys: _Keys = ()) -> Iterator[tuple[_Keys, Mapping]]:
    """The keys of all members below some nodes, from outside, each with the mapping that it is in."""
    for index, node in enumerate(nodes):
        if len(keys) > _DEEPEST:
            return
        if isinstance(node, Mapping):
            for member in node.members:
                here = (*keys, str(index), _name(member))
                yield here, node
                yield from _members([member.value], here)
        elif isinstance(node, NodeSequence):
            yield from _members(node.items, (*keys, str(index)))


def _names(mapping: Mapping) -> list[str]:
    return [_name(member) for member in mapping.members]


def _name(member: Member) -> str:
    return member.name or ""


def _spelling(name: str) -> str:
    """What spellings of one name have in common: `zero_optimization`, `zeroOptimization`, `ZERO-OPTIMIZATION`."""
    return re.sub(r"[-_. ]", "", name).lower()

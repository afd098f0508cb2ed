"""Texts that a shell script holds itself: what it writes into files, and what it hands to other programs."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from ddl_lint.jobs.excerpt import Excerpt
from ddl_lint.jobs.file_names import SUFFIXES
from ddl_lint.jobs.files import JobFile
from ddl_lint.jobs.launchers import launchers
from ddl_lint.jobs.words import Command, Part, Word
from ddl_lint.source.span import Location


@dataclass(frozen=True, slots=True)
class Written:
    """A text in pieces, of which some may not be known."""

    parts: tuple[Part, ...]

    def data(self) -> Excerpt:
        """The text as JSON or YAML, in which what is not known has no value."""
        return self._excerpt(lambda _, before: "{{}}" if _is_in_quotes(before) else "null")

    def for_shell(self) -> tuple[Excerpt, Mapping[str, Word]]:
        """The text as a shell reads it, with variables for what is not known, and these."""
        names = {id(part): f"_OPEN_{index}" for index, part in enumerate(self.parts) if part.text is None}
        held = {
            names[id(part)]: Word((replace(part, is_from_outside=True),), part.location)
            for part in self.parts
            if part.text is None
        }
        return self._excerpt(lambda part, _: f"${{{names[id(part)]}}}"), held

    def _excerpt(self, unknown: Callable[[Part, str], str]) -> Excerpt:
        text = ""
        starts: list[tuple[int, int]] = []
        expanded: dict[int, int] = {}
        for part in self.parts:
            meant = unknown(part, text) if part.text is None else part.text
            if not meant:
                continue
            place = part.location
            starts.append((len(text), place.start))
            if place.end - place.start != len(meant):
                expanded[len(text)] = place.end
            text += meant
        path = self.parts[0].location.path if self.parts else ""
        return Excerpt(path, text, tuple(starts) or ((0, 0),), expanded=expanded)


@dataclass(frozen=True, slots=True)
class HereDocument:
    """A text that a script holds, and what it does with it."""

    content: Written
    reader: Command
    """The command that reads it."""

    file: Word | None = None
    """Into which it is written; None where the command makes something else of it."""

    @property
    def is_script(self) -> bool:
        """Whether it is a script for a shell or a batch system."""
        return self.file is None or self.file.pattern.endswith(SUFFIXES)

    @property
    def is_resized(self) -> bool:
        """Whether the command line that hands it to the batch system may have it run in another size."""
        srun = launchers()["srun"]
        names = {srun.meaning(word.head.lstrip("-").partition("=")[0]) for word in self.reader.words[1:]}
        open_words = any(word.is_open for word in self.reader.words)
        return self.file is None and (open_words or not names.isdisjoint(_SIZES))

    def writes(self, word: Word) -> bool:
        """Whether it is the file that a path means, as far as both are known."""
        return self.file is not None and posixpath.normpath(self.file.source) == posixpath.normpath(word.source)

    def is_before(self, place: Location) -> bool:
        """Whether it is written before a place of the same script."""
        return self.reader.location.start < place.start


_SIZES = frozenset(
    {"nodes", "ntasks", "ntasks_per_node", "gpus", "gpus_per_node", "gpus_per_task", "gres", "ntasks_per_gpu"}
)


def here_file(document: HereDocument) -> JobFile:
    """A file that a script writes, as one of the project; its places are those in the script."""
    data = document.content.data()
    is_yaml = document.file is not None and document.file.pattern.endswith((".yaml", ".yml"))
    return JobFile(data.path, "yaml" if is_yaml else "json", data.text, data)


def _is_in_quotes(before: str) -> bool:
    return before.rpartition("\n")[2].replace('\\"', "").count('"') % 2 == 1

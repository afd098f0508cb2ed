"""What a fault costs who starts the job: the groups of rules, and the word that a message begins with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ddl_lint.claim import title_of


@dataclass(frozen=True, slots=True)
class Consequence:
    """What faults cost. The messages of findings begin with `title` and a colon."""

    name: str
    """As in `rule.yaml`, and for `--select`."""
    plural: str
    """The same as the title where they are not counted."""
    meaning: str
    """One or two sentences: what happens, and how it shows."""

    singular: str = ""
    """Where it is not the title."""

    @property
    def title(self) -> str:
        """The word with which messages begin."""
        return title_of(self.name)

    def number(self, count: int) -> str:
        """So many of them, within a sentence: `2 hangs`, `1 case of wasted work`."""
        if self.plural == self.title:
            return f"{count} {'case' if count == 1 else 'cases'} of {self.title.lower()}"
        return f"{count} {((self.singular or self.title) if count == 1 else self.plural).lower()}"


_ALL = (
    Consequence(
        "hang",
        "Hangs",
        "Some ranks wait forever, or until a timeout ends the job. The log names a collective, not the cause.",
    ),
    Consequence(
        "wrong-result",
        "Wrong results",
        "The job ends well, and the model, a metric or a checkpoint is not what the code seems to compute.",
    ),
    Consequence("data-loss", "Data loss", "A checkpoint or another file is lost, incomplete or overwritten."),
    Consequence(
        "crash",
        "Crashes",
        "The job ends with an error: at the start, or at the line that the finding names.",
    ),
    Consequence(
        "race",
        "Races",
        "Whether it goes well depends on which process is faster: it may work for weeks before it fails.",
    ),
    Consequence(
        "wasted-work",
        "Wasted work",
        "The result is right, but GPUs compute the same thing several times, or wait without need.",
    ),
    Consequence(
        "deprecated",
        "Deprecations",
        "It works with the versions of today, and warns; a later version of the library crashes.",
        "Deprecation",
    ),
)

CONSEQUENCES: Mapping[str, Consequence] = {each.name: each for each in _ALL}
"""All of them by name, the worst first."""

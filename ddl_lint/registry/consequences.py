"""What a fault costs who starts the job: the groups of rules, and the word that a message begins with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Consequence:
    """What faults cost. Messages that say so begin with `title` and a colon."""

    name: str
    """As in `rule.yaml`, and for `--select`."""
    title: str
    plural: str
    """The same as the title where they are not counted."""
    meaning: str
    """One or two sentences: what happens, and how it shows."""

    def number(self, count: int) -> str:
        """So many of them, within a sentence: `2 hangs`, `1 case of wasted work`."""
        if self.plural == self.title:
            return f"{count} {'case' if count == 1 else 'cases'} of {self.title.lower()}"
        return f"{count} {(self.title if count == 1 else self.plural).lower()}"


_ALL = (
    Consequence(
        "hang",
        "Hang",
        "Hangs",
        "Some ranks wait forever, or until a timeout ends the job. The log names a collective, not the cause.",
    ),
    Consequence(
        "wrong-result",
        "Wrong result",
        "Wrong results",
        "The job ends well, and the model, a metric or a checkpoint is not what the code seems to compute.",
    ),
    Consequence(
        "data-loss", "Data loss", "Data loss", "A checkpoint or another file is lost, incomplete or overwritten."
    ),
    Consequence(
        "crash",
        "Crash",
        "Crashes",
        "The job ends with an error: at the start, or at the line that the finding names.",
    ),
    Consequence(
        "race",
        "Race",
        "Races",
        "Whether it goes well depends on which process is faster: it may work for weeks before it fails.",
    ),
    Consequence(
        "wasted-work",
        "Wasted work",
        "Wasted work",
        "The result is right, but GPUs compute the same thing several times, or wait without need.",
    ),
)

CONSEQUENCES: Mapping[str, Consequence] = {each.name: each for each in _ALL}
"""All of them by name, the worst first."""

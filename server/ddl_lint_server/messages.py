"""What the server and its worker say to each other. Plain data: it crosses a pipe.

Lines and columns count from 0, columns in the units that the client counts in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypeAlias

from ddl_lint.source import ColumnUnit

Preference: TypeAlias = Literal["editorFirst", "filesystemFirst", "editorOnly"]
"""What has the last word: the editor's settings, or the configuration files, if they have any."""


class Place(NamedTuple):
    """A range of a file; of a notebook's cell if `cell` (counted from 1) is not 0."""

    path: str
    cell: int
    start_line: int
    start_column: int
    end_line: int
    end_column: int


class Related(NamedTuple):
    """One step of the proof of a finding."""

    message: str
    place: Place


class Change(NamedTuple):
    """Replace a range by a text."""

    place: Place
    text: str


@dataclass(frozen=True, slots=True)
class Repair:
    """A fix, ready to be offered."""

    title: str
    is_safe: bool
    reason: str
    """Why it is not safe, as the rest of a sentence."""
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """A finding, ready to be shown. `start` is its offset in the text that was checked, for suppression comments.

    `severity` is that of a finding, or `note` for what the server says of itself, which no hint may hide.
    """

    id: str
    code: str
    name: str
    message: str
    severity: str
    place: Place
    start: int
    related: tuple[Related, ...] = ()
    repair: Repair | None = None
    help: str = ""
    """What to do about it here; empty where only the rule's own advice is known."""
    unfixable: str = ""
    """Why there is no fix, as the rest of a sentence; empty where nothing says so."""
    href: str = ""
    shows_ranks: bool = False
    """Whether it is about ranks that do not meet: then their trace shows it."""
    is_deprecated: bool = False
    """Whether it is about something that still works, and will not for long."""


@dataclass(frozen=True, slots=True)
class RuleSummary:
    """What a hover says of a rule."""

    code: str
    name: str
    summary: str
    why: str
    advice: str


# --- what the worker is sent ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Options:
    """What the editor's settings say, over what the configuration files say. None means: nothing."""

    enable: bool = True
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    pedantic: bool = False
    preview: bool = False
    target: tuple[str, ...] = ()
    configuration: str = ""
    """A configuration file that is used for all files in place of those that are beside them."""
    said: Mapping[str, Any] = field(default_factory=dict[str, Any], hash=False)
    """More settings, under the keys of a configuration file."""
    preference: Preference = "editorFirst"
    is_workspace_shown: bool = True
    """Whether findings are shown in files that are not open, too."""


@dataclass(frozen=True, slots=True)
class Workspace:
    """What holds for all documents."""

    unit: ColumnUnit = ColumnUnit.UTF16
    folders: tuple[str, ...] = ()
    """The workspace folders, as paths, the innermost first."""
    options: Mapping[str, Options] = field(default_factory=dict[str, Options])
    """By workspace folder; under "" those for files outside of all folders."""
    pages_as_files: bool = True
    """Whether findings link to files with the pages of their rules: for editors that have no view of their own."""


class Text(NamedTuple):
    """The text of an open file; a notebook's is its JSON. Each change of it has a higher stamp."""

    stamp: int
    content: str
    is_file: bool
    """Whether it may be on the disk: false for a buffer that was never saved."""


@dataclass(frozen=True, slots=True)
class Update:
    """What has changed since the last request: texts by path (None: closed), the world, and whether the disk has."""

    texts: Mapping[str, Text | None]
    workspace: Workspace | None
    disk: bool


@dataclass(frozen=True, slots=True)
class Check:
    """Check a document: by itself, or with the project around it.

    By itself is for an answer that comes sooner; where the other is known from an earlier session, it is given at once.
    """

    path: str
    alone: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """Which projects are there in the workspace?"""


@dataclass(frozen=True, slots=True)
class Scan:
    """Check a whole project of the workspace."""

    scope: str


@dataclass(frozen=True, slots=True)
class FixAll:
    """Which changes do all safe fixes of a document make, one after the other?"""

    path: str


@dataclass(frozen=True, slots=True)
class Ask:
    """What is there at this place of a document: who runs it, and what does the call mean?"""

    path: str
    cell: int
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of what the ranks do in a script, or in a function of it; or opened at a line of a document."""

    path: str
    function: str
    format: str
    line: int = -1
    """-1: not opened at a line."""
    cell: int = 0


@dataclass(frozen=True, slots=True)
class AskLaunches:
    """Which launch lines does a document have, and what do they start?"""

    path: str


@dataclass(frozen=True, slots=True)
class AskJobs:
    """A table of the jobs of the project around a document; of the whole workspace if it is none."""

    path: str
    format: str
    line: int = -1
    """Of the launch that the table is opened at."""


@dataclass(frozen=True, slots=True)
class Diagnose:
    """What became of the job that wrote this log, by the code in a folder? Both are read from the disk."""

    log: str
    folder: str


@dataclass(frozen=True, slots=True)
class Explain:
    """The page of a rule, by its code or name; or the address of something that shows it."""

    rule: str
    form: Literal["text", "html", "address"] = "text"


@dataclass(frozen=True, slots=True)
class Describe:
    """Which configuration applies to a file, and why."""

    path: str


@dataclass(frozen=True, slots=True)
class Exclude:
    """Which change of the configuration leaves a rule out in the project around a document?"""

    path: str
    rule: str
    texts: Mapping[str, str]
    """Path to content of the configuration files that are open."""


Question = Ask | AskLaunches | AskJobs | Picture | Diagnose | Explain | Describe | Exclude
"""What needs no check of a project: each process can answer it."""

Request = Check | Plan | Scan | FixAll | Question


# --- what the worker answers ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Checked:
    """What was found in a document, at the stamp that it was checked at. Equal findings have equal digests."""

    stamp: int
    digest: str
    found: tuple[Found, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a check.

    `files` holds the open documents that were checked (for a `Scan`, all files of the project), by path; `scope` is the
    folder that was checked, empty if there is no project around the document. `is_whole`: with the project around them,
    though it was not asked for.
    """

    files: Mapping[str, Checked]
    scope: str
    problems: tuple[str, ...] = ()
    is_whole: bool = False


@dataclass(frozen=True, slots=True)
class Scopes:
    """The folders of the projects in the workspace."""

    folders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Changes:
    """Changes of a document at a stamp; they belong together."""

    stamp: int
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Configured:
    """Changes of a configuration file, which may have to be made first."""

    path: str
    is_new: bool
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class TextAnswer:
    """A text for people; `is_fault` if it says why there is nothing to say."""

    text: str
    is_fault: bool = False
    title: str = ""


@dataclass(frozen=True, slots=True)
class SvgAnswer:
    """A picture; the paths in it are relative to `folder`."""

    content: str
    folder: str


class LaunchLine(NamedTuple):
    """A command that starts several processes, and what is known of them."""

    line: int
    title: str
    """Such as `32 ranks: 4 x 8, train.py`."""
    script: str
    """The path of the script; empty if it is not known."""


@dataclass(frozen=True, slots=True)
class Launches:
    """The launch lines of a document at a stamp."""

    stamp: int
    lines: tuple[LaunchLine, ...]


@dataclass(frozen=True, slots=True)
class Ready:
    """The first word of a worker: the rules that it knows."""

    cards: Mapping[str, RuleSummary]
    mistakes: tuple[str, ...] = ()
    """What is wrong with rules that had to be left out."""


@dataclass(frozen=True, slots=True)
class TimeSpent:
    """A word between a request and its answer: how many seconds of a processor it has taken so far."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Failed:
    """The request could not be answered because of a fault in ddl-lint."""

    reason: str
    details: str


Answer = Outcome | Scopes | Changes | Configured | TextAnswer | SvgAnswer | Launches | Failed

"""Which launch files and configurations of a project its pages, its other launch files and its programs name."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from pathlib import PurePosixPath
from typing import NamedTuple

from ddl_lint.jobs.file_names import SUFFIXES
from ddl_lint.jobs.files import JobFile
from ddl_lint.jobs.neighbourhood import is_within
from ddl_lint.jobs.project_jobs import Jobs

_OPEN = re.compile(r"[$`~*?{}<>]")
_LINK = re.compile(r"\[[^\]\n]*\]\(([^)\s]+)\)")
"""A link of a page: it names what it leads to, not what it is called."""

_OUTPUT = re.compile(
    r"\w*(?:out|save|tmp|temp|result|checkpoint|ckpt)\w*[})]*[\"']?\s*[,/+]\s*f?[\"']?/?$", re.IGNORECASE
)
"""Before the name of a file that a job writes into a folder of its own."""

_STARTING = re.compile(r"\b(?:scripts?|launch\w*|config\w*|jobs?|commands?|sbatch)\b", re.IGNORECASE)
"""A clause of a page with one of these speaks of a folder whose files are to be used."""

_CLAUSE_END = re.compile(r"[,;]|[.:!?]\s|\n")
_PAGES_ASIDE = frozenset({"doc", "docs", "documentation"})


class _Text(NamedTuple):
    """A text that may name files."""

    path: str
    text: str
    is_page: bool


class _Near(NamedTuple):
    """What may name the files of some programs."""

    texts: Sequence[_Text]
    tell_starts: bool
    tell_configurations: bool


class NamedFiles:
    """Who names the launch files of a project: one that is started, or read, is named somewhere."""

    def __init__(self, jobs: Jobs) -> None:
        self._jobs = jobs
        self._root = PurePosixPath(jobs.root.as_posix())
        self._known: dict[str, bool] = {}
        self._known_near: dict[str, _Near] = {}

    def is_idle(self, path: str) -> bool:
        """Whether nothing names a shell script or a configuration, in a project whose pages name others."""
        if path not in self._known:
            self._known[path] = self._is_idle(path)
        return self._known[path]

    def _is_idle(self, path: str) -> bool:
        file = self._jobs.files.get(path)
        if file is None or file.kind not in ("shell", "json", "yaml") or path in self._conventional:
            return False
        near = self._near(self._jobs.neighbourhood.home(path))
        if not (near.tell_starts or (file.kind != "shell" and near.tell_configurations)):
            return False
        return not any(self._names(each, file) for each in near.texts)

    @cached_property
    def _conventional(self) -> frozenset[str]:
        """The files that a tool finds by itself, or that are applied by the folder: workflows, services, manifests."""
        return frozenset(each.file.path for each in (*self._jobs.containers, *self._jobs.workloads)) | {
            path for path in self._jobs.files if "/.github/" in path
        }

    def _near(self, home: str) -> _Near:
        """What may name the files of some programs: a file of a neighbour names none."""
        if home not in self._known_near:
            of = self._jobs.neighbourhood.home
            homes = {path: of(path) for path in (*self._jobs.files, *self._jobs.scripts)}
            here = {path for path, other in homes.items() if is_within(other, home) or is_within(home, other)}
            texts = [
                each
                for each in self._texts()
                if each.path in here
                or (each.is_page and not self._jobs.neighbourhood.are_apart(each.path, home + "/."))
            ]
            self._known_near[home] = _Near(
                texts, self._tell_starts(texts, here), self._tell_configurations(texts, here)
            )
        return self._known_near[home]

    def _tell_starts(self, texts: Sequence[_Text], paths: Collection[str]) -> bool:
        """Whether pages name any script or launch file: a project without pages says nothing of its files."""
        names = {posixpath.basename(path) for path in paths if path.endswith(".py") or self._is_shell(path)}
        words = re.compile(r"[\w.-]+\.\w+")
        return any(not names.isdisjoint(words.findall(each.text)) for each in texts if each.is_page)

    def _tell_configurations(self, texts: Sequence[_Text], paths: Collection[str]) -> bool:
        """Whether programs, or other files, name any configuration: then what is left out is not in use."""
        files = (self._jobs.files.get(path) for path in paths)
        names = {file.name for file in files if file is not None and file.kind in ("json", "yaml")}
        words = re.compile(r"[\w.-]+\.(?:json|ya?ml)\b")
        return any(
            any(name in each.text for name in names) and not names.isdisjoint(words.findall(each.text))
            for each in texts
        )

    def _is_shell(self, path: str) -> bool:
        file = self._jobs.files.get(path)
        return file is not None and file.kind == "shell"

    @cached_property
    def pages(self) -> dict[str, str]:
        """The texts of all pages, with the targets of links in place of what they are called."""
        texts = {path: self._jobs.read(path) for path in self._jobs.all_pages} | dict(self._jobs.pages)
        return {path: _LINK.sub(r"(\1)", text) for path, text in texts.items() if text is not None}

    def _texts(self) -> Iterator[_Text]:
        for path, text in self.pages.items():
            yield _Text(path, text, is_page=True)
        for path, file in self._jobs.files.items():
            yield _Text(path, file.text, is_page=False)
        for path in self._jobs.scripts:
            if (text := self._jobs.read(path)) is not None:
                yield _Text(path, text, is_page=False)

    def _names(self, told: _Text, file: JobFile) -> bool:
        if file.name in told.text and any(self._means(told, match, file) for match in _paths_to(file.name, told.text)):
            return True
        if told.path == file.path:
            return False
        stem = PurePosixPath(file.name).stem
        may_be_chosen = file.kind != "shell" and not told.is_page and stem in told.text
        if may_be_chosen and re.search(rf"[\"'=]{re.escape(stem)}(?:[\"']|\s|$)", told.text) is not None:
            return True
        return any(
            self._names_folder(told, folder, PurePosixPath(file.name).suffix) for folder in self._folders(file.path)
        )

    def _means(self, told: _Text, match: re.Match[str], file: JobFile) -> bool:
        """Whether a path, as it is written, may be that of a file."""
        if told.path == file.path:  # only a comment of its own says how it is started
            line = told.text[told.text.rfind("\n", 0, match.start()) + 1 : match.start()]
            return line.lstrip().startswith("#")
        if _OUTPUT.search(told.text[max(0, match.start() - 80) : match.start()]) is not None:
            return False
        written, is_whole = _known_end(match[0])
        if "/" in written:
            return self._is_end(written, file.path, is_absolute=match[0].startswith(("/", "~")))
        if not is_whole:
            return True
        folder = PurePosixPath(told.path).parent
        if not told.is_page:
            beside = (folder / file.name).as_posix()
            return beside == file.path or beside not in self._jobs.files
        if folder.name.lower() in _PAGES_ASIDE:
            folder = folder.parent
        return PurePosixPath(file.path).is_relative_to(folder)

    def _is_end(self, written: str, path: str, *, is_absolute: bool = False) -> bool:
        """Whether a path with a folder leads to a file or a folder: from inside the project, or from above it. What
        another one fits better is that one. An absolute path may begin elsewhere, as in a container.
        """
        parts, below = written.split("/"), self._below(path)
        alike = _shared_end(parts, below)
        if alike not in (len(parts), len(below)) and not is_absolute:
            return False
        return alike == len(parts) or not any(
            _shared_end(parts, other) > alike for other in self._paths.get(below[-1], ())
        )

    def _below(self, path: str) -> Sequence[str]:
        return PurePosixPath(path).relative_to(self._root).parts

    @cached_property
    def _paths(self) -> dict[str, list[Sequence[str]]]:
        """The files by their names, each as its folders and its name."""
        found: dict[str, list[Sequence[str]]] = {}
        for path in self._jobs.files:
            parts = self._below(path)
            found.setdefault(parts[-1], []).append(parts)
        return found

    def _folders(self, path: str) -> Iterator[str]:
        for folder in PurePosixPath(path).parents:
            if folder == self._root or not folder.is_relative_to(self._root):
                return
            yield folder.as_posix()

    def _names_folder(self, told: _Text, folder: str, suffix: str) -> bool:
        """Whether a text speaks of all files of a folder that end so: by a pattern or a variable for the name, as the
        folder that a program gets, or in a clause of a page about scripts.
        """
        name = posixpath.basename(folder)
        if name not in told.text:
            return False
        for match in re.finditer(rf"(?:[\w.-]+/)*(?<![\w.-]){re.escape(name)}(?![\w.-])", told.text):
            opened = _OPENED.match(told.text, match.end())
            if opened is not None:
                is_meant = _may_end(opened[0], suffix)
            elif told.is_page:
                is_meant = _speaks_of(told.text, match)
            else:
                is_meant = suffix not in SUFFIXES and _JOINED.match(told.text, match.end()) is not None
            if is_meant:
                written = _known_end(match[0])[0]
                if "/" not in written or self._is_end(written, folder):
                    return True
        return False


_OPENED = re.compile(r"/[^\s\"'`),;]*[$*?{<][^\s\"'`),;]*")
"""The rest of a path after a folder, where it takes the place of several."""

_JOINED = re.compile(r"/[\"']|[\"']\)?\s*[,/]")
"""After a folder that a program joins with names, or looks through."""


def _may_end(pattern: str, suffix: str) -> bool:
    """Whether a pattern for paths may be one for files that end so. That of a script says it: most others are data."""
    return pattern.endswith(suffix) or (suffix not in SUFFIXES and "." not in pattern)


def _shared_end(one: Sequence[str], other: Sequence[str]) -> int:
    """How many parts at their ends two paths have in common."""
    pairs = zip(reversed(one), reversed(other), strict=False)
    return next((count for count, (left, right) in enumerate(pairs) if left != right), min(len(one), len(other)))


def _paths_to(name: str, text: str) -> Iterator[re.Match[str]]:
    """The paths that end with a name, as they are written there."""
    return re.finditer(rf"(?:[\w.${{}}*<>~-]*/)*(?<![\w.-]){re.escape(name)}(?![\w-])", text)


def _known_end(written: str) -> tuple[str, bool]:
    """What of a path is known, and whether that is all of it, but for the way up."""
    parts = [part for part in written.split("/") if part not in ("", ".", "..")]
    unknown = [index for index, part in enumerate(parts) if _OPEN.search(part) is not None]
    return "/".join(parts[unknown[-1] + 1 :] if unknown else parts), not unknown


def _speaks_of(text: str, match: re.Match[str]) -> bool:
    """Whether a page speaks of a folder as one of files to be used: in a clause that says so, as code or as a link."""
    before, after = text[match.start() - 1 : match.start()], text[match.end() : match.end() + 2]
    if not (before in ("`", "(") and after.lstrip("/")[:1] in ("`", ")")):
        return False
    first = max(
        (each.end() for each in _CLAUSE_END.finditer(text, max(0, match.start() - 200), match.start())), default=0
    )
    last = _CLAUSE_END.search(text, match.end())
    rest = text[match.end() : last.start() if last is not None else len(text)]
    return _STARTING.search(f"{text[first : match.start()]} {rest}") is not None

"""What makes a hint of a finding, whatever its rule: where it is, and who gets there."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath

from ddl_lint.analysis.interpreter.project.codebase import Codebase
from ddl_lint.analysis.interpreter.project.entries import is_notebook, is_test
from ddl_lint.analysis.syntactic.mentions import inside
from ddl_lint.check.startable import why_not_started
from ddl_lint.check.unused_files import unused_file
from ddl_lint.finding import RuleFinding, Severity
from ddl_lint.jobs.named_files import NamedFiles
from ddl_lint.jobs.project_jobs import Jobs
from ddl_lint.program import code
from ddl_lint.project.contents import SYNTAX_ERROR, Contents
from ddl_lint.project.discover import TEST_FOLDERS
from ddl_lint.project.project_context import packaging_files
from ddl_lint.registry.rules import Rule
from ddl_lint.source import SourceError, read_text
from ddl_lint.source.span import Location

_KEPT_FOLDERS = frozenset({"third_party", "thirdparty", "3rdparty", "vendor", "vendored"})
_OLD_FOLDER = re.compile(
    r"(?:old|deprecated|obsolete|archived?|archives|legacy|backups?|bak)(?:[-_. ]?\d+)*|"
    r"(?:old|deprecated|obsolete|archived?)[-_. ].+|"
    r".+[-_. ](?:old|deprecated|obsolete|archived?|legacy|backup|bak)"
)
"""What a folder is called, in lower case, that holds what was in use once."""

_ENTRIES = frozenset({"main", "cli"})
"""Functions that commands and other programs call, wherever that is written."""

_CELL = re.compile(r"^# In\[[\d *]*\]:", re.MULTILINE)
"""What exporters of notebooks write before each cell."""

_BROKEN = "a syntax error above it keeps the file from being run"


@dataclass(frozen=True)
class Standing:
    """How the files of a project are used, as far as that decides whether a fault in them is met."""

    root: Path
    module: Callable[[str], code.Module | None]
    """The program of a file that was followed."""

    text: Callable[[str], str]
    """The text of such a file."""

    files: Sequence[str]
    """All programs of the project."""

    mentions: Callable[[str, str], bool]
    """Whether a word is in one of them."""

    launched: frozenset[str]
    """The scripts that launch lines start."""

    has_all_callers: Callable[[str], bool]
    """Whether what calls the functions of a file is here: there are scripts near it, and the project is no package that
    others install.
    """

    why_not_started: Callable[[code.Module, Location], str]
    """Why a file cannot get to a place for another reason, as a half sentence; empty where it can."""

    why_unused: Callable[[str], str]
    """Why no job comes to a file with a syntax error, as a half sentence; empty where one may."""

    is_idle: Callable[[str], bool] = lambda _: False
    """Whether a launch file or a configuration is one that nothing names."""

    copies: frozenset[str] = frozenset()
    """Folders below its own with a framework in them that would be installed from there."""

    _live: dict[tuple[str, str], bool] = field(default_factory=dict[tuple[str, str], bool])

    def lowered(
        self,
        found: Iterable[RuleFinding],
        rules: Mapping[str, Rule],
        reached: Collection[tuple[str, Location]] = frozenset(),
    ) -> Iterator[RuleFinding]:
        """The findings, those that no job of the project meets as hints, with the reason.

        Args:
            found: The findings.
            rules: The rules that they are of, by code.
            reached: The codes and places of those that were found where a script in another file comes to: it uses what
                it may have chosen by a name that is in no program.
        """
        for each in found:
            rule, finding = rules.get(each.code), each.finding
            reason = "" if rule is None or rule.info.is_engine else self._reason(finding.location.path, each, reached)
            if not reason and rule is not None and rule.info.several_processes:
                reason = self._why_alone(finding.location.path)
            if reason:
                finding = replace(finding, severity=Severity.INFO, doubt=finding.doubt or reason)
            yield RuleFinding(each.code, finding)

    def lowered_fault(self, fault: RuleFinding) -> RuleFinding:
        """A syntax error, as a hint where no job comes to its file. What is written in another language, and nothing
        starts, is one hint for the whole project; the cells of a notebook that cannot be read are one, too.
        """
        path = fault.location.path
        if fault.finding.cause is not None:
            is_run = path in self.launched
            told = replace(fault.finding, cause=None) if is_run else replace(fault.finding, severity=Severity.INFO)
            return replace(fault, finding=told)
        reason = self.why_unused(path)
        if not reason:
            return fault
        cause = f"cells of {path}" if is_notebook(path) else None
        return replace(fault, finding=replace(fault.finding, severity=Severity.INFO, doubt=reason, cause=cause))

    def _reason(self, path: str, found: RuleFinding, reached: Collection[tuple[str, Location]]) -> str:
        folders = self._folders(path)
        if any(self._is_old(folder) for folder in folders):
            return "this folder holds code that is no longer used"
        if path in self.launched:
            return ""
        if not folders.isdisjoint(_KEPT_FOLDERS) or any(path.startswith(f"{folder}/") for folder in self.copies):
            return "this folder holds a copy of other code"
        if self.is_idle(path):
            return "no page, launch file or program of this project names the file"
        module = self.module(path)
        if not folders.isdisjoint(TEST_FOLDERS) or (module is not None and is_test(module) and _has_tests(module)):
            return "this is the code of a test"
        if module is not None and (reason := self.why_not_started(module, found.location)):
            return reason
        around = _around(module, found.location.start) if module is not None else None
        if module is None or around is None or not self.has_all_callers(path) or self._is_live(module, around):
            return ""
        if (found.code, found.location) in reached:
            return ""
        what = "calls" if isinstance(around, code.Function) else "uses"
        return f"nothing in this project {what} `{around.name}`"

    def _why_alone(self, path: str) -> str:
        """Why a file is one process, as a half sentence; empty where it may be several."""
        is_export = path not in self.launched and _CELL.search(self.text(path)) is not None
        return "this is the export of a notebook, and no launch starts it" if is_export else ""

    def _folders(self, path: str) -> frozenset[str]:
        try:
            below = PurePath(path).relative_to(self.root)
        except ValueError:
            return frozenset()
        return frozenset(part.lower() for part in below.parts[:-1])

    def _is_old(self, folder: str) -> bool:
        """Whether a folder is called like what is no longer in use, and no program outside names it, as one does that
        imports it. A name that is a word says nothing where it is read.
        """
        if _OLD_FOLDER.fullmatch(folder) is None:
            return False
        outside = (path for path in self.files if folder not in self._folders(path))
        return "_" not in folder or not any(self.mentions(path, folder) for path in outside)

    def _is_live(self, module: code.Module, part: code.Function | code.Class) -> bool:
        """Whether something but the function, or class, itself mentions its name, and is not as dead."""
        key = (module.path, part.name)
        if key not in self._live:
            self._live[key] = False  # functions that call only each other are dead
            is_entry = part.name in _ENTRIES or bool(part.decorators)
            self._live[key] = is_entry or any(self._mentioned(module, part))
        return self._live[key]

    def _mentioned(self, module: code.Module, part: code.Function | code.Class) -> Iterator[bool]:
        for path in (module.path, *(path for path in self.files if path != module.path)):
            if path != module.path and not self.mentions(path, part.name):
                continue
            other = module if path == module.path else self.module(path)
            if other is None:
                yield True
                continue
            yield any(self._uses(other, part, itself=other is module))

    def _uses(self, module: code.Module, part: code.Function | code.Class, *, itself: bool) -> Iterator[bool]:
        """Whether each mention of a function or class in a file is one that runs. An import only tells what the others
        mean; of a file without others, it may pass it on.
        """
        found = re.finditer(rf"(?m)^[^#\n]*?(?<!def )(?<!class )\b({re.escape(part.name)})\b", self.text(module.path))
        places = [each.start(1) for each in found if not (itself and part.start <= each.start(1) < part.end)]
        imports = _plain_imports(module, part.name)
        used = [place for place in places if not any(each.start <= place < each.end for each in imports)]
        for place in used or places:
            around = _around(module, place)
            yield around is None or self._is_live(module, around)


def standing(
    root: Path, codebase: Codebase, files: Contents, jobs: Jobs, frameworks: Collection[str], scripts: Collection[str]
) -> Standing:
    """How the files of a project are used.

    Args:
        root: Its folder.
        codebase: Its programs.
        files: What they hold.
        jobs: What launch files start.
        frameworks: The packages that API models know.
        scripts: What of it is started, by the paths.
    """
    named = NamedFiles(jobs)
    near, is_package = jobs.neighbourhood, any(map(_installs_others, packaging_files(root)))
    unread = {fault.location.path for fault in files.faults}
    broken: dict[str, int] = {}
    for fault in files.faults:
        if fault.code == SYNTAX_ERROR and fault.finding.cause is None:
            place = fault.location
            broken[place.path] = min(place.start, broken.get(place.path, place.start))
    names = {source.path: name for name, source in codebase.sources.items()}

    def module(path: str) -> code.Module | None:
        return codebase.module(names[path]) if path in names and path.endswith(".py") else None

    def has_all_callers(path: str) -> bool:
        return not is_package and any(
            not near.are_apart(script, path) or near.reaches(script, path) for script in scripts
        )

    def mentions(path: str, word: str) -> bool:
        named = rf"(?m)^[^#\n]*(?<!def )(?<!class )\b{re.escape(word)}\b".encode()  # a comment calls nothing
        return re.search(named, files.bytes_of(path) or b"") is not None

    def why_not(module: code.Module, place: Location) -> str:
        if place.path not in unread:
            return why_not_started(module, place, codebase)
        # In an editor, a line that is not yet written changes nothing of the others.
        is_behind = place.start > broken.get(place.path, place.start) and not files.is_replaced(place.path)
        return _BROKEN if is_behind else ""

    return Standing(
        root,
        module,
        lambda path: document.text if (document := files.document(path)) is not None else "",
        list(names),
        mentions,
        frozenset(launch.script for launch in jobs.known_launches if launch.script),
        has_all_callers,
        why_not,
        lambda path: (
            "" if files.is_replaced(path) else unused_file(path, names, jobs, named, mentions, is_package=is_package)
        ),
        named.is_idle,
        frozenset(each for each in codebase.packages if PurePath(each).name in frameworks and each != root.as_posix()),
    )


def _installs_others(path: Path) -> bool:
    """Whether a file for packaging makes a package that others install; it may hold settings of tools only."""
    try:
        text = read_text(path.as_posix())
    except SourceError:
        return True
    return path.suffix != ".toml" or any(table in text for table in ("[project]", "[tool.poetry]"))


_OF_TEST = re.compile(r"[Tt]est.*|.+Tests?(?:Case|Base)?")


def _has_tests(module: code.Module) -> bool:
    return any(
        isinstance(statement, (code.Function, code.Class)) and _OF_TEST.fullmatch(statement.name) is not None
        for statement in module.body
    )


def _plain_imports(module: code.Module, name: str) -> Sequence[code.ImportFrom]:
    """The imports of a file that bring in what has a name, under that name. A package passes on what it imports."""
    if module.is_package:
        return ()
    imports = (each for each in inside(module.body) if isinstance(each, code.ImportFrom))
    return [each for each in imports if (name, None) in each.names]


def _around(module: code.Module, offset: int) -> code.Function | code.Class | None:
    """The function at the top level of a module around an offset, or the class that only the project's own code can
    make objects of: libraries find others by their base class, or by what configurations call them.
    """
    for statement in module.body:
        if isinstance(statement, (code.Function, code.Class)) and statement.start <= offset < statement.end:
            is_own = isinstance(statement, code.Function) or not (statement.bases or statement.keywords)
            return statement if is_own else None
    return None

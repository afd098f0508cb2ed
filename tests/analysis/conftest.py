"""Follows small projects that are made up in memory, with the API models that we ship.

What a program computes is seen through `torch.save(value, "label")`: the event `save` tells the value, and where it is.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

import pytest

from ddl_lint.analysis.interpreter.machine import Installed
from ddl_lint.analysis.interpreter.project.codebase import Codebase, Source, name_of
from ddl_lint.analysis.runs import Analyzer, RunCheck
from ddl_lint.analysis.view import ProjectContext, RunView
from ddl_lint.frameworks.index import ApiIndex
from ddl_lint.jobs.settings_files import SettingsFiles
from ddl_lint.lowering import lower
from ddl_lint.program import code
from ddl_lint.program.events import EventKind
from ddl_lint.program.followed import Budget
from ddl_lint.program.trace import Event, Run
from ddl_lint.program.values import Const, Value
from ddl_lint.source import Document
from shipped import shipped_index

ROOT = PurePosixPath("/project")
NO_BUDGETS: Mapping[str, Budget] = {}


@dataclass(frozen=True)
class Followed:
    """The runs of a project."""

    views: list[RunView]

    @property
    def runs(self) -> list[Run]:
        """The runs themselves."""
        return [view.run for view in self.views]

    @property
    def script(self) -> Run:
        """The only script."""
        (run,) = [run for run in self.runs if run.kind == "script"]
        return run

    @property
    def libraries(self) -> list[Run]:
        """The runs of what no script reaches."""
        return [run for run in self.runs if run.kind == "library"]

    def events(self, *kinds: str) -> list[Event]:
        """The events of the only script, in order."""
        return [event for event in self.script.events if not kinds or event.kind in kinds]

    def saves(self, label: str) -> list[Event]:
        """Where the script saves something under a label."""
        return [event for event in self.events("save") if event.operands["path"] == Const(label)]

    def saved(self, label: str = "x") -> Value:
        """What the script saves under a label, in one place."""
        (event,) = self.saves(label)
        return event.operands["object"]

    @property
    def labels(self) -> list[object]:
        """The labels under which the script saves, in order."""
        paths = [event.operands["path"] for event in self.events("save")]
        return [path.value for path in paths if isinstance(path, Const)]


@pytest.fixture(scope="session")
def api() -> ApiIndex:
    return shipped_index()


@pytest.fixture
def codebase_of() -> Callable[..., Codebase]:
    """Makes a code base of {file name: source}."""

    def make(project: Mapping[str, str], root: PurePosixPath = ROOT) -> Codebase:
        texts = {(root / name).as_posix(): textwrap.dedent(text) for name, text in project.items()}

        def read(source: Source) -> code.Module:
            return lower(Document(source.path, texts[source.path]), source.name, is_package=source.is_package).module

        return Codebase([name_of(PurePosixPath(path), root) for path in texts], read)

    return make


@pytest.fixture
def follow_project(api, codebase_of) -> Callable[..., Followed]:
    """Follows {file name: source}, or one source as `main.py`; `names` are the checked modules, all by default,
    `wanted` the kinds of events that are recorded beside those that always are.
    """

    def run(
        project: Mapping[str, str] | str,
        names: Iterable[str] | None = None,
        installed: Installed | None = None,
        wanted: Iterable[EventKind] = (),
        budgets: Mapping[str, Budget] = NO_BUDGETS,
        root: PurePosixPath = ROOT,
        settings_files: SettingsFiles | None = None,
    ):
        codebase = codebase_of({"main.py": project} if isinstance(project, str) else project, root)
        project_context = ProjectContext(api, codebase, names=codebase.sources if names is None else names)
        project_context.budgets = budgets
        run_check = RunCheck[RunView](lambda run: run, wanted=frozenset(wanted))
        views = Analyzer[RunView](api, installed).run(project_context, run_check, settings_files)
        return Followed([view for view in views if view.run.events or view.is_script])

    return run


@pytest.fixture
def value_of(follow_project) -> Callable[..., Value]:
    """The value of `x` at the end of a program, whose other files may be given."""

    def value(program: str, files: Mapping[str, str] | None = None) -> Value:
        source = f"import torch\n{textwrap.dedent(program)}\ntorch.save(x, 'x')\n"
        return follow_project({"main.py": source, **(files or {})}).saved()

    return value

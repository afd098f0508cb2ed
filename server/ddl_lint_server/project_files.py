"""Which project a document belongs to, and which files are checked with it."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from ddl_lint.check.configuration import Resolver
from ddl_lint.project import config, project_context
from ddl_lint.project.discover import discover
from ddl_lint.registry.rules import Rule
from ddl_lint_server.messages import Text, Workspace
from ddl_lint_server.settings import configuration_of, folder_of, policy_of

_DISCOVERY_HOLDS = 5.0
"""Seconds after which a project's files are looked for again, on behalf of editors that do not watch files."""


class ProjectFiles:
    """The projects around some open texts, and the settings of their files: looked up once, until something changes."""

    def __init__(self, rules: Sequence[Rule], texts: Mapping[str, Text]) -> None:
        self._rules = rules
        self._texts = texts
        self.workspace = Workspace()
        self.settings_for = Resolver(configuration_of(self.workspace, policy_of(rules)), rules)
        self._scopes: dict[str, str] = {}
        self._discovered: dict[str, tuple[float, tuple[Path, ...]]] = {}

    def forget(self, workspace: Workspace) -> None:
        """Look everything up anew, with these settings of the editor."""
        config.forget()
        project_context.forget()
        self.workspace = workspace
        self.settings_for = Resolver(configuration_of(workspace, policy_of(self._rules)), self._rules)
        self._scopes.clear()
        self._discovered.clear()

    def scope(self, path: str) -> str:
        """The folder of the project around a document; empty if it is checked by itself.

        That is the nearest folder that looks like the root of a project, if it lies in the workspace; else the
        workspace folder. Without both there is no telling how much of the disk a project would be.
        """
        text = self._texts.get(path)
        if text is not None and not text.is_file:
            return ""
        parent = Path(path).parent.as_posix()
        if parent not in self._scopes:
            self._scopes[parent] = self._scope_of_folder(Path(parent))
        return self._scopes[parent]

    def _scope_of_folder(self, parent: Path) -> str:
        root = project_context.marked_root(parent)
        folder = folder_of(self.workspace, parent.as_posix())
        if folder:
            return root.as_posix() if root is not None and root.is_relative_to(folder) else folder
        if root is None or root == root.parent or _is_home(root):
            return ""
        return root.as_posix()

    def paths(self, scope: str) -> Sequence[Path]:
        """The files of a project: those that `ddl-lint check` would find, and open ones that it could not."""
        known = self._discovered.get(scope)
        now = time.monotonic()
        if known is None or now - known[0] > _DISCOVERY_HOLDS:
            files = discover([Path(scope)], self.settings_for).files
            # Of nested projects each is one of its own.
            files = tuple(file for file in files if self.scope(file.as_posix()) == scope)
            if known is not None and known[1] != files:
                project_context.forget()
            self._discovered[scope] = known = (time.monotonic(), files)
        paths = set(known[1])
        for path in self._texts:
            if self.scope(path) == scope and Path(path) not in paths and not self.is_excluded(path):
                paths.add(Path(path))
        return sorted(paths)

    def is_excluded(self, path: str) -> bool:
        """Whether the settings leave out a file of the disk."""
        if not os.path.exists(path):
            return False
        found = discover([Path(path)], self.settings_for, force_exclude=True)
        return not found.files and not found.problems


def _is_home(folder: Path) -> bool:
    try:
        return folder == Path.home()
    except RuntimeError:  # there is none
        return False

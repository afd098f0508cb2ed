"""The settings of the files of a check, and the rules that they turn on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from ddl_lint.check.selection import select_rules
from ddl_lint.project.config import Settings
from ddl_lint.project.discover import LeftOut
from ddl_lint.registry.rules import Rule


class FileSettings:
    """The settings of files, and the codes of the rules that they turn on, by path."""

    def __init__(self, settings_for: Callable[[Path], Settings], rules: Sequence[Rule]) -> None:
        self.settings: dict[str, Settings] = {}
        self.active: dict[str, set[str]] = {}
        self._settings_for = settings_for
        self._rules = rules
        self._chosen: dict[int, set[str]] = {}

    def take(self, path: Path) -> None:
        """Find out what holds for a file. Raises `ConfigError` where it cannot be used."""
        settings = self._settings_for(path)
        if id(settings) not in self._chosen:  # a folder's files share theirs
            self._chosen[id(settings)] = {rule.code for rule in select_rules(self._rules, settings)}
        self.settings[path.as_posix()] = settings
        self.active[path.as_posix()] = self._chosen[id(settings)]

    def take_all(self, paths: Iterable[str]) -> None:
        """The same for several, but for those that are known already."""
        for path in paths:
            if path not in self.settings:
                self.take(Path(path))

    def take_others(self, paths: Iterable[str], is_left_out: LeftOut) -> list[str]:
        """The same for other files of the project; returns those that a check of all of it would check."""
        kept = [path for path in paths if path not in self.settings and not is_left_out(Path(path))]
        for path in kept:
            self.take(Path(path))
        return kept

"""The settings of a file: what is configured beside it, with the editor's settings put over it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ddl_lint.check.overrides import Overrides, overriding
from ddl_lint.project import config
from ddl_lint.project.config import ConfigError, Settings
from ddl_lint.registry.rules import Rule
from ddl_lint_server.messages import Options, World

EDITOR = Path("the editor's settings")
"""What stands for a file in errors about them."""


def options_of(world: World, path: str) -> Options:
    """What the editor's settings say about a file: those of the innermost workspace folder around it."""
    return world.options.get(folder_of(world, path), Options())


def folder_of(world: World, path: str) -> str:
    """The innermost workspace folder around a file; empty if there is none."""
    return next((folder for folder in world.folders if Path(path).is_relative_to(folder)), "")


@dataclass(frozen=True)
class Resolver:
    """Answers which settings apply to a file, for one state of the editor's settings."""

    rules: Sequence[Rule]
    world: World

    def __call__(self, path: Path) -> Settings:
        """The settings of a file or folder.

        Raises:
            ConfigError: the configuration, or what the editor says, cannot be used.
        """
        folder = folder_of(self.world, path.as_posix())
        options = self.world.options.get(folder, Options())
        if options.configuration:
            settings = self._load(Path(folder, Path(options.configuration).expanduser()))
        else:
            settings = config.resolve(path)
        return self._over(folder)(settings)

    @functools.cached_property
    def _load(self) -> Callable[[Path], Settings]:
        return functools.cache(config.load)

    @functools.cached_property
    def _over(self) -> Callable[[str], Callable[[Settings], Settings]]:
        return functools.cache(self._overriding)

    def _overriding(self, folder: str) -> Callable[[Settings], Settings]:
        options = self.world.options.get(folder, Options())
        try:
            overrides = Overrides(
                select=options.select,
                ignore=options.ignore,
                extend_select=options.extend_select,
                exclude=options.exclude,
                pedantic=options.pedantic,
                preview=options.preview,
                target=config.parse_target(options.target),
                folder=Path(folder) if folder else None,
            )
            return overriding(overrides, self.rules)
        except ValueError as error:
            raise ConfigError(EDITOR, str(error)) from None

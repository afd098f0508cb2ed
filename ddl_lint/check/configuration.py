"""How the settings of files are found: those that are beside them or others, and what is said over them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ddl_lint.check.overrides import Overrides, overriding
from ddl_lint.project import config
from ddl_lint.project.config import ConfigError, Settings
from ddl_lint.project.policy import Policy
from ddl_lint.registry.rules import Rule


@dataclass(frozen=True)
class Configuration:
    """What a command line or an editor says about settings."""

    overrides: Overrides = field(default_factory=Overrides)
    fixed: Settings | Path | None = None
    """Settings for all files, or the configuration file that holds them, in place of what is beside each file."""

    folders: Mapping[str, Configuration] = field(default_factory=lambda: {})
    """What is said about the files below a folder instead; the innermost folders come first."""

    origin: Path = Path("the command line")
    """What is named instead of a file in errors about the overrides."""

    policy: Policy = field(default_factory=Policy)
    """What holds whatever is said; that of this object, not of those for folders."""


@dataclass(frozen=True)
class Resolver:
    """Answers which settings apply to a file."""

    configuration: Configuration
    rules: Sequence[Rule]

    def __call__(self, path: Path) -> Settings:
        """The settings of a file or folder; equal ones are the same object.

        Raises:
            ConfigError: the configuration, or what is said over it, cannot be used.
        """
        folder = next((folder for folder in self.configuration.folders if path.is_relative_to(folder)), "")
        fixed, over = self._said(folder)
        return self._bound(over(config.for_file(fixed, path) if fixed is not None else config.resolve(path)))

    @functools.cached_property
    def _bound(self) -> Callable[[Settings], Settings]:
        """Settings under the policy; equal ones are the same object."""
        return functools.cache(self.configuration.policy.over)

    @functools.cached_property
    def _said(self) -> Callable[[str], tuple[Settings | None, Callable[[Settings], Settings]]]:
        return functools.cache(self._said_about)

    def _said_about(self, folder: str) -> tuple[Settings | None, Callable[[Settings], Settings]]:
        """The settings of all files below a folder, if they share theirs, and what puts the overrides over settings."""
        said = self.configuration.folders.get(folder, self.configuration)
        fixed = config.load(said.fixed) if isinstance(said.fixed, Path) else said.fixed
        try:
            return fixed, overriding(said.overrides, self.rules)
        except ValueError as error:
            raise ConfigError(said.origin, str(error)) from None

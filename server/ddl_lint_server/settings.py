"""The settings of a file: what is configured beside it, with the editor's settings put over it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ddl_lint import schema
from ddl_lint.project import config
from ddl_lint.project.config import ConfigError, Settings
from ddl_lint.rules import Rule, unknown_selector
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
        return self._over(settings, folder)

    @functools.cached_property
    def _load(self) -> Callable[[Path], Settings]:
        return functools.cache(config.load)

    @functools.cached_property
    def _over(self) -> _Over:
        return _Over(self.rules, self.world)


class _Over:
    """Puts options over settings, each pair once: equal settings are the same object, which makes checks quicker."""

    def __init__(self, rules: Sequence[Rule], world: World) -> None:
        self._rules = rules
        self._codes = {rule.name: rule.code for rule in rules}
        self._world = world
        self._made: dict[tuple[str, int], tuple[Settings, Settings]] = {}

    def __call__(self, settings: Settings, folder: str) -> Settings:
        key = (folder, id(settings))
        known = self._made.get(key)
        if known is None or known[0] is not settings:
            self._judge(settings)
            options = self._world.options.get(folder, Options())
            self._made[key] = known = (settings, self._overridden(settings, options, folder))
        return known[1]

    def _judge(self, settings: Settings) -> None:
        """Rule names can only be judged where the rules are known."""
        lists: dict[schema.Path, Iterable[str]] = {
            ("select",): settings.select or (),
            ("ignore",): settings.ignore,
            ("extend-select",): settings.extend_select,
            ("severity",): settings.severity,
            ("unfixable",): settings.unfixable,
            ("extend-safe-fixes",): settings.extend_safe_fixes,
            ("extend-unsafe-fixes",): settings.extend_unsafe_fixes,
            **{("per-file-ignores", glob): listed for glob, listed in settings.per_file_ignores.items()},
        }
        for path, selectors in lists.items():
            if unknown := unknown_selector(selectors, self._rules):
                raise config.key_error(settings, path, unknown[1])

    def _overridden(self, settings: Settings, options: Options, folder: str) -> Settings:
        for selectors in (options.select or (), options.extend_select, options.ignore):
            if unknown := unknown_selector(selectors, self._rules):
                raise ConfigError(EDITOR, unknown[1])
        try:
            target = config.parse_target(options.target)
        except ValueError as error:
            raise ConfigError(EDITOR, str(error)) from None
        select, extend_select, ignore = settings.select, settings.extend_select, settings.ignore
        if options.select is not None:
            # As on the command line: who selects a rule by name wants to see it, whatever the file ignores.
            named = {self._codes.get(selector, selector) for selector in options.select}
            select, extend_select = options.select, ()
            ignore = tuple(each for each in ignore if self._codes.get(each, each) not in named)
        return replace(
            settings,
            select=select,
            extend_select=(*extend_select, *options.extend_select),
            ignore=(*ignore, *options.ignore),
            extend_exclude=(*settings.extend_exclude, *options.exclude),
            pedantic=settings.pedantic or options.pedantic,
            preview=settings.preview or options.preview,
            target={**settings.target, **target},
            root=settings.root or (Path(folder) if folder else None),
        )

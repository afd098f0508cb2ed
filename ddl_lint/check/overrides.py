"""What somebody says who runs ddl-lint, on the command line or in an editor, over what the configuration files say."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ddl_lint.project.config import Settings, key_error, parse_target
from ddl_lint.project.selectors import unknown_selector
from ddl_lint.registry import schema
from ddl_lint.registry.rules import Rule, normal_name


class UnknownRule(ValueError):
    """The overrides name a rule that does not exist; `str()` of it says which, and which one may be meant."""


@dataclass(frozen=True)
class Overrides:
    """Settings that take precedence over those of a file. None means that nothing is said."""

    select: tuple[str, ...] | None = None
    """Who selects a rule by name wants to see it, whatever the file ignores."""
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    """Globs, in addition to those of the file; relative to `folder`."""
    pedantic: bool = False
    preview: bool = False
    hints: bool = False
    include_tests: bool = False
    max_steps: int | None = None
    max_seconds: float | None = None
    max_check_seconds: float | None = None
    unsafe_fixes: bool | None = None
    fail_on: tuple[str, ...] | None = None
    target: tuple[str, ...] = ()
    """Versions, such as `torch==2.1`; of other packages, those of the file hold."""
    folder: Path | None = None
    """The working directory or workspace folder: the root of what has no configuration file."""


def overriding(overrides: Overrides, rules: Sequence[Rule]) -> Callable[[Settings], Settings]:
    """A function that puts overrides over the settings of a file; equal settings give the same object.

    Rule names can only be judged where the rules are known, which is here: the function raises `ConfigError` for a file
    that names a rule which does not exist.

    Raises:
        UnknownRule: so do the overrides.
        ValueError: a target of theirs is no version of a package.
    """
    target = parse_target(overrides.target)
    for selectors in (overrides.select or (), overrides.extend_select, overrides.ignore):
        if unknown := unknown_selector(selectors, rules):
            raise UnknownRule(unknown[1])
    codes = {rule.name: normal_name(rule.code) for rule in rules}

    @functools.cache
    def over(settings: Settings) -> Settings:
        _judge(settings, rules)
        return _overridden(settings, overrides, target, codes)

    return over


def _judge(settings: Settings, rules: Sequence[Rule]) -> None:
    lists: dict[schema.Path, Iterable[str]] = {
        ("select",): settings.select or (),
        ("ignore",): settings.ignore,
        ("extend-select",): settings.extend_select,
        ("severity",): settings.severity,
        ("enforce",): settings.enforce,
        ("unfixable",): settings.unfixable,
        ("extend-safe-fixes",): settings.extend_safe_fixes,
        ("extend-unsafe-fixes",): settings.extend_unsafe_fixes,
        **{("per-file-ignores", glob): listed for glob, listed in settings.per_file_ignores.items()},
    }
    for path, selectors in lists.items():
        if unknown := unknown_selector(selectors, rules):
            raise key_error(settings, path, unknown[1], unknown[0])


def _overridden(
    settings: Settings, overrides: Overrides, target: Mapping[str, str], codes: Mapping[str, str]
) -> Settings:
    select, extend_select, ignore = settings.select, settings.extend_select, settings.ignore
    enforce = settings.enforce
    if overrides.select is not None:
        named = {_label(selector, codes) for selector in overrides.select}
        select, extend_select = overrides.select, ()
        ignore = tuple(selector for selector in ignore if _label(selector, codes) not in named)
        enforce = ()  # who looks at some rules wants to see these
    root = settings.root or overrides.folder
    return replace(
        settings,
        select=select,
        extend_select=(*extend_select, *overrides.extend_select),
        ignore=(*ignore, *overrides.ignore),
        enforce=enforce,
        extend_exclude=(
            *settings.extend_exclude,
            *(_from_root(glob, overrides.folder, root) for glob in overrides.exclude),
        ),
        pedantic=settings.pedantic or overrides.pedantic,
        preview=settings.preview or overrides.preview,
        hints=settings.hints or overrides.hints,
        include_tests=settings.include_tests or overrides.include_tests,
        max_steps=overrides.max_steps or settings.max_steps,
        max_seconds=overrides.max_seconds or settings.max_seconds,
        max_check_seconds=overrides.max_check_seconds or settings.max_check_seconds,
        unsafe_fixes=settings.unsafe_fixes if overrides.unsafe_fixes is None else overrides.unsafe_fixes,
        fail_on=settings.fail_on if overrides.fail_on is None else overrides.fail_on,
        target={**settings.target, **target},
        root=root,
    )


def _label(selector: str, codes: Mapping[str, str]) -> str:
    """One word for a rule, whether its name or its code is written."""
    word = normal_name(selector)
    return codes.get(word, word)


def _from_root(glob: str, folder: Path | None, root: Path | None) -> str:
    """A glob relative to a folder, as one relative to the configuration's folder."""
    if folder is not None and root is not None:
        with contextlib.suppress(ValueError):
            below = folder.relative_to(root).as_posix()
            if "/" in glob.rstrip("/") and below != ".":
                return f"/{below}/{glob.removeprefix('./')}"
    return glob.removeprefix("./")

"""What somebody says who runs ddl-lint, on the command line or in an editor, over what the configuration files say."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ddl_lint.project.config import ConfigError, Settings, key_error, parse_target, with_said
from ddl_lint.project.config_file import table_of
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
    said: Mapping[str, Any] = field(default_factory=dict[str, Any], hash=False)
    """More settings, under the keys of a file."""
    yields: bool = False
    """Whether what the files say takes precedence, key by key."""
    folder: Path | None = None
    """The working directory or workspace folder: the root of what has no configuration file."""


def overriding(overrides: Overrides, rules: Sequence[Rule]) -> Callable[[Settings], Settings]:
    """A function that puts overrides over the settings of a file; equal settings give the same object.

    Rule names can only be judged where the rules are known, which is here: the function raises `ConfigError` for a file
    that names a rule which does not exist.

    Raises:
        UnknownRule: so do the overrides.
        ValueError: a target of theirs is no version of a package, or what they say under the keys of a file is none of
            its settings.
    """
    target = parse_target(overrides.target)
    try:
        table_of(Path(), overrides.said)
    except ConfigError as error:
        raise ValueError(error.message) from None
    said = _selectors(with_said(Settings(), overrides.said)).values()
    for selectors in (overrides.select or (), overrides.extend_select, overrides.ignore, *said):
        if unknown := unknown_selector(selectors, rules):
            raise UnknownRule(unknown[1])
    codes = {rule.name: normal_name(rule.code) for rule in rules}

    @functools.cache
    def over(settings: Settings) -> Settings:
        _judge(settings, rules)
        return _overridden(settings, overrides, target, codes)

    return over


def _judge(settings: Settings, rules: Sequence[Rule]) -> None:
    for path, selectors in _selectors(settings).items():
        if unknown := unknown_selector(selectors, rules):
            raise key_error(settings, path, unknown[1], unknown[0])


def _selectors(settings: Settings) -> dict[schema.Path, Iterable[str]]:
    """All words for rules, by where they are written."""
    return {
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


def _overridden(
    settings: Settings, overrides: Overrides, target: Mapping[str, str], codes: Mapping[str, str]
) -> Settings:
    if overrides.yields:
        overrides, target = _yielding(overrides, settings.said), {**target, **settings.target}
    settings = with_said(_without_levels(settings, overrides, codes), overrides.said, yields=overrides.yields)
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


def _without_levels(settings: Settings, overrides: Overrides, codes: Mapping[str, str]) -> Settings:
    """The settings without the severities that are said again over them, by a rule's other name perhaps."""
    again = {_label(selector, codes) for selector in overrides.said.get("severity", ())}
    own: Mapping[str, Any] = settings.said.get("severity", {})
    if overrides.yields or not again.intersection(_label(selector, codes) for selector in own):
        return settings
    left = {selector: level for selector, level in own.items() if _label(selector, codes) not in again}
    return replace(settings, said={**settings.said, "severity": left})


def _yielding(overrides: Overrides, said: Mapping[str, Any]) -> Overrides:
    """What is left of overrides where the files have the last word."""
    return replace(
        overrides,
        select=overrides.select if "select" not in said else None,
        ignore=overrides.ignore if "ignore" not in said else (),
        extend_select=overrides.extend_select if "extend-select" not in said else (),
        exclude=overrides.exclude if not {"exclude", "extend-exclude"} & said.keys() else (),
        pedantic=overrides.pedantic and "pedantic" not in said,
        preview=overrides.preview and "preview" not in said,
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

"""The editor's settings: from the start of the session, from what the client sends, from what it is asked for."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, cast, get_args

from ddl_lint.registry.schema import nearest
from ddl_lint_server.messages import Options, Preference

SECTION = "ddl-lint"
"""The name of the settings in an editor."""

_LISTS = frozenset({"select", "ignore", "extend_select", "exclude", "target"})
_FLAGS = frozenset({"enable", "pedantic", "preview"})
_CHOICES: Mapping[str, tuple[str, ...]] = {
    "diagnostic_mode": ("openFilesOnly", "workspace"),
    "configuration_preference": get_args(Preference),
}
_TABLES = frozenset({"configuration", "severity"})
"""What may be an object: settings under the keys of a configuration file, and the severity of rules."""
_ONLY_IN_FILES = frozenset({"extends", "root", "required-version", "models"})
_NUMBERS = frozenset({"debounce", "patience", "time_limit"})
"""Those of the server itself: seconds from the last key to the check, and that a check may take."""
_OF_THE_EXTENSION = frozenset(
    {
        "args",
        "code_action",
        "command_links",
        "cwd",
        "fix_all",
        "import_strategy",
        "interpreter",
        "log_level",
        "path",
        "rule_page_scheme",
        "server",
        "show_notifications",
        "trace",
    }
)
"""What is in the same section and is read by the client only."""

_KNOWN = _LISTS | _FLAGS | _TABLES | _NUMBERS | _CHOICES.keys()

Complain = Callable[[str], None]


def options_from(settings: object, complain: Complain) -> Options:
    """What an editor says about checks. What it should not say is complained about and left out."""
    values: dict[str, Any] = {}
    tables: dict[str, dict[str, Any]] = {}
    for key, value in _flat(settings).items():
        if value is None or key in _NUMBERS or key in _OF_THE_EXTENSION:
            continue
        shown = f"the editor's setting `{key.replace('_', '-')}`"
        if key in _LISTS:
            if key == "target" and isinstance(value, Mapping):
                value = [f"{name}=={version}" for name, version in cast("Mapping[str, str]", value).items()]
            words = _words(value)
            if words is None:
                complain(f"{shown} must be a list of texts")
            elif words or key != "select":  # an empty list is what editors send for "nothing was said"
                values[key] = words
        elif key in _FLAGS:
            if isinstance(value, bool):
                values[key] = value
            else:
                complain(f"{shown} must be true or false")
        elif key in _CHOICES:
            if value in _CHOICES[key]:
                values[key] = value
            else:
                complain(f"{shown} must be {' or '.join(f'`{each}`' for each in _CHOICES[key])}")
        elif key == "configuration" and isinstance(value, str):
            values[key] = value
        elif key in _TABLES:
            table = _plain(value)
            if isinstance(table, dict):
                tables[key] = cast("dict[str, Any]", table)
            else:
                complain(f"{shown} must be {'a text or ' if key == 'configuration' else ''}an object")
        else:
            complain(f"unknown setting `{key.replace('_', '-')}` in the editor{nearest(key, sorted(_KNOWN))}")
    mode = values.pop("diagnostic_mode", "workspace")
    preference = values.pop("configuration_preference", "editorFirst")
    said = _settings(tables.get("configuration", {}), complain)
    if severity := tables.get("severity"):
        said["severity"] = {**said.get("severity", {}), **severity}
    return Options(**values, said=said, preference=preference, is_workspace_shown=mode == "workspace")


def _settings(table: Mapping[str, Any], complain: Complain) -> dict[str, Any]:
    """The keys of a configuration file that an editor may say."""
    for key in _ONLY_IN_FILES & table.keys():
        complain(f"the editor's setting `configuration` cannot have `{key}`: that is for files only")
    return {key: value for key, value in table.items() if key not in _ONLY_IN_FILES}


def _plain(value: object) -> Any:
    """What the protocol's library has made an object of, as a table again."""
    if isinstance(value, list | tuple):
        return [_plain(each) for each in cast("list[object]", value)]
    table = _mapping(value)
    return {key: _plain(each) for key, each in table.items()} if table or isinstance(value, Mapping) else value


def seconds_from(settings: object, key: str) -> float | None:
    """One of the server's own numbers; None if it is not given or makes no sense."""
    value = _flat(settings).get(key)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 3600:
        return None
    return float(value)


def _flat(settings: object) -> dict[str, Any]:
    """The keys as Python writes them, whatever the style; `lint.select` is `select`."""
    found: dict[str, Any] = {}
    for key, value in _mapping(settings).items():
        name = re.sub(r"(?<=[a-z])(?=[A-Z])|[-.]", "_", key).lower()
        if name in ("settings", "lint", "ddl_lint"):
            found.update(_flat(value))
        else:
            found[name] = value
    return found


def _mapping(value: object) -> Mapping[str, Any]:
    if isinstance(value, Mapping):
        return {str(key): each for key, each in cast("Mapping[object, Any]", value).items()}
    inner = getattr(value, "__dict__", None)  # the protocol's library makes objects of what it does not know
    return cast("Mapping[str, Any]", inner) if isinstance(inner, dict) else {}


def _words(value: object) -> tuple[str, ...] | None:
    if not isinstance(value, list | tuple):
        return None
    words = cast("list[object]", value)
    return tuple(word for word in words if isinstance(word, str)) if all(isinstance(w, str) for w in words) else None

"""Which change of a project's configuration leaves a rule out."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from ddl_lint.project.config import PYPROJECT, Settings
from ddl_lint.project.config_edit import with_ignored
from ddl_lint.source import ColumnUnit, Document, SourceError, read_text
from ddl_lint_server.messages import Configured, TextAnswer
from ddl_lint_server.places import Placer

_NEW = "ddl-lint.toml"


def left_out(
    rule: str, settings: Settings, folders: Sequence[str], texts: Mapping[str, str], unit: ColumnUnit
) -> Configured | TextAnswer:
    """The change of the configuration file that counts; or of one that will, if there is none. Else why not.

    Args:
        rule: Its name.
        settings: Those of a file of the project.
        folders: Those of the project and of the workspace, if there are. Nothing outside of them is changed.
        texts: The content of open configuration files, by path.
        unit: What columns count in.
    """
    if not folders:
        return TextAnswer("no project is known around this file", is_fault=True)
    file = settings.source if settings.source is not None else _future(Path(folders[0]))
    if not any(file.resolve().is_relative_to(Path(folder).resolve()) for folder in folders):
        return TextAnswer(
            f"{file} is not in the folder of the project; add the rule to its key `ignore`", is_fault=True
        )
    path = file.as_posix()
    is_new = path not in texts and not os.path.lexists(file)
    try:
        before = texts[path] if path in texts else "" if is_new else read_text(path)
    except SourceError as error:
        return TextAnswer(f"{file}: {error.message}", is_fault=True)
    after = with_ignored(before, rule, in_pyproject=file.name == PYPROJECT)
    if after is None:
        return TextAnswer(f"{file} cannot be changed by ddl-lint; add `{rule}` to its key `ignore`", is_fault=True)
    document = Document(path, before, "text")
    changes = Placer({path: document}, unit, {}).between(document, before, after)
    return Configured(path, is_new, tuple(changes))


def _future(folder: Path) -> Path:
    """The file that will hold the configuration of a project without one."""
    known = folder / PYPROJECT
    return known if known.is_file() else folder / _NEW

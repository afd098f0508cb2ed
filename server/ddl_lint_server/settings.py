"""The settings of files in an editor: what is configured beside them, with the editor's settings put over it."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ddl_lint.check.configuration import Configuration
from ddl_lint.check.overrides import Overrides
from ddl_lint.project.config import ConfigError, Settings
from ddl_lint.project.policy import Policy, load_policy
from ddl_lint.project.selectors import unknown_selector
from ddl_lint.registry.rules import Rule
from ddl_lint_server.messages import Options, Workspace

EDITOR = Path("the editor's settings")
"""What is named instead of a file in errors about them."""

_NO_POLICY = Policy()


def options_of(workspace: Workspace, path: str) -> Options:
    """What the editor's settings say about a file: those of the innermost workspace folder around it."""
    return workspace.options.get(folder_of(workspace, path), Options())


def folder_of(workspace: Workspace, path: str) -> str:
    """The innermost workspace folder around a file; empty if there is none."""
    return next((folder for folder in workspace.folders if Path(path).is_relative_to(folder)), "")


def configuration_of(workspace: Workspace, policy: Policy = _NO_POLICY) -> Configuration:
    """How the settings of files are found, for one state of the editor's settings, under a policy."""
    around = {folder: _configuration(workspace, folder, {}) for folder in workspace.folders}
    return replace(_configuration(workspace, "", around), policy=policy)


def policy_of(rules: Sequence[Rule]) -> Policy:
    """The policy that the environment names. One that cannot be used is reported at each file, where people see it."""
    try:
        policy = load_policy(None)
    except ConfigError as error:
        return Policy(fault=error)
    if unknown := unknown_selector(policy.enforce, rules):
        return Policy(fault=ConfigError(Path("the policy"), unknown[1]))
    return policy


def _configuration(workspace: Workspace, folder: str, inside: dict[str, Configuration]) -> Configuration:
    options = workspace.options.get(folder, Options())
    overrides = Overrides(
        select=options.select,
        ignore=options.ignore,
        extend_select=options.extend_select,
        exclude=options.exclude,
        pedantic=options.pedantic,
        preview=options.preview,
        hints=True,
        target=options.target,
        said=options.said,
        yields=options.preference == "filesystemFirst",
        folder=Path(folder) if folder else None,
    )
    fixed = _file(options.configuration, folder)
    if fixed is None and options.preference == "editorOnly":
        fixed = Settings(root=overrides.folder)
    return Configuration(overrides, fixed, inside, EDITOR)


def _file(named: str, folder: str) -> Path | None:
    """The configuration file that the editor's settings name."""
    if not named:
        return None
    file = Path(named)
    with contextlib.suppress(RuntimeError):  # there is no such home: then there is no such file
        file = file.expanduser()
    return Path(folder, file)

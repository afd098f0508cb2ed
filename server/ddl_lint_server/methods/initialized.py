"""The session begins."""

from __future__ import annotations

from lsprotocol import types

from ddl_lint.jobs.file_names import SUFFIXES
from ddl_lint_server.client_settings import refresh_settings
from ddl_lint_server.state import Server

METHOD = types.INITIALIZED

_WATCHED = (
    "**/*.{py,ipynb,toml,yaml,yml,json,mk" + "".join(f",{suffix[1:]}" for suffix in SUFFIXES) + "}",
    "**/*{requirement,constraint}*.{txt,in,pip}",
    "**/requirements/*.{txt,in,pip}",
    "**/{Dockerfile,Containerfile}*",
    "**/*.{dockerfile,Dockerfile}",
    "**/*{Makefile,makefile}",
    "**/.gitignore",
)
"""All files that may be programs, launch files or configurations, and more."""


async def handle(ls: Server, params: types.InitializedParams) -> None:
    """Ask for the settings and for news of files, then check."""
    registrations: list[types.Registration] = []
    if ls.can.watches:
        watchers = [types.FileSystemWatcher(glob) for glob in _WATCHED]
        options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
        method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
        registrations.append(types.Registration("ddl-lint-files", method, options))
    if ls.can.reconfigures:
        method = types.WORKSPACE_DID_CHANGE_CONFIGURATION
        options = types.DidChangeConfigurationRegistrationOptions(section="ddl-lint")
        registrations.append(types.Registration("ddl-lint-settings", method, options))
    if registrations:
        ls.client_register_capability(types.RegistrationParams(registrations))
    await refresh_settings(ls)
    ls.schedule.start()

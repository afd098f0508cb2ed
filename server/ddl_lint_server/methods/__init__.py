"""What the server does about each message: one module per method of the protocol, registered by `register`."""

from __future__ import annotations

from ddl_lint_server.methods import (
    code_action,
    code_lens,
    command_check_workspace,
    command_debug,
    command_diagnose,
    command_explain,
    command_jobs,
    command_show_jobs,
    command_show_rule,
    command_show_trace,
    command_trace,
    configuration_changed,
    document_changed,
    document_closed,
    document_opened,
    document_saved,
    hover,
    initialize,
    initialized,
    notebook_changed,
    notebook_closed,
    notebook_opened,
    notebook_saved,
    progress_cancelled,
    pull_document,
    pull_workspace,
    resolve_action,
    shutdown,
    watched_files,
    workspace_folders,
)
from ddl_lint_server.state import Server

_MODULES = (
    code_action,
    code_lens,
    configuration_changed,
    document_changed,
    document_closed,
    document_opened,
    document_saved,
    hover,
    initialize,
    initialized,
    notebook_changed,
    notebook_closed,
    notebook_opened,
    notebook_saved,
    progress_cancelled,
    pull_document,
    pull_workspace,
    resolve_action,
    shutdown,
    watched_files,
    workspace_folders,
)

_COMMANDS = (
    command_check_workspace,
    command_debug,
    command_diagnose,
    command_explain,
    command_jobs,
    command_show_jobs,
    command_show_rule,
    command_show_trace,
    command_trace,
)


def register(server: Server) -> None:
    """Tell the protocol's library which functions handle what."""
    for module in _MODULES:
        server.feature(module.METHOD, getattr(module, "OPTIONS", None))(module.handle)
    for module in _COMMANDS:
        server.command(module.COMMAND)(module.run)

"""How a command ends: its exit code, or what the user can put right."""

from __future__ import annotations

CLEAN, FINDINGS, FAILURE = 0, 1, 2
"""Exit codes: nothing was found, something was, and misuse, unreadable input or our fault."""

INTERRUPTED = 130
"""What a shell reports for Ctrl-C."""


class UserError(Exception):
    """Something that the user can put right; `str()` of it says what and how."""

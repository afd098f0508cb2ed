"""What a terminal can show: colours, links, a line that is written again."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from typing import Literal, TextIO, get_args

When = Literal["auto", "always", "never"]
WHENS: tuple[When, ...] = get_args(When)

_LINKING_PROGRAMS = ("iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "Tabby", "rio", "zed")
_LINKING_TERMS = ("xterm-kitty", "xterm-ghostty", "alacritty", "foot", "contour", "wezterm")
_LINKING_MARKS = ("WT_SESSION", "KITTY_WINDOW_ID", "KONSOLE_VERSION", "DOMTERM", "WEZTERM_PANE")
_FIRST_LINKING_VTE = 5002  # 0.50.0 crashed on links

_LOGS = ("CI", "GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION")
"""What tells that a CI system runs us, and reads what is printed."""

_colour: When = "auto"


def choose_colour(when: When) -> None:
    """Say whether to colour what is shown, whatever the terminal can do; `auto` looks."""
    global _colour
    _colour = when


def has_colour(stream: TextIO) -> bool:
    """Whether colours do any good there."""
    if _colour != "auto":
        return _colour == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return is_terminal(stream)


def has_links(stream: TextIO) -> bool:
    """Whether text there may be a link (OSC 8): on the terminals that are known to show one."""
    forced = os.environ.get("FORCE_HYPERLINK")
    if forced:
        return forced != "0"
    if _colour == "never" or os.environ.get("NO_COLOR") or os.environ.get("CI") or not is_terminal(stream):
        return False
    return _knows_links(os.environ)


def is_terminal(stream: TextIO) -> bool:
    """Whether a person looks at it, on what can do more than print line after line."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def is_looked_at(stream: TextIO) -> bool:
    """Whether what is written there comes to a terminal or to the log of a CI system, which acts on some of it; not so
    for a file, or a pipe to another program.
    """
    if stream.isatty():
        return True
    if not any(os.environ.get(mark) for mark in _LOGS):
        return False
    try:
        return not stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
    except OSError:
        return True


def shows_progress(stream: TextIO) -> bool:
    """Whether a line that changes does any good there."""
    return is_terminal(stream) and not os.environ.get("CI")


def _knows_links(environment: Mapping[str, str]) -> bool:
    term = environment.get("TERM", "")
    if term.startswith(("screen", "tmux")) or environment.get("TMUX"):
        return False  # what is around them may know, but older ones print the address
    if environment.get("TERM_PROGRAM") in _LINKING_PROGRAMS or term in _LINKING_TERMS:
        return True
    vte = environment.get("VTE_VERSION", "")
    if vte.isdigit() and int(vte) >= _FIRST_LINKING_VTE:
        return True
    return any(environment.get(mark) for mark in _LINKING_MARKS)

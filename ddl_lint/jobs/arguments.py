"""The options that a launch gives to its script."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ddl_lint.jobs.launch import Launch
from ddl_lint.jobs.words import Word

_OVERRIDE = re.compile(r"\+{0,2}([A-Za-z_][\w.]*)=")


def script_options(launch: Launch) -> Mapping[str, Word | None]:
    """The options that a launch gives its script: name, with underscores, and value (None for a flag). Of several the
    last one. A setting that is given by its keys, `optim.lr=0.1`, counts as one. What an option without `=` takes is
    not known: the next word, if that is none itself.
    """
    found: dict[str, Word | None] = {}
    words = launch.arguments
    for index, word in enumerate(words):
        head = word.head
        override = _OVERRIDE.match(head)
        if override is not None:
            found[override[1]] = word.after(override[0])
        if not head.startswith("--") or len(head) < 3:
            continue
        name, equals, _ = head[2:].partition("=")
        if equals:
            found[name.replace("-", "_")] = word.after(f"--{name}=")
            continue
        following = words[index + 1] if index + 1 < len(words) else None
        is_value = following is not None and (not following.head.startswith("--")) and not following.may_split
        found[name.replace("-", "_")] = following if is_value else None
    return found


def may_have_more(launch: Launch) -> bool:
    """Whether the script may be given options that are unknown here."""
    return any(word.may_split for word in launch.arguments)

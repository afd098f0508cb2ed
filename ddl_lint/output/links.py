"""Text that a terminal shows as a link (OSC 8)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ddl_lint.output.places import Place


@dataclass(frozen=True)
class Links:
    """Where places and rules lead to."""

    rules: Mapping[str, str]
    """Code of a rule to an address that says more of it."""

    def place(self, text: str, place: Place) -> str:
        """A text that leads to a line of a file, or to a notebook: the lines of a cell are none of its file."""
        line = f"#{place.line}" if place.cell is None else ""
        return _link(text, f"{_address(place.file)}{line}")

    def rule(self, text: str, code: str) -> str:
        """A text that leads to what is written about a rule; the text itself where that is not known."""
        address = self.rules.get(code)
        return _link(text, address) if address else text


def _address(path: str) -> str:
    import socket  # here, since few terminals show links

    # The host says whose file it is: the terminal may run elsewhere, and then does not open one of its own.
    return Path(path).absolute().as_uri().replace("file:///", f"file://{socket.gethostname()}/", 1)


def _link(text: str, address: str) -> str:
    return f"\x1b]8;;{address}\x1b\\{text}\x1b]8;;\x1b\\"

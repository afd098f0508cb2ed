"""The programs that start the processes of a job, as `facts/launchers.yaml` describes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from ddl_lint.jobs.known import facts

Takes = Literal["value", "pair", "nothing", "perhaps"]
"""How many words an option takes: one, two, none, or one only after `=`."""


@dataclass(frozen=True, slots=True)
class Launcher:
    """A launcher and its options; names as in `facts/launchers.yaml`."""

    name: str
    package: str
    called: tuple[tuple[str, ...], ...]
    """The words of a command by which it is called."""

    modules: tuple[str, ...]
    options: Mapping[str, Takes]
    aliases: Mapping[str, str]
    roles: Mapping[str, str]
    is_open: bool
    """Whether it takes further options that we do not list."""

    known: frozenset[str]
    """Options that some version takes, and of which no more is known."""

    abbreviates: bool
    """Whether the unambiguous beginning of an option is accepted for it."""

    dashes_since: str
    """The version from which on options may be spelled with dashes between their words."""

    since: Mapping[str, str]
    """The first versions of its options; without an entry, all."""

    sizes: frozenset[str]
    """Options that mean nothing to most scripts: after the script, they are misplaced."""

    several: frozenset[str] = frozenset()
    """Options with which more than one process is started on a node; `*` means none."""

    several_unless: frozenset[str] = frozenset()
    engines: frozenset[str] = frozenset()
    """Options with which the framework wraps models itself."""

    passes: str = ""
    """The option that each process finds in its command line."""

    passes_unless: frozenset[str] = frozenset()

    def meaning(self, written: str) -> str | None:
        """The name of an option that is written without dashes at its beginning; None for one that it does not take."""
        name = written.replace("-", "_")
        name = self.aliases.get(name, name)
        if name in self.options or name in self.known:
            return name
        if self.abbreviates and len(name) > 1:
            found = {each for each in self.options if each.startswith(name)}
            if len(found) == 1:
                return found.pop()
        return None

    def is_ambiguous(self, written: str) -> bool:
        """Whether several options begin so: the launcher refuses it for another reason."""
        name = written.replace("-", "_")
        return self.abbreviates and sum(each.startswith(name) for each in self.options) > 1


@lru_cache(maxsize=1)
def launchers() -> Mapping[str, Launcher]:
    """All launchers by name."""
    data: Mapping[str, Mapping[str, Any]] = facts("launchers")
    return {name: _launcher(name, entry, data) for name, entry in data.items()}


def _launcher(name: str, entry: Mapping[str, Any], data: Mapping[str, Mapping[str, Any]]) -> Launcher:
    base = data.get(entry.get("like", ""), {})

    def of(key: str, otherwise: Any) -> Any:
        return entry.get(key, base.get(key, otherwise))

    options: dict[str, Takes] = {}
    kinds: tuple[tuple[str, Takes], ...] = (("flags", "nothing"), ("values", "value"), ("pairs", "pair"))
    for key, takes in kinds:
        options.update(dict.fromkeys(of(key, ()), takes))
    options.update(dict.fromkeys(of("optional_values", ()), "perhaps"))
    opened: Iterable[str] = of("open", ())
    return Launcher(
        name,
        of("package", ""),
        tuple(tuple(words.split()) for words in entry.get("called", ())),
        tuple(entry.get("modules", ())),
        options,
        of("aliases", {}),
        of("roles", {}),
        "*" in opened,
        frozenset(opened) - {"*"},
        of("abbreviates", False),
        of("dashes_since", ""),
        of("since", {}),
        frozenset(of("most_options_of_scripts", ())),
        several=frozenset(of("several", ())),
        several_unless=frozenset(of("several_unless", ())),
        engines=frozenset(of("engines", ())),
        passes=of("passes", ""),
        passes_unless=frozenset(of("passes_unless", ())),
    )

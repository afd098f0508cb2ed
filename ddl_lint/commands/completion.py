"""`ddl-lint completion`: prints a script with which a shell completes commands, options, rules and files."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from ddl_lint.commands.arguments import Parser
from ddl_lint.commands.check_options import FAILURES
from ddl_lint.commands.console import write
from ddl_lint.commands.installed import installed_rules
from ddl_lint.commands.outcome import CLEAN, UserError
from ddl_lint.commands.parser import command_line
from ddl_lint.project.selectors import groups

_BASH = """\
_ddl_lint_rules() {{
  compgen -W "{names}" -- "$1"
}}

_ddl_lint_selectors() {{
  _ddl_lint_some "$1" "{selectors}"
}}

_ddl_lint_failures() {{
  _ddl_lint_some "$1" "{failures}"
}}

_ddl_lint_some() {{
  local before=""
  [[ $1 == *,* ]] && before="${{1%,*}},"
  compgen -P "$before" -W "$2" -- "${{1##*,}}"
}}
"""


def run(options: argparse.Namespace) -> int:
    """Print the script for a shell. Raises `UserError` where the package that writes it is not installed."""
    try:
        import shtab
    except ImportError:
        raise UserError("completion needs the package shtab: pip install shtab") from None

    if options.shell not in shtab.SUPPORTED_SHELLS:
        raise UserError(f"this shtab knows no {options.shell}: pip install --upgrade shtab")
    rules = [rule for rule in installed_rules().rules if not rule.info.is_engine]
    names = [rule.name for rule in rules]
    selectors = ["ALL", *groups(rules), *names]
    by_metavar: dict[str, Any] = {
        "RULE": _one_of(names),
        "RULE[,RULE]": _some_of("selectors", selectors),
        "WORD[,WORD]": _some_of("failures", FAILURES),
        **dict.fromkeys(("PATH", "FILE", "PATH[::FUNCTION]"), shtab.FILE),
        "FOLDER": shtab.DIRECTORY,
    }
    parser = command_line()
    for action in _actions(parser):
        if action.metavar in by_metavar:
            action.complete = by_metavar[action.metavar]  # type: ignore[attr-defined]
    listed = {"names": names, "selectors": selectors, "failures": FAILURES}
    functions = _BASH.format_map({name: " ".join(words) for name, words in listed.items()})
    functions = functions if options.shell == "bash" else ""
    write(shtab.complete(parser, options.shell, preamble=functions) + "\n")
    return CLEAN


def _one_of(words: Sequence[str]) -> dict[str, str]:
    """How each shell completes one of some words."""
    listed = " ".join(words)
    return {"bash": "_ddl_lint_rules", "zsh": f"({listed})", "tcsh": f"({listed})", "fish": listed}


def _some_of(kind: str, words: Sequence[str]) -> dict[str, str]:
    """How each shell completes several words between commas; tcsh only the first."""
    listed = " ".join(words)
    return {
        "bash": f"_ddl_lint_{kind}",
        "zsh": f" _values -s , rule {listed}",  # the blank before it says that it is called as it is
        "tcsh": f"({listed})",
        "fish": f"(__fish_append , {listed})",
    }


def _actions(parser: Parser) -> Iterator[argparse.Action]:
    """The options and arguments of a parser and of its commands."""
    for action in parser.actions:
        yield action
        choices: Any = action.choices
        if isinstance(choices, Mapping):
            for command in cast("Mapping[str, object]", choices).values():
                if isinstance(command, Parser):
                    yield from _actions(command)

"""Reads the words of a command line, and tells what may be meant by one that is none."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

from ddl_lint.commands.console import complain, say, write
from ddl_lint.commands.outcome import FAILURE, UserError


class Parser(argparse.ArgumentParser):
    """Tells mistakes as all of ddl-lint does: what is wrong, and what may be meant."""

    def read(self, words: Sequence[str]) -> argparse.Namespace:
        """The options that some words give; leaves the program where they are no options of ours."""
        options, unknown = self.parse_known_args(words)
        if unknown:
            asked: Parser = getattr(options, "parser", self)
            asked.refuse(unknown)
        return options

    def refuse(self, words: Sequence[str]) -> NoReturn:
        """Leave the program for words that nothing is known of."""
        option = next((word for word in words if word.startswith("-")), None)
        if option is None:
            self.error(f"unexpected argument `{words[0]}`")
        name = option.partition("=")[0]
        shown = [flag for flag, action in self._option_string_actions.items() if action.help is not argparse.SUPPRESS]
        self.error(f"unknown option `{name}`{nearest(name, shown)}")

    @property
    def actions(self) -> Sequence[argparse.Action]:
        """The options and arguments that it knows."""
        return self._actions

    def print_help(self, file: Any = None) -> None:
        """Show the help."""
        if file is None:
            write(self.format_help())  # argparse would pass over a stdout that is full
        else:
            super().print_help(file)

    def error(self, message: str) -> NoReturn:
        """Tell a mistake and leave the program."""
        complain(message.removeprefix("argument ").replace(" argument -", " -"))
        say(f"`{self.prog} --help` lists all options.")
        sys.exit(FAILURE)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            raise argparse.ArgumentError(action, unknown_value(str(value), [str(choice) for choice in action.choices]))


def nearest(word: str, known: Iterable[str]) -> str:
    """A hint at what is meant, ready to append to a message; empty when nothing is near."""
    from ddl_lint.registry.schema import nearest  # here, since only a mistake needs it

    return nearest(word, known)


def unknown_value(value: str, choices: Sequence[str]) -> str:
    """What is wrong with a value that is none of some choices."""
    *most, last = [f"`{choice}`" for choice in choices]
    expected = f"{', '.join(most)} or {last}" if most else last
    return f"unknown value `{value}`{nearest(value, choices)}; expected {expected}"


def with_command(words: Sequence[str], commands: Iterable[str], general: Iterable[str]) -> list[str]:
    """The words with a command: a path, or an option of `check`, in place of one means `check`.

    Args:
        words: What is on the command line.
        commands: The commands that there are.
        general: Options that may come before a command; those with a value after them end with `=`.

    Raises:
        UserError: the first word is neither a command nor a path.
    """
    index = 0
    valued = {option[:-1] for option in general if option.endswith("=")}
    while index < len(words) and words[index].partition("=")[0] in valued:
        index += 1 if "=" in words[index] else 2
    if index >= len(words):
        return list(words)
    word, rest = words[index], words[index + 1 :]
    if word in commands or word in general:
        return list(words)
    if word == "help":
        return [*words[:index], *rest, "--help"]
    if not word.startswith("-") and not _is_path(word):
        hint = nearest(word, [*commands, *(option for option in general if not option.endswith("="))])
        raise UserError(
            f"unknown command `{word}`{hint}"
            if hint
            else f"`{word}` is no command, and there is no file or folder of this name; "
            "`ddl-lint --help` lists all commands"
        )
    return [*words[:index], "check", *words[index:]]


def _is_path(word: str) -> bool:
    """Whether a word means a file or folder, be it there or not."""
    return os.path.exists(word) or any(sign in word for sign in ("/", os.sep, "."))

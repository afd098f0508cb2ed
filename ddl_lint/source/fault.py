"""Where the text of a file is no Python."""

from __future__ import annotations

from dataclasses import dataclass

from ddl_lint.source.span import Span


@dataclass(frozen=True, slots=True)
class SyntaxFault:
    """A syntax error: where a person should look, and what is wrong there.

    `is_legal` marks what Python takes and we do not, since it is nested too deeply; `dialect` names the language
    that the line is written in, where that is another one.
    """

    span: Span
    message: str
    is_legal: bool = False
    dialect: str = ""
